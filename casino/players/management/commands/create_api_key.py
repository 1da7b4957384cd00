"""python manage.py create_api_key NAME --scopes players:read …"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from casino.players.services import SCOPES, create_key


class Command(BaseCommand):
    """Make a key for an operator's system."""

    help = "Make an operator's API key. Prints its token, which is not kept and not shown again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the key, and say what it may do."""
        parser.add_argument("name", help="whose key it is, for people")
        parser.add_argument(
            "--scopes",
            nargs="+",
            required=True,
            choices=sorted(SCOPES),
            metavar="SCOPE",
            help=f"what it may do: {', '.join(sorted(SCOPES))}",
        )

    def handle(self, *args: Any, name: str, scopes: list[str], **options: Any) -> None:
        """Make the key."""
        api_key, token = create_key("command:create_api_key", name=name, scopes=scopes)
        self.stdout.write(f"id     {api_key.id}")
        self.stdout.write(f"token  {token}")
