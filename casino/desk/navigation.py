"""The panel's navigation: its groups, and who finds what in them."""

from typing import Any, Final, NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _


class Link(NamedTuple):
    """A page by its title and its table: who may look at the table finds the page here.

    A page that is no list has a `url` of its own.
    """

    title: Any
    table: str
    url: str = ""
    arguments: tuple[str, ...] = ()


_FLOOR: Final = (
    Link(_("Large wins"), "pontoon.verification"),
    Link(_("Malfunctions"), "pontoon.malfunction"),
    Link(_("Suspensions"), "pontoon.suspension"),
)
_GROUPS: Final[tuple[tuple[Any, tuple[Link, ...]], ...]] = (
    (
        _("Players"),
        (
            Link(_("Players"), "players.player"),
            Link(_("Sessions"), "players.playsession"),
            Link(_("Exclusions"), "players.exclusion"),
            Link(_("Limits"), "wallets.limit"),
        ),
    ),
    (_("Rounds"), (Link(_("Rounds"), "pontoon.round"),)),
    (
        _("Money"),
        (
            Link(_("Transfers"), "wallets.transfer"),
            Link(_("Accounts"), "wallets.account"),
            Link(_("Adjustments"), "wallets.adjusting"),
            Link(_("Receivables"), "wallets.account", "panel_receivables"),
        ),
    ),
    (_("Log"), (Link(_("Entries"), "audit.entry"),)),
    (
        _("Reports and exports"),
        (
            Link(_("Reports"), "pontoon.returnwatch", "report", ("ggr",)),
            Link(_("Returns"), "pontoon.returnwatch"),
            Link(_("Exports"), "audit.export"),
        ),
    ),
    (
        _("Operations"),
        (
            Link(_("Work that failed"), "audit.work"),
            Link(_("Webhooks"), "audit.endpoint"),
            Link(_("Deliveries"), "audit.delivery"),
            Link(_("Keys"), "players.apikey"),
        ),
    ),
    (_("Staff"), (Link(_("Staff"), "staff.staffuser"),)),
)


def groups(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the groups of the navigation, of each what the reader may open."""
    board = _item(request, _("Dashboard"), reverse("admin:index"))
    floor: dict[str, Any] = {"title": _("Floor"), "items": [board]}
    floor["items"] += _items(request, _FLOOR)
    return [floor, *(_group(request, title, links) for title, links in _GROUPS)]


def _group(request: HttpRequest, title: Any, links: tuple[Link, ...]) -> dict[str, Any]:
    return {"title": title, "items": _items(request, links)}


def _items(request: HttpRequest, links: tuple[Link, ...]) -> list[dict[str, Any]]:
    return [
        _item(request, link.title, _address(link))
        for link in links
        if request.user.has_perm(link.table.replace(".", ".view_"))
    ]


def _address(link: Link) -> str:
    if link.url:
        return reverse(link.url, args=link.arguments)
    return reverse(f"admin:{link.table.replace('.', '_')}_changelist")


def _item(request: HttpRequest, title: Any, link: str) -> dict[str, Any]:
    index, here = reverse("admin:index"), request.path
    is_active = here == index if link == index else here.startswith(link)
    return {"title": title, "link": link, "active": is_active}
