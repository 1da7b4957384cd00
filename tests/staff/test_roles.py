"""Who may do what: the whole matrix, as the operator has decided it."""

from types import SimpleNamespace

import pytest
from django.contrib import admin
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import connection

from casino.staff.errors import SamePersonError
from casino.staff.roles import (
    GRANTS,
    LOOKS,
    TABLES,
    Act,
    Role,
    may,
    may_look,
    require,
    require_other,
)
from casino.staff.services import create_user

WRITES = frozenset(Act) - LOOKS

# Acts of which one raises what another decides on.
PAIRS = [
    (Act.RAISE_MALFUNCTION, Act.APPROVE_MALFUNCTION),
    (Act.RAISE_ADJUSTMENT, Act.APPROVE_ADJUSTMENT),
    (Act.RAISE_SUSPENSION, Act.LIFT_SUSPENSION),
]


def somebody(role: str, *, is_active: bool = True) -> SimpleNamespace:
    """Return what the roles read of a user."""
    return SimpleNamespace(role=role, is_active=is_active)


def test_opr_01_every_role_has_its_function_list_and_every_act_its_role() -> None:
    assert GRANTS.keys() == set(Role)
    assert frozenset().union(*GRANTS.values()) == frozenset(Act)


@pytest.mark.parametrize("role", [Role.COMPLIANCE, Role.AUDITOR])
def test_opr_05_who_looks_over_all_changes_nothing(role: Role) -> None:
    assert GRANTS[role] - LOOKS == {Act.REQUEST_EXPORT}


def test_opr_02_nobody_both_pays_by_hand_and_approves_it() -> None:
    for role, acts in GRANTS.items():
        assert not {Act.RAISE_ADJUSTMENT, Act.APPROVE_ADJUSTMENT} <= acts, role


@pytest.mark.parametrize(("raises", "decides"), PAIRS)
def test_opr_02_what_is_raised_can_be_decided_by_somebody(raises: Act, decides: Act) -> None:
    assert any(raises in acts for acts in GRANTS.values())
    assert any(decides in acts for acts in GRANTS.values())


def test_staff_and_keys_are_the_engineers_alone_and_players_not_his() -> None:
    for act in (Act.MANAGE_STAFF, Act.MANAGE_KEYS, Act.MANAGE_WEBHOOKS, Act.RETRY_WORK):
        assert [role for role, acts in GRANTS.items() if act in acts] == [Role.ENGINEER]
    assert not {Act.LOOK_PLAYERS, Act.LOOK_MONEY, Act.DECIDE_WIN} & GRANTS[Role.ENGINEER]


@pytest.mark.parametrize("act", Act)
@pytest.mark.parametrize("role", Role)
def test_require_lets_through_what_may_and_nothing_else(role: Role, act: Act) -> None:
    user = somebody(role)
    if act in GRANTS[role]:
        assert may(user, act)
        require(user, act)
    else:
        assert not may(user, act)
        with pytest.raises(PermissionDenied):
            require(user, act)


@pytest.mark.parametrize("act", Act)
@pytest.mark.parametrize(
    "nobody",
    [somebody(""), somebody("boss"), somebody("floor", is_active=False), AnonymousUser(), None],
)
def test_who_has_no_role_or_left_may_nothing(nobody: object, act: Act) -> None:
    assert not may(nobody, act)


def test_opr_02_nobody_decides_on_what_he_raised() -> None:
    require_other("staff:1", "staff:2")
    with pytest.raises(SamePersonError) as refused:
        require_other("staff:1", "staff:1")
    assert (refused.value.code, refused.value.raised_by) == ("same_person", "staff:1")


def test_every_table_of_the_panel_says_which_act_it_asks() -> None:
    shown = {f"{model._meta.app_label}.{model._meta.model_name}" for model in admin.site._registry}
    assert shown - TABLES.keys() == set()


def test_django_grants_looks_alone() -> None:
    user = somebody(Role.FLOOR)
    assert may_look(user, "pontoon.view_round")
    for asked in ("pontoon.change_round", "audit.view_entry", "staff.view_staffuser", "x", "a.b"):
        assert not may_look(user, asked), asked


def test_nobody_is_a_superuser(database: object) -> None:
    user = create_user("command:test", username="ana", password="quiet-harbour-9")
    user.is_superuser = True  # type: ignore[misc]
    assert not user.has_perm("pontoon.view_round")
    assert not user.has_module_perms("pontoon")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM information_schema.columns"
            " WHERE table_name = 'staff_staffuser' AND column_name = 'is_superuser'"
        )
        assert cursor.fetchone() == (0,)
