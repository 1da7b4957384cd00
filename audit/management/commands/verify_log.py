"""python manage.py verify_log"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from audit import log, queries


class Command(BaseCommand):
    """Look at every byte of the log again."""

    help = "Check entries, leaves, tiles, checkpoints and keys against what was signed. Reads only."

    def handle(self, *args: Any, **options: Any) -> None:
        """Name what does not hold. Errors: CommandError, when anything does not."""
        with queries.one_moment():
            last = log.last_checkpoint()
            fault_count = 0
            for fault in log.log_faults():
                self.stdout.write(fault)
                fault_count += 1
        if fault_count:
            raise CommandError(f"{fault_count} faults")
        self.stdout.write(f"{last.size if last else 0} entries are as they were signed")
