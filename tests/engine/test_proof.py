"""`python -m pontoon.engine verify`: proofs that hold, and every way in which one can be false."""

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pontoon.engine import (
    Action,
    NotationError,
    Over,
    PontoonError,
    Record,
    Seeds,
    commitment,
    house,
    replay,
)
from pontoon.engine.__main__ import main
from pontoon.engine.documents import parse_document
from pontoon.engine.game import HandView
from pontoon.engine.proof import check_proof

ROOT = Path(__file__).parents[2]


def seed_of(number: int) -> bytes:
    return sha256(b"proof %d" % number).digest()


def make_proof(number: int, actions: str = "", *, state: str | None = None) -> dict[str, Any]:
    """Tell a round as the service tells it."""
    seeds = Seeds(seed_of(number), "ñandú")
    record = Record("house/1", 200, seeds, tuple(Action(word) for word in actions.split()))
    round_ = replay(record)
    seen = house.view(round_)
    return {
        "round_id": f"round {number}",
        "game": "house",
        "rules": "house/1",
        "state": state or ("settled" if isinstance(round_, Over) else "open"),
        "seq": len(seen.moves),
        "currency": "USD",
        "stake_minor": 200,
        "wagered_minor": seen.wagered,
        **won(seen.wagered, seen.wagered if state == "voided" else seen.payout),
        "commitment": commitment(seeds.server_seed),
        "server_seed": seeds.server_seed.hex(),
        "client_seed": seeds.client_seed,
        "actions": [
            {"action": move.action, "hand": move.hand, "by": "player"} for move in seen.moves
        ],
        "hands": [hand_of(hand) for hand in seen.hands],
        "dealer": {
            "cards": list(seen.dealer.cards),
            "total": seen.dealer.total,
            "soft": seen.dealer.soft,
            "kind": seen.dealer.kind,
        },
        "transfers": [{"currency": "USD"}, {"currency": "USD"}],
        "entries": [],
    }


def hand_of(hand: HandView) -> dict[str, Any]:
    """Tell a hand as the service tells it."""
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
        "outcome": hand.outcome,
        "payout_minor": hand.payout,
    }


def won(wagered: int, payout: int | None) -> dict[str, Any]:
    win = None if payout is None else payout - wagered
    return {"payout_minor": payout, "win_minor": win, "is_win": win is not None and win > 0}


def play_out(number: int) -> str:
    """Split where possible, then double, then play as the house would."""
    record = Record("house/1", 200, Seeds(seed_of(number), "ñandú"))
    round_ = replay(record)
    while options := {option.action for option in house.legal_actions(round_)}:
        wished = [Action.SPLIT, Action.DOUBLE, house.absent_action(round_)]  # type: ignore[arg-type]
        round_ = house.act(round_, next(action for action in wished if action in options))
    return " ".join(move.action for move in round_.moves)


def failures(proof: dict[str, Any]) -> list[str]:
    findings = check_proof(parse_document(json.dumps(proof).encode()))
    return [finding.name for finding in findings if finding.problem]


SPLIT = next(number for number in range(1000) if play_out(number).startswith("split"))
PROOF = make_proof(SPLIT, play_out(SPLIT))


def changed(path: str, value: object, proof: dict[str, Any] = PROOF) -> dict[str, Any]:
    """A proof with one member changed, or removed if the value is `...`."""
    *way, last = path.split(".")
    copy: dict[str, Any] = json.loads(json.dumps(proof))
    place: Any = copy
    for step in way:
        place = place[int(step) if step.isdigit() else step]
    if value is ...:
        del place[last]
    else:
        place[int(last) if last.isdigit() else last] = value
    return copy


def test_honest_proofs_hold() -> None:
    for number in range(300):
        assert failures(make_proof(number, play_out(number))) == []


@pytest.mark.parametrize("state", ["settled", "held", "voided"])
def test_a_finished_round_is_settled_held_or_voided(state: str) -> None:
    told = won(PROOF["wagered_minor"], PROOF["wagered_minor"]) if state == "voided" else {}
    assert failures(changed("state", state) | told) == []


