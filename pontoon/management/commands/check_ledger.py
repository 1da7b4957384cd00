"""python manage.py check_ledger"""

from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from audit import queries as audit
from casino.players import queries as players
from pontoon import queries
from wallets import queries as wallets

_LAWS = (
    wallets.ledger_faults,
    queries.round_faults,
    players.record_faults,
    wallets.record_faults,
    queries.record_faults,
)


class Command(BaseCommand):
    """Prove the ledger, or say what does not hold in it."""

    help = (
        "Check every wallet, transfer and round against each other and the log, as of one moment"
        " and without stopping anybody. Prints each fault; the exit code is 1 if there is one."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print what does not hold, and how much was looked at."""
        fault_count = 0
        with audit.one_moment():
            for fault in chain(*(faults() for faults in _LAWS)):
                fault_count += 1
                self.stdout.write(fault)
            sizes = wallets.sizes() | {"rounds": queries.count_rounds()}
        looked_at = ", ".join(f"{count} {name}" for name, count in sizes.items())
        if fault_count:
            raise CommandError(f"{looked_at} checked, faults: {fault_count}")
        self.stdout.write(f"{looked_at} checked: all of it holds")
