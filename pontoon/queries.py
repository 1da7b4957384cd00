"""Reading the table: where a player stands, a round as he may see it, and what does not hold."""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from audit import queries as audit
from casino.players.errors import NotAuthenticatedError
from casino.players.profiles import get_profile
from casino.players.queries import DOOR_COLUMNS, Door
from pontoon import engine, vault
from pontoon.engine import Action, Option, Record, Seeds, View
from pontoon.engine.game import HandView, Move
from pontoon.errors import RoundNotFoundError
from pontoon.lifecycle import REVEALED, State
from pontoon.models import Round, Told
from wallets import queries as wallets
from wallets.queries import Wallet


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """A round as it is stored, with its sealed seed and its actions [action, hand index, by]."""

    id: UUID
    player_id: UUID
    game: str
    rules: str
    currency: str
    stake_minor: int
    seed_number: int
    client_seed: str
    session_id: UUID
    build: str
    opened_at: datetime
    balance_before_minor: int
    state: State
    held_reason: str | None
    action_count: int
    wagered_minor: int
    payout_minor: int | None
    balance_after_minor: int | None
    last_action_at: datetime
    settled_at: datetime | None
    commitment: str
    sealed: str
    actions: list[list[Any]]

    @property
    def urn(self) -> str:
        """Name the round as a subject of the log."""
        return f"round:{self.id}"


@dataclass(frozen=True, slots=True)
class Place:
    """All that a request of a player is decided on, as one query saw it.

    `seed` is his next round's (number, commitment, sealed seed), None before his first; `answer`
    is the (fingerprint, body) that the same request had before.
    """

    door: Door
    at: datetime
    wallet: Wallet
    allowance: list[dict[str, Any]] | None
    last_opened_at: datetime | None
    seed: tuple[int, str, str] | None
    answer: tuple[bytes, str] | None
    round_: RoundFacts | None


LANGUAGES = ("en", "es", "pt", "sv")

_FACTS = tuple(field.name for field in fields(RoundFacts))
_COLUMNS = ", ".join(
    [f"p.{name}" for name in DOOR_COLUMNS]
    + ["p.at", "p.balance_minor", "p.version", "p.allowance"]
    + [
        "(SELECT max(opened_at) FROM pontoon_round WHERE player_id = p.player_id)",
        "p.seed_number", "p.commitment", "p.sealed", "a.fingerprint", "a.body",
    ]
    + [f"r.{name}::json" if name == "actions" else f"r.{name}" for name in _FACTS]
)  # fmt: skip
_PLACE_SQL = (
    f"SELECT {_COLUMNS} FROM pontoon_place p"  # noqa: S608
    "  LEFT JOIN pontoon_answer a ON a.player_id = p.player_id AND a.key = %s"
    "  LEFT JOIN pontoon_told r ON r.player_id = p.player_id AND {which}"
    " WHERE p.token_hash = %s"
)
_OPEN_SQL = _PLACE_SQL.format(which="r.state = 'open'")
_ONE_SQL = _PLACE_SQL.format(which="r.id = %s")


def read_place(token: bytes, *, answer_key: str = "", round_id: UUID | None = None) -> Place:
    """Return where a player stands, with one of his rounds: the open one, or the one that is named.

    One round trip. Errors: NotAuthenticatedError.
    """
    with connection.cursor() as cursor:
        if round_id is None:
            cursor.execute(_OPEN_SQL, [answer_key, token])
        else:
            cursor.execute(_ONE_SQL, [answer_key, round_id, token])
        row = cursor.fetchone()
    if row is None:
        raise NotAuthenticatedError
    return _place(row)


def _place(row: tuple[Any, ...]) -> Place:
    at_index = len(DOOR_COLUMNS)
    door = Door(*row[:at_index])
    at, balance_minor, version, allowance, last_opened_at = row[at_index : at_index + 5]
    number, commitment, sealed, fingerprint, body = row[at_index + 5 : at_index + 10]
    facts = row[at_index + 10 :]
    return Place(
        door=door,
        at=at,
        wallet=Wallet(door.player_id, door.currency, balance_minor, version),
        allowance=allowance,
        last_opened_at=last_opened_at,
        seed=None if number is None else (number, commitment, sealed),
        answer=None if body is None else (bytes(fingerprint), body),
        round_=None if facts[0] is None else _facts(facts),
    )


def _facts(row: tuple[Any, ...]) -> RoundFacts:
    facts = dict(zip(_FACTS, row, strict=True))
    return RoundFacts(**facts | {"state": State(facts["state"])})


def record_of(facts: RoundFacts) -> Record:
    """Return a round's record: all that its cards and money depend on. It holds the open seed."""
    return Record(
        rules=facts.rules,
        wager=facts.stake_minor,
        source=Seeds(vault.unseal(facts.sealed), facts.client_seed),
        actions=tuple(Action(action) for action, _, _ in facts.actions),
    )


