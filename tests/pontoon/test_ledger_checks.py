"""check_ledger and replay_round: silent when all holds, and each planted fault is found.

A superuser whom no trigger sees plants the faults: what the database itself would refuse.
"""

from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.test import Client
from pytest_django.plugin import DjangoDbBlocker

from audit import queries as audit
from pontoon.engine import parse_record, replay
from tests.cluster import Cluster
from tests.conftest import Database, point
from tests.people import Api, People, Person
from tests.seeds import LARGE_WIN_ACTIONS, LARGE_WIN_SEED, deal, plant_seed
from wallets import ledger
from wallets import queries as wallets

OPEN = "56 789T 56 789T 5678"
PONTOON = "A 789 TJQK 789"
SPLIT = "8 23456789 8 23456789 78 78"


def played(people: People, owner_url: str) -> Person:
    """A player with a round that was dealt and settled, one of three actions, and an open one."""
    player = people.player()
    deal(owner_url, player, PONTOON, 200)
    split = deal(owner_url, player, SPLIT, 200)
    for seq, action in enumerate(["split", "stand", "stand"]):
        player.act(split["round_id"], seq, action)
    deal(owner_url, player, OPEN, 200)
    return player


@pytest.fixture
def player(people: People, database: Database) -> Person:
    """A player with three rounds, in a database of his own."""
    return played(people, database.owner_url)


