"""python manage.py set_password USERNAME"""

from argparse import ArgumentParser
from getpass import getpass
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from casino.staff.errors import StaffNotFoundError
from casino.staff.models import StaffUser
from casino.staff.services import set_password


class Command(BaseCommand):
    """Give a staff user a new password, and ask for it."""

    help = "Set a staff user's password. Asks for it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say whose."""
        parser.add_argument("username")

    def handle(self, *args: Any, username: str, **options: Any) -> None:
        """Set the password."""
        password = getpass("Password: ")
        try:
            validate_password(password, StaffUser(username=username))
            set_password("command:set_password", username=username, password=password)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        except StaffNotFoundError:
            raise CommandError(f"There is no user {username}.") from None
        self.stdout.write(f"{username} has a new password.")
