"""Django's changepassword leaves no entry: it is refused, and ours named."""

from typing import Any, NoReturn

from django.contrib.auth.management.commands import changepassword
from django.core.management.base import CommandError


class Command(changepassword.Command):
    """Say which command to use instead."""

    requires_migrations_checks = False
    help = "Refused, since it leaves no entry: use set_password."

    def handle(self, *args: Any, **options: Any) -> NoReturn:
        """Refuse."""
        raise CommandError("This leaves no entry. Use: manage.py set_password USERNAME")