def view_of(facts: RoundFacts) -> View:
    """Replay a round and return what its player may see of it."""
    return engine.find_game(facts.rules).view(engine.replay(record_of(facts)), 0)


# --- A round as JSON ----------------------------------------------------------------------------


def show(
    facts: RoundFacts, view: View, *, balance_minor: int, next_commitment: str | None
) -> dict[str, Any]:
    """Return a round as its player sees it (API.md): the view's cards, never the round's.

    The seed, and the commitment to the next one, are shown when the round is over.
    """
    is_over = facts.state in REVEALED
    payout_minor = facts.payout_minor
    return {
        "round_id": str(facts.id),
        "game": facts.game,
        "rules": facts.rules,
        "state": facts.state.value,
        "held_reason": facts.held_reason,
        "seq": facts.action_count,
        "currency": facts.currency,
        "stake_minor": facts.stake_minor,
        "wagered_minor": facts.wagered_minor,
        "payout_minor": payout_minor,
        "win_minor": None if payout_minor is None else payout_minor - facts.wagered_minor,
        "is_win": payout_minor is not None and payout_minor > facts.wagered_minor,
        "hands": [_hand(hand, is_voided=facts.state is State.VOIDED) for hand in view.hands],
        "active_hand": view.active_hand if facts.state is State.OPEN else None,
        "dealer": {
            "cards": list(view.dealer.cards),
            "total": view.dealer.total,
            "soft": view.dealer.soft,
            "kind": view.dealer.kind,
        },
        "options": options(view.options) if facts.state is State.OPEN else [],
        "actions": [
            {"action": action, "hand": hand, "by": by} for action, hand, by in facts.actions
        ],
        "commitment": facts.commitment,
        "client_seed": facts.client_seed,
        "server_seed": vault.unseal(facts.sealed).hex() if is_over else None,
        "opened_at": _iso(facts.opened_at),
        "settled_at": facts.settled_at and _iso(facts.settled_at),
        "balance_before_minor": facts.balance_before_minor,
        "balance_after_minor": facts.balance_after_minor,
        "balance_minor": balance_minor,
        "next_commitment": next_commitment if is_over else None,
    }


def options(offered: tuple[Option, ...]) -> list[dict[str, Any]]:
    """Return what may be done now, with what it adds to the wager where it adds something."""
    return [
        {"action": option.action.value}
        | ({"amount_minor": option.amount_max} if option.amount_max else {})
        for option in offered
    ]


def _hand(hand: HandView, *, is_voided: bool) -> dict[str, Any]:
    return {
        "cards": list(hand.cards),
        "total": hand.total,
        "soft": hand.soft,
        "kind": hand.kind.value,
        "status": hand.status.value,
        "stake_minor": hand.stake,
        "wager_minor": hand.wager,
        "doubled": hand.doubled,
        "from_split": hand.from_split,
        "outcome": "voided" if is_voided else hand.outcome and hand.outcome.value,
        "payout_minor": hand.wager if is_voided else hand.payout,
    }


def _iso(at: datetime) -> str:
    return at.isoformat(timespec="microseconds")


# --- Rounds of a player -------------------------------------------------------------------------


def current_round(place: Place) -> dict[str, Any] | None:
    """Return the open round of a place, or None (INT-01)."""
    return None if place.round_ is None else show_at(place, place.round_)


def show_at(place: Place, facts: RoundFacts) -> dict[str, Any]:
    """Return a round with the balance and the next commitment of this moment."""
    return show(
        facts,
        view_of(facts),
        balance_minor=place.wallet.balance_minor,
        next_commitment=place.seed and place.seed[1],
    )


def require_round(place: Place) -> RoundFacts:
    """Return the round that was asked for. Errors: RoundNotFoundError."""
    if place.round_ is None:
        raise RoundNotFoundError
    return place.round_


def me(place: Place, next_commitment: str) -> dict[str, Any]:
    """Return a player's own view of himself: session, money, limits and the next commitment."""
    door = place.door
    held = wallets.balances(door.player_id)
    return {
        "player_id": str(door.player_id),
        "currency": door.currency,
        "country": door.country,
        "language": door.language,
        "test": door.is_test,
        "session": {
            "session_id": str(door.session_id),
            "opened_at": _iso(door.opened_at),
            "expires_at": _iso(door.expires_at),
            "elapsed_s": int((place.at - door.opened_at).total_seconds()),
            "net_minor": wallets.net_minor(door.player_id, door.opened_at),
        },
        "balance_minor": place.wallet.balance_minor,
        "in_play_minor": held.get("escrow", 0),
        "held_minor": held.get("held", 0),
        "receivable_minor": held.get("receivable", 0),
        "limits": place.allowance or [],
        "excluded": door.exclusion,
        "next_commitment": next_commitment,
        "profile": {"name": door.profile} | asdict(get_profile(door.profile)),
    }


def history(player_id: UUID) -> QuerySet[Told]:
    """Return a player's rounds, newest first; `show_told` makes JSON of one."""
    return Told.objects.filter(player_id=player_id)


