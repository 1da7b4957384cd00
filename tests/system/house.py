"""A house that runs: the real service, an operator who lets players in, and rounds whose cards a
test knows (tests/seeds.py).
"""

import json
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from deploy.local.secrets import load_secrets
from deploy.local.servers import embedded_urls
from tests import seeds

CLIENT_SEED = "tests"


@dataclass(frozen=True)
class Guest:
    """A player who has been let in, and the address that opens the table for him."""

    house: "House"
    id: str
    token: str
    launch_url: str

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Call the API as he does from another device."""
        return self.house.call(method, path, self.token, body)

    def plant(self, ranks: str) -> None:
        """Make the shoe of his next round begin with these ranks."""
        seeds.plant(self.house.owner_url, self, ranks, CLIENT_SEED)

    def plant_seed(self, seed: bytes) -> None:
        """Make this the server seed of his next round."""
        seeds.plant_seed(self.house.owner_url, self, seed)


@dataclass
class House:
    """A running service by its address and its folder."""

    address: str
    var: Path

    def __post_init__(self) -> None:
        lines = (self.var / "demo.env").read_text().splitlines()
        self._operator = dict(line.split("=", 1) for line in lines)["OPERATOR_KEY"]
        self.owner_url = embedded_urls(self.var, load_secrets(self.var / "secrets.env")).owner

    def call(self, method: str, path: str, token: str, body: Any = None) -> Any:
        """Call the API; return the JSON, or None for an empty answer."""
        request = urllib.request.Request(  # noqa: S310  our own http address
            f"{self.address}/api/v1/{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=20) as response:  # noqa: S310
            answer = response.read()
        return json.loads(answer) if answer else None

    def operate(self, method: str, path: str, body: Any = None) -> Any:
        """Call the API as the operator."""
        return self.call(method, path, self._operator, body)

    def guest(self, *, cash: int = 100_000, currency: str = "USD", **visit: Any) -> Guest:
        """Register a player with cash, and let him in."""
        who = {"external_id": str(uuid4()), "currency": currency, "country": "GB", "language": "en"}
        player_id = self.operate("POST", "players", who)["player_id"]
        money = {"amount_minor": cash, "currency": currency, "reference": "first"}
        if cash:
            self.operate("POST", f"players/{player_id}/deposits", money)
        return self.let_in(player_id, **visit)

    def let_in(self, player_id: str, **visit: Any) -> Guest:
        """Open a session for a player; the one that he had ends."""
        visit = {"language": "en"} | visit
        opened = self.operate("POST", f"players/{player_id}/sessions", visit)
        return Guest(self, player_id, opened["token"], opened["launch_url"])
