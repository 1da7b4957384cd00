"""python manage.py replay_round ROUND_ID"""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from audit import queries as audit
from pontoon import engine, queries
from pontoon.errors import RoundNotFoundError
from pontoon.lifecycle import REVEALED


class Command(BaseCommand):
    """Play one round again from what is stored of it."""

    help = (
        "Replay a round and compare it with its state and its money. Prints its record when it is"
        " over; the seed of an open round stays shut. The exit code is 1 if anything differs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the round."""
        parser.add_argument("round_id", type=UUID, metavar="ROUND_ID")

    def handle(self, *args: Any, round_id: UUID, **options: Any) -> None:
        """Print the record, and whether all agrees."""
        with audit.one_moment():
            try:
                told = queries.round_of(round_id)
            except RoundNotFoundError:
                raise CommandError(f"there is no round {round_id}") from None
            faults = list(queries.faults_of(told))
        self.stdout.write(f"# round {told.id} of player {told.player_id}: {told.state}")
        if told.state in REVEALED and not faults:
            record = queries.record_of(queries.facts_of(told))
            self.stdout.write(engine.format_record(record), ending="")
        for fault in faults:
            self.stdout.write(f"# {fault}")
        if faults:
            raise CommandError("state, money and replay do not agree")
        self.stdout.write("# state, money and replay agree")
