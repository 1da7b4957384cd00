"""python manage.py reset_device USERNAME"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from casino.staff.errors import StaffNotFoundError
from casino.staff.second import reset


class Command(BaseCommand):
    """Take a lost phone off a user, when nobody who manages the staff can log in."""

    help = "Take a staff user's phone off; he sets up another at his next log-in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say whose."""
        parser.add_argument("username")

    def handle(self, *args: Any, username: str, **options: Any) -> None:
        """Reset."""
        try:
            reset("command:reset_device", username=username)
        except StaffNotFoundError:
            raise CommandError(f"There is no user {username}.") from None
        self.stdout.write(f"{username} sets up another phone at the next log-in.")
