"""The staff from the shell."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from audit.models import Entry
from casino.staff.models import StaffUser
from casino.staff.second import is_enrolled
from casino.staff.services import create_user
from tests.panel import hire, log_in


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the person at the keyboard types when he is asked, last first."""
    answers: list[str] = []
    for command in ("create_staff", "set_password"):
        room = f"casino.staff.management.commands.{command}"
        monkeypatch.setattr(f"{room}.getpass", lambda _: answers.pop())
    return answers


def test_a_user_is_made_and_unlocked(database: object, typed: list[str]) -> None:
    typed.append("quiet-harbour-9")
    call_command("create_staff", "ana", "--role", "floor", stdout=StringIO())
    user = StaffUser.objects.get()
    assert user.check_password("quiet-harbour-9")
    assert user.role == "floor"
    assert str(user) == "ana"
    call_command("unlock_staff", "ana", stdout=StringIO())
    assert [entry.event for entry in Entry.objects.all()] == ["staff.created"]


def test_a_mistake_is_a_sentence(database: object, typed: list[str]) -> None:
    typed.extend(["quiet-harbour-9", "quiet-harbour-9", "short"])
    with pytest.raises(CommandError, match="too short"):
        call_command("create_staff", "ana", "--role", "floor")
    call_command("create_staff", "ana", "--role", "floor", stdout=StringIO())
    with pytest.raises(CommandError, match="There is a user ana already"):
        call_command("create_staff", "ana", "--role", "floor")
    with pytest.raises(CommandError, match="There is no user ben"):
        call_command("unlock_staff", "ben")


def test_a_password_is_set_on_record(database: object, typed: list[str]) -> None:
    create_user("command:test", username="ana", password="quiet-harbour-9")
    typed.extend(["louder-harbour-8", "short"])
    with pytest.raises(CommandError, match="too short"):
        call_command("set_password", "ana")
    call_command("set_password", "ana", stdout=StringIO())
    assert StaffUser.objects.get().check_password("louder-harbour-8")
    entry = Entry.objects.get(event="staff.password_changed")
    assert (entry.subject, entry.actor) == (StaffUser.objects.get().urn, "command:set_password")
    assert "harbour" not in entry.body


def test_nobodys_password_is_not_set(database: object, typed: list[str]) -> None:
    typed.append("quiet-harbour-9")
    with pytest.raises(CommandError, match="There is no user ben"):
        call_command("set_password", "ben")


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        (("createsuperuser", "--username=ana", "--noinput"), "create_staff USERNAME --role ROLE"),
        (("changepassword", "ana"), "set_password USERNAME"),
    ],
)
def test_djangos_commands_that_leave_no_entry_say_which_does(
    command: tuple[str, ...], ours: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "quiet-harbour-9")
    with pytest.raises(CommandError, match=ours):
        call_command(*command)


def test_a_lost_phone_is_taken_off_from_the_shell(database: object) -> None:
    user = hire("engineer")
    log_in(Client(), user)
    call_command("reset_device", "ana", stdout=StringIO())
    assert not is_enrolled(user)
    assert Entry.objects.get(event="staff.device_reset").actor == "command:reset_device"
    with pytest.raises(CommandError, match="There is no user ben"):
        call_command("reset_device", "ben")


def test_a_role_that_there_is_none_of_is_not_given(database: object) -> None:
    with pytest.raises(CommandError, match="invalid choice: 'boss'"):
        call_command("create_staff", "ana", "--role", "boss")
