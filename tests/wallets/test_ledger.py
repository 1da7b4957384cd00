"""The pen, `wallet_post`, called by itself: what it writes, and what it refuses."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import errors
from psycopg.types.json import Jsonb

from tests.conftest import Database
from tests.people import at_once
from tests.wallets.conftest import Purse, open_purse
from wallets import ledger, limits
from wallets.ledger import Move, Wallet

ROOT = Path(__file__).parents[2]
MINOR_MAX = 2**53 - 1


def refused(code: str) -> Any:
    """Expect one of the pen's own refusals."""
    return pytest.raises(psycopg.Error, check=lambda error: error.sqlstate == code)


# --- What it writes


def test_transfers_are_applied_in_order_all_with_their_version_and_balance(purse: Purse) -> None:
    purse.post(
        purse.move(300, debit="cash", credit="escrow", code="wager"),
        purse.move(300, debit="escrow", credit="house", code="settlement"),
        purse.move(900, debit="house", credit="cash", code="payout"),
    )
    written = purse.transfers("version", "code", "amount_minor", "balance_after_minor")
    assert written == [
        (1, "deposit", 1000, 1000),
        (2, "wager", 300, 700),
        (3, "settlement", 300, 700),
        (4, "payout", 900, 1600),
    ]
    assert (purse.balance(), purse.balance("escrow"), purse.version) == (1600, 0, 4)


def test_versions_have_no_gap_after_a_refusal(purse: Purse) -> None:
    with refused("PN402"):
        purse.post(purse.move(1001, debit="cash", credit="cashier", code="withdrawal"))
    purse.post(purse.move(1))
    assert [version for (version,) in purse.transfers("version")] == [1, 2]


def test_the_house_side_stores_no_balance(purse: Purse) -> None:
    house = purse.pen.execute(
        "SELECT kind, balance_minor, version FROM wallets_account"
        " WHERE player_id = %s AND currency = 'USD' ORDER BY kind",
        [UUID(int=0)],
    ).fetchall()
    assert house == [("cashier", None, 0), ("house", None, 0)]


def test_opening_a_wallet_again_changes_nothing(purse: Purse) -> None:
    purse.pen.execute("SELECT wallet_open(%s)", [Jsonb(ledger.opening(purse.id, "USD"))])
    assert (purse.balance(), purse.version) == (1000, 1)


def test_nobody_has_a_second_wallet(purse: Purse) -> None:
    purse.pen.execute("SELECT wallet_open(%s)", [Jsonb(ledger.opening(purse.id, "EUR"))])
    kept = purse.pen.execute(
        "SELECT currency FROM wallets_account WHERE player_id = %s AND kind = 'cash'", [purse.id]
    ).fetchall()
    assert kept == [("USD",)]


# --- What it refuses, and that then nothing is written


@pytest.mark.parametrize("version", [0, 2, -1])
def test_a_wallet_that_has_moved_on_is_not_moved(purse: Purse, version: int) -> None:
    with refused("PN409"):
        purse.post(purse.move(1), version=version)
    assert purse.version == 1


def test_a_wallet_that_nobody_opened_is_not_moved(pen: psycopg.Connection) -> None:
    with refused("PN409"):
        Purse(pen).post(version=0)


def test_a_time_before_the_wallets_last_is_not_taken(purse: Purse) -> None:
    [(last_at,)] = purse.transfers("at")
    with refused("PN409"):
        purse.post(purse.move(1), at=last_at - timedelta(microseconds=1))
    purse.post(purse.move(1), at=last_at)


@pytest.mark.parametrize("code", ["withdrawal", "wager"])
def test_wal_01_cash_does_not_go_below_zero(purse: Purse, code: str) -> None:
    to = "escrow" if code == "wager" else "cashier"
    with refused("PN402"):
        purse.post(purse.move(1001, debit="cash", credit=to, code=code))
    assert (purse.balance(), purse.balance("escrow"), purse.version) == (1000, 0, 1)


def test_wal_01_not_even_for_a_moment_between_two_transfers(purse: Purse) -> None:
    with refused("PN402"):
        purse.post(
            purse.move(1001, debit="cash", credit="escrow", code="wager"),
            purse.move(1001, debit="escrow", credit="cash", code="refund"),
        )
    assert purse.version == 1


