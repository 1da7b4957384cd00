"""The list of a malfunction's rounds: taking it, adding it up, and what of it is still to void."""

import hashlib
from typing import Any
from uuid import UUID

from django.db import DatabaseError, connection, transaction

from audit.errors import StaleReadError
from pontoon.models import Malfunction, MalfunctionAct, Told
from pontoon.queries.place import RoundFacts, facts_of

SLICES = 64
"""Into how many parts a list falls: all of a player is in one (sql/suspension.sql)."""

_TOTALS_SQL = """
WITH list AS (
    SELECT player_id, round_id, currency, state, wagered_minor, payout_minor,
           CASE state WHEN 'settled' THEN payout_minor ELSE 0 END AS taken_minor
      FROM pontoon_malfunctionround WHERE malfunction_id = %s
), owing AS (  -- what a player is short of at the worst moment, if nothing else moves meanwhile
    SELECT player_id, greatest(0, -min(left_minor)) AS receivable_minor
      FROM (SELECT l.player_id, coalesce(a.balance_minor, 0)
                   + sum(l.wagered_minor - l.taken_minor)
                     OVER (PARTITION BY l.player_id ORDER BY l.round_id) AS left_minor
              FROM list l
              LEFT JOIN wallets_account a ON a.player_id = l.player_id AND a.kind = 'cash') walk
     GROUP BY player_id
), players AS (
    SELECT player_id, currency, count(*) AS rounds, count(*) FILTER (WHERE state = 'open') AS open,
           sum(wagered_minor) AS wagered, sum(taken_minor) AS taken,
           sum(payout_minor) FILTER (WHERE state = 'held') AS held
      FROM list GROUP BY player_id, currency
)
SELECT currency, count(*), sum(rounds), sum(open), sum(wagered), sum(taken),
       coalesce(sum(held), 0), sum(receivable_minor)
  FROM players JOIN owing USING (player_id)
 GROUP BY currency ORDER BY currency
"""
_TOTALS = (
    "players", "rounds", "open_rounds", "to_give_minor", "to_take_minor", "held_minor",
    "receivable_minor",
)  # fmt: skip
_LIST_SQL = """
SELECT player_id, round_id, state, wagered_minor, payout_minor FROM pontoon_malfunctionround
 WHERE malfunction_id = %s ORDER BY slice, player_id, round_id
"""
_WORK_SQL = """
SELECT w.player_id, w.round_id, w.currency
  FROM pontoon_malfunctionround w
  JOIN pontoon_round r ON r.player_id = w.player_id AND r.id = w.round_id
 WHERE w.malfunction_id = %(id)s AND w.slice = %(slice)s AND r.state <> 'voided'
   AND (w.player_id, w.round_id) > (%(player)s, %(round)s)
   AND audit_is_due('void_round', 'round:' || w.round_id)
 ORDER BY w.player_id, w.round_id LIMIT 500
"""
_PROGRESS_SQL = """
SELECT count(*), count(*) FILTER (WHERE r.state = 'voided')
  FROM pontoon_malfunctionround w
  JOIN pontoon_round r ON r.player_id = w.player_id AND r.id = w.round_id
 WHERE w.malfunction_id = %s
"""
_VOIDED_SQL = """
SELECT t.currency, count(DISTINCT t.player_id), count(DISTINCT t.round_id),
       sum(t.amount_minor) FILTER (WHERE t.code = 'refund'),
       coalesce(sum(t.amount_minor) FILTER (WHERE t.code = 'reversal' AND d.kind = 'cash'), 0),
       coalesce(sum(t.amount_minor) FILTER (WHERE t.code = 'reversal' AND d.kind = 'held'), 0),
       coalesce(sum(t.amount_minor) FILTER (WHERE t.code = 'reversal' AND d.kind = 'receivable'), 0)
  FROM pontoon_malfunctionround w
  JOIN pontoon_notice n ON n.player_id = w.player_id AND n.round_id = w.round_id
   AND n.kind = 'round_voided' AND n.malfunction_id = w.malfunction_id
  JOIN wallets_transfer t ON t.player_id = w.player_id AND t.round_id = w.round_id
   AND t.code IN ('refund', 'reversal')
  LEFT JOIN wallets_account d ON d.player_id = t.player_id AND d.id = t.debit_account_id
 WHERE w.malfunction_id = %s
 GROUP BY t.currency ORDER BY t.currency
"""
_VOIDED = ("players", "rounds", "given_minor", "taken_minor", "held_minor", "receivable_minor")


