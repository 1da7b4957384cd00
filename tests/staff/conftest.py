"""Somebody of the staff, and her browser."""

import pytest
from django.test import Client

from casino.staff.models import StaffUser
from tests.panel import hire


@pytest.fixture
def ana(database: object) -> StaffUser:
    """One of the staff."""
    return hire("floor")


@pytest.fixture
def browser() -> Client:
    """Her browser."""
    return Client(REMOTE_ADDR="192.0.2.7", headers={"User-Agent": "Fire 1"})