NEVER = {
    "more than is in escrow": {"debit": "escrow", "code": "refund"},
    "more than is held": {"debit": "held", "code": "release"},
    "a receivable above zero": {"credit": "receivable", "debit": "cash", "code": "adjustment"},
    "an amount of nothing": {"amount_minor": 0},
    "a negative amount (F11)": {"amount_minor": -1},
    "an amount beyond 2^53-1": {"amount_minor": MINOR_MAX + 1},
    "a balance beyond 2^53-1": {"amount_minor": MINOR_MAX},
    "a code that is none": {"code": "gift"},
    "from an account to itself": {"debit": "cash", "code": "adjustment"},
}


@pytest.mark.parametrize("other", NEVER.values(), ids=NEVER)
def test_the_tables_own_checks_refuse(purse: Purse, other: dict[str, Any]) -> None:
    with pytest.raises(errors.CheckViolation):
        purse.post(purse.move(**{"amount_minor": 1} | other))
    assert (purse.balance(), purse.version) == (1000, 1)


@pytest.mark.parametrize("missing", ["id", "amount_minor", "code", "actor"])
def test_a_transfer_says_all_of_itself(purse: Purse, missing: str) -> None:
    move = purse.move(5)
    del move[missing]
    with pytest.raises(errors.NotNullViolation):
        purse.post(move)
    assert purse.version == 1


@pytest.mark.parametrize("side", ["debit_account_id", "credit_account_id"])
def test_an_account_must_exist(purse: Purse, side: str) -> None:
    with pytest.raises(errors.ForeignKeyViolation):
        purse.post(purse.move(1, **{side: str(uuid4())}))
    assert purse.version == 1


@pytest.mark.parametrize("kind", ["cash", "held", "escrow", "receivable"])
def test_acc_11_money_never_goes_to_another_player(purse: Purse, kind: str) -> None:
    other = open_purse(purse.pen)
    with pytest.raises(errors.ForeignKeyViolation):
        purse.post(
            purse.move(1, debit="cash", credit_account_id=other.account(kind), code="adjustment")
        )
    assert (purse.balance(), other.balance()) == (1000, 1000)


def test_jur_02_money_never_goes_to_the_house_in_another_currency(purse: Purse) -> None:
    other = open_purse(purse.pen, currency="EUR")
    with pytest.raises(errors.ForeignKeyViolation):
        purse.post(purse.move(1, debit_account_id=other.account("cashier")))


def test_jur_02_nor_to_an_account_of_ones_own_in_another_currency(purse: Purse) -> None:
    accounts = [row for row in ledger.opening(purse.id, "EUR") if row["kind"] == "held"]
    purse.pen.execute("SELECT wallet_open(%s)", [Jsonb(accounts)])
    with pytest.raises(errors.ForeignKeyViolation):
        purse.post(purse.move(1, debit="cash", credit_account_id=accounts[0]["id"], code="hold"))


def test_rule_7_an_id_is_used_once(purse: Purse) -> None:
    move = purse.move(5)
    purse.post(move)
    for again in (move, move | {"amount_minor": 6}):
        with pytest.raises(errors.UniqueViolation, match="wallets_transfer_pkey"):
            purse.post(again)
    with pytest.raises(errors.UniqueViolation, match="wallets_transfer_pkey"):
        purse.post(*[purse.move(1, id=str(uuid4()))] * 2)
    assert (purse.balance(), purse.version) == (1005, 2)


def test_rule_7_an_id_is_a_players_own(purse: Purse) -> None:
    move = purse.move(5)
    other = open_purse(purse.pen)
    purse.post(move)
    other.post(other.move(5, id=move["id"]))
    assert (purse.balance(), other.balance()) == (1005, 1005)


def test_rule_7_a_request_key_is_used_once(purse: Purse) -> None:
    purse.post(purse.move(5, request_key="k"))
    with pytest.raises(errors.UniqueViolation, match="wallets_transfer_request"):
        purse.post(purse.move(5, request_key="k"))
    assert purse.balance() == 1005


