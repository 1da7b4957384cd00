"""python manage.py verify_audit"""

import tempfile
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from audit import log
from audit.verify.check import Check


class Command(BaseCommand):
    """Export everything and check it as an outsider would, by the keys that signed the log."""

    help = "Check log, wallets and rounds by an export of all of them. Needs room for it in TMPDIR."

    def handle(self, *args: Any, **options: Any) -> None:
        """Name what does not hold. Errors: CommandError, when anything does not."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "export.zip"
            call_command("export_audit", str(file), stdout=self.stdout, stderr=self.stderr)
            check = Check(file, keys=[str(key) for key in log.public_keys()])
            fault_count = 0
            for fault in check.faults():
                self.stdout.write(str(fault))
                fault_count += 1
        if fault_count:
            raise CommandError(f"{fault_count} faults")
        self.stdout.write(f"everything holds: {check.counts}")
