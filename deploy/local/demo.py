"""Play a few rounds against the running service and show what is on record. `make demo`.

A client like any other: it knows the API and the credentials in `var/demo.env`.
"""

import json
import os
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from rich.console import Console

ROUND_COUNT = 3
BASE = f"http://{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}/api/v1"

console = Console(highlight=False)


@dataclass(frozen=True)
class Currency:
    """What the player's money is, and what he stakes of it."""

    code: str
    exponent: int
    stake_minor: int

    def told(self, amount_minor: int) -> str:
        """Return an amount for people."""
        return f"{Decimal(amount_minor).scaleb(-self.exponent):f} {self.code}"


def main() -> None:
    """Let the demo's euro player in, play, and tell what happened.

    The dollar player is the README's: a second session would end his first.
    """
    lines = _credentials(Path(os.environ.get("VAR", "var")) / "demo.env")
    operator, player_id = lines["OPERATOR_KEY"], lines["PLAYER_EUR"]
    session = call("POST", f"/players/{player_id}/sessions", operator, {"language": "en"})
    token = session["token"]
    currency = find_currency("EUR", token)
    me = call("GET", "/me", token)
    console.print(f"A player with {currency.told(me['balance_minor'])} sits down.")
    console.print(f"The next shoe is promised: {me['next_commitment']}\n")
    for _ in range(ROUND_COUNT):
        show_end(play(token, currency), currency)
    tell_record(token, currency)


def find_currency(code: str, token: str) -> Currency:
    """Return a currency as the service describes it; the stake is its second chip."""
    offered = call("GET", "/currencies", token)["results"]
    [found] = (each for each in offered if each["currency"] == code)
    return Currency(code, found["exponent"], found["chips_minor"][1])


def play(token: str, currency: Currency) -> dict[str, Any]:
    """Play one round: hit below 15, then stand. Goes on with a round that is open."""
    stake = {"stake_minor": currency.stake_minor, "currency": currency.code, "client_seed": "demo"}
    round_ = call("GET", "/rounds/current", token) or call("POST", "/rounds", token, stake)
    while round_["state"] == "open":
        actions = [option["action"] for option in round_["options"]]
        action = "stand" if "stand" in actions else "hit"
        console.print(f"  {cards(round_['hands'][0])} against ?? ??: {action}")
        act = {"seq": round_["seq"], "action": action}
        round_ = call("POST", f"/rounds/{round_['round_id']}/actions", token, act)
    return dict(round_)


def show_end(round_: dict[str, Any], currency: Currency) -> None:
    """Tell how a round came out, and by which seed."""
    hand, dealer = round_["hands"][0], round_["dealer"]
    console.print(
        f"  {cards(hand)} ({hand['kind']} {hand['total']}) against {cards(dealer)}"
        f" ({dealer['kind']} {dealer['total']}): {hand['outcome']},"
        f" {currency.told(round_['win_minor'])};"
        f" balance {currency.told(round_['balance_minor'])}"
    )
    console.print(f"  seed revealed: {round_['server_seed']}\n")


def tell_record(token: str, currency: Currency) -> None:
    """Show the statement's last lines."""
    console.print("On the statement:")
    for line in call("GET", "/me/statement?limit=8", token)["results"]:
        console.print(
            f"  {line['version']:>4} {line['code']:<11} {line['debit']:>7} → {line['credit']:<7}"
            f" {currency.told(line['amount_minor']):>13}"
            f"  cash {currency.told(line['balance_after_minor'])}"
        )


def cards(hand: dict[str, Any]) -> str:
    """Return a hand's cards on one line."""
    return " ".join(hand["cards"])


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
