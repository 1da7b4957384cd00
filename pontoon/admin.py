"""Rounds in the panel: to look at, as their players see them. An open round shows no hole card."""

from typing import Any

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from rest_framework.exceptions import ValidationError

from audit import queries as audit
from audit.errors import HouseError
from casino.panel import OfPlayers, ReadOnly, as_table, one_of
from casino.players.profiles import CURRENCIES
from casino.staff.roles import Act, require
from pontoon import queries, reports
from pontoon.api.reports import answer, read_report
from pontoon.lifecycle import State
from pontoon.models import ReturnWatch, Round
from pontoon.reports.charts import charts_of
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


@admin.register(ReturnWatch)
class ReturnWatchAdmin(ReadOnly):
    """Whether returns are what the rules promise, but for chance (RTP-04)."""

    list_display = (
        "rules", "currency", "state", "changed_at", "round_count", "stake_minor", "net_minor",
        "until",
    )  # fmt: skip


@admin.site.admin_view
def report(request: HttpRequest, name: str) -> HttpResponse:
    """Show a report with its charts, or give it as CSV or XLSX."""
    if name not in reports.REPORTS:
        raise Http404
    require(request.user, Act.LOOK_REPORTS)
    shown: dict[str, Any] = {"report": None, "fault": None}
    try:
        made = read_report(request.GET, name)
        if request.GET.get("format") in reports.FORMATS:
            return answer(made, request.GET["format"])
        shown = {"report": made, "charts": charts_of(made), "tables": _tables(made)}
    except (ValidationError, HouseError) as error:
        shown["fault"] = f"This cannot be reported: {getattr(error, 'detail', error)}"
    excursions = ReturnWatch.objects.exclude(state="inside")
    context = {"names": reports.REPORTS, "name": name, "title": name, "asked": request.GET}
    shown |= context | {"excursions": excursions}
    return render(request, "casino/report.html", admin.site.each_context(request) | shown)


def _tables(made: reports.Report) -> list[tuple[str, str]]:
    """Return each table of a report as HTML, under its title."""
    return [
        (
            table.title,
            as_table(
                {column.label: row.get(column.name) for column in table.columns}
                for row in table.rows
            ),
        )
        for table in made.tables
    ]
