"""The ledger in the panel: to look at. Money moves by services alone."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from casino.acts import Acting, Deed
from casino.panel import OfPlayers, one_of
from casino.players.profiles import CURRENCIES
from casino.shown import as_table, badge
from casino.staff.roles import Act
from wallets import ledger, limits, queries, services
from wallets.models import Account, Adjusting, Limit, Rollup, Transfer

ROLLUPS_SHOWN = 20


@admin.register(Account)
class AccountAdmin(OfPlayers):
    """Where money is. The house's accounts store no balance, but their roll-ups."""

    heading = _("Accounts")
    search_help_text = _("Player's id; account's id")
    list_display = ("kind", "player_id", "balance_minor", "currency", "version", "last_at")
    list_filter = (
        one_of("kind", ledger.PLAYER_KINDS + ledger.HOUSE_KINDS),
        one_of("currency", CURRENCIES),
    )
    search_fields = ("player_id", "id")
    readonly_fields = ("rollups",)

    @admin.display(description=_("Newest roll-ups"))
    def rollups(self, account: Account) -> str:
        """Return what the account had taken and given, newest first."""
        rows = Rollup.objects.filter(account_id=account.id).order_by("-at")[:ROLLUPS_SHOWN]
        money = {"currency": account.currency}
        return as_table(row | money for row in rows.values("at", "debit_minor", "credit_minor"))


@admin.register(Transfer)
class TransferAdmin(OfPlayers):
    """What moved, of a player newest first: by player, by round, by id."""

    heading = _("Transfers")
    search_help_text = _("Player's id; round's id; transfer's id; reference")
    list_display = (
        "at", "code", "debit", "credit", "amount_minor", "balance_after_minor", "player_id",
        "round_id", "reference",
    )  # fmt: skip
    list_filter = (one_of("code", ledger.CODES),)
    search_fields = ("player_id", "round_id", "reference", "id")
    ordering = ("player_id", "-version")
    readonly_fields = ("debit", "credit")

    def debit(self, transfer: Transfer) -> str:
        """Return the kind of account that the money left."""
        return badge(queries.line(transfer)["debit"])

    def credit(self, transfer: Transfer) -> str:
        """Return the kind of account at which it arrived."""
        return badge(queries.line(transfer)["credit"])


@admin.register(Limit)
class LimitAdmin(OfPlayers):
    """What players, and the operator for them, have set; the newest in force counts."""

    heading = _("Limits")
    search_help_text = _("Player's id; limit's id")
    list_display = (
        "at", "player_id", "kind", "period", "amount_minor", "set_by", "effective_at",
    )  # fmt: skip
    list_filter = (
        one_of("kind", limits.KINDS),
        one_of("period", limits.PERIODS),
        one_of("set_by", limits.SETTERS),
    )
    search_fields = ("player_id", "id")
    ordering = ("player_id", "-at", "id")


@admin.register(Adjusting)
class AdjustingAdmin(Acting):
    """Corrections by hand: asked for on a player's page, decided on here by another person."""

    heading = _("Adjustments")
    search_help_text = _("Player's id")
    list_display = (
        "raised_at", "player_id", "kind", "amount_minor", "state", "reason", "raised_by",
        "decided_by",
    )  # fmt: skip
    list_filter = (one_of("state", ("raised", "approved", "declined")),)
    search_fields = ("player_id",)
    deeds = (
        Deed(
            "approve",
            _("Approve"),
            Act.APPROVE_ADJUSTMENT,
            lambda actor, row, told: services.approve_adjustment(
                actor, adjustment_id=row.id, reason=told["reason"]
            ),
            _("The adjustment is made."),
            applies=lambda row, actor: row.state == "raised" and row.raised_by != actor,
        ),
        Deed(
            "decline",
            _("Decline"),
            Act.APPROVE_ADJUSTMENT,
            lambda actor, row, told: services.decline_adjustment(
                actor, adjustment_id=row.id, reason=told["reason"]
            ),
            _("The adjustment is not made."),
            applies=lambda row, actor: row.state == "raised" and row.raised_by != actor,
            is_grave=True,
        ),
    )
