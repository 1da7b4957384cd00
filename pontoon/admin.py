"""Rounds in the panel: to look at, as their players see them. An open round shows no hole card."""

from django.contrib import admin
from django.utils.html import format_html

from audit import queries as audit
from casino.panel import OfPlayers, as_table, one_of
from casino.players.profiles import CURRENCIES
from pontoon import queries
from pontoon.lifecycle import State
from pontoon.models import Round
from wallets import queries as wallets

_TRANSFER = (
    "at", "code", "debit", "credit", "amount_minor", "currency",
    "balance_before_minor", "balance_after_minor", "version", "actor", "transfer_id",
)  # fmt: skip


@admin.register(Round)
class RoundAdmin(OfPlayers):
    """What was played, of a player newest first: by player, by id."""

    list_display = (
        "opened_at", "id", "state", "held_reason", "rules", "currency", "stake_minor",
        "wagered_minor", "payout_minor", "player_id",
    )  # fmt: skip
    list_filter = (
        one_of("state", State),
        one_of("held_reason", ("large_win", "malfunction")),
        one_of("currency", CURRENCIES),
    )
    search_fields = ("player_id", "id")
    ordering = ("player_id", "-opened_at", "-id")
    readonly_fields = ("as_its_player_sees_it", "transfers", "entries")

    def as_its_player_sees_it(self, round_: Round) -> str:
        """Return the cards that are shown, what was done, and the seeds that are revealed."""
        shown = queries.show_told(queries.round_of(round_.id, player_id=round_.player_id))
        seeds = ("commitment", "client_seed", "server_seed")
        return format_html(
            "{}<br>{}<br>{}<br>{}",
            as_table([{"dealer's cards": shown["dealer"].pop("cards")} | shown["dealer"]]),
            as_table(shown["hands"]),
            as_table(shown["actions"]),
            as_table([{name: shown[name] for name in seeds}]),
        )

    def transfers(self, round_: Round) -> str:
        """Return the money that the round moved, in order."""
        moved = wallets.transfers_of_round(round_.player_id, round_.id)
        lines = [wallets.line(transfer) for transfer in moved]
        return as_table({name: line[name] for name in _TRANSFER} for line in lines)

    def entries(self, round_: Round) -> str:
        """Return what is on record of the round, oldest first."""
        told = audit.entries_of(f"round:{round_.id}", player_id=round_.player_id)
        return as_table(
            {name: entry[name] for name in ("at", "event", "actor", "id", "leaf_hash")}
            for entry in told
        )
