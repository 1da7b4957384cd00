"""Webhooks: at least once, in order, signed; nobody is kept waiting by another's endpoint."""

import socket
from contextlib import closing
from datetime import timedelta
from time import monotonic
from uuid import uuid4

import psycopg
import pytest

from audit import services, webhooks
from audit.models import Attempt, Delivery, Endpoint, Entry, Outbox, Work
from audit.webhooks.deliveries import DISABLED_AFTER, FAILING_AT, THREADS_EACH, TRIES_MAX
from pontoon import services as table
from tests.audit.hooks import come_due, events_of, play, register, rounds_of
from tests.people import People
from tests.receiver import Receiver

pytestmark = pytest.mark.usefixtures("receivers_here")


# --- What is told -------------------------------------------------------------------------------


def test_a_settled_round_is_told_once_and_signed(people: People, receiver: Receiver) -> None:
    made = register(people, receiver.url)
    player = people.player()
    [round_id] = play(player)
    webhooks.deliver()
    webhooks.deliver()
    [told] = receiver.verify(made["secret"])
    shown = player.api.get(f"rounds/{round_id}").json
    assert told["type"] == "round.settled"
    assert told["data"] == {
        "entry_id": told["data"]["entry_id"],
        "player_id": str(player.id),
        "round_id": round_id,
        "currency": "USD",
        "rules": shown["rules"],
        "profile": told["data"]["profile"],
        "state": "settled",
        "held_reason": None,
        "stake_minor": 100,
        "wagered_minor": shown["wagered_minor"],
        "payout_minor": shown["payout_minor"],
    }
    entry = Entry.objects.get(id=told["data"]["entry_id"])
    [headers] = receiver.headers
    assert headers["webhook-id"] == f"msg_{entry.id.hex}"
    assert headers["Content-Type"] == "application/json"


def test_no_seed_and_no_card_is_told(people: People, receiver: Receiver) -> None:
    register(people, receiver.url)
    player = people.player()
    [round_id] = play(player)
    player.bet(100)
    webhooks.deliver()
    body = "".join(receiver.bodies)
    shown = player.api.get(f"rounds/{round_id}").json
    for secret in (shown["server_seed"], shown["commitment"], "client_seed", "actions", "record"):
        assert secret not in body


def test_only_what_was_asked_for_is_told_and_only_from_then_on(
    people: People, receiver: Receiver
) -> None:
    player = people.player()
    play(player)
    webhooks.deliver()
    register(people, receiver.url, ["round.voided"])
    play(player)
    webhooks.deliver()
    assert receiver.told == []
    assert Delivery.objects.count() == 0


def test_a_limit_that_is_reached_is_told(people: People, receiver: Receiver) -> None:
    register(people, receiver.url, ["limit.reached"])
    player = people.player()
    player.api.call("PUT", "me/limits/wager", {"period": "day", "amount_minor": 100})
    play(player)
    assert player.bet(100).json["code"] in {"limit_reached", "too_soon"}
    webhooks.deliver()
    [told] = receiver.told
    assert (told["type"], told["data"]["kind"]) == ("limit.reached", "wager")
    assert told["data"]["player_id"] == str(player.id)


def test_a_suspension_is_told_when_it_is_raised_and_when_it_is_lifted(
    people: People, receiver: Receiver
) -> None:
    register(people, receiver.url, ["suspension.raised", "suspension.lifted"])
    raised = table.suspend("staff:1", scope={"all": True}, reason="a drill")
    table.lift("staff:2", suspension_id=raised.id, reason="it is over")
    webhooks.deliver()
    first, second = receiver.told
    assert first["data"]["suspension_id"] == second["data"]["suspension_id"] == str(raised.id)
    assert (first["data"]["state"], second["data"]["state"]) == ("standing", "lifted")
    assert (first["data"]["reason"], first["type"]) == ("a drill", "suspension.raised")
    assert "player_id" not in first["data"]