FALSE = [
    ("commitment", "0" * 64, "commitment"),
    ("commitment", PROOF["commitment"].upper(), "commitment"),
    ("game", "bank", "game"),
    ("state", "open", "state"),
    ("state", "paid", "state"),
    ("stake_minor", 100, "hand 0 stake_minor"),
    ("wagered_minor", 0, "wagered_minor"),
    ("payout_minor", 10**9, "payout_minor"),
    ("payout_minor", None, "payout_minor"),
    ("win_minor", PROOF["win_minor"] + 1, "win_minor"),
    ("win_minor", None, "win_minor"),
    ("is_win", not PROOF["is_win"], "is_win"),
    ("seq", len(PROOF["actions"]) + 1, "seq"),
    ("seq", True, "seq"),
    ("currency", "JPY", "currency"),
    ("transfers.1.currency", "JPY", "currency"),
    ("transfers.0.currency", None, "currency"),
    ("hands.0.status", "waiting", "hand 0 status"),
    ("actions.0.action", "stand", "action 0"),
    ("actions.1.hand", 2, "action 1"),
    ("actions.1.hand", False, "action 1"),
    ("actions.0.by", "house", "action 0"),
    ("hands.0.cards.1", "2S", "hand 0 cards"),
    ("hands.1.cards", ["AS", "KS"], "hand 1 cards"),
    ("hands.0.total", 21.0, "hand 0 total"),
    ("hands.0.soft", None, "hand 0 soft"),
    ("hands.0.kind", "pontoon", "hand 0 kind"),
    ("hands.0.stake_minor", 201, "hand 0 stake_minor"),
    ("hands.0.wager_minor", 1, "hand 0 wager_minor"),
    ("hands.0.doubled", None, "hand 0 doubled"),
    ("hands.1.from_split", False, "hand 1 from_split"),
    ("hands.1.outcome", "tied", "hand 1 outcome"),
    ("hands.1.payout_minor", 10**9, "hand 1 payout_minor"),
    ("hands", PROOF["hands"][:1], "number of hands"),
    ("hands", PROOF["hands"] * 2, "number of hands"),
    ("dealer.cards.0", "2S", "dealer cards"),
    ("dealer.cards", ["??", "??"], "dealer cards"),
    ("dealer.total", 30, "dealer total"),
    ("dealer.soft", None, "dealer soft"),
    ("dealer.kind", None, "dealer kind"),
    ("server_seed", "00" * 32, "commitment"),
    ("client_seed", "other", "hand 0 cards"),
    ("actions", PROOF["actions"][:-1], "state"),
    ("actions", PROOF["actions"] + PROOF["actions"][:1], f"action {len(PROOF['actions'])}"),
]


@pytest.mark.parametrize(("path", "value", "name"), FALSE)
def test_a_false_statement_is_named(path: str, value: object, name: str) -> None:
    proof = changed(path, value)
    if path == "client_seed":
        proof["actions"] = []
    assert name in failures(proof)


def test_every_member_of_a_hand_and_of_the_dealer_is_checked() -> None:
    for place in ("hands.0", "hands.1", "dealer"):
        members = PROOF["dealer"] if place == "dealer" else PROOF["hands"][0]
        for member in members:
            name = place.replace("hands.", "hand ")
            assert failures(changed(f"{place}.{member}", "wrong")) == [f"{name} {member}"]


UNUSABLE = [
    *[(path, ..., f"{path} is missing") for path in PROOF if path != "entries"],
    *[(f"hands.0.{name}", ..., f"hands[0].{name} is missing")
      for name in PROOF["hands"][0]],
    *[(f"dealer.{name}", ..., f"dealer.{name} is missing") for name in PROOF["dealer"]],
    *[(f"actions.0.{name}", ..., f"actions[0].{name} is missing") for name in PROOF["actions"][0]],
    ("round_id", 7, "round_id is not a text"),
    ("server_seed", "00", "a server seed is 64 hexadecimal digits"),
    ("server_seed", 7, "server_seed is not a text"),
    ("client_seed", None, "client_seed is not a text"),
    ("client_seed", "\ud800", "the client seed is not valid Unicode"),
    ("rules", "house/0", "There is no game or rule set 'house/0'."),
    ("rules", ["house/1"], "rules is not a text"),
    ("stake_minor", "200", "stake_minor is not a whole number"),
    ("stake_minor", 0, "A wager is a whole number, at least 1."),
    ("stake_minor", 10**18, "a number has more than 18 digits"),
    ("actions", {}, "actions is not a list"),
    ("actions.0", "split", "actions[0] is not an object"),
    ("actions.0.action", "fly", "'fly' is not an action"),
    ("actions.0.by", 7, "actions[0].by is not a text"),
    ("hands", None, "hands is not a list"),
    ("dealer", [], "dealer is not an object"),
    ("state", 7, "state is not a text"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "sentence"), UNUSABLE)
