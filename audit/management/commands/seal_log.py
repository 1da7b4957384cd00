"""python manage.py seal_log"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from audit import log
from audit.errors import LogBrokenError
from audit.seal import seal


class Command(BaseCommand):
    """Seal now, and show what is signed."""

    help = "Take every entry that is new into the tree, and print the newest checkpoint."

    def handle(self, *args: Any, **options: Any) -> None:
        """Seal. Errors: CommandError, when the sealer refuses."""
        try:
            count = seal()
        except LogBrokenError as error:
            raise CommandError(f"The sealer refuses: {error.facts}") from error
        last = log.last_checkpoint()
        self.stderr.write(f"sealed {count} entries")
        self.stdout.write(last.note if last else "The log is empty.", ending="")
