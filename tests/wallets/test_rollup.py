"""The house's side: a roll-up and the tail behind it, never a row that every bet updates."""

from collections.abc import Iterator
from uuid import uuid4

import psycopg
import pytest

from audit import queries as audit
from tests.conftest import Database
from tests.people import at_once
from tests.wallets.conftest import Purse, open_purse
from wallets import queries
from wallets.tasks import roll_up_house


@pytest.fixture
def purse(owner: psycopg.Connection) -> Purse:
    """A wallet with 1000 in cash, in a database of its own: the house's side is everybody's."""
    return open_purse(owner)


@pytest.fixture
def elsewhere(database: Database) -> Iterator[psycopg.Connection]:
    """Another connection, which keeps its transaction open."""
    with psycopg.connect(database.owner_url) as other:
        yield other
        other.rollback()


def house(purse: Purse, kind: str = "cashier") -> tuple[int, int]:
    """Return what the house's account gave and took, by its roll-up and tail."""
    row = purse.pen.execute(
        "SELECT debit_minor::bigint, credit_minor::bigint FROM wallet_house_sums(%s)",
        [purse.account(kind)],
    ).fetchone()
    assert row is not None
    return row[0], row[1]


def roll_up(connection: psycopg.Connection) -> None:
    connection.execute("SELECT wallet_roll_up()")


def rolled(purse: Purse, kind: str = "cashier") -> list[int]:
    """Return what the roll-ups of an account say it gave, oldest first."""
    rows = purse.pen.execute(
        "SELECT debit_minor::bigint FROM wallets_rollup WHERE account_id = %s ORDER BY at",
        [purse.account(kind)],
    )
    return [minor for (minor,) in rows]


def holds() -> bool:
    with audit.one_moment():
        return list(queries.ledger_faults()) == []


def test_without_a_roll_up_the_tail_is_everything(purse: Purse) -> None:
    assert house(purse) == (1000, 0)


def test_a_roll_up_takes_in_what_was_and_the_tail_what_comes(purse: Purse) -> None:
    roll_up(purse.pen)
    purse.post(purse.move(200, debit="cash", credit="cashier", code="withdrawal"))
    assert rolled(purse) == [1000]
    assert house(purse) == (1000, 200)
    roll_up(purse.pen)
    assert house(purse) == (1000, 200)
    assert holds()


def test_each_account_of_the_house_is_rolled_up_by_itself(purse: Purse) -> None:
    other = open_purse(purse.pen, 70, currency="JPY")
    purse.post(
        purse.move(300, debit="cash", credit="escrow", code="wager"),
        purse.move(300, debit="escrow", credit="house", code="settlement"),
    )
    roll_up_house()
    assert house(purse) == (1000, 0)
    assert house(purse, "house") == (0, 300)
    assert house(other) == (70, 0)


def test_what_is_not_committed_is_neither_lost_nor_doubled(
    purse: Purse, elsewhere: psycopg.Connection
) -> None:
    """A transaction that began before a roll-up and commits after it belongs to the tail."""
    late = open_purse(elsewhere, 500)
    purse.post(purse.move(30))
    roll_up(purse.pen)
    assert rolled(purse) == [1000]  # of what is surely over; the 30 came while `late` ran
    assert house(purse) == (1030, 0)
    elsewhere.commit()
    assert house(purse) == (1530, 0)
    roll_up(purse.pen)
    assert rolled(purse) == [1000, 1530]
    assert house(purse) == (1530, 0)
    assert late.balance() == 500
    assert holds()


def test_what_is_rolled_back_is_nowhere(purse: Purse, elsewhere: psycopg.Connection) -> None:
    open_purse(elsewhere, 500)
    roll_up(purse.pen)
    elsewhere.rollback()
    roll_up(purse.pen)
    assert house(purse) == (1000, 0)


def test_roll_ups_and_transfers_at_once_lose_and_double_nothing(
    purse: Purse, database: Database
) -> None:
    def pay() -> None:
        with psycopg.connect(database.owner_url, autocommit=True) as own:
            mine = open_purse(own, 0)
            for _ in range(10):
                mine.post(mine.move(7))

    def roll() -> None:
        with psycopg.connect(database.owner_url, autocommit=True) as own:
            for _ in range(10):
                roll_up(own)

    at_once(*[pay] * 6, *[roll] * 3)
    assert house(purse) == (1000 + 6 * 10 * 7, 0)
    assert len(rolled(purse)) == 30
    assert holds()


def test_two_roll_ups_come_one_after_the_other(
    purse: Purse, elsewhere: psycopg.Connection, database: Database
) -> None:
    roll_up(elsewhere)
    purse.pen.execute("SET lock_timeout = '50ms'")
    with pytest.raises(psycopg.errors.LockNotAvailable):
        roll_up(purse.pen)
    elsewhere.commit()
    roll_up(purse.pen)
    assert rolled(purse) == [1000, 1000]


def test_bck_01_after_a_restore_into_another_cluster_no_roll_up_counts_until_a_new_one(
    purse: Purse, dba: psycopg.Connection
) -> None:
    """The transaction ids of a dump's rows are of another cluster and say nothing here."""
    purse.post(purse.move(5))
    roll_up(purse.pen)
    dba.execute("UPDATE wallets_transfer SET cluster = 1, xid = '9000000'")
    dba.execute("UPDATE wallets_rollup SET cluster = 1, xid = '8000000', debit_minor = 7")
    assert house(purse) == (1005, 0)
    purse.post(purse.move(10))
    assert house(purse) == (1015, 0)
    roll_up(purse.pen)
    assert house(purse) == (1015, 0)
    purse.post(purse.move(20))
    assert house(purse) == (1035, 0)
    roll_up(purse.pen)
    assert rolled(purse)[-2:] == [1015, 1035]
    assert holds()


def test_a_row_says_in_which_cluster_and_transaction_it_was_written(purse: Purse) -> None:
    row = purse.pen.execute(
        "SELECT cluster = (SELECT system_identifier FROM pg_control_system()),"
        "       xid < pg_current_xact_id() FROM wallets_transfer"
    ).fetchone()
    assert row == (True, True)


def test_a_roll_up_of_nothing_is_nothing(app: psycopg.Connection) -> None:
    roll_up(app)
    assert app.execute("SELECT count(*) FROM wallets_rollup").fetchone() == (0,)
    sums = app.execute("SELECT * FROM wallet_house_sums(%s)", [uuid4()]).fetchone()
    assert sums == (0, 0)
