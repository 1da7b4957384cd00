"""People of the tests: an operator who calls with his key, players who call with their tokens."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from threading import Barrier
from typing import Any
from uuid import UUID

from django.db import connections
from django.test import Client

from casino.players import services as players
from casino.players.services import SCOPES

_numbers = count(1)


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Do all of these at one moment, each on a connection of its own; return what came of each."""
    start = Barrier(len(acts))

    def run(act: Callable[[], Any]) -> Any:
        try:
            connections["default"].ensure_connection()
            start.wait(60)
            return act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(run, acts))


class Answer:
    """What came back: the status, the JSON, and the bytes that it was."""

    def __init__(self, response: Any) -> None:
        self.status: int = response.status_code
        self.headers = response.headers
        self.body: bytes = response.content
        is_json = "json" in response.headers.get("Content-Type", "")
        self.json: Any = json.loads(self.body) if self.body and is_json else None

    def __repr__(self) -> str:
        return f"{self.status} {self.body[:600]!r}"


class Api:
    """A caller of the REST API; `token` is whose call it is."""

    def __init__(self, client: Client, token: str = "") -> None:
        self.client = client
        self.token = token

    def as_(self, token: str) -> "Api":
        """Return a caller with this token."""
        return Api(self.client, token)

    def apart(self) -> "Api":
        """Return the same caller on a line of his own: a test client serves one thread."""
        return Api(Client(raise_request_exception=False), self.token)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Call; a body of bytes or text is sent as it is."""
        extra = {f"HTTP_{name.upper()}": value for name, value in headers.items()}
        if self.token:
            extra["HTTP_AUTHORIZATION"] = f"Bearer {self.token}"
        content_type = extra.pop("HTTP_CONTENT_TYPE", "application/json")
        full = path if path.startswith("/") else f"/api/v1/{path}"
        data = self.encode(body)
        response = self.client.generic(method, full, data, content_type=content_type, **extra)
        return Answer(response)

    @staticmethod
    def encode(body: Any) -> bytes:
        """Return the bytes of a body: of bytes and text as they are, of all else as JSON."""
        if body is None:
            return b""
        raw = body if isinstance(body, bytes | str) else json.dumps(body)
        return raw.encode() if isinstance(raw, str) else raw

    def get(self, path: str, **headers: str) -> Answer:
        """Read."""
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        """Act."""
        return self.call("POST", path, {} if body is None else body, **headers)


@dataclass
class Person:
    """A player at a device of his own."""

    api: Api
    id: UUID
    currency: str

    def bet(self, stake_minor: Any = 100, **more: Any) -> Answer:
        """Open a round."""
        body = {"stake_minor": stake_minor, "currency": self.currency} | more
        return self.api.post("rounds", body)

    def act(self, round_id: str, seq: int, action: str) -> Answer:
        """Take an action."""
        return self.api.post(f"rounds/{round_id}/actions", {"seq": seq, "action": action})

    def finish(self, round_: dict[str, Any]) -> dict[str, Any]:
        """Play a round to its end without adding to the wager: hit below 15, then stand."""
        while round_["state"] == "open":
            offered = {option["action"] for option in round_["options"]}
            action = "stand" if "stand" in offered else "hit"
            round_ = self.act(round_["round_id"], round_["seq"], action).json
        return round_

    @property
    def balance(self) -> int:
        """His cash, minor units, as he is told it."""
        return int(self.api.get("me").json["balance_minor"])


class People:
    """The operator of a test, and whom he brings."""

    def __init__(self, api: Api) -> None:
        _, token = players.create_key("tests", name="tests", scopes=SCOPES)
        self.operator = api.as_(token)

    def player(self, *, cash: int = 100_000, currency: str = "USD", **session: Any) -> Person:
        """Return a new player with cash and an open session."""
        number = next(_numbers)
        made = self.operator.post(
            "players",
            {"external_id": f"p{number}", "currency": currency, "country": "GB", "language": "en"},
        )
        assert made.status == 201, made
        player_id = made.json["player_id"]
        if cash:
            self.deposit(player_id, cash, currency)
        return Person(self.enter(player_id, **session), UUID(player_id), currency)

    def deposit(self, player_id: Any, amount_minor: int, currency: str = "USD") -> Answer:
        """Give a player money, each time once more."""
        body = {
            "amount_minor": amount_minor,
            "currency": currency,
            "reference": f"d{next(_numbers)}",
        }
        answer = self.operator.post(f"players/{player_id}/deposits", body)
        assert answer.status == 201, answer
        return answer

    def enter(self, player_id: Any, **session: Any) -> Api:
        """Open a session for a player; return him as a caller."""
        opened = self.operator.post(f"players/{player_id}/sessions", {"language": "en"} | session)
        assert opened.status == 201, opened
        return self.operator.as_(opened.json["token"])
