"""The proof of a round, checked without trusting the house: cards, actions and payouts follow
from the two seeds, and the server seed is the one the house had committed to.

A proof is a JSON object with at least these members, of which the API's round has more:

    round_id, game, rules, state, seq, currency
    stake_minor, wagered_minor, payout_minor, win_minor, is_win
    commitment, server_seed (null while the round is open), client_seed
    actions   [{action, hand, by}]
    hands     [{cards, total, soft, kind, status, stake_minor, wager_minor, doubled, from_split,
                outcome, payout_minor}]
    dealer    {cards, total, soft, kind}
    transfers [{currency}]

A voided round has gone back to its wagers, so its cards are checked and its payouts are not.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from pontoon.engine import GAMES, find_game, make_shoe
from pontoon.engine.cards import face_up
from pontoon.engine.documents import Node, format_value, is_same
from pontoon.engine.errors import IllegalActionError
from pontoon.engine.game import DealerView, HandView, View
from pontoon.engine.hands import evaluate
from pontoon.engine.house import Over, Playing, Round, absent_action, act, deal, view
from pontoon.engine.notation import (
    Record,
    Seeds,
    parse_action,
    parse_server_seed,
    require_client_seed,
)
from pontoon.engine.shoe import commitment

OPEN, VOIDED = "open", "voided"
STATES_OVER = ("settled", "held")


@dataclass(frozen=True, slots=True)
class Finding:
    """A statement of the proof by its name, and what is wrong with it, or None if it holds."""

    name: str
    problem: str | None


def check_proof(proof: Node, *, shown: str | None = None) -> Iterator[Finding]:
    """Check every statement of a proof; `shown` is the commitment that its player saw before it.

    Raises NotationError for what is missing, of another type, or not written as it should be,
    and UnknownGameError for rules that do not exist here.
    """
    if proof.member("server_seed").value is None:
        yield Finding("server_seed", "it is not revealed yet, so nothing can be checked")
        return
    seeds = _read_seeds(proof)
    if shown is not None:
        yield _check_shown(shown, commitment(seeds.server_seed))
    yield _compare("commitment", proof.member("commitment"), commitment(seeds.server_seed))
    yield _compare("game", proof.member("game"), _name_game(proof.member("rules").read(str)))
    round_ = _deal(proof, seeds)
    for index, move in enumerate(proof.member("actions").items()):
        problem = _find_problem(round_, move)
        yield Finding(f"action {index}", problem)
        if problem:
            return
        round_ = act(round_, parse_action(move.member("action").read(str)))
    yield from _check_round(proof, round_)


def _check_shown(shown: str, truth: str) -> Finding:
    problem = f"{format_value(shown)} was shown, the seeds give {format_value(truth)}"
    return Finding("commitment shown", problem if shown != truth else None)


def _read_seeds(proof: Node) -> Seeds:
    return Seeds(
        server_seed=parse_server_seed(proof.member("server_seed").read(str)),
        client_seed=require_client_seed(proof.member("client_seed").read(str)),
    )


def _name_game(rules_id: str) -> str:
    game = find_game(rules_id)
    return next(name for name in GAMES if GAMES[name] is game)


def _deal(proof: Node, seeds: Seeds) -> Round:
    rules_id = proof.member("rules").read(str)
    record = Record(rules_id, proof.member("stake_minor").read(int), seeds)
    rules = find_game(rules_id).RULES[rules_id]
    return deal(rules, make_shoe(rules, record), record.wager)


def _find_problem(round_: Round, move: Node) -> str | None:
    """Say what is wrong with an action: refused, on another hand, or not as the house plays."""
    action = parse_action(move.member("action").read(str))
    try:
        act(round_, action)
    except IllegalActionError as error:
        return f"{action} is refused: {error.code}"
    if not is_same(move.member("hand").value, view(round_).active_hand):
        return f"the hand to play is {view(round_).active_hand}"
    by_house = move.member("by").read(str) == "house"
    if by_house and isinstance(round_, Playing) and absent_action(round_) != action:
        return f"the house would not {action} here (H21)"
    return None


def _check_round(proof: Node, round_: Round) -> Iterator[Finding]:
    seen = view(round_)
    is_voided = proof.member("state").read(str) == VOIDED
    yield _check_state(proof.member("state"), round_)
    yield from _check_hands(proof.member("hands"), seen, is_voided=is_voided)
    dealer = proof.member("dealer")
    yield from _compare_members("dealer", dealer, _describe_dealer(dealer, round_))
    yield _compare("seq", proof.member("seq"), len(seen.moves))
    yield _compare("wagered_minor", proof.member("wagered_minor"), seen.wagered)
    if not is_voided:
        yield _compare("payout_minor", proof.member("payout_minor"), seen.payout)
    yield from _check_win(proof, seen, is_voided=is_voided)
    yield _check_currency(proof)


def _check_win(proof: Node, seen: View, *, is_voided: bool) -> Iterator[Finding]:
    """Check the win; a voided round pays its wagers back, and one that is open nothing yet."""
    payout = seen.wagered if is_voided else seen.payout
    win = None if payout is None else payout - seen.wagered
    yield _compare("win_minor", proof.member("win_minor"), win)
    yield _compare("is_win", proof.member("is_win"), win is not None and win > 0)


def _check_currency(proof: Node) -> Finding:
    """Check that the round is in the currency of its transfers: seeds and rules know none."""
    currency = proof.member("currency").read(str)
    for transfer in proof.member("transfers").items():
        moved = transfer.member("currency").value
        if not is_same(moved, currency):
            said = f"the proof says {format_value(currency)}, {transfer.path} {format_value(moved)}"
            return Finding("currency", said)
    return Finding("currency", None)


def _check_state(state: Node, round_: Round) -> Finding:
    possible = STATES_OVER if isinstance(round_, Over) else (OPEN,)
    if state.value in (*possible, VOIDED):
        return Finding("state", None)
    return Finding("state", f"after these actions the round is {' or '.join(possible)}")


def _check_hands(claimed: Node, seen: View, *, is_voided: bool) -> Iterator[Finding]:
    yield _compare("number of hands", Node("", len(claimed.items())), len(seen.hands))
    for index, (node, hand) in enumerate(zip(claimed.items(), seen.hands, strict=False)):
        yield from _compare_members(f"hand {index}", node, _describe_hand(hand))
        if not is_voided:
            yield from _compare_members(f"hand {index}", node, _describe_payout(hand))


def _describe_hand(hand: HandView) -> dict[str, object]:
    return {
        "cards": list(hand.cards),
        "total": hand.total,
        "soft": hand.soft,
        "kind": hand.kind,
        "status": hand.status,
        "stake_minor": hand.stake,
        "wager_minor": hand.wager,
        "doubled": hand.doubled,
        "from_split": hand.from_split,
    }


def _describe_payout(hand: HandView) -> dict[str, object]:
    return {"outcome": hand.outcome, "payout_minor": hand.payout}


def _describe_dealer(claimed: Node, round_: Round) -> dict[str, object]:
    """Tell the dealer's hand; in a round voided before its end it may be shown or not."""
    dealer = view(round_).dealer
    is_shown = claimed.member("cards").value != list(dealer.cards)
    if is_shown and isinstance(round_, Playing):
        value = evaluate(round_.dealer)
        dealer = DealerView(face_up(round_.dealer), value.total, value.soft, value.kind)
    return {
        "cards": list(dealer.cards),
        "total": dealer.total,
        "soft": dealer.soft,
        "kind": dealer.kind,
    }


def _compare_members(name: str, claimed: Node, computed: dict[str, object]) -> Iterator[Finding]:
    for member, value in computed.items():
        yield _compare(f"{name} {member}", claimed.member(member), value)


def _compare(name: str, claimed: Node, computed: object) -> Finding:
    if is_same(claimed.value, computed):
        return Finding(name, None)
    claim, truth = format_value(claimed.value), format_value(computed)
    return Finding(name, f"the proof says {claim}, the seeds give {truth}")