def test_an_act_that_commits_late_is_not_passed_over(
    people: People, receiver: Receiver, app: psycopg.Connection
) -> None:
    register(people, receiver.url)
    early, late = people.player(), people.player()
    with app.transaction():
        app.execute("SELECT pg_current_xact_id()")
        rounds = play(early)
        webhooks.deliver()
        assert receiver.told == []  # an older transaction may still commit
    rounds += play(late)
    webhooks.deliver()
    assert sorted(rounds_of(receiver.told)) == sorted(rounds)


def test_after_a_restore_into_another_cluster_it_goes_on(
    people: People, receiver: Receiver, dba: psycopg.Connection
) -> None:
    register(people, receiver.url)
    player = people.player()
    first = play(player)
    webhooks.deliver()
    dba.execute("UPDATE audit_entry SET cluster = 1")  # what was written came with the dump
    Outbox.objects.update(cluster=1)
    second = play(player)
    webhooks.deliver()
    assert rounds_of(receiver.told) == first + second


# --- Order, failures, waits ---------------------------------------------------------------------


def test_each_player_is_told_in_order_and_the_others_are_not_kept(
    people: People, receiver: Receiver
) -> None:
    register(people, receiver.url)
    stuck, other = people.player(), people.player()
    stuck_rounds, other_rounds = play(stuck, 2), play(other, 2)
    receiver.status_of = lambda told: 500 if told["data"]["round_id"] == stuck_rounds[0] else 200
    webhooks.deliver()
    assert rounds_of(receiver.heard) == other_rounds
    receiver.status_of = lambda told: 200
    come_due()
    webhooks.deliver()
    assert rounds_of(receiver.heard) == other_rounds + stuck_rounds


def test_what_fails_is_tried_again_later_under_the_same_id(
    people: People, receiver: Receiver
) -> None:
    made = register(people, receiver.url)
    play(people.player())
    receiver.status_of = lambda told: 503
    webhooks.deliver()
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.tries) == ("waiting", 1)
    assert timedelta(0) < delivery.due_at - services.now() <= timedelta(seconds=5)
    webhooks.deliver()
    assert len(receiver.bodies) == 1
    come_due()
    receiver.status_of = lambda told: 200
    webhooks.deliver()
    ids = {headers["webhook-id"] for headers in receiver.headers}
    assert (len(ids), len(receiver.bodies), len(set(receiver.bodies))) == (1, 2, 1)
    receiver.verify(made["secret"])
    shown = people.operator.get(f"webhooks/{made['webhook_id']}/deliveries").json["results"]
    assert [attempt["status"] for attempt in shown[0]["attempts"]] == [503, 200]
    assert shown[0]["state"] == "delivered"


def test_after_three_days_it_is_dead_on_record_and_lets_the_next_go(
    people: People, receiver: Receiver
) -> None:
    register(people, receiver.url)
    rounds = play(people.player(), 2)
    receiver.status_of = lambda told: 500 if told["data"]["round_id"] == rounds[0] else 200
    for _ in range(TRIES_MAX):
        come_due()
        webhooks.deliver()
    dead = Delivery.objects.get(state="dead")
    assert Attempt.objects.filter(delivery=dead).count() == TRIES_MAX
    assert events_of(f"delivery:{dead.id}") == ["work.died"]
    come_due()
    webhooks.deliver()
    assert rounds_of(receiver.heard) == rounds[1:]
    assert not Work.objects.exists()


def test_a_redirect_is_not_followed(people: People, receiver: Receiver) -> None:
    register(people, receiver.url)
    play(people.player())
    receiver.status_of = lambda told: 307
    webhooks.deliver()
    attempt = Attempt.objects.get()
    assert (attempt.status, attempt.error) == (307, "redirects are not followed")
    assert len(receiver.bodies) == 1


