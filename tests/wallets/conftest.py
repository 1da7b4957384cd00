"""A ledger that a module of tests shares: everybody in it has a wallet of his own."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from tests.cluster import Cluster
from tests.conftest import Database
from wallets import ledger


@pytest.fixture(scope="module")
def shared(cluster: Cluster, template: str) -> Iterator[Database]:
    """One clone for tests that call the ledger's functions themselves."""
    name = cluster.clone(template)
    yield Database(name, *(url(name) for url in _urls(cluster)))
    cluster.drop(name)


def _urls(cluster: Cluster) -> tuple[Any, ...]:
    return cluster.app_url, cluster.owner_url, cluster.superuser_url


@pytest.fixture(scope="module")
def pen(shared: Database) -> Iterator[psycopg.Connection]:
    """The owner's connection: the application reaches the pen through its commits alone.

    Every statement is a transaction of its own.
    """
    with psycopg.connect(shared.owner_url, autocommit=True) as connection:
        yield connection


@dataclass
class Purse:
    """A player's wallet, moved by `wallet_post` itself."""

    pen: psycopg.Connection
    id: UUID = field(default_factory=uuid4)
    currency: str = "USD"

    def account(self, kind: Any) -> str:
        """Name one of his accounts, or the house's."""
        return str(ledger.account_id(self.id, kind, self.currency))

    def move(self, amount_minor: Any, **other: Any) -> dict[str, Any]:
        """Return a transfer from the cashier to his cash, or what is said otherwise."""
        return {
            "id": str(uuid4()),
            "debit_account_id": self.account(other.pop("debit", "cashier")),
            "credit_account_id": self.account(other.pop("credit", "cash")),
            "amount_minor": amount_minor,
            "code": "deposit",
            "actor": "tests",
        } | other

    def post(
        self, *moves: dict[str, Any], version: int | None = None, at: datetime | None = None
    ) -> None:
        """Post transfers on the wallet as it is now, or on another version, at another time."""
        self.pen.execute(
            "SELECT wallet_post(%s, %s, %s, %s::jsonb, 0)",
            [
                self.id,
                self.version if version is None else version,
                at or self.now,
                json.dumps(moves),
            ],
        )

    def balance(self, kind: str = "cash") -> int:
        """Return what an account of his holds."""
        return self._one(
            "SELECT balance_minor FROM wallets_account WHERE player_id = %s AND kind = %s",
            self.id,
            kind,
        )

    @property
    def version(self) -> int:
        """How many transfers the wallet has seen, as its row says."""
        return self._one(
            "SELECT version FROM wallets_account WHERE player_id = %s AND kind = 'cash'", self.id
        )

    @property
    def now(self) -> datetime:
        """The database's clock."""
        return self._one("SELECT clock_timestamp()")

    def transfers(self, *columns: str) -> list[tuple[Any, ...]]:
        """Return columns of his transfers in the order in which they were made."""
        return self.pen.execute(
            f"SELECT {', '.join(columns)} FROM wallets_transfer"  # noqa: S608
            " WHERE player_id = %s ORDER BY version",
            [self.id],
        ).fetchall()

    def _one(self, statement: str, *parameters: Any) -> Any:
        row = self.pen.execute(statement, parameters).fetchone()
        assert row is not None
        return row[0]


def open_purse(pen: psycopg.Connection, cash_minor: int = 1000, **facts: Any) -> Purse:
    """Open a wallet with cash in it."""
    purse = Purse(pen, **facts)
    accounts = ledger.opening(purse.id, purse.currency)
    pen.execute("SELECT wallet_open(%s::jsonb)", [json.dumps(accounts)])
    if cash_minor:
        purse.post(purse.move(cash_minor))
    return purse


@pytest.fixture
def purse(pen: psycopg.Connection) -> Purse:
    """A wallet with 1000 in cash, at version 1."""
    return open_purse(pen)
