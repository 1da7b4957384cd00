"""python manage.py export_audit FILE [--from DAY] [--to DAY] [--tz ZONE] [--currency USD] …"""

import shutil
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from audit import export
from audit.errors import ExportCurrencyError


class Command(BaseCommand):
    """Build an export here and now; it is on record as any other."""

    help = "Export the log, transfers, accounts and rounds, signed; audit.verify checks it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what shall be in it; nothing said is everything."""
        parser.add_argument("file", type=Path, help="where the zip goes")
        parser.add_argument("--from", help="the first day, or an RFC 3339 time")
        parser.add_argument("--to", help="the day after the last, or a time")
        parser.add_argument("--tz", default="UTC", help="whose days: Europe/Stockholm")
        parser.add_argument("--player", dest="player_id")
        parser.add_argument("--currency")
        parser.add_argument("--kind", dest="kinds", action="append", choices=export.KINDS)
        parser.add_argument("--format", dest="formats", action="append", choices=export.FORMATS)
        parser.add_argument("--old-size", type=int, help="of an older checkpoint to hold against")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        """Ask for it, build it, and take it. Errors: CommandError."""
        actor = "command:export_audit"
        try:
            made = export.request(actor, asked=export.parse_asked(options))
        except (ValueError, ExportCurrencyError) as error:
            raise CommandError(str(error)) from error
        while export.build(only=made.id):
            made.refresh_from_db()
            self.stderr.write(f"{made.progress_percent} %")
        made.refresh_from_db()
        if made.state != "done":
            raise CommandError(f"the export has {made.state}: {made.fault}")
        shutil.copyfile(export.download(actor, export_id=made.id), file)
        self.stdout.write(f"{file}: {made.cursor['counts']} at {made.cursor['cut']['size']}")
