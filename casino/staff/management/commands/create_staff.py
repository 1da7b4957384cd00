"""python manage.py create_staff USERNAME --role ROLE"""

from argparse import ArgumentParser
from getpass import getpass
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from casino.staff.errors import TakenNameError
from casino.staff.models import StaffUser
from casino.staff.roles import Role
from casino.staff.services import create_user


class Command(BaseCommand):
    """Make a staff user, and ask for his password."""

    help = "Make a user of the panel. Asks for the password."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say who, and what he is there for."""
        parser.add_argument("username")
        parser.add_argument(
            "--role",
            required=True,
            choices=[role.value for role in Role],
            help="what he may do",
        )

    def handle(self, *args: Any, username: str, role: str, **options: Any) -> None:
        """Make the user."""
        password = getpass("Password: ")
        try:
            validate_password(password, StaffUser(username=username))
            create_user(
                "command:create_staff",
                username=username,
                password=password,
                role=role,
            )
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        except TakenNameError:
            raise CommandError(f"There is a user {username} already.") from None
        self.stdout.write(f"{username} may log in at /panel/.")
