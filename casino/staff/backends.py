"""How the staff log in: Django's way, on record, locked after three failures."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.db import transaction
from django.http import HttpRequest

from casino.requests import client_address
from casino.staff import services
from casino.staff.models import StaffUser


class RecordingBackend(ModelBackend):
    """A password opens the panel. Whatever was wrong, the answer and its time are the same.

    Source: AUT-01, AUT-02, AUT-10, OPR-03.
    """

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **kwargs: Any,
    ) -> StaffUser | None:
        """Return the user whose password it is; None for every other case.

        Attempts on one user wait for each other, so that a thousand at once are three.
        """
        if username is None or password is None:
            return None
        address = client_address(request) if request else ""
        with transaction.atomic(durable=True):
            user = services.lock_row(username)
            opened = super().authenticate(request, username=username, password=password)
            if user is None or user.locked_at or opened is None:
                services.refuse(user, reason=_reason(user), address=address)
                return None
            services.accept_password(user, address=address)
        return user


def _reason(user: StaffUser | None) -> str:
    """Say why a log-in failed: to the log alone."""
    if user is None:
        return "unknown_user"
    if user.locked_at:
        return "locked"
    return "wrong_password" if user.is_active else "inactive"