def test_of_many_on_one_version_one_is_posted(
    database: Database, owner: psycopg.Connection
) -> None:
    purse = open_purse(owner)

    def post() -> str | None:
        with psycopg.connect(database.owner_url, autocommit=True) as own:
            try:
                Purse(own, purse.id).post(purse.move(1), version=1)
            except psycopg.Error as error:
                return error.sqlstate
        return None

    assert sorted(map(str, at_once(*[post] * 10))) == ["None"] + ["PN409"] * 9
    assert (purse.balance(), purse.version) == (1001, 2)


# --- Who holds it


def test_f03_a_balance_is_written_in_one_place() -> None:
    """F03: no statement but the pen's names the column on the left of an assignment."""
    writes = {
        path.relative_to(ROOT).as_posix()
        for folder in ("audit", "casino", "pontoon", "wallets")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".sql"} and _writes_a_balance(path.read_text())
    }
    assert writes == {"wallets/sql/ledger.sql"}


def _writes_a_balance(text: str) -> bool:
    words = " ".join(text.split())
    return any(
        spelling in words
        for spelling in (
            "SET balance_minor =",
            "update(balance_minor",
            "F('balance_minor')",
            'F("balance_minor")',
            ".balance_minor =",
            ".balance_minor +=",
            ".balance_minor -=",
            "UPDATE wallets_account",
            "INSERT INTO wallets_account",
        )
    )


@pytest.mark.parametrize(
    "text",
    [
        "UPDATE x\n   SET balance_minor = 1",
        "account.balance_minor += 5",
        "rows.update(balance_minor=0)",
        'update(x=F("balance_minor") - 1)',
    ],
)
def test_f03_the_search_finds_what_it_looks_for(text: str) -> None:
    assert _writes_a_balance(text)


# --- How moves are named


def test_accounts_have_names_that_nobody_needs_to_look_up() -> None:
    one, two = uuid4(), uuid4()
    names = {
        ledger.account_id(player, kind, currency)
        for player in (one, two)
        for kind in ledger.PLAYER_KINDS
        for currency in ("USD", "EUR")
    }
    assert len(names) == 16
    assert ledger.account_id(one, "house", "USD") == ledger.account_id(two, "house", "USD")


@pytest.mark.parametrize(
    ("debit", "credit", "cash_minor"),
    [
        ("cashier", "cash", 5),
        ("cash", "cashier", -5),
        ("cash", "escrow", -5),
        ("house", "held", 0),
        ("held", "cash", 5),
        ("receivable", "house", 0),
    ],
)
def test_a_move_says_what_it_does_to_the_cash(debit: Any, credit: Any, cash_minor: int) -> None:
    move = Move(uuid4(), "adjustment", debit, credit, 5, "tests")
    assert move.cash_minor == cash_minor
    posted = ledger.posting(Wallet(uuid4(), "USD", 0, 0), move)
    assert posted["amount_minor"] == 5
    assert posted["round_id"] is None


# --- What there is


@pytest.mark.parametrize(
    ("check", "known"),
    [
        ("wallets_transfer_code_check", ledger.CODES),
        ("wallets_account_kind_check", ledger.PLAYER_KINDS + ledger.HOUSE_KINDS),
        ("wallets_limit_kind_check", limits.KINDS),
        ("wallets_limit_period_check", limits.PERIODS),
        ("wallets_limit_set_by_check", limits.SETTERS),
    ],
)
def test_the_database_knows_the_same_words(
    database: Database, check: str, known: tuple[str, ...]
) -> None:
    with psycopg.connect(database.app_url) as connection:
        found = connection.execute(
            "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = %s", [check]
        ).fetchone()
    assert found is not None
    assert tuple(re.findall(r"'(\w+)'", found[0])) == known


@pytest.mark.parametrize(
    "call",
    [
        "wallet_post(gen_random_uuid(), 0, clock_timestamp(), '[]', 0)",
        "wallet_open('[]')",
    ],
    ids=["post", "open"],
)
def test_the_application_moves_no_money_but_in_a_commit_that_has_an_entry(
    shared: Database, call: str
) -> None:
    with (
        psycopg.connect(shared.app_url) as app,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        app.execute(f"SELECT {call}")
