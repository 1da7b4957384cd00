"""Every public code, provoked over HTTP: its status, its words in four languages, its record."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.test import override_settings
from django.utils import translation

from casino import throttle
from casino.codes import CODES, IN_PANEL
from casino.players import profiles
from pontoon import services
from tests.casino.outage import without
from tests.conftest import Database
from tests.people import Answer, People, Person
from tests.seeds import deal, plant

DOCS = Path(__file__).parents[2] / "docs" / "errors.md"


@dataclass
class Scene:
    """What a provocation may use: the people, one of them, and the owner of the tables."""

    people: People
    player: Person
    database: Database

    def banking(self, act: str, **change: Any) -> Answer:
        body = {"amount_minor": 100, "currency": "USD", "reference": "r"} | change
        return self.people.operator.post(f"players/{self.player.id}/{act}", body)

    def after(self, ranks: str, *actions: str) -> Answer:
        """Deal these ranks and take these actions; the last one's answer."""
        round_ = deal(self.database.owner_url, self.player, ranks)
        for seq, action in enumerate(actions):
            answer = self.player.act(round_["round_id"], seq, action)
        return answer

    def exclude(self, kind: str) -> None:
        body = {"kind": kind, "days": 3}
        assert self.player.api.post("me/exclusions", body).status == 201


def closed_session(scene: Scene) -> Answer:
    scene.player.api.call("DELETE", "sessions/current")
    return scene.player.api.get("me")


def excluded(scene: Scene, kind: str) -> Answer:
    scene.exclude(kind)
    return scene.player.bet()


def second_round(scene: Scene) -> Answer:
    deal(scene.database.owner_url, scene.player, "2 * 3 2345678")
    return scene.player.bet()


def action_after_the_end(scene: Scene) -> Answer:
    over = scene.player.finish(scene.player.bet().json)
    return scene.player.act(over["round_id"], over["seq"], "hit")


def other_bet_of_the_same_key(scene: Scene) -> Answer:
    body = {"stake_minor": 100, "currency": "USD"}
    scene.player.api.post("rounds", body, idempotency_key="k")
    return scene.player.api.post("rounds", body | {"stake_minor": 200}, idempotency_key="k")


def limit(scene: Scene) -> Answer:
    body = {"amount_minor": 100, "period": "day"}
    assert scene.player.api.call("PUT", "me/limits/wager", body).status == 200
    return scene.player.bet(200)


def too_many(scene: Scene) -> Answer:
    rates = throttle.settings.RATE_LIMITS | {"token": "1/day"}
    with override_settings(RATE_LIMITS=rates):
        scene.player.api.get("me")
        return scene.player.api.get("me")


def too_soon(scene: Scene) -> Answer:
    scene.player.api = scene.people.enter(scene.player.id, profile="uk")
    scene.player.finish(scene.player.bet().json)
    return scene.player.bet()


def reality_check(scene: Scene) -> Answer:
    asked = scene.player.api.call("PUT", "me/reality-check", {"interval_min": 5})
    assert asked.status == 200
    with psycopg.connect(scene.database.owner_url) as owner:
        owner.execute("UPDATE players_playsession SET opened_at = opened_at - interval '6 min'")
    return scene.player.bet()


def hint_where_there_is_none(scene: Scene) -> Answer:
    silent = profiles.Profile("silent", hint_allowed=False)
    with pytest.MonkeyPatch.context() as here:
        here.setattr(profiles, "PROFILES", {**profiles.PROFILES, "silent": silent})
        scene.player.api = scene.people.enter(scene.player.id, profile="silent")
        round_ = scene.player.bet().json
        return scene.player.api.get(f"rounds/{round_['round_id']}/advice")


