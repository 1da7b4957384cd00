"""Endpoints and rounds for the tests of webhooks."""

from typing import Any

from audit import services
from audit.models import Delivery, Endpoint, Entry
from tests.people import People, Person

ROUNDS = ["round.settled", "round.held", "round.released", "round.voided"]


def register(people: People, url: str, types: list[str] = ROUNDS) -> dict[str, Any]:
    made = people.operator.post("webhooks", {"url": url, "types": types})
    assert made.status == 201, made
    return dict(made.json)


def play(player: Person, count: int = 1) -> list[str]:
    """Play rounds to their end; return their ids."""
    return [player.finish(player.bet(100).json)["round_id"] for _ in range(count)]


def come_due() -> None:
    """Let all waits be over."""
    Delivery.objects.filter(state="waiting").update(due_at=services.now())
    Endpoint.objects.update(due_at=services.now())


def rounds_of(told: list[dict[str, Any]]) -> list[str]:
    return [one["data"]["round_id"] for one in told]


def events_of(subject: str) -> list[str]:
    return list(
        Entry.objects.filter(subject=subject).order_by("id").values_list("event", flat=True)
    )