@pytest.fixture(scope="module")
def original(cluster: Cluster, template: str, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """The same, played once for all that only tamper with a copy of it; rolled up, too."""
    name = cluster.clone(template)
    point("default", cluster.app_url(name))
    with django_db_blocker.unblock():
        played(People(Api(Client())), cluster.owner_url(name))
        with connection.cursor() as cursor:
            cursor.execute("SELECT wallet_roll_up()")
        connections.close_all()
    yield name
    cluster.drop(name)


@pytest.fixture
def copy(
    cluster: Cluster, original: str, django_db_blocker: DjangoDbBlocker
) -> Iterator[psycopg.Connection]:
    """A copy of the original, as the superuser whom no trigger sees; the house reads it too."""
    name = cluster.clone(original)
    point("default", cluster.app_url(name))
    with django_db_blocker.unblock():
        with psycopg.connect(cluster.superuser_url(name), autocommit=True) as dba:
            dba.execute("SET session_replication_role = replica")
            yield dba
        connections.close_all()
    cluster.drop(name)


def check() -> tuple[bool, str]:
    """Run check_ledger: whether all holds, and what it printed."""
    out = StringIO()
    try:
        call_command("check_ledger", stdout=out)
    except CommandError as error:
        return False, f"{out.getvalue()}{error}"
    return True, out.getvalue()


def test_it_is_silent_when_all_holds_and_counts_what_it_saw(player: Person) -> None:
    assert check() == (True, "1 wallets, 9 transfers, 3 rounds checked: all of it holds\n")


def test_it_holds_of_a_house_in_which_nothing_happened(people: People) -> None:
    assert check() == (True, "0 wallets, 0 transfers, 0 rounds checked: all of it holds\n")


def test_it_holds_of_a_held_win(people: People, database: Database) -> None:
    player = people.player(cash=600_000)
    plant_seed(database.owner_url, player, LARGE_WIN_SEED)
    round_ = player.bet(100_000).json
    for action in LARGE_WIN_ACTIONS:
        round_ = player.act(round_["round_id"], round_["seq"], action).json
    assert round_["state"] == "held"
    assert check()[0]


def test_it_reads_one_moment_and_can_write_nothing(
    player: Person, app: psycopg.Connection, database: Database
) -> None:
    with audit.one_moment(), psycopg.connect(database.owner_url, autocommit=True) as owner:
        before = wallets.sizes()
        app.execute("SELECT wallet_roll_up()")
        other = {"player_id": str(uuid4()), "currency": "USD"}
        accounts = ledger.opening(UUID(other["player_id"]), "USD")
        owner.execute("SELECT wallet_open(%s)", [psycopg.types.json.Jsonb(accounts)])
        assert wallets.sizes() == before
    assert wallets.sizes()["wallets"] == before["wallets"] + 1


ROWS = {
    "LAST": "(SELECT max(version) FROM wallets_transfer)",
    "SETTLED": "(SELECT id FROM pontoon_round WHERE action_count = 3)",
    "OPENED": "(SELECT id FROM pontoon_round WHERE state = 'open')",
}
"""What a statement below means by a word in capitals."""


def plant_fault(dba: psycopg.Connection, statement: str) -> None:
    """Change rows as a superuser; there must be such rows."""
    for name, rows in ROWS.items():
        statement = statement.replace(name, rows)
    assert dba.execute(statement).rowcount >= 1


PLANTED: dict[str, tuple[str, str]] = {
    "a balance off by one": (
        "UPDATE wallets_account SET balance_minor = balance_minor + 1 WHERE kind = 'cash'",
        "(cash): balance",
    ),
    "money in escrow from nowhere": (
        "UPDATE wallets_account SET balance_minor = balance_minor + 1 WHERE kind = 'escrow'",
        "(escrow): balance",
    ),
    "a missing transfer": (
        "DELETE FROM wallets_transfer WHERE code = 'payout'",
        "(cash): balance",
    ),
    "a missing last transfer": (
        "DELETE FROM wallets_transfer WHERE version = LAST",
        "version 9, 8 transfers, last 8",
    ),
    "a gap in the versions": (
        "UPDATE wallets_transfer SET version = version + 1 WHERE version = LAST",
        "version 9, 9 transfers, last 10",
    ),
    "a wallet that forgot a version": (
        "UPDATE wallets_account SET version = version - 1 WHERE kind = 'cash'",
        "version 8, 9 transfers, last 9",
    ),
    "a balance after a transfer that is wrong": (
        "UPDATE wallets_transfer SET balance_after_minor = balance_after_minor + 1"
        " WHERE version = 4",
        "balance after it",
    ),
    "an amount that was changed": (
        "UPDATE wallets_transfer SET amount_minor = amount_minor + 1 WHERE code = 'payout'",
        "transfers leave",
    ),
    "a transfer to an account that is none": (
        "UPDATE wallets_transfer SET credit_account_id = '00000000-0000-0000-0000-000000000001'"
        " WHERE code = 'settlement'",
        "its accounts are not of player",
    ),
    "a transfer in another currency": (
        "UPDATE wallets_transfer SET currency = 'EUR' WHERE version = 1",
        "its accounts are not of player",
    ),
    "a transfer earlier than the one before": (
        "UPDATE wallets_transfer SET at = at - interval '1 hour' WHERE version = 5",
        "is earlier than the one before it",
    ),
    "a transfer of no round": (
        "UPDATE wallets_transfer SET round_id = '00000000-0000-0000-0000-000000000001'"
        " WHERE code = 'payout'",
        "there is no round",
    ),
    "a wager that names no round": (
        "UPDATE wallets_transfer SET round_id = NULL WHERE version = 2",
        "a wager names no round",
    ),
    "a roll-up that is off": (
        "UPDATE wallets_rollup SET credit_minor = credit_minor + 1 FROM wallets_account a"
        " WHERE a.id = account_id AND a.kind = 'house'",
        "(house): rolled up",
    ),
    "a roll-up that is off on both sides": (
        "UPDATE wallets_rollup SET credit_minor = credit_minor + 1, debit_minor = debit_minor + 1"
        "  FROM wallets_account a WHERE a.id = account_id AND a.kind = 'house'",
        "(house): rolled up",
    ),
    "a payout that was changed": (
        "UPDATE pontoon_round SET payout_minor = payout_minor + 200 WHERE id = SETTLED",
        "replays to a payout",
    ),
    "a wager that was changed": (
        "UPDATE pontoon_round SET wagered_minor = wagered_minor + 200 WHERE id = SETTLED",
        "replays to wagers",
    ),
    "an action that was deleted": (
        "DELETE FROM pontoon_roundaction WHERE round_id = SETTLED AND seq = 2",
        "2 actions are stored, 3 are counted",
    ),
    "an action that was changed": (
        "UPDATE pontoon_roundaction SET action = 'double' WHERE round_id = SETTLED AND seq = 0",
        "does not replay",
    ),
    "an action that is none": (
        "UPDATE pontoon_roundaction SET action = 'wink' WHERE round_id = SETTLED AND seq = 0",
        "does not replay",
    ),
    "an action that is not allowed": (
        "INSERT INTO pontoon_roundaction SELECT player_id, SETTLED, 3, 'hit', 0, 'player',"
        " session_id, at FROM pontoon_roundaction WHERE round_id = SETTLED AND seq = 0",
        "does not replay",
    ),
    "a hand index that was changed": (
        "UPDATE pontoon_roundaction SET hand_index = 1 WHERE round_id = SETTLED AND seq = 0",
        "name other hands",
    ),
    "an action of an open round": (
        "UPDATE pontoon_round SET action_count = 1 WHERE id = OPENED",
        "0 actions are stored, 1 are counted",
    ),
    "an open round that is over": (
        "UPDATE pontoon_round SET state = 'open', game = 'x', payout_minor = NULL,"
        " settled_at = NULL WHERE id = SETTLED",
        "its replay is over",
    ),
    "a round that was settled by hand": (
        "UPDATE pontoon_round SET state = 'settled', payout_minor = 0, settled_at = now()"
        " WHERE id = OPENED",
        "its replay is open",
    ),
    "a round that was voided by hand": (
        "UPDATE pontoon_round SET state = 'voided' WHERE id = SETTLED",
        "expected {}",
    ),
    "a mark that was deleted": (
        "DELETE FROM pontoon_roundmark WHERE round_id = SETTLED",
        "its marks are",
    ),
    "a round that was deleted": (
        "DELETE FROM pontoon_round WHERE id = SETTLED",
        "there is no round",
    ),
    "a seed that no key opens": (
        "UPDATE pontoon_seed SET sealed = 'x' WHERE number = 2",
        "no key opens its seed",
    ),
    "a seed that is not the one that was committed to": (
        "UPDATE pontoon_seed SET commitment = repeat('0', 64) WHERE number = 2",
        "not the one that was committed to",
    ),
    "a seed that was taken for another": (
        "UPDATE pontoon_seed s SET sealed = o.sealed FROM pontoon_seed o"
        " WHERE s.number = 2 AND o.number = 4",
        "not the one that was committed to",
    ),
    "a seed that was deleted": (
        "DELETE FROM pontoon_seed WHERE number = 2",
        "has no seed",
    ),
    "rules that are none": (
        "UPDATE pontoon_round SET rules = 'house/9' WHERE id = SETTLED",
        "does not replay",
    ),
    "a balance before a round that was not so": (
        "UPDATE pontoon_round SET balance_before_minor = 5 WHERE id = SETTLED",
        "began with",
    ),
    "a balance after a round that was not so": (
        "UPDATE pontoon_round SET balance_after_minor = 5 WHERE id = SETTLED",
        "ended with",
    ),
}


@pytest.mark.parametrize(("statement", "found"), PLANTED.values(), ids=PLANTED)
def test_a_planted_fault_is_found(copy: psycopg.Connection, statement: str, found: str) -> None:
    plant_fault(copy, statement)
    holds, printed = check()
    assert not holds
    assert found in printed
    assert "faults: " in printed


def test_every_fault_is_a_line_and_the_last_line_counts_them(copy: psycopg.Connection) -> None:
    copy.execute("UPDATE wallets_account SET balance_minor = balance_minor + 1 WHERE kind = 'cash'")
    _, printed = check()
    *faults, last = printed.splitlines()
    assert last == f"1 wallets, 9 transfers, 3 rounds checked, faults: {len(faults)}"
    assert len(faults) == 2  # the balance, and the sum of all


# --- replay_round


@pytest.fixture
def replayed() -> Callable[[Any], str]:
    """Run replay_round and return what it printed."""

    def run(round_id: Any) -> str:
        out = StringIO()
        try:
            call_command("replay_round", str(round_id), stdout=out)
        except CommandError as error:
            return f"{out.getvalue()}{error}"
        return out.getvalue()

    return run


def rounds(player: Person) -> dict[str, dict[str, Any]]:
    """Return a player's rounds by what tells them apart here."""
    listed = player.api.get("rounds").json["results"]
    return {round_["state"]: round_ for round_ in listed}


def test_rec_01_a_round_that_is_over_is_printed_in_its_notation(
    player: Person, replayed: Any
) -> None:
    round_ = rounds(player)["settled"]
    printed = replayed(round_["round_id"])
    over = replay(parse_record(printed))
    assert f"server_seed  {round_['server_seed']}" in printed
    assert [str(card) for card in over.dealer] == round_["dealer"]["cards"]
    assert printed.endswith("# state, money and replay agree\n")


def test_gam_05_the_seed_of_an_open_round_is_not_printed(player: Person, replayed: Any) -> None:
    printed = replayed(rounds(player)["open"]["round_id"])
    assert "seed" not in printed
    assert printed.splitlines()[1:] == ["# state, money and replay agree"]


def test_a_round_that_does_not_agree_says_what(
    player: Person, replayed: Any, dba: psycopg.Connection
) -> None:
    plant_fault(dba, "UPDATE pontoon_round SET payout_minor = payout_minor + 1 WHERE id = SETTLED")
    (round_id,) = (
        dba.execute("SELECT id FROM pontoon_round WHERE action_count = 3").fetchone() or ()
    )
    printed = replayed(round_id)
    assert "# replays to a payout of" in printed
    assert printed.endswith("state, money and replay do not agree")


def test_a_round_that_is_none_is_said_to_be_none(player: Person, replayed: Any) -> None:
    round_id = uuid4()
    assert replayed(round_id) == f"there is no round {round_id}"
