"""The lobby: test accounts and made-up money only, and nothing at all where it is off."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs

import pytest
from django.conf import settings
from django.test import Client, override_settings

from casino import lobby
from casino.players import queries as players
from tests.people import Api, People
from wallets import queries as wallets


@pytest.fixture
def visitor(api: Api) -> Iterator[Client]:
    """Somebody at the lobby's door."""
    with override_settings(LOBBY=True):
        yield Client()


def come(visitor: Client, **asked: str) -> Any:
    return visitor.post("/", {"player": "new", "currency": "USD", "language": "en"} | asked)


def token_of(answer: Any) -> str:
    assert answer.status_code == 303, answer.content.decode()[:400]
    where, _, start = answer.headers["Location"].partition("#")
    assert where == "/table"
    return parse_qs(start)["token"][0]


def me(api: Api, answer: Any) -> dict[str, Any]:
    told: dict[str, Any] = api.as_(token_of(answer)).get("me").json
    return told


def test_chg_02_without_the_setting_there_is_no_lobby(api: Api) -> None:
    assert settings.LOBBY is False
    shown = Client().get("/")
    assert (shown.status_code, shown.headers["Location"]) == (302, "/api/v1/docs")
    refused = Client().post("/", {"player": "new", "currency": "USD"})
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
    assert not players.test_players(10)


def test_dmo_01_a_new_player_is_a_test_account_with_demo_money(visitor: Client, api: Api) -> None:
    told = me(api, come(visitor, name="Ana", currency="SEK", language="sv"))
    assert (told["test"], told["currency"], told["language"]) == (True, "SEK", "sv")
    assert told["balance_minor"] == 1_000_00
    [transfer] = wallets.statement(players.test_players(1)[0].id)
    assert transfer.reference == "demo-1"


def test_dmo_01_a_real_account_is_never_opened_from_here(visitor: Client, people: People) -> None:
    real = people.player()
    name = players.player(real.id).external_id
    for asked in ({"player": str(real.id)}, {"name": name}):
        refused = come(visitor, **asked)
        assert refused.status_code == 422
        assert "There is no test account of this name." in refused.content.decode()
    assert real.balance == 100_000


def test_dmo_01_demo_money_plays_by_the_same_rules(visitor: Client, api: Api) -> None:
    token = token_of(come(visitor))
    round_ = api.as_(token).post("rounds", {"stake_minor": 100, "currency": "USD"}).json
    assert (round_["rules"], round_["game"]) == ("house/1", "house")


def test_a_name_that_was_here_comes_back_to_its_own_money(visitor: Client, api: Api) -> None:
    first = token_of(come(visitor, name="Bo", currency="EUR"))
    api.as_(first).post("rounds", {"stake_minor": 10_000, "currency": "EUR"})
    again = me(api, come(visitor, name="Bo", currency="USD"))
    assert again["currency"] == "EUR"
    assert again["balance_minor"] + again["in_play_minor"] != 0
    assert len(players.test_players(10)) == 1


def test_demo_money_is_filled_up_to_its_line_and_never_above(visitor: Client, api: Api) -> None:
    token = token_of(come(visitor, name="Cy"))
    player_id = players.test_players(1)[0].id
    assert me(api, come(visitor, name="Cy", fill="1"))["balance_minor"] == 100_000
    token = token_of(come(visitor, name="Cy"))
    api.as_(token).post("rounds", {"stake_minor": 10_000, "currency": "USD"})
    filled = me(api, come(visitor, player=str(player_id), fill="1"))
    assert filled["balance_minor"] >= 100_000
    assert filled["balance_minor"] <= 100_000 + 4 * 10_000


def test_demo_money_is_filled_up_a_bounded_number_of_times(
    visitor: Client, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "FILLS_MAX", 1)
    token = token_of(come(visitor, name="Di"))
    player_id = players.test_players(1)[0].id
    while (balance := api.as_(token).get("me").json["balance_minor"]) >= 100_000:
        api.as_(token).post("rounds", {"stake_minor": 10_000, "currency": "USD"})
        break
    come(visitor, name="Di", fill="1")
    assert wallets.statement(player_id).filter(reference__startswith="demo-").count() == 1
    assert balance == 100_000


def test_an_excluded_test_player_comes_in_and_gets_no_money(visitor: Client, api: Api) -> None:
    token = token_of(come(visitor, name="Ed"))
    api.as_(token).post("me/exclusions", {"kind": "cooling_off", "days": 1})
    told = me(api, come(visitor, name="Ed", fill="1"))
    assert told["excluded"] == "cooling_off"


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"name": "<script>"}, "A name has up to 40 letters"),
        ({"currency": "XAU"}, "Choose a currency from the list."),
        ({"player": "nobody"}, "There is no test account of this name."),
        ({"player": "0192aaaa-0000-7000-8000-000000000000"}, "There is no test account"),
    ],
)
def test_a_wrong_choice_is_told_in_words(
    visitor: Client, asked: dict[str, str], words: str
) -> None:
    refused = come(visitor, **asked)
    assert refused.status_code == 422
    assert words in refused.content.decode()
    assert "<script>" not in refused.content.decode()


def test_net_03_the_lobby_lets_in_so_many_a_minute(visitor: Client) -> None:
    with override_settings(RATE_LIMITS=settings.RATE_LIMITS | {"lobby": "1/minute"}):
        answers = {visitor.post("/", {}, REMOTE_ADDR="192.0.2.77").status_code for _ in range(3)}
    assert 429 in answers


def test_the_form_needs_its_own_token(visitor: Client) -> None:
    stranger = Client(enforce_csrf_checks=True)
    assert stranger.post("/", {"player": "new", "currency": "USD"}).status_code == 403
    page = stranger.get("/").content.decode()
    [token] = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    asked = {"player": "new", "currency": "USD", "csrfmiddlewaretoken": token}
    assert stranger.post("/", asked).status_code == 303


@pytest.mark.parametrize(
    ("language", "words", "money"),
    [
        ("en", "Who plays?", "1,000.00 USD"),
        ("es", "¿Quién juega?", "1000,00 USD"),
        ("pt", "Quem joga?", "1.000,00 USD"),
        ("sv", "Vem spelar?", "1\xa0000,00 USD"),
    ],
)
def test_the_lobby_speaks_four_languages(
    visitor: Client, language: str, words: str, money: str
) -> None:
    page = visitor.get("/", {"lang": language}).content.decode()
    assert f'<html lang="{language}"' in page
    assert words in page
    assert money.replace("\xa0", " ")[-9:] in page.replace("\xa0", " ")
    greeted = visitor.get("/", headers={"accept-language": f"{language}-XX, en;q=0.1"})
    assert words in greeted.content.decode()


def test_the_page_runs_nothing_and_loads_only_our_own(visitor: Client) -> None:
    shown = visitor.get("/")
    policy = shown.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "unsafe" not in policy
    assert "no-store" in shown.headers["Cache-Control"]
    page = shown.content.decode()
    assert "<script" not in page
    assert "style=" not in page