def a_seed_that_no_key_opens(scene: Scene) -> Answer:
    plant(scene.database.owner_url, scene.player, "2 * 3 2345678")
    with psycopg.connect(scene.database.owner_url) as owner:
        owner.execute(
            "INSERT INTO pontoon_seed SELECT player_id, number + 1, commitment, 'broken', at"
            "  FROM pontoon_seed ORDER BY number DESC LIMIT 1"
        )
    return scene.player.bet()


def no_database(scene: Scene) -> Answer:
    with without(scene.database):
        return scene.player.bet()


def suspended(scene: Scene) -> Answer:
    services.suspend("staff:1", scope={"currency": "USD"}, reason="a drill")
    return scene.player.bet()


def webhook(scene: Scene, url: str) -> Answer:
    body = {"url": url, "types": ["round.settled"]}
    return scene.people.operator.post("webhooks", body)


def too_much_of_a_replay(scene: Scene) -> Answer:
    made = webhook(scene, "https://93.184.215.14/").json
    for _ in range(2):
        scene.player.finish(scene.player.bet().json)
    span = {"from": "2026-01-01T00:00:00Z", "to": "2100-01-01T00:00:00Z"}
    with pytest.MonkeyPatch.context() as here:
        here.setattr("audit.webhooks.replays.COUNT_MAX", 1)
        return scene.people.operator.post(f"webhooks/{made['webhook_id']}/replay", span)


PROVOCATIONS: dict[str, Callable[[Scene], Answer]] = {
    "malformed": lambda scene: scene.player.api.post("rounds", "{"),
    "not_authenticated": lambda scene: scene.player.api.as_("").get("me"),
    "session_expired": closed_session,
    "not_allowed": lambda scene: scene.player.api.get("players"),
    "excluded": lambda scene: excluded(scene, "self_exclusion"),
    "cooling_off": lambda scene: excluded(scene, "cooling_off"),
    "not_found": lambda scene: scene.player.api.get(f"rounds/{uuid4()}"),
    "method_not_allowed": lambda scene: scene.player.api.call("PUT", "rounds", {}),
    "too_large": lambda scene: scene.player.api.post("rounds", b" " * 70_000),
    "unsupported_media_type": lambda scene: scene.player.api.post(
        "rounds", "a=1", content_type="application/x-www-form-urlencoded"
    ),
    "round_open": second_round,
    "round_over": action_after_the_end,
    "seq_conflict": lambda scene: (
        scene.after("2 * 3 2345678 2", "hit")
        and scene.player.act(scene.player.api.get("rounds/current").json["round_id"], 0, "double")
    ),
    "idempotency_conflict": other_bet_of_the_same_key,
    "action_not_now": lambda scene: scene.after("2 * 3 2345678 2", "hit", "split"),
    "stand_below_15": lambda scene: scene.after("7 * 7 2345678", "stand"),
    "split_not_equal": lambda scene: scene.after("Q * K 2345678", "split"),
    "split_limit": lambda scene: scene.after("8 * 8 2345678 8 * 8", "split", "split", "split"),
    "double_used": lambda scene: scene.after("2 * 3 2345678 2", "double", "double"),
    "insufficient_funds": lambda scene: scene.banking("withdrawals", amount_minor=100_001),
    "limit_reached": limit,
    "stake_not_whole": lambda scene: scene.player.bet(1.5),
    "stake_below_minimum": lambda scene: scene.player.bet(99),
    "stake_above_maximum": lambda scene: scene.player.bet(100_100),
    "stake_off_step": lambda scene: scene.player.bet(150),
    "amount_not_whole": lambda scene: scene.banking("deposits", amount_minor="100"),
    "amount_below_minimum": lambda scene: scene.banking("withdrawals", amount_minor=0),
    "amount_above_maximum": lambda scene: scene.banking("deposits", amount_minor=2**53),
    "currency_mismatch": lambda scene: scene.banking("deposits", currency="EUR"),
    "unknown_currency": lambda scene: scene.player.bet(currency="XXX"),
    "unknown_game": lambda scene: scene.player.bet(game="bank"),
    "invalid": lambda scene: scene.player.bet(colour="red"),
    "webhook_url_refused": lambda scene: webhook(scene, "https://127.0.0.1/"),
    "replay_too_large": too_much_of_a_replay,
    "too_many_requests": too_many,
    "too_soon": too_soon,
    "reality_check_due": reality_check,
    "hint_not_offered": hint_where_there_is_none,
    "internal_error": a_seed_that_no_key_opens,
    "suspended": suspended,
    "unavailable": no_database,
}


