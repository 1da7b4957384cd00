"""python manage.py software_identity [--values] [--because TEXT]"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from pontoon.services import identify, values_in_force


class Command(BaseCommand):
    """Say what the software is, and put it on record."""

    help = (
        "Hash every file that can change play, record it, and print the list for"
        " `sha256sum --check`; on the other channel, what changed since the last time."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say why, or ask for the values that the list's first line is the hash of."""
        parser.add_argument("--because", default="demand", help="why it is done, for the record")
        parser.add_argument("--values", action="store_true", help="only print the values in force")

    def handle(self, *args: Any, because: str, values: bool, **options: Any) -> None:
        """Print the manifest, or the values."""
        if values:
            self.stdout.write(values_in_force(), ending="")
            return
        identity = identify("command:software_identity", because=because)
        self.stdout.write(identity.manifest, ending="")
        for path in identity.changed:
            self.stderr.write(f"changed: {path}")