def test_what_is_missing_or_of_another_type_is_said(
    path: str,
    value: object,
    sentence: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(changed(path, value)))
    assert main(["verify", str(file)]) == 2
    assert sentence in capsys.readouterr().err


def test_H21_a_decision_of_the_house_must_be_the_one_it_makes() -> None:
    number, actions = next((n, play_out(n)) for n in range(1000) if play_out(n) == "double stand")
    proof = make_proof(number, actions)
    assert failures(changed("actions.1.by", "house", proof)) == []
    assert failures(changed("actions.0.by", "house", proof)) == ["action 0"]


def test_in_a_voided_round_payouts_are_not_checked_and_cards_are() -> None:
    voided = changed("state", "voided")
    for hand in voided["hands"]:
        hand |= {"outcome": "voided", "payout_minor": hand["wager_minor"]}
    voided |= won(voided["wagered_minor"], voided["wagered_minor"])
    assert failures(voided) == []
    assert failures(voided | {"win_minor": 1, "is_win": True}) == ["win_minor", "is_win"]
    assert failures(changed("hands.0.cards.0", "??", voided)) == ["hand 0 cards"]
    assert failures(changed("wagered_minor", 0, voided)) == ["wagered_minor"]


def test_a_round_voided_before_its_end_may_show_the_dealers_cards_or_not() -> None:
    voided = make_proof(SPLIT, "split", state="voided")
    assert voided["dealer"]["cards"] == ["??", "??"]
    assert failures(voided) == []
    first, second = replay(Record("house/1", 200, Seeds(seed_of(SPLIT), "ñandú"))).dealer
    shown = changed("dealer.cards", [str(first), str(second)], voided)
    assert failures(shown) == ["dealer total", "dealer soft", "dealer kind"]
    assert failures(changed("dealer.cards", [str(second), "??"], voided))[0] == "dealer cards"


def test_the_command_says_that_everything_holds(tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(PROOF))
    command = [sys.executable, "-m", "pontoon.engine", "verify", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    *lines, summary = done.stdout.splitlines()
    assert all(line.startswith("holds  ") for line in lines)
    assert summary == f"Round round {SPLIT}: all {len(lines)} statements hold."


def test_the_command_says_what_does_not_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(changed("payout_minor", 7)))
    assert main(["verify", str(file)]) == 1
    *lines, summary = capsys.readouterr().out.splitlines()
    detail = f"FAILS  payout_minor: the proof says 7, the seeds give {PROOF['payout_minor']}"
    assert [line for line in lines if line.startswith("FAILS")] == [detail]
    assert summary.endswith("statements do not hold: payout_minor.")


def test_the_commitment_that_was_shown_is_held_against_the_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(PROOF))
    kept = PROOF["commitment"]
    assert main(["verify", str(file), "--commitment", kept]) == 0
    assert main(["verify", str(file), "--commitment", kept.upper()]) == 0
    for other in ("0" * 64, kept[:-1], ""):
        assert main(["verify", str(file), "--commitment", other]) == 1
        assert "FAILS  commitment shown: " in capsys.readouterr().out


def test_an_open_round_cannot_be_checked_yet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(changed("server_seed", None)))
    assert main(["verify", str(file)]) == 1
    assert "server_seed: it is not revealed yet" in capsys.readouterr().out


def test_a_file_does_not_steer_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(changed("round_id", "\x1b[2J\nall hold \ud800")))
    assert main(["verify", str(file)]) == 0
    assert capsys.readouterr().out.isascii()


def test_a_file_that_is_no_proof_is_said_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "proof.json"
    file.write_text("[")
    assert main(["verify", str(file)]) == 2
    assert main(["verify", str(tmp_path / "nowhere")]) == 2
    assert capsys.readouterr().err.startswith("This is not the proof of a round: this is not JSON.")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.sampled_from([path for path, *_ in UNUSABLE + FALSE]), json_values)
def test_any_json_gets_an_answer(path: str, value: object) -> None:
    try:
        failures(changed(path, value))
    except PontoonError as error:
        assert str(error)  # noqa: PT017


def test_a_proof_that_cannot_be_read_raises_one_kind_of_error() -> None:
    with pytest.raises(NotationError, match="is missing"):
        failures({})
