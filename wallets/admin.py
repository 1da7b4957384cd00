"""The ledger in the panel: to look at. Money moves by services alone."""

from django.contrib import admin

from casino.panel import OfPlayers, as_table, one_of
from casino.players.profiles import CURRENCIES
from wallets import ledger, limits, queries
from wallets.models import Account, Limit, Rollup, Transfer

ROLLUPS_SHOWN = 20


@admin.register(Account)
class AccountAdmin(OfPlayers):
    """Where money is. The house's accounts store no balance, but their roll-ups."""

    list_display = ("kind", "currency", "balance_minor", "version", "player_id")
    list_filter = (
        one_of("kind", ledger.PLAYER_KINDS + ledger.HOUSE_KINDS),
        one_of("currency", CURRENCIES),
    )
    search_fields = ("player_id", "id")
    readonly_fields = ("rollups",)

    @admin.display(description="newest roll-ups")
    def rollups(self, account: Account) -> str:
        """Return what the account had taken and given, newest first."""
        rows = Rollup.objects.filter(account_id=account.id).order_by("-at")[:ROLLUPS_SHOWN]
        return as_table(rows.values("at", "debit_minor", "credit_minor"))


@admin.register(Transfer)
class TransferAdmin(OfPlayers):
    """What moved, of a player newest first: by player, by round, by id."""

    list_display = (
        "at", "code", "debit", "credit", "amount_minor", "currency", "balance_after_minor",
        "version", "player_id", "round_id",
    )  # fmt: skip
    list_filter = (one_of("code", ledger.CODES), one_of("currency", CURRENCIES))
    search_fields = ("player_id", "round_id", "id")
    ordering = ("player_id", "-version")
    readonly_fields = ("debit", "credit")

    def debit(self, transfer: Transfer) -> str:
        """Return the kind of account that the money left."""
        return str(queries.line(transfer)["debit"])

    def credit(self, transfer: Transfer) -> str:
        """Return the kind of account at which it arrived."""
        return str(queries.line(transfer)["credit"])


@admin.register(Limit)
class LimitAdmin(OfPlayers):
    """What players, and the operator for them, have set; the newest in force counts."""

    list_display = (
        "kind", "period", "amount_minor", "currency", "set_by", "effective_at", "at", "player_id",
    )  # fmt: skip
    list_filter = (
        one_of("kind", limits.KINDS),
        one_of("period", limits.PERIODS),
        one_of("set_by", limits.SETTERS),
    )
    search_fields = ("player_id", "id")
    ordering = ("player_id", "-at", "id")
