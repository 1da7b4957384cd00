"""Opening a round: a stake is taken and the cards are dealt."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError

from audit import services as audit
from audit.errors import InvalidError
from casino.players import admission
from casino.players import queries as players
from casino.players.profiles import Currency, get_currency, get_profile
from pontoon import engine, queries
from pontoon.errors import (
    GameNotOfferedError,
    RoundConflictError,
    RoundOpenError,
    StakeAboveMaximumError,
    StakeBelowMinimumError,
    StakeNotWholeError,
    StakeOffStepError,
    SuspendedError,
    TooSoonError,
)
from pontoon.lifecycle import State
from pontoon.queries import Place, RoundFacts
from pontoon.services.commit import Answer, RoundAct, commit, repeat, retrying, settle_if_over, tell
from pontoon.services.seeds import ensure_seed, next_seed
from wallets import services as wallets
from wallets.errors import CurrencyMismatchError

RULES_OFFERED = {"house": "house/1"}


@dataclass(frozen=True, slots=True)
class Bet:
    """What a player asks for when he opens a round; the request key or the id makes it his once."""

    stake_minor: Any
    currency: str
    client_seed: str = ""
    game: str = "house"
    round_id: UUID | None = None
    request_key: str | None = None

    @property
    def answer_key(self) -> str:
        """Under which the answer to this request is kept; empty if it named itself by nothing."""
        if self.request_key is not None:
            return f"key:{self.request_key}"
        return f"round:{self.round_id}" if self.round_id else ""

    @property
    def fingerprint(self) -> bytes:
        """What tells this request from another one with the same key."""
        asked = [self.stake_minor, self.currency, self.client_seed, self.game, str(self.round_id)]
        return audit.fingerprint(asked)


def open_round(token: bytes, *, bet: Bet) -> bytes:
    """Take a stake and deal a round; return the answer, which a retry gets again to the byte.

    Errors: SessionExpiredError, NotAdmittedError, StakeError, CurrencyMismatchError,
    GameNotOfferedError, RoundOpenError, RealityCheckDueError, TooSoonError, SuspendedError,
    InsufficientFundsError, LimitReachedError, RoundConflictError.
    """
    try:
        return retrying(
            lambda: _open_once(token, bet), player_of=lambda: players.door(token)[0].player_id
        )
    except IntegrityError as error:
        if _violated(error) in _IDS_IN_USE:
            raise RoundConflictError from error
        raise


# A round with this id was dealt: under another request key, or to another player.
_IDS_IN_USE = {
    "wallets_transfer_pkey",
    "pontoon_round_pkey",
    "pontoon_round_id",
    "pontoon_answer_pkey",
}


def _violated(error: IntegrityError) -> str | None:
    diagnosis = getattr(error.__cause__, "diag", None)
    return diagnosis and diagnosis.constraint_name


def _open_once(token: bytes, bet: Bet) -> bytes:
    place = queries.read_place(token, answer_key=bet.answer_key)
    admission.require_session(place.door, place.at)
    if place.answer:
        return repeat(place.answer, bet.fingerprint)
    _require_openable(place, bet)
    if place.seed is None:
        ensure_seed(place)
        return _open_once(token, bet)

    facts = _dealt(place, place.seed, bet)
    if stop := place.standing.stops(facts):
        raise SuspendedError.of(stop)
    round_ = engine.replay(queries.record_of(facts))
    taken = wallets.take_wager(
        place.wallet,
        place.allowance,
        round_id=facts.id,
        wager_index=0,
        amount_minor=facts.stake_minor,
        actor=place.door.urn,
    )
    act = settle_if_over(RoundAct(place, None, facts, [taken], actor=place.door.urn), round_)
    seed = next_seed(place, facts.seed_number + 1)
    body = tell(act, round_, next_commitment=seed["commitment"])
    answer_key = bet.answer_key or f"round:{facts.id}"
    commit(act, seed=seed, answer=Answer(answer_key, bet.fingerprint, body))
    return body


def _require_openable(place: Place, bet: Bet) -> None:
    """Refuse a bet: who, then what, then when, then with which money comes later."""
    admission.require_admitted(place.door, place.at)
    if bet.game not in RULES_OFFERED:
        raise GameNotOfferedError(game=bet.game)
    currency = get_currency(bet.currency)
    if currency.code != place.door.currency:
        raise CurrencyMismatchError(currency=currency.code, expected=place.door.currency)
    _require_stake(bet.stake_minor, currency)
    if bet.client_seed and not get_profile(place.door.profile).client_seed_allowed:  # RNG-08
        raise InvalidError(fields={"client_seed": ["not_offered"]})
    if place.round_ is not None:
        raise RoundOpenError(round=queries.show_at(place, place.round_))
    admission.require_reality_checked(place.door, place.at)
    _require_pause(place)


def _require_stake(stake_minor: Any, currency: Currency) -> None:
    """Refuse a stake that the table does not take (H19). Errors: StakeError."""
    facts = {
        "minimum_minor": currency.stake_minor_min,
        "maximum_minor": currency.stake_minor_max,
        "step_minor": currency.stake_minor_step,
        "currency": currency.code,
    }
    if type(stake_minor) is not int:
        raise StakeNotWholeError(**facts)
    if stake_minor < currency.stake_minor_min:
        raise StakeBelowMinimumError(**facts)
    if stake_minor > currency.stake_minor_max:
        raise StakeAboveMaximumError(**facts)
    if stake_minor % currency.stake_minor_step:
        raise StakeOffStepError(**facts)


def _require_pause(place: Place) -> None:
    """Refuse a deal too soon after the last one (RGT-01). Errors: TooSoonError."""
    cycle = timedelta(seconds=get_profile(place.door.profile).min_cycle_s)
    if place.last_opened_at is not None and place.at < place.last_opened_at + cycle:
        wait = place.last_opened_at + cycle - place.at
        raise TooSoonError(retry_after_s=round(wait.total_seconds(), 3))


def _dealt(place: Place, seed: tuple[int, str, str], bet: Bet) -> RoundFacts:
    """Return a round as it is before its first card: all of it that never changes."""
    number, commitment, sealed = seed
    return RoundFacts(
        id=bet.round_id or audit.new_id(place.at),
        player_id=place.door.player_id,
        game=bet.game,
        rules=RULES_OFFERED[bet.game],
        currency=place.door.currency,
        stake_minor=bet.stake_minor,
        seed_number=number,
        client_seed=bet.client_seed,
        session_id=place.door.session_id,
        profile=get_profile(place.door.profile).version,
        build=settings.BUILD,
        opened_at=place.at,
        balance_before_minor=place.wallet.balance_minor,
        state=State.OPEN,
        held_reason=None,
        action_count=0,
        wagered_minor=bet.stake_minor,
        payout_minor=None,
        balance_after_minor=None,
        last_action_at=place.at,
        settled_at=None,
        commitment=commitment,
        sealed=sealed,
        actions=[],
    )
