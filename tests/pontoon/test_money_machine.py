"""Anything in any order, on a real database: whatever happens, the money is all there."""

import hashlib
from collections.abc import Callable
from io import StringIO
from itertools import count
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command
from django.db import connection
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from audit.models import Entry
from casino.players import profiles
from casino.staff.errors import AlreadyDecidedError
from pontoon import services, vault
from pontoon.errors import RoundNotFoundError, RoundOverError
from tests.people import Answer, People, Person
from tests.pontoon.rounds import approve_void, check_wins, release, void
from wallets import queries as wallets
from wallets.models import Transfer

STAKES = st.sampled_from([100, 200, 500])
PAYMENTS = st.integers(1, 1500)


class House(RuleBasedStateMachine):
    """One player, his operator and the house, and everything that each of them may do."""

    people: People

    @initialize()
    def come_in(self) -> None:
        """Bring a player with 10.00; his seeds are always the same ones."""
        self.numbers = count()
        self.player: Person = self.people.player(cash=1000)
        self.rounds: list[dict[str, Any]] = []
        self.asked: list[tuple[str, Any, dict[str, str], Answer]] = []
        self.player.api.get("me")  # promises his first seed
        self.entries = Entry.objects.count()
        self.acts = 0

    def ask(self, path: str, body: Any, *, operator: bool = False, **headers: str) -> Answer:
        """Act over HTTP. An answer to keep is kept, to be asked for again; all is on record."""
        caller = self.people.operator if operator else self.player.api
        answer = caller.post(path, body, **headers)
        assert answer.status in {200, 201, 409}, answer
        self.acts += 1
        if answer.status != 409:
            self.asked.append((path, body, headers, answer))
        return answer

    def next(self) -> str:
        return f"{self.player.id}-{next(self.numbers)}"

    @property
    def last(self) -> dict[str, Any] | None:
        return self.rounds[-1] if self.rounds else None

    def keep(self, answer: Answer) -> None:
        """Remember the round that an answer tells."""
        if answer.status == 409:
            return
        told = answer.json
        self.rounds = [r for r in self.rounds if r["round_id"] != told["round_id"]] + [told]

    def state_of(self, round_: dict[str, Any]) -> str:
        state: str = self.player.api.get(f"rounds/{round_['round_id']}").json["state"]
        return state

    # --- What they do

    @rule(amount=PAYMENTS)
    def deposit(self, amount: int) -> None:
        self.bank("deposits", amount)

    @rule(amount=PAYMENTS)
    def withdraw(self, amount: int) -> None:
        self.bank("withdrawals", amount)

    def bank(self, verb: str, amount: int) -> None:
        body = {"amount_minor": amount, "currency": "USD", "reference": self.next()}
        self.ask(f"players/{self.player.id}/{verb}", body, operator=True)

    @rule(stake=STAKES)
    def bet(self, stake: int) -> None:
        body = {"stake_minor": stake, "currency": "USD"}
        self.keep(self.ask("rounds", body, idempotency_key=self.next()))

    @precondition(lambda self: self.last)
    @rule(action=st.sampled_from(["hit", "stand", "double", "split"]))
    def act(self, action: str) -> None:
        round_ = self.last
        assert round_ is not None
        body = {"seq": round_["seq"], "action": action}
        self.keep(self.ask(f"rounds/{round_['round_id']}/actions", body))

    @precondition(lambda self: self.asked)
    @rule(data=st.data())
    def ask_again(self, data: st.DataObject) -> None:
        """F05, F15, NET-02: the same request gets the same bytes and does nothing."""
        path, body, headers, first = data.draw(st.sampled_from(self.asked))
        before = self.money()
        caller = self.people.operator if path.startswith("players") else self.player.api
        again = caller.post(path, body, **headers)
        assert (again.status, again.body) == (first.status, first.body)
        assert self.money() == before

    @precondition(lambda self: self.rounds)
    @rule(data=st.data())
    def void(self, data: st.DataObject) -> None:
        round_ = data.draw(st.sampled_from(self.rounds))
        self.prepared(lambda: approve_void(UUID(round_["round_id"])))
        self.by_house(void, round_, {"open", "settled", "held"})

    @precondition(lambda self: self.rounds)
    @rule(data=st.data())
    def release(self, data: st.DataObject) -> None:
        self.prepared(check_wins)
        self.by_house(release, data.draw(st.sampled_from(self.rounds)), {"held"})

    def prepared(self, act: Callable[[], Any]) -> None:
        """Do what comes before an act of the house; how many entries that makes is not asked."""
        before = Entry.objects.count()
        act()
        self.entries += Entry.objects.count() - before

    def by_house(self, verb: Any, round_: dict[str, Any], may: set[str]) -> None:
        state = self.state_of(round_)
        try:
            verb(self.player, round_)
        except (RoundOverError, RoundNotFoundError, AlreadyDecidedError):
            assert state not in may
        else:
            assert state in may
            self.acts += 1

    @rule()
    def close_abandoned(self) -> None:
        self.acts += services.close_abandoned()

    @rule()
    def roll_up(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT wallet_roll_up()")

    # --- What always holds

    def money(self) -> dict[str, int]:
        return wallets.balances(self.player.id)

    @invariant()
    def balances_are_the_sum_of_transfers_and_never_below_zero(self) -> None:
        balances = self.money()
        lines = [wallets.line(t) for t in Transfer.objects.filter(player_id=self.player.id)]
        for kind, balance in balances.items():
            credits = sum(line["amount_minor"] for line in lines if line["credit"] == kind)
            debits = sum(line["amount_minor"] for line in lines if line["debit"] == kind)
            assert balance == credits - debits
            assert balance <= 0 if kind == "receivable" else balance >= 0
        assert all(line["balance_after_minor"] >= 0 for line in lines)

    @invariant()
    def every_act_is_one_entry(self) -> None:
        """An act or a refusal is one entry; a retry is none."""
        assert Entry.objects.count() == self.entries + self.acts

    def teardown(self) -> None:
        call_command("check_ledger", stdout=StringIO())


@pytest.fixture
def low_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every win of 5.00 be a large one: the line is a setting of the currency."""
    usd = profiles.get_currency("USD")
    line = {name: getattr(usd, name) for name in usd.__slots__} | {"large_win_minor": 500}
    monkeypatch.setattr(profiles, "CURRENCIES", {"USD": profiles.Currency(**line)})


@pytest.fixture
def no_patience(settings: Any) -> None:
    """Let a round be abandoned as soon as it is dealt."""
    settings.ABANDONED_AFTER_H = 0


def test_wal_01_wal_12_anything_in_any_order_keeps_the_money(
    people: People, low_line: None, no_patience: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = count()
    monkeypatch.setattr(vault, "make_seed", lambda: hashlib.sha256(b"%d" % next(seeds)).digest())

    class TheHouse(House):
        def __init__(self) -> None:
            nonlocal seeds
            seeds = count()
            super().__init__()

    TheHouse.people = people
    run_state_machine_as_test(
        TheHouse,
        settings=settings(
            max_examples=15,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
