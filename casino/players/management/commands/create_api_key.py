"""python manage.py create_api_key NAME --scopes players:read …"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from audit.errors import InvalidError
from casino.players.services import SCOPES, create_key


class Command(BaseCommand):
    """Make a key for an operator's system, or an auditor's."""

    help = "Make an API key. Prints its token, which is not kept and not shown again."

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

        parser.add_argument("--auditor", action="store_true", help="a key that may only look")

    def handle(
        self, *args: Any, name: str, scopes: list[str], auditor: bool, **options: Any
    ) -> None:
        """Make the key. Errors: CommandError, for a scope that no auditor has."""
        actor = "command:create_api_key"
        try:
            api_key, token = create_key(actor, name=name, scopes=scopes, is_auditors=auditor)
        except InvalidError as error:
            raise CommandError(f"An auditor has no {', '.join(error.fields['scopes'])}.") from error
        self.stdout.write(f"id     {api_key.id}")
        self.stdout.write(f"token  {token}")