@pytest.fixture
def scene(people: People, player: Person, database: Database) -> Scene:
    """A player at the table, and what it takes to make things go wrong."""
    return Scene(people, player, database)


def test_every_code_is_provoked_here_or_stays_in_the_panel():
    assert CODES.keys() == PROVOCATIONS.keys() | IN_PANEL


@pytest.mark.parametrize("code", PROVOCATIONS)
def test_a_code_comes_as_a_problem_of_its_status(scene: Scene, code: str):
    answer = PROVOCATIONS[code](scene)
    assert (answer.status, answer.json["code"]) == (CODES[code].status, code)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert list(answer.json)[:6] == ["type", "title", "status", "detail", "code", "instance"]
    assert answer.json["status"] == answer.status
    assert answer.json["type"].endswith(f"#{code}")
    assert answer.json["instance"] == f"urn:request:{answer.headers['X-Request-ID']}"
    assert "no-store" in answer.headers["Cache-Control"]
    assert ("Retry-After" in answer.headers) == (answer.status in {429, 503})
    assert ("WWW-Authenticate" in answer.headers) == (answer.status == 401)
    assert not re.search(rb"Traceback|File \\?\"|psycopg|django", answer.body)


@pytest.mark.parametrize("language", ["es", "pt", "sv"])
def test_every_code_has_its_words_in_every_language_and_stays_the_same(
    scene: Scene, language: str, subtests: pytest.Subtests
):
    heard = scene.player.api.get("nothing", accept_language=language).json
    assert heard["code"] == "not_found"
    assert (heard["title"], heard["detail"]) == _words("not_found", language)
    for code in CODES:
        with subtests.test(code):
            told = _words(code, language)
            assert told[0]
            assert told[1]
            assert told[1] != _words(code, "en")[1]


def _words(code: str, language: str) -> tuple[str, str]:
    with translation.override(language):
        return str(CODES[code].title), str(CODES[code].detail)


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("es", "es"), ("pt-BR,pt;q=0.9", "pt"), ("sv-SE", "sv"), ("de, sv;q=0.5", "sv"),
     ("de", "en"), ("", "en"), ("*", "en"), ("x" * 5000, "en"), ("es;q=0, pt;q=1", "pt")],
)  # fmt: skip
def test_accept_language_chooses_among_four(player: Person, accepted: str, language: str):
    refused = player.api.post("rounds", "{", accept_language=accepted)
    assert (refused.json["title"], refused.json["detail"]) == _words("malformed", language)
    assert refused.json["code"] == "malformed"
    assert refused.headers["Content-Language"] == language
    assert "Accept-Language" in refused.headers["Vary"]


def test_the_docs_list_every_code_with_its_status_and_meaning():
    listed = re.findall(r"^\| `(\w+)` \| (\d{3}) \| (.+) \|$", DOCS.read_text(), re.M)
    assert [(code, int(status)) for code, status, _ in listed] == [
        (code, problem.status) for code, problem in CODES.items()
    ]
    assert all(len(meaning) > 20 for _, _, meaning in listed)


def test_mal_formed_refusals_never_record_more_than_is_listed(
    player: Person, last_entry: Callable[[], dict[str, Any]]
):
    player.bet(150, client_seed="x" * 64, password="p")
    asked = last_entry()["payload"]["asked"]
    assert asked == {"stake_minor": 150, "currency": "USD", "client_seed": "x" * 64}
