"""python manage.py unlock_staff USERNAME"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from casino.staff.errors import StaffNotFoundError
from casino.staff.services import unlock


class Command(BaseCommand):
    """Let a user in again whom three failures locked out."""

    help = "Unlock a staff user."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say whom."""
        parser.add_argument("username")

    def handle(self, *args: Any, username: str, **options: Any) -> None:
        """Unlock."""
        try:
            unlock("command:unlock_staff", username=username)
        except StaffNotFoundError:
            raise CommandError(f"There is no user {username}.") from None
        self.stdout.write(f"{username} may log in.")
