"""What does not hold among the rounds: their replay, their money and their state must agree."""

from collections.abc import Iterator
from pathlib import Path

from cryptography.fernet import InvalidToken
from django.db import connection

from audit import queries as audit
from pontoon import engine, vault
from pontoon.engine import View
from pontoon.lifecycle import FaultState, State
from pontoon.models import Malfunction, Told
from pontoon.queries.malfunctions import last_count
from pontoon.queries.place import RoundFacts, facts_of
from pontoon.queries.replay import moves_made, record_of
from pontoon.queries.voids import list_hash_of
from wallets import queries as wallets

_RECORD_SQL = Path(__file__).parents[1] / "sql" / "record.sql"
_LISTED = (FaultState.COUNTED, FaultState.APPROVED, FaultState.DONE)
_STRAYS_SQL = """
SELECT format('transfer %s: there is no round %s', t.id, t.round_id)
  FROM wallets_transfer t
  LEFT JOIN pontoon_round r ON r.player_id = t.player_id AND r.id = t.round_id
 WHERE t.round_id IS NOT NULL AND r.id IS NULL
 UNION ALL
SELECT format('transfer %s: a %s names no round', t.id, t.code)
  FROM wallets_transfer t
 WHERE t.round_id IS NULL AND t.code NOT IN ('deposit', 'withdrawal', 'adjustment')
 UNION ALL
SELECT format('round %s: has no seed', r.id)
  FROM pontoon_round r
  LEFT JOIN pontoon_seed s ON s.player_id = r.player_id AND s.number = r.seed_number
 WHERE s.number IS NULL
 UNION ALL
SELECT format('round %s is %s: its marks are %s', r.id, r.state, array_agg(m.mark ORDER BY m.mark))
  FROM pontoon_round r
  LEFT JOIN pontoon_roundmark m ON m.player_id = r.player_id AND m.round_id = r.id
 GROUP BY r.player_id, r.id, r.state
HAVING (r.state IN ('settled', 'held')) > (count(*) FILTER (WHERE m.mark = 'settled') = 1)
    OR (r.state = 'voided') <> (count(*) FILTER (WHERE m.mark = 'voided') = 1)
"""


def round_faults() -> Iterator[str]:
    """Yield a sentence for each round whose replay, money and state do not agree (check_ledger).

    Streams: call it in a repeatable-read transaction.
    """
    with connection.cursor() as cursor:
        cursor.execute(_STRAYS_SQL)
        yield from (row[0] for row in cursor)
    for told in Told.objects.order_by("player_id", "id").iterator(chunk_size=500):
        yield from (f"round {told.id}: {fault}" for fault in faults_of(told))


def record_faults() -> Iterator[str]:
    """Yield a sentence for each act beside the rounds of which the log does not tell so.

    Those are actions, marks, seeds, answers, suspensions, malfunctions with their lists, notices.
    """
    yield from audit.faults_in(_RECORD_SQL)
    for malfunction in Malfunction.objects.filter(state__in=_LISTED):
        if last_count(malfunction.id).get("list_hash") != list_hash_of(malfunction.id):
            yield f"malfunction {malfunction.id}: its list is not the one that was counted"


NO_KEY = "no key opens its seed"
"""What a round cannot be held for by itself: the fault may be the reader's."""


def faults_of(told: Told) -> Iterator[str]:
    """Yield what does not hold of one round: its replay, its money and its state (replay_round)."""
    facts = facts_of(told)
    try:
        if engine.commitment(vault.unseal(facts.sealed)) != facts.commitment:
            yield "its seed is not the one that was committed to"
        view = engine.find_game(facts.rules).view(engine.replay(record_of(facts)), 0)
    except InvalidToken:
        yield NO_KEY
        return
    except (engine.PontoonError, ValueError) as error:
        yield f"does not replay: {error}"
        return
    if len(facts.actions) != facts.action_count:
        yield f"{len(facts.actions)} actions are stored, {facts.action_count} are counted"
    if moves_made(view) != [(action, hand) for action, hand, _ in facts.actions]:
        yield "its actions name other hands than its replay"
    yield from _money_faults(facts, view)


def _money_faults(facts: RoundFacts, view: View) -> Iterator[str]:
    if view.wagered != facts.wagered_minor:
        yield f"replays to wagers of {view.wagered}, has {facts.wagered_minor}"
    if facts.state in {State.SETTLED, State.HELD} and view.payout != facts.payout_minor:
        yield f"replays to a payout of {view.payout}, has {facts.payout_minor}"
    if facts.state is not State.VOIDED and (facts.state is State.OPEN) != bool(view.options):
        yield f"is {facts.state}, its replay is {'open' if view.options else 'over'}"
    transfers = wallets.transfers_of_round(facts.player_id, facts.id)
    lines = [wallets.line(transfer) for transfer in transfers]
    moved, expected = wallets.moved(lines), _money_expected(facts)
    if moved != expected:
        yield f"is {facts.state}: transfers leave {moved}, expected {expected}"
    if lines and lines[0]["balance_before_minor"] != facts.balance_before_minor:
        yield f"began with {lines[0]['balance_before_minor']}, has {facts.balance_before_minor}"
    if facts.state is not State.OPEN and lines:
        yield from _end_faults(facts, lines[-1]["balance_after_minor"])


def _end_faults(facts: RoundFacts, balance_minor: int) -> Iterator[str]:
    if facts.balance_after_minor != balance_minor:
        yield f"ended with {balance_minor}, has {facts.balance_after_minor}"


def _money_expected(facts: RoundFacts) -> dict[str, int]:
    """Return what a round must have left in each account of the player, and in the house."""
    wagered, payout = facts.wagered_minor, facts.payout_minor or 0
    left = {
        State.OPEN: {"cash": -wagered, "escrow": wagered},
        State.SETTLED: {"cash": payout - wagered, "house": wagered - payout},
        State.HELD: {"cash": -wagered, "held": payout, "house": wagered - payout},
        State.VOIDED: {},
    }[facts.state]
    return {kind: minor for kind, minor in left.items() if minor}
