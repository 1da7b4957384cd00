"""The staff from the shell."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from audit.models import Entry
from casino.staff.models import StaffUser


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the person at the keyboard types when he is asked, last first."""
    answers: list[str] = []
    monkeypatch.setattr(
        "casino.staff.management.commands.create_staff.getpass", lambda _: answers.pop()
    )
    return answers


def test_a_user_is_made_and_unlocked(database: object, typed: list[str]) -> None:
    typed.append("quiet-harbour-9")
    call_command("create_staff", "ana", stdout=StringIO())
    user = StaffUser.objects.get()
    assert user.check_password("quiet-harbour-9")
    assert not user.is_superuser
    assert str(user) == "ana"
    call_command("unlock_staff", "ana", stdout=StringIO())
    assert [entry.event for entry in Entry.objects.all()] == ["staff.created"]


def test_a_mistake_is_a_sentence(database: object, typed: list[str]) -> None:
    typed.extend(["quiet-harbour-9", "quiet-harbour-9", "short"])
    with pytest.raises(CommandError, match="too short"):
        call_command("create_staff", "ana")
    call_command("create_staff", "ana", "--superuser", stdout=StringIO())
    with pytest.raises(CommandError, match="There is a user ana already"):
        call_command("create_staff", "ana")
    with pytest.raises(CommandError, match="There is no user ben"):
        call_command("unlock_staff", "ben")


def test_djangos_own_command_makes_a_user_too(
    database: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "quiet-harbour-9")
    call_command("createsuperuser", username="ana", interactive=False, stdout=StringIO())
    assert StaffUser.objects.get().is_superuser
