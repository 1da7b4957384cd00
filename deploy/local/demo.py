"""Play a few rounds against the running service and show what is on record. `make demo`.

A client like any other: it knows the API and the credentials in `var/demo.env`.
"""

import json
import os
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from rich.console import Console

ROUND_COUNT = 3
BASE = f"http://{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}/api/v1"

console = Console(highlight=False)


def main() -> None:
    """Let the demo's dollar player in, play, and tell what happened."""
    lines = _credentials(Path(os.environ.get("VAR", "var")) / "demo.env")
    operator, player_id = lines["OPERATOR_KEY"], lines["PLAYER_USD"]
    session = call("POST", f"/players/{player_id}/sessions", operator, {"language": "en"})
    token = session["token"]
    me = call("GET", "/me", token)
    console.print(f"A player with {money(me['balance_minor'])} sits down.")
    console.print(f"The next shoe is promised: {me['next_commitment']}\n")
    for _ in range(ROUND_COUNT):
        show_end(play(token))
    tell_record(token)


def play(token: str) -> dict[str, Any]:
    """Play one round: hit below 15, then stand. Goes on with a round that is open."""
    round_ = call("GET", "/rounds/current", token) or call(
        "POST", "/rounds", token, {"stake_minor": 500, "currency": "USD", "client_seed": "demo"}
    )
    while round_["state"] == "open":
        actions = [option["action"] for option in round_["options"]]
        action = "stand" if "stand" in actions else "hit"
        console.print(f"  {cards(round_['hands'][0])} against ?? ??: {action}")
        act = {"seq": round_["seq"], "action": action}
        round_ = call("POST", f"/rounds/{round_['round_id']}/actions", token, act)
    return dict(round_)


def show_end(round_: dict[str, Any]) -> None:
    """Tell how a round came out, and by which seed."""
    hand, dealer = round_["hands"][0], round_["dealer"]
    console.print(
        f"  {cards(hand)} ({hand['kind']} {hand['total']}) against {cards(dealer)}"
        f" ({dealer['kind']} {dealer['total']}): {hand['outcome']},"
        f" {money(round_['win_minor'])}; balance {money(round_['balance_minor'])}"
    )
    console.print(f"  seed revealed: {round_['server_seed']}\n")


def tell_record(token: str) -> None:
    """Show the statement's last lines."""
    console.print("On the statement:")
    for line in call("GET", "/me/statement?limit=8", token)["results"]:
        console.print(
            f"  {line['version']:>4} {line['code']:<11} {line['debit']:>7} → {line['credit']:<7}"
            f" {money(line['amount_minor']):>9}  cash {money(line['balance_after_minor'])}"
        )


def cards(hand: dict[str, Any]) -> str:
    """Return a hand's cards on one line."""
    return " ".join(hand["cards"])


def money(amount_minor: int) -> str:
    """Return dollars."""
    return f"{'-' * (amount_minor < 0)}{abs(amount_minor) // 100}.{abs(amount_minor) % 100:02}"


def call(method: str, path: str, token: str, body: Any = None) -> Any:
    """Call the API; return the JSON, or None for an empty answer. Ends the demo on a problem."""
    request = urllib.request.Request(  # noqa: S310  our own http address
        BASE + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request) as response:  # noqa: S310
            answer = response.read()
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path}: {error.read().decode()}")
    except urllib.error.URLError as error:
        sys.exit(f"Nobody answers at {BASE} ({error.reason}). Start the service with `make run`.")
    return json.loads(answer) if answer else None


def _credentials(file: Path) -> dict[str, str]:
    if not file.exists():
        sys.exit(f"{file} is not there. Start the service with `make run`: it makes the demo.")
    return dict(line.split("=", 1) for line in file.read_text().splitlines())


if __name__ == "__main__":
    main()
