"""The ledger. Tables, constraints, triggers and grants are in sql/ledger.sql."""

from typing import ClassVar

from django.db import models


class Account(models.Model):
    """A place where money is: balance = credits - debits of its transfers.

    A player has four: `cash` (to wager), `escrow` (wagers of open rounds), `held` (payouts under
    verification), `receivable` (at most zero: what a void could not take back). His cash row is
    the wallet's: it carries the version, and it is locked before anything of his moves. The house
    side (`house`, `cashier`, under the nil uuid) stores no balance: a row updated by every bet
    would make all bets wait for each other. `sql/ledger.sql` guards what this class cannot.
    """

    id = models.UUIDField(primary_key=True)
    player_id = models.UUIDField()
    kind = models.TextField()
    currency = models.CharField(max_length=3)
    balance_minor = models.BigIntegerField(null=True)
    version = models.BigIntegerField(default=0)
    last_at = models.DateTimeField()
    limit_count = models.BigIntegerField(default=0)

    class Meta:
        """One wallet a player."""

        ordering: ClassVar = ["player_id", "kind"]

    def __str__(self) -> str:
        return f"{self.kind} {self.currency} {self.player_id}"


class Transfer(models.Model):
    """Money that moved once: one debit account, one credit account, one amount. Never changed.

    Written by `wallet_post` alone. `version` numbers a wallet's transfers without a gap;
    `balance_after_minor` is the cash balance after it. A mistake is corrected by a further
    transfer. It never holds a card, a name or a payment instrument.
    """

    id = models.UUIDField(primary_key=True)
    player_id = models.UUIDField()
    version = models.BigIntegerField()
    debit_account_id = models.UUIDField()
    credit_account_id = models.UUIDField()
    amount_minor = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    code = models.TextField()
    round_id = models.UUIDField(null=True)
    actor = models.TextField()
    at = models.DateTimeField()
    balance_after_minor = models.BigIntegerField()
    reference = models.TextField(null=True)  # noqa: DJ001  absent is not empty
    request_key = models.TextField(null=True)  # noqa: DJ001

    class Meta:
        """A statement reads newest first."""

        ordering: ClassVar = ["-version"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["player_id", "version"], name="wallets_transfer_version"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.amount_minor} {self.currency}"


class Limit(models.Model):
    """What a player may deposit, wager or lose in a period: the newest row in force counts.

    `amount_minor` null lifts the limit. A looser limit is in force from `effective_at`, a day on.
    """

    id = models.UUIDField(primary_key=True)
    player_id = models.UUIDField()
    kind = models.TextField()
    period = models.TextField()
    set_by = models.TextField()
    amount_minor = models.BigIntegerField(null=True)
    currency = models.CharField(max_length=3)
    at = models.DateTimeField()
    effective_at = models.DateTimeField()

    class Meta:
        """Newest first."""

        ordering: ClassVar = ["-at"]

    def __str__(self) -> str:
        return f"{self.kind} a {self.period}: {self.amount_minor} {self.currency}"


class Rollup(models.Model):
    """What a house account had taken and given before a transaction id. Insert-only, by a task.

    The account's balance is the newest row plus the tail of transfers that came later.
    """

    pk = models.CompositePrimaryKey("account_id", "at")
    account_id = models.UUIDField()
    cluster = models.BigIntegerField()
    debit_minor = models.DecimalField(max_digits=40, decimal_places=0)
    credit_minor = models.DecimalField(max_digits=40, decimal_places=0)
    at = models.DateTimeField()

    class Meta:
        """Newest first."""

        ordering: ClassVar = ["-at"]

    def __str__(self) -> str:
        return f"{self.account_id} at {self.at:%Y-%m-%d %H:%M:%S}"


class Adjusting(models.Model):
    """A correction by hand that somebody asked for, and what another person decided (WAL-09).

    A row of the view `wallets_adjusting`: nothing is written to it. `state` is `raised`,
    `approved` or `declined`; `kind` says between which accounts money moves.
    """

    id = models.UUIDField(primary_key=True)
    player_id = models.UUIDField()
    kind = models.TextField()
    amount_minor = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    reason = models.TextField()
    round_id = models.UUIDField(null=True)
    raised_by = models.TextField()
    raised_at = models.DateTimeField()
    state = models.TextField()
    decided_by = models.TextField(null=True)  # noqa: DJ001  absent is not empty
    decided_at = models.DateTimeField(null=True)
    decision_reason = models.TextField(null=True)  # noqa: DJ001

    class Meta:
        """A view, so no table to manage."""

        managed = False
        db_table = "wallets_adjusting"
        ordering: ClassVar = ["-raised_at", "-id"]
        verbose_name = "adjustment"

    def __str__(self) -> str:
        return f"{self.kind} {self.amount_minor} {self.currency} {self.state}"
