"""Failed work and webhooks in the panel: looked at by who may, revived by who may that."""

from django.urls import reverse

from audit import services, webhooks
from audit.models import Delivery, Endpoint, Entry, Work
from tests.audit.test_work import SUBJECT, fail_to_death
from tests.panel import Panel
from tests.people import People
from tests.receiver import receiving

LIST = reverse("admin:audit_work_changelist")
WORK = LIST.removeprefix("/panel/")


def retry(panel: Panel, work: Work) -> int:
    return int(panel.client.post(f"{LIST}{work.id}/do/retry/").status_code)


def test_who_may_revives_dead_work_and_it_is_on_record_as_his(database: object) -> None:
    fail_to_death()
    engineer = Panel("engineer")
    page = engineer.see(WORK)
    assert SUBJECT in page
    assert "no key opens it" in page
    assert retry(engineer, Work.objects.get()) == 302
    assert Work.objects.get().state == "waiting"
    assert Entry.objects.filter(event="work.retried", actor=engineer.user.urn).count() == 1
    assert services.attempt("close", subject=SUBJECT, unit=list)


def test_who_only_looks_cannot_revive_it(database: object) -> None:
    fail_to_death()
    floor = Panel("floor")
    assert SUBJECT in floor.see(WORK)
    assert retry(floor, Work.objects.get()) == 403
    assert Work.objects.get().state == "dead"
    assert Panel("support", "bo").client.get(LIST).status_code == 403


def test_endpoints_and_deliveries_are_shown_without_a_secret(
    people: People, settings: object
) -> None:
    settings.WEBHOOK_PRIVATE = True  # type: ignore[attr-defined]
    with receiving() as receiver:
        made = webhooks.register("staff:1", url=receiver.url, types=["round.settled"])
        player = people.player()
        player.finish(player.bet(100).json)
        webhooks.deliver()
    panel = Panel("engineer")
    assert receiver.url.partition("?")[0] in panel.see("audit/endpoint/")
    endpoint = Endpoint.objects.get()
    page = panel.see(f"audit/endpoint/{endpoint.id}/change/")
    assert endpoint.secrets[0]["sealed"] not in page
    assert made["secret"] not in page
    listed = panel.see("audit/delivery/", q=str(endpoint.id))
    assert "round.settled" in listed


def test_inf_04_all_that_has_died_is_revived_with_one_button(database: object) -> None:
    fail_to_death()
    engineer = Panel("engineer")
    assert "Try all that has died again" in engineer.see(WORK)
    assert "It will be tried again." in engineer.press(f"{WORK}do/revive/")
    assert Work.objects.get().state == "waiting"
    assert "Try all that has died again" not in Panel("floor", "bo").see(WORK)


def test_an_endpoint_is_paused_and_told_again_by_who_may(people: People, settings: object) -> None:
    settings.WEBHOOK_PRIVATE = True  # type: ignore[attr-defined]
    webhooks.register("staff:1", url="http://127.0.0.1:9/", types=["round.settled"])
    endpoint, engineer = Endpoint.objects.get(), Panel("engineer")
    path = f"audit/endpoint/{endpoint.id}/do"
    engineer.press(f"{path}/pause/")
    assert Endpoint.objects.get().state == "disabled"
    assert Panel("floor", "bo").client.post(f"/panel/{path}/enable/").status_code == 403
    engineer.press(f"{path}/enable/")
    assert Endpoint.objects.get().state == "active"


def test_an_endpoint_is_told_all_of_a_time_again(people: People, settings: object) -> None:
    settings.WEBHOOK_PRIVATE = True  # type: ignore[attr-defined]
    player = people.player()
    player.finish(player.bet(100).json)
    webhooks.register("staff:1", url="http://127.0.0.1:9/", types=["round.settled"])
    endpoint, engineer = Endpoint.objects.get(), Panel("engineer")
    path = f"audit/endpoint/{endpoint.id}/do/replay/"
    day = {"begin": "0001-01-01 00:00:00", "end": "9999-12-31 00:00:00"}
    assert Panel("floor", "bo").client.post(f"/panel/{path}", day).status_code == 403
    assert "end after it begins" in engineer.press(path, begin=day["end"], end=day["begin"])
    assert Delivery.objects.count() == 0
    assert "It is told again" in engineer.press(path, **day)
    assert Delivery.objects.count() == 1
    (told,) = Entry.objects.filter(event="webhook.replayed")
    assert told.actor == engineer.user.urn