def count_step(malfunction_id: UUID, count_max: int) -> bool:
    """Take the next rounds of a scope into the list; return whether that were all.

    Errors: StaleReadError, when it is counted, or decided on.
    """
    try:
        with transaction.atomic(durable=True), connection.cursor() as cursor:
            cursor.execute("SELECT pontoon_count_rounds(%s, %s)", [malfunction_id, count_max])
            return bool(cursor.fetchone()[0])
    except DatabaseError as error:
        if getattr(error.__cause__, "sqlstate", None) == "PN409":
            raise StaleReadError from error
        raise


def sum_up(malfunction_id: UUID) -> dict[str, Any]:
    """Return what a list comes to: per currency, in all, and its hash by which it is approved."""
    totals = _by_currency(_TOTALS_SQL, _TOTALS, malfunction_id)
    return {
        "rounds": sum(line["rounds"] for line in totals),
        "players": sum(line["players"] for line in totals),
        "totals": totals,
        "list_hash": list_hash_of(malfunction_id),
    }


def void_totals(malfunction_id: UUID) -> dict[str, Any]:
    """Return what the rounds that were voided for a malfunction came to, from the transfers."""
    totals = _by_currency(_VOIDED_SQL, _VOIDED, malfunction_id)
    return {"rounds": sum(line["rounds"] for line in totals), "totals": totals}


def _by_currency(
    statement_sql: str, names: tuple[str, ...], malfunction_id: UUID
) -> list[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(statement_sql, [malfunction_id])
        return [
            {"currency": currency} | dict(zip(names, map(int, numbers), strict=True))
            for currency, *numbers in cursor.fetchall()
        ]


def list_hash_of(malfunction_id: UUID) -> str:
    """Return the SHA-256 of a list, a line a round, read as a stream. Within a transaction."""
    digest = hashlib.sha256()
    with connection.cursor() as cursor:
        cursor.execute(f"DECLARE list NO SCROLL CURSOR FOR {_LIST_SQL}", [malfunction_id])
        while True:
            cursor.execute("FETCH 5000 FROM list")
            rows = cursor.fetchall()
            if not rows:
                break
            digest.update("".join(f"{' '.join(map(str, row))}\n" for row in rows).encode())
        cursor.execute("CLOSE list")
    return digest.hexdigest()


def reason_of_void(malfunction_id: UUID) -> dict[str, str]:
    """Return why the rounds of an approved malfunction are voided, who raised and authorised it."""
    act = MalfunctionAct.objects.filter(malfunction_id=malfunction_id, state="approved").get()
    raised_by = Malfunction.objects.values_list("raised_by", flat=True).get(id=malfunction_id)
    return {
        "reason": act.facts["reason"],
        "malfunction_id": str(malfunction_id),
        "raised_by": raised_by,
        "authorised_by": act.actor,
    }


def work_of(
    malfunction_id: UUID, slice_: int, after: tuple[UUID, UUID]
) -> list[tuple[UUID, UUID, str]]:
    """Return the next (player, round, currency) of a slice that are to be voided, in order."""
    named: dict[str, UUID | int] = {
        "id": malfunction_id,
        "slice": slice_,
        "player": after[0],
        "round": after[1],
    }
    with connection.cursor() as cursor:
        cursor.execute(_WORK_SQL, named)
        return list(cursor.fetchall())


def progress(malfunction_id: UUID) -> tuple[int, int]:
    """Return how many rounds a list has, and how many of them are voided."""
    with connection.cursor() as cursor:
        cursor.execute(_PROGRESS_SQL, [malfunction_id])
        listed, done = cursor.fetchone()
        return int(listed), int(done)


def has_work(malfunction_id: UUID) -> bool:
    """Say whether a round of a list is not voided."""
    listed, done = progress(malfunction_id)
    return done < listed


def claim_work(player_id: UUID) -> bool:
    """Be the one who voids rounds of a player, until the end of the open transaction."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [f"void:{player_id}"]
        )
        return bool(cursor.fetchone()[0])


def rounds_of(player_id: UUID, round_ids: list[UUID]) -> list[RoundFacts]:
    """Return rounds of a player, in the order of their ids."""
    told = Told.objects.filter(player_id=player_id, id__in=round_ids).order_by("id")
    return [facts_of(row) for row in told]


def let_go(count_max: int) -> list[tuple[UUID, UUID]]:
    """Return (player, round) whose payout waits for a malfunction, and none covers it any more."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM pontoon_let_go(%s)", [count_max])
        return list(cursor.fetchall())


def is_large(facts: RoundFacts) -> bool:
    """Say whether a person verifies a round's win, by what is on record of it (H17)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pontoon_is_large(%s, %s)", [facts.player_id, facts.id])
        return bool(cursor.fetchone()[0])
