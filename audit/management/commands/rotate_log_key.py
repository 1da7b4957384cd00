"""python manage.py rotate_log_key"""

import base64
import secrets
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from audit.tree import SigningKey


class Command(BaseCommand):
    """Make a key, and say how it comes to sign."""

    help = "Make a new signing key for the log and print it. It is kept nowhere."

    def handle(self, *args: Any, **options: Any) -> None:
        """Make a key."""
        key = base64.b64encode(secrets.token_bytes(32)).decode()
        public = SigningKey.parse(settings.LOG_ORIGIN, key).public
        self.stdout.write(f"key     {key}")
        self.stdout.write(f"public  {public}")
        self.stdout.write("Start the sealer with LOG_KEYS=<this key>,<the key that signs now>.")
        self.stdout.write("When a checkpoint has both signatures, take the old one out.")
