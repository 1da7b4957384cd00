"""Rounds by player, by id, and by how long they have been waiting."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from audit import queries as audit
from pontoon.errors import RoundNotFoundError
from pontoon.models import ReturnWatch, Round, Told
from pontoon.queries.place import RoundFacts, facts_of


def history(player_id: UUID) -> QuerySet[Told]:
    """Return a player's rounds, newest first; `show_told` makes JSON of one."""
    return Told.objects.filter(player_id=player_id)


def round_of(round_id: UUID, *, player_id: UUID | None = None) -> Told:
    """Return a round, of one player or of anybody. Errors: RoundNotFoundError."""
    rounds = Told.objects.filter(id=round_id)
    told = (rounds if player_id is None else rounds.filter(player_id=player_id)).first()
    if told is None:
        raise RoundNotFoundError
    return told


def read_facts(player_id: UUID, round_id: UUID) -> RoundFacts:
    """Return a round as it is stored. Errors: RoundNotFoundError."""
    told = round_of(round_id, player_id=player_id)
    return facts_of(told)


CLOSING = "round.close"
"""What the work of playing an abandoned round out is called."""


def abandoned(before: datetime, *, count_max: int) -> list[tuple[UUID, UUID]]:
    """Return (player, round) of open rounds that nobody touched since a moment, oldest first.

    Those that could not be played out, and wait or have died of it, are left out.
    """
    with connection.cursor() as cursor:
        # The state is written out: as a parameter it would hide the partial index from the planner.
        cursor.execute(
            "SELECT player_id, id FROM pontoon_round"
            " WHERE state = 'open' AND last_action_at < %s"
            " AND audit_is_due(%s, 'round:' || id) ORDER BY last_action_at LIMIT %s",
            [before, CLOSING, count_max],
        )
        return list(cursor.fetchall())


def marks_of(told: Told) -> list[dict[str, Any]]:
    """Return the states that a round went through, oldest first."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT mark, at FROM pontoon_roundmark WHERE player_id = %s AND round_id = %s"
            " ORDER BY at, mark",
            [told.player_id, told.id],
        )
        marks = [{"mark": mark, "at": at} for mark, at in cursor.fetchall()]
    if told.held_reason and told.settled_at:
        marks.insert(0, {"mark": "held", "at": told.settled_at})
    return [{"mark": "open", "at": told.opened_at}, *sorted(marks, key=lambda one: one["at"])]


def half_closed(*, count_max: int) -> list[tuple[UUID, UUID]]:
    """Return (player, round) of those whose playing out was begun, and is due again."""
    begun = audit.begun_work(CLOSING, count_max=count_max)
    return [(player_id, UUID(subject.removeprefix("round:"))) for player_id, subject in begun]


def count_rounds() -> int:
    """Return how many rounds there are, of everybody."""
    return Round.objects.count()


def next_commitment(player_id: UUID) -> str:
    """Return the commitment to a player's next round, whose seed is made already."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT commitment FROM pontoon_seed WHERE player_id = %s ORDER BY number DESC LIMIT 1",
            [player_id],
        )
        return str(cursor.fetchone()[0])


def settled_since(since: datetime, *, count_max: int) -> QuerySet[Told]:
    """Return rounds that were played to their end since a moment, the newest of them."""
    return Told.objects.filter(settled_at__gte=since).order_by("-settled_at")[:count_max]


# The states are written out, so that the partial indexes answer.
_FIGURES_SQL = """
SELECT (SELECT count(*) FROM pontoon_round WHERE state = 'open'),
       (SELECT count(*) FROM pontoon_round WHERE state = 'held'),
       (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(settled_at)), 0)
          FROM pontoon_round WHERE state = 'held'),
       (SELECT count(*) FROM pontoon_suspension WHERE lifted_at IS NULL)
"""


def figures() -> dict[str, dict[tuple[str, ...], float]]:
    """Return what people watch of the table: name → labels → figure."""
    with connection.cursor() as cursor:
        cursor.execute(_FIGURES_SQL)
        open_count, held_count, oldest_s, suspended_count = cursor.fetchone()
    watched = ReturnWatch.objects.values_list("rules", "currency", "state")
    return {
        "rounds": {("open",): float(open_count), ("held",): float(held_count)},
        "held_oldest_seconds": {(): float(oldest_s)},
        "suspensions": {(): float(suspended_count)},
        "rtp_excursion": {
            (rules, currency): float(state != "inside") for rules, currency, state in watched
        },
    }
