"""Django's createsuperuser leaves no entry: it is refused, and ours named."""

from typing import Any, NoReturn

from django.contrib.auth.management.commands import createsuperuser
from django.core.management.base import CommandError


class Command(createsuperuser.Command):
    """Say which command to use instead."""

    requires_migrations_checks = False
    help = "Refused, since it leaves no entry: use create_staff."

    def handle(self, *args: Any, **options: Any) -> NoReturn:
        """Refuse."""
        raise CommandError("This leaves no entry. Use: manage.py create_staff USERNAME --role ROLE")
