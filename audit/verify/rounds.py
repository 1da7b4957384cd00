"""The rounds of an export, played again by the engine and held against entries and money."""

from collections.abc import Iterator
from typing import Any

from audit.verify.money import Ledger, left_of
from audit.verify.stories import Stories
from pontoon import engine
from pontoon.engine import Record, Seeds, View

ORDER = ("player_id", "round_id")


class Rounds:
    """Checks of rounds, one after the other."""

    def __init__(self, stories: Stories | None, ledger: Ledger | None) -> None:
        """Hold rounds against entries and transfers, where the export has them."""
        self._stories = stories
        self._ledger = ledger
        self._last = ("", "")

    def faults(self, row: dict[str, Any]) -> Iterator[str]:
        """Yield what does not hold of a round. Errors: KeyError, TypeError, ValueError."""
        place = (row["player_id"], row["round_id"])
        if place <= self._last:
            yield "stands out of its order"
        self._last = place
        yield from _replay_faults(row)
        if self._stories is not None:
            yield from self._stories.round_faults(row)
        if self._ledger is not None:
            yield from self._money_faults(row, self._ledger)

    def _money_faults(self, row: dict[str, Any], ledger: Ledger) -> Iterator[str]:
        money = dict(ledger.rounds.get(row["round_id"], {}))
        before_minor = money.pop("before", None)
        if before_minor != row["balance_before_minor"]:
            yield f"began with {row['balance_before_minor']}, its first wager with {before_minor}"
        moved = {kind: minor for kind, minor in money.items() if minor}
        expected = left_of(row["state"], row["wagered_minor"], row["payout_minor"] or 0)
        if moved != expected:
            yield f"is {row['state']}: its transfers leave {moved}, expected {expected}"

    def left(self) -> Iterator[tuple[str, int]]:
        """Yield (round, entry) of rounds that entries opened and no line had."""
        for round_id, story in (self._stories.rounds if self._stories else {}).items():
            if story.is_whole:
                yield round_id, story.index


def _replay_faults(row: dict[str, Any]) -> Iterator[str]:
    if row["rules"].partition("/")[0] != row["game"]:
        yield f"{row['rules']} are no rules of {row['game']}"
    if len(row["actions"]) != row["action_count"]:
        yield f"has {len(row['actions'])} actions, and counts {row['action_count']}"
    if row["state"] == "open":
        if row["record"] is not None:
            yield "is open, and its seed is told"
        return
    try:
        record = engine.parse_record(row["record"])
        view = engine.find_game(record.rules).view(engine.replay(record), 0)
    except engine.PontoonError as error:
        yield f"does not replay: {error}"
        return
    yield from _record_faults(row, record)
    yield from _outcome_faults(row, view)


def _record_faults(row: dict[str, Any], record: Record) -> Iterator[str]:
    if engine.format_record(record) != row["record"]:
        yield "its record is not written as the engine writes it"
    if not isinstance(record.source, Seeds):
        yield "its record tells cards, not seeds"
        return
    if engine.commitment(record.source.server_seed) != row["commitment"]:
        yield "its server seed is not the one that was committed to"
    told = (record.rules, record.wager, record.source.client_seed)
    if told != (row["rules"], row["stake_minor"], row["client_seed"]):
        yield "its record has other rules, another stake or another client seed"


def _outcome_faults(row: dict[str, Any], view: View) -> Iterator[str]:
    if [[move.action.value, move.hand] for move in view.moves] != [
        action[:2] for action in row["actions"]
    ]:
        yield "its actions are not those of its record"
    if view.wagered != row["wagered_minor"]:
        yield f"replays to wagers of {view.wagered}, has {row['wagered_minor']}"
    if row["state"] != "voided":
        if view.options:
            yield f"is {row['state']}, and its record is not at its end"
        elif view.payout != row["payout_minor"]:
            yield f"replays to a payout of {view.payout}, has {row['payout_minor']}"
