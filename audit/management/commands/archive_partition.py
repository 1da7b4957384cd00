"""python manage.py archive_partition YYYY-MM --to FOLDER --reason TEXT"""

import os
from argparse import ArgumentParser
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError

from audit.archive import archive
from audit.errors import AuditError


class Command(BaseCommand):
    """Take a month of entries out of the database, into a file."""

    help = (
        "Write a month's sealed entries into a file and detach its partition. Reads the"
        " superuser's connection from DATABASE_DBA_URL; docs/log.md has the whole procedure."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say which month, where to, and why."""
        parser.add_argument("month", help="YYYY-MM, a month that is over")
        parser.add_argument("--to", type=Path, required=True, help="an existing folder")
        parser.add_argument("--reason", required=True, help="for the record")

    def handle(self, *args: Any, month: str, to: Path, reason: str, **options: Any) -> None:
        """Archive. Errors: CommandError."""
        begin = datetime.strptime(f"{month}-01", "%Y-%m-%d").date()  # noqa: DTZ007
        actor = f"command:archive_partition:{os.environ.get('USER', '')}"
        with psycopg.connect(os.environ["DATABASE_DBA_URL"], autocommit=True) as dba:
            try:
                made = archive(dba, month=begin, folder=to, reason=reason, actor=actor)
            except AuditError as error:
                raise CommandError(f"{month} stays where it is: {error.facts}") from error
        self.stdout.write(f"{made.digest.hex()}  {made.path}")
        self.stdout.write(
            f"{made.entry_count} entries; the table audit_entry_{begin:%Y_%m} is"
            " detached and can be dropped once the file is in safety."
        )
