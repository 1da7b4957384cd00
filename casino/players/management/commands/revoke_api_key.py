"""python manage.py revoke_api_key ID"""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from casino.players.errors import PlayerNotFoundError
from casino.players.services import revoke_key


class Command(BaseCommand):
    """End a key of an operator's system."""

    help = "End an operator's API key, for good and at once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say which; the panel lists them."""
        parser.add_argument("id", type=UUID)

    def handle(self, *args: Any, id: UUID, **options: Any) -> None:
        """Revoke the key."""
        try:
            api_key = revoke_key("command:revoke_api_key", key_id=id)
        except PlayerNotFoundError:
            raise CommandError(f"There is no key {id}.") from None
        self.stdout.write(f"{api_key} is revoked.")
