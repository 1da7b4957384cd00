"""The door in the panel: everything to see, nothing to change, and no token."""

from collections.abc import Callable

import pytest
from django.test import Client

from casino.players import services
from casino.players.models import Player, PlaySession
from tests.panel import Panel
from tests.players.crowd import KEY


@pytest.fixture
def panel(database: object) -> Client:
    """The panel, as somebody sees it who may see all."""
    return Panel().client


def test_the_panel_shows_each_table_and_lets_nobody_write(
    panel: Client, player: Player, enter: Callable[..., tuple[PlaySession, str]]
) -> None:
    session, _ = enter()
    made, _ = services.create_key("command:test", name="shop", scopes={"players:read"})
    shut = services.exclude(KEY, player_id=player.id, kind="self_exclusion", term=None)
    rows = {"player": player, "apikey": made, "playsession": session, "exclusion": shut}
    for table, row in rows.items():
        path = f"/panel/players/{table}/"
        assert str(row.id) in panel.get(path).content.decode()
        shown = panel.get(f"{path}{row.id}/change/")
        assert shown.status_code == 200
        assert "token_hash" not in shown.content.decode().lower().replace(" ", "_")
        assert panel.get(f"{path}add/").status_code == 403
        assert panel.post(f"{path}{row.id}/change/", {}).status_code in {403, 405}
        assert panel.post(f"{path}{row.id}/delete/", {"post": "yes"}).status_code == 403


def test_a_player_is_found_by_the_operators_id(panel: Client, player: Player) -> None:
    assert str(player.id) in panel.get("/panel/players/player/?q=p1").content.decode()
    assert str(player.id) not in panel.get("/panel/players/player/?q=p2").content.decode()