def test_an_endpoint_that_is_away_is_asked_less_and_told_all_when_it_is_back(
    people: People, receiver: Receiver
) -> None:
    register(people, receiver.url)
    players = [people.player() for _ in range(6)]
    rounds = [round_id for player in players for round_id in play(player)]
    receiver.status_of = lambda told: 500
    webhooks.deliver()
    assert Endpoint.objects.get().failures >= FAILING_AT
    before = len(receiver.bodies)
    Endpoint.objects.update(due_at=services.now())
    Delivery.objects.update(due_at=services.now())
    webhooks.deliver()
    assert len(receiver.bodies) == before + 1  # one asks for all
    receiver.status_of = lambda told: 200
    Delivery.objects.update(due_at=services.now() + timedelta(hours=6))
    Delivery.objects.filter(number=Delivery.objects.earliest("number").number).update(
        due_at=services.now()
    )
    Endpoint.objects.update(due_at=services.now())
    webhooks.deliver()
    assert sorted(rounds_of(receiver.heard)) == sorted(rounds)
    assert Endpoint.objects.get().failing_since is None


def test_an_endpoint_that_never_answers_is_disabled_and_what_waits_is_kept(
    people: People, receiver: Receiver
) -> None:
    made = register(people, receiver.url)
    rounds = play(people.player(), 2)
    receiver.status_of = lambda told: 500
    webhooks.deliver()
    Endpoint.objects.update(failing_since=services.now() - DISABLED_AFTER)
    come_due()
    webhooks.deliver()
    path = f"webhooks/{made['webhook_id']}"
    assert people.operator.get(path).json["state"] == "disabled"
    come_due()
    webhooks.deliver()
    assert len(receiver.bodies) == 2
    receiver.status_of = lambda told: 200
    enabled = people.operator.call("PUT", f"{path}/state", {"state": "active"})
    assert enabled.json["state"] == "active"
    webhooks.deliver()
    assert rounds_of(receiver.heard) == rounds
    assert events_of(f"webhook:{made['webhook_id']}") == [
        "webhook.registered", "webhook.disabled", "webhook.enabled",
    ]  # fmt: skip


def test_an_endpoint_that_is_paused_is_told_later(people: People, receiver: Receiver) -> None:
    path = f"webhooks/{register(people, receiver.url)['webhook_id']}/state"
    people.operator.call("PUT", path, {"state": "disabled"})
    rounds = play(people.player())
    webhooks.deliver()
    assert receiver.told == []
    people.operator.call("PUT", path, {"state": "active"})
    webhooks.deliver()
    assert rounds_of(receiver.told) == rounds


def test_410_is_a_good_bye(people: People, receiver: Receiver) -> None:
    register(people, receiver.url)
    play(people.player())
    receiver.status_of = lambda told: 410
    webhooks.deliver()
    assert Endpoint.objects.get().state == "disabled"


def test_a_thousand_deliveries_are_not_stuck_behind_a_dead_endpoint(
    people: People, receiver: Receiver
) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as deaf:  # takes calls, never answers
        register(people, f"http://127.0.0.1:{deaf.getsockname()[1]}/")
        register(people, receiver.url)
        play(people.player())
        webhooks.fill()
        _multiply(1000)
        began = monotonic()
        while len(receiver.heard) < 1001:
            assert webhooks.deliver(within=timedelta(seconds=5))
        assert monotonic() - began < 120
        deaf_ones = Attempt.objects.exclude(error="")
        assert 0 < deaf_ones.count() <= THREADS_EACH + 5


def _multiply(count: int) -> None:
    """Make so many deliveries more of each, each of a player of its own."""
    for delivery in list(Delivery.objects.all()):
        copies = []
        for _ in range(count):
            fields = {name: getattr(delivery, name) for name in ("type", "at", "body", "due_at")}
            copies.append(
                Delivery(
                    id=uuid4(), endpoint_id=delivery.endpoint_id, entry_id=uuid4(),
                    player_id=uuid4(), **fields,
                )
            )  # fmt: skip
        Delivery.objects.bulk_create(copies)


def test_two_senders_at_once_send_once(people: People, receiver: Receiver) -> None:
    register(people, receiver.url)
    play(people.player())
    webhooks.fill()
    Outbox.objects.update(busy_until=services.now() + timedelta(seconds=30))
    assert webhooks.deliver() == 0
    Outbox.objects.update(busy_until=services.now())
    assert webhooks.deliver() == 1
    assert len(receiver.bodies) == 1
