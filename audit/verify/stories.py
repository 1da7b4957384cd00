"""What the entries tell of each transfer and each round: what the other files are held against."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from audit.verify.leaves import Entry
from audit.verify.money import ADJUSTMENTS

ROUND_OVER = {"round.settled", "round.held"}
ROUND_MOVED = {"round.opened", "round.played"} | ROUND_OVER

_DEALT = (
    "rules", "currency", "commitment", "client_seed", "session_id",
    "profile", "build", "seed_number",
)  # fmt: skip
# What an entry tells of a transfer: of a round's its place alone, of any other everything.
_MADE = ("at", "actor", "player_id", "round_id", "currency", "reference", "request_key")
_ALONE = (*_MADE, "code", "debit", "credit", "amount_minor", "balance_after_minor")
_BANKED = {
    "money.deposited": ("deposit", "cashier", "cash"),
    "money.withdrawn": ("withdrawal", "cash", "cashier"),
}
_NOW = ("state", "held_reason", "action_count", "stake_minor", "wagered_minor", "payout_minor")


@dataclass(slots=True)
class Story:
    """A round as its entries tell it: the index of the last, and the columns that follow from all.

    `is_whole` when the entry that opened it is among them.
    """

    index: int
    is_whole: bool
    columns: dict[str, Any]


class Stories:
    """The rounds and the transfers that entries have told of, by their ids."""

    def __init__(self, archived_to: str) -> None:
        """Nothing is known of what entries told before a time: "" if they are all there."""
        self._archived_to = archived_to
        self.rounds: dict[str, Story] = {}
        self.requests: dict[str, tuple[int, tuple[str, Any]]] = {}
        self._told: dict[str, tuple[int, int]] = {}
        self._archived: set[str] = set()

    def hear(self, entry: Entry) -> None:
        """Take in what an entry tells. Errors: KeyError, TypeError, for what it should tell."""
        told = entry.told
        subject, _, id_ = told["subject"].partition(":")
        if told["event"] == "export.requested":
            self.requests[id_] = (entry.leaf_index, (told["actor"], told["payload"]["after"]))
        elif told["event"] == "log.archived":
            self._archived.add(_end_of(id_))
        elif subject == "round" and told["event"].startswith("round."):
            self._hear_round(entry, id_)
        elif told["event"] == "adjustment.approved":
            self._hear_adjustment(entry, id_)
        elif subject == "transfer":
            self._expect_alone(entry, id_, _BANKED[told["event"]], told["payload"]["reference"])

    def has_archive(self, until: str) -> bool:
        """Say whether an entry told of a month that was archived, and that reaches so far."""
        return any(end >= until for end in self._archived)

    def _hear_round(self, entry: Entry, round_id: str) -> None:
        payload = entry.told["payload"]
        for transfer_id in payload["transfers"]:
            self._expect(entry, transfer_id, _made(entry.told, round_id=round_id))
        known = self.rounds.get(round_id)
        self.rounds[round_id] = Story(
            entry.leaf_index,
            is_whole=known.is_whole if known else payload["before"] is None,
            columns=(known.columns if known else {}) | columns_told(entry.told),
        )

    def _hear_adjustment(self, entry: Entry, id_: str) -> None:
        payload = entry.told["payload"]
        way = ("adjustment", *ADJUSTMENTS[payload["kind"]])
        for transfer_id in payload["transfers"]:
            self._expect_alone(entry, transfer_id, way, id_)

    def _expect_alone(
        self, entry: Entry, transfer_id: str, way: tuple[str, ...], reference: str | None
    ) -> None:
        payload = entry.told["payload"]
        made = _made(entry.told, reference=reference, request_key=payload.get("request_key"))
        how_much = (payload["amount_minor"], payload["after"]["balance_minor"])
        self._expect(entry, transfer_id, (*made, *way, *how_much))

    def _expect(self, entry: Entry, transfer_id: str, facts: tuple[Any, ...]) -> None:
        self._told[transfer_id] = entry.leaf_index, hash(facts)

    def transfer_faults(self, row: dict[str, Any]) -> Iterator[str]:
        """Yield how a transfer is not as its entry told it; each is asked for once."""
        index, expected = self._told.pop(row["transfer_id"], (None, None))
        if index is None:
            if row["at"] >= self._archived_to:
                yield "no entry tells of it"
            return
        names = _ALONE if row["round_id"] is None else _MADE
        if expected != hash(tuple(row[name] for name in names)):
            yield f"it is not as entry {index} tells it"

    def round_faults(self, row: dict[str, Any]) -> Iterator[str]:
        """Yield how a round is not as its entries tell it; each is asked for once."""
        story = self.rounds.pop(row["round_id"], None)
        if story is None:
            if row["last_action_at"] >= self._archived_to:
                yield "no entry tells of it"
            return
        for name, value in story.columns.items():
            if row[name] != value:
                yield f"{name} is {row[name]!r}, entry {story.index} tells {value!r}"

    def transfers_left(self) -> Iterator[tuple[str, int]]:
        """Yield (transfer, entry) of what entries told and no file had."""
        for transfer_id, (index, _) in self._told.items():
            yield transfer_id, index


def _made(
    told: dict[str, Any],
    *,
    round_id: str | None = None,
    reference: str | None = None,
    request_key: str | None = None,
) -> tuple[Any, ...]:
    """Return what an entry tells of a transfer, in the order of _MADE."""
    place = (told["at"], told["actor"], told["player_id"], round_id, told["payload"]["currency"])
    return (*place, reference, request_key)


def columns_told(told: dict[str, Any]) -> dict[str, Any]:
    """Return the columns of a round that follow from one of its entries."""
    payload, event = told["payload"], told["event"]
    after = payload["after"]
    is_open = after["state"] == "open"
    columns = {name: payload[name] for name in _DEALT} | {name: after[name] for name in _NOW}
    columns |= {
        "player_id": told["player_id"],
        "actions": payload["actions"],
        "record": payload.get("record"),
        "balance_after_minor": None if is_open else after["balance_minor"],
    }
    if payload["before"] is None:
        columns |= {"opened_at": told["at"], "settled_at": None}
    if event in ROUND_MOVED:
        columns["last_action_at"] = told["at"]
    if event in ROUND_OVER:
        columns["settled_at"] = told["at"]
    return columns


def _end_of(month: str) -> str:
    """Return the end of a month, `2026-01`; a subject that names none reaches nowhere."""
    year, _, number = month.partition("-")
    if not (year.isdecimal() and number.isdecimal()):
        return ""
    years, months = divmod(int(year) * 12 + int(number), 12)
    return f"{years:04}-{months + 1:02}-01T00:00:00.000000+00:00"
