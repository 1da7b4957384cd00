"""The ledger in the panel: everything to see, nothing to change."""

import pytest

from casino.panel import address_of
from tests.conftest import Database
from tests.panel import Panel
from tests.people import People
from wallets import tasks
from wallets.models import Account, Limit, Transfer


@pytest.fixture
def panel(database: Database) -> Panel:
    return Panel()


def test_accounts_transfers_and_limits_are_shown_and_nobody_changes_them(
    panel: Panel, people: People
) -> None:
    player = people.player(cash=12_345)
    people.operator.call(
        "PUT", f"players/{player.id}/limits/wager", {"amount_minor": 500, "period": "day"}
    )
    rows = {
        "account": Account.objects.get(player_id=player.id, kind="cash"),
        "transfer": Transfer.objects.get(player_id=player.id),
        "limit": Limit.objects.get(player_id=player.id),
    }
    for table, row in rows.items():
        address = address_of(row)
        assert address in panel.see(f"wallets/{table}/", q=player.id)
        assert address in panel.see(f"wallets/{table}/", q=row.id)
        assert address not in panel.see(f"wallets/{table}/", q="nobody")
        assert str(player.id) in panel.see(f"wallets/{table}/{row.id}/change/")
        assert panel.changes(f"wallets/{table}", address) == {403}
    assert "cashier" in panel.see(f"wallets/transfer/{address_of(rows['transfer'])}/change/")
    assert "123.45" in panel.see("wallets/account/", kind="cash")
    assert "123.45" not in panel.see("wallets/account/", kind="held")


def test_the_houses_account_shows_its_roll_ups(panel: Panel, people: People) -> None:
    people.player(cash=12_345)
    tasks.roll_up_house()
    cashier = Account.objects.defer("last_at").get(kind="cashier")
    assert "123.45" in panel.see(f"wallets/account/{address_of(cashier)}/change/")


def test_transfers_are_found_by_round(panel: Panel, people: People) -> None:
    player = people.player()
    round_ = player.finish(player.bet(200).json)
    page = panel.see("wallets/transfer/", q=round_["round_id"])
    moved = Transfer.objects.filter(player_id=player.id)
    assert moved.filter(round_id=None).count() == 1
    for transfer in moved:
        assert (address_of(transfer) in page) == (transfer.round_id is not None)


def test_an_address_of_nothing_is_not_an_error(panel: Panel) -> None:
    for address in ("x", "x.y", "00000000-0000-0000-0000-000000000001"):
        response = panel.client.get(f"/panel/wallets/transfer/{address}/change/")
        assert response.status_code == 302
