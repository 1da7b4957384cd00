"""Figures for Prometheus: only for who has the token, and true at the moment they are asked for."""

from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from audit import services
from tests.people import Api, People

TOKEN = "metrics-token"


@pytest.fixture
def figures(api: Api, settings: Any) -> Any:
    settings.METRICS_TOKEN = TOKEN

    def read() -> dict[tuple[str, ...], float]:
        answer = api.as_(TOKEN).get("/metrics")
        assert answer.status == 200
        return {
            (sample.name, *sample.labels.values()): sample.value
            for family in text_string_to_metric_families(answer.body.decode())
            for sample in family.samples
        }

    return read


def test_without_a_token_set_there_are_none(api: Api, settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    assert api.get("/metrics").status == 404
    assert api.as_("").get("/metrics").status == 404


def test_another_token_is_told_nothing(api: Api, settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN
    for token in ("", "other", TOKEN + "x", "ü"):
        assert api.as_(token).get("/metrics").status == 404


def test_rounds_work_and_the_log_are_counted(people: People, figures: Any) -> None:
    assert figures()["pontoon_rounds", "open"] == 0
    player = people.player()
    round_ = player.bet(100).json
    while round_["state"] != "open":
        round_ = player.bet(100).json
    services.bury("letter", subject="message:nobody.knows", error="unknown")
    read = figures()
    assert read["pontoon_rounds", "open"] == 1
    assert read["pontoon_rounds", "held"] == 0
    assert read["pontoon_work", "letter", "dead"] == 1
    assert read["pontoon_log_months_ahead",] >= 11
    assert read["pontoon_webhook_backlog",] == 0
    assert read["pontoon_suspensions",] == 0
    assert read["pontoon_database_up",] == 1


def test_a_broker_that_is_away_is_a_figure(figures: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CELERY_BROKER_URL", "redis+socket:///nowhere/valkey.sock")
    assert figures()["pontoon_queue_up",] == 0