def show_told(told: Told) -> dict[str, Any]:
    """Return a round of a history: REC-01, with the funds at its start and end."""
    facts = _facts(tuple(getattr(told, name) for name in _FACTS))
    return show(
        facts,
        view_of(facts),
        balance_minor=facts.balance_before_minor - facts.wagered_minor
        if facts.balance_after_minor is None
        else facts.balance_after_minor,
        next_commitment=None,
    )


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
    return _facts(tuple(getattr(told, name) for name in _FACTS))


def proof_of(told: Told) -> dict[str, Any]:
    """Return all by which a round can be checked without us: the seeds once it is over, its
    transfers and its entries. `python -m pontoon.engine verify` reads it.
    """
    shown = show_told(told)
    for member in ("balance_minor", "next_commitment"):
        del shown[member]
    return shown | {
        "transfers": [
            wallets.line(transfer)
            for transfer in wallets.transfers_of_round(told.player_id, told.id)
        ],
        "entries": audit.entries_of(f"round:{told.id}", player_id=told.player_id),
        "inclusion": [],
    }


def abandoned(before: datetime, *, count_max: int) -> list[tuple[UUID, UUID]]:
    """Return (player, round) of open rounds that nobody touched since a moment, oldest first."""
    waiting = Round.objects.filter(state=State.OPEN, last_action_at__lt=before)
    rows = waiting.order_by("last_action_at").values_list("player_id", "id")
    return list(rows[:count_max])


# --- The rules ----------------------------------------------------------------------------------

_CLAUSE = re.compile(r"^- \*\*(?P<number>H\d+)\*\* (?P<text>.+?)(?=^- |^#|\Z)", re.S | re.M)


def rules(rules_id: str, language: str) -> dict[str, Any]:
    """Return a rule set for people: numbered clauses in a language, payouts, and its numbers.

    A language that the rulebook does not speak is answered in English. Errors: UnknownGameError.
    """
    numbers = asdict(engine.find_rules(rules_id))
    text = _rulebook(rules_id.partition("/")[0], language)
    return {
        "rules": rules_id,
        "language": language if language in LANGUAGES else "en",
        "clauses": [
            {"number": clause["number"], "text": " ".join(clause["text"].split())}
            for clause in _CLAUSE.finditer(text)
        ],
        "text": text,
        "payouts": {"pontoon": "2 to 1", "five_card_trick": "2 to 1", "other": "1 to 1"},
        "numbers": numbers,
        "rtp": {
            "percent": "99.62",
            "basis": "the published house edge, 0.38 % of the initial stake, with best play",
        },
        "sha256": hashlib.sha256(repr(sorted(numbers.items())).encode()).hexdigest(),
    }


@cache
def _rulebook(game: str, language: str) -> str:
    folder = Path(__file__).with_name("rulebook")
    spoken = folder / f"{game}.{language if language in LANGUAGES else 'en'}.md"
    return (spoken if spoken.exists() else folder / f"{game}.en.md").read_text()


# --- What does not hold -------------------------------------------------------------------------


def round_faults() -> Iterator[str]:
    """Yield a sentence for each round whose replay, money and state do not agree (check_ledger).

    Streams: call it in a repeatable-read transaction.
    """
    for told in Told.objects.iterator(chunk_size=500):
        facts = _facts(tuple(getattr(told, name) for name in _FACTS))
        try:
            view = view_of(facts)
        except engine.PontoonError as error:
            yield f"round {facts.id}: does not replay: {error}"
            continue
        yield from _faults_of(facts, view)


def _faults_of(facts: RoundFacts, view: View) -> Iterator[str]:
    moved = wallets.moved_of_round(facts.player_id, facts.id)
    if view.wagered != facts.wagered_minor:
        yield f"round {facts.id}: replays to wagers of {view.wagered}, has {facts.wagered_minor}"
    if moves_made(view) != [(action, hand) for action, hand, _ in facts.actions]:
        yield f"round {facts.id}: its actions name other hands than its replay"
    if facts.state in {State.SETTLED, State.HELD} and view.payout != facts.payout_minor:
        yield f"round {facts.id}: replays to a payout of {view.payout}, has {facts.payout_minor}"
    expected = _money_expected(facts)
    if moved != expected:
        yield f"round {facts.id} ({facts.state}): transfers {moved}, expected {expected}"


def moves_made(view: View) -> list[tuple[str, int]]:
    """Return the actions of a view with the hand that each was taken on."""
    return [(move.action.value, move.hand) for move in view.moves if isinstance(move, Move)]


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


def as_row(facts: RoundFacts) -> dict[str, Any]:
    """Return a round as `pontoon_commit` takes it."""
    row = asdict(facts)
    for member in ("commitment", "sealed", "actions"):
        del row[member]
    return json.loads(json.dumps(row, default=str))  # type: ignore[no-any-return]
