"""Endpoints of webhooks: their secrets, who may make them, and what is told them again."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from standardwebhooks import WebhookVerificationError

from audit import services, webhooks
from audit.models import Attempt, Delivery, Endpoint
from tests.audit.hooks import ROUNDS, play, register, rounds_of
from tests.people import Answer, Api, People
from tests.receiver import Receiver

pytestmark = pytest.mark.usefixtures("receivers_here")


# --- Who is told --------------------------------------------------------------------------------


def test_a_secret_is_shown_once_and_is_nowhere_in_clear(
    people: People, receiver: Receiver, owner: psycopg.Connection
) -> None:
    made = register(people, receiver.url)
    assert made["secret"].startswith("whsec_")
    path = f"webhooks/{made['webhook_id']}"
    assert "secret" not in people.operator.get(path).json
    [listed] = people.operator.get("webhooks").json["results"]
    assert listed["webhook_id"] == made["webhook_id"]
    assert "secret" not in listed
    stored = owner.execute(
        "SELECT t::text FROM audit_endpoint t UNION ALL SELECT t::text FROM audit_webhookanswer t"
        " UNION ALL SELECT body FROM audit_entry"
    ).fetchall()
    assert len(stored) > 2
    assert [row for (row,) in stored if made["secret"][6:] in row] == []


def test_the_same_key_again_is_the_same_endpoint_and_another_request_a_conflict(
    people: People, receiver: Receiver
) -> None:
    body = {"url": receiver.url, "types": ROUNDS}
    first, second = (people.operator.post("webhooks", body, idempotency_key="k1") for _ in range(2))
    assert first.json == second.json
    other = people.operator.post(
        "webhooks", body | {"types": ["limit.reached"]}, idempotency_key="k1"
    )
    assert (other.status, other.json["code"]) == (409, "idempotency_conflict")
    assert Endpoint.objects.count() == 1


def test_while_a_secret_is_rotated_both_sign_and_then_the_new_one_alone(
    people: People, receiver: Receiver
) -> None:
    made = register(people, receiver.url)
    path = f"webhooks/{made['webhook_id']}/secret"
    rotated = people.operator.post(path, {"overlap_hours": 1}).json
    player = people.player()
    play(player)
    webhooks.deliver()
    receiver.verify(made["secret"])
    receiver.verify(rotated["secret"])
    people.operator.post(path, {"overlap_hours": 0})
    play(player)
    webhooks.deliver()
    with pytest.raises(WebhookVerificationError):
        receiver.verify(rotated["secret"])


def test_who_is_removed_is_told_nothing_more(people: People, receiver: Receiver) -> None:
    made = register(people, receiver.url)
    player = people.player()
    play(player)
    webhooks.fill()
    path = f"webhooks/{made['webhook_id']}"
    assert people.operator.call("DELETE", path).status == 204
    play(player)
    webhooks.deliver()
    assert receiver.bodies == []
    assert people.operator.get(path).status == 404
    assert people.operator.call("DELETE", path).status == 404


def test_a_key_without_the_scope_and_a_player_are_refused(people: People) -> None:
    assert people.player().api.get("webhooks").status == 403
    assert people.operator.as_("").get("webhooks").status == 401


# --- Telling again ------------------------------------------------------------------------------


def replay(people: People, webhook_id: str, body: dict[str, Any], **headers: str) -> Answer:
    return people.operator.post(f"webhooks/{webhook_id}/replay", body, **headers)


def test_a_time_is_told_again_under_the_same_ids_and_what_was_before_the_endpoint_too(
    people: People, receiver: Receiver
) -> None:
    player = people.player()
    before = play(player)
    made = register(people, receiver.url)
    after = play(player)
    webhooks.deliver()
    assert rounds_of(receiver.told) == after
    hour = {
        "from": (services.now() - timedelta(hours=1)).isoformat(),
        "to": (services.now() + timedelta(hours=1)).isoformat(),
    }
    for _ in range(2):
        again = replay(people, made["webhook_id"], hour, idempotency_key="again")
        assert again.json == {"count": 2}
    webhooks.deliver()
    assert sorted(rounds_of(receiver.told)) == sorted(after + before + after)
    assert len({headers["webhook-id"] for headers in receiver.headers}) == 2


def test_a_delivery_is_told_again(people: People, receiver: Receiver) -> None:
    made = register(people, receiver.url)
    play(people.player(), 2)
    webhooks.deliver()
    path = f"webhooks/{made['webhook_id']}/deliveries"
    newest, _ = people.operator.get(path).json["results"]
    again = replay(people, made["webhook_id"], {"delivery_ids": [newest["delivery_id"]]})
    assert again.json == {"count": 1}
    webhooks.deliver()
    assert receiver.told[-1] == newest["body"]
    assert len(receiver.told) == 3


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"from": "2026-01-01T00:00:00Z"},
        {"from": "2026-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z"},
        {
            "from": "2026-01-01T00:00:00Z",
            "to": "2026-01-02T00:00:00Z",
            "delivery_ids": [str(uuid4())],
        },
    ],
)
def test_a_replay_names_a_time_or_deliveries(
    people: People, receiver: Receiver, body: dict[str, Any]
) -> None:
    made = register(people, receiver.url)
    assert replay(people, made["webhook_id"], body).json["code"] == "invalid"


def test_what_was_told_a_month_ago_is_forgotten(people: People, receiver: Receiver) -> None:
    register(people, receiver.url)
    play(people.player())
    webhooks.deliver()
    webhooks.forget()
    assert Delivery.objects.count() == 1
    Delivery.objects.update(done_at=services.now() - timedelta(days=31))
    webhooks.forget()
    assert (Delivery.objects.count(), Attempt.objects.count()) == (0, 0)


def test_replay_is_bounded(people: People, receiver: Receiver, api: Api, monkeypatch: Any) -> None:
    monkeypatch.setattr("audit.webhooks.replays.COUNT_MAX", 1)
    made = register(people, receiver.url)
    play(people.player(), 2)
    span = {
        "from": (services.now() - timedelta(hours=1)).isoformat(),
        "to": (services.now() + timedelta(hours=1)).isoformat(),
    }
    refused = replay(people, made["webhook_id"], span)
    assert (refused.status, refused.json["code"]) == (422, "replay_too_large")
