"""The lobby for demo and test play: who plays, in which language and money, and to the table.

It opens test accounts only, with money that is made for them (DMO-01): the same table, rules and
odds, and nothing that a report counts or a cashier pays out. It is there where LOBBY is set, and
nowhere else (CHG-02).
"""

import re
import secrets
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from csp.constants import NONE, SELF
from csp.decorators import csp
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import formats, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from audit.errors import HouseError
from casino.players import queries as players
from casino.players import services as door
from casino.players.profiles import CURRENCIES, get_currency
from casino.requests import client_address
from casino.throttle import TooManyRequestsError, count
from pontoon.queries import LANGUAGES, rules
from wallets import queries as cage
from wallets import services as wallets
from wallets.money import format_minor

ACTOR = "lobby"
DEMO_STAKES = 1000
"""What a demo account is filled up to, in stakes of the currency's least."""
FILLS_MAX = 20
"""How often an account is filled up in all its life; then it is time for another."""
SHOWN_MAX = 6

_NAME = re.compile(r"[\w][\w .-]{0,39}")

WORDS = {
    "title": gettext_lazy("Pontoon: the lobby"),
    "mode": gettext_lazy("Demo money"),
    "languages": gettext_lazy("Language"),
    "lead": gettext_lazy(
        "Eight decks, freshly shuffled for every round. Five cards beat twenty-one,"
        " and the dealer wins the ties."
    ),
    "returned": gettext_lazy("returned with best play"),
    "two_to_one": gettext_lazy("for a pontoon or a five-card trick"),
    "cards": gettext_lazy("cards, and each can be checked"),
    "who": gettext_lazy("Who plays?"),
    "account": gettext_lazy("Test account"),
    "new": gettext_lazy("Somebody new, or by name"),
    "name": gettext_lazy("Name"),
    "made_up": gettext_lazy("one is made up"),
    "currency": gettext_lazy("Currency"),
    "fill": gettext_lazy("Fill the demo money up again"),
    "language": gettext_lazy("Language at the table"),
    "go": gettext_lazy("To the table"),
    "note": gettext_lazy(
        "Demo money is made up: it cannot be won, lost or paid out. Rules, cards"
        " and odds are those of every other table."
    ),
    "more": gettext_lazy("More"),
    "rules": gettext_lazy("Rules"),
    "panel": gettext_lazy("Panel"),
}
"""What the page says, by its place in the template."""

POLICY = {
    "default-src": [NONE],
    "style-src": [SELF],
    "img-src": [SELF],
    "base-uri": [NONE],
    "form-action": [SELF],
    "frame-ancestors": [NONE],
}


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@csp(POLICY)
def front(request: HttpRequest) -> HttpResponse:
    """Show the lobby, or let somebody in from it; where there is none, lead to the API's docs."""
    if not settings.LOBBY:
        if request.method == "POST":
            raise Http404
        return redirect("/api/v1/docs")
    with translation.override(_language(request)):
        if request.method != "POST":
            return _show(request)
        try:
            count("lobby", client_address(request))
            return _let_in(request)
        except TooManyRequestsError:
            return _show(request, _("Too many visits in a minute. Please wait a moment."), 429)
        except LobbyError as refusal:
            return _show(request, str(refusal), 422)


class LobbyError(Exception):
    """Nobody comes in so; the words are for him."""


def _language(request: HttpRequest) -> str:
    asked = request.POST.get("language") or request.GET.get("lang")
    if asked in LANGUAGES:
        return str(asked)
    spoken = translation.get_language_from_request(request)[:2]
    return spoken if spoken in LANGUAGES else "en"


def _show(request: HttpRequest, refusal: str = "", status: int = 200) -> HttpResponse:
    language = translation.get_language()
    told = {
        "words": WORDS,
        "language": language,
        "languages": [(tag, name) for tag, name in settings.LANGUAGES],
        "players": [_line(player) for player in players.test_players(SHOWN_MAX)],
        "currencies": [(code, _demo_money(code)) for code in CURRENCIES],
        "asked": request.POST,
        "refusal": refusal,
        "rtp": _percent(rules("house/1", "en")["rtp"]["percent"]),
        "version": settings.VERSION,
    }
    return render(request, "casino/lobby.html", told, status=status)


def _percent(percent: str) -> str:
    space = "" if translation.get_language() == "en" else "\u00a0"
    return f"{formats.number_format(percent, 2)}{space}%"


def _line(player: Any) -> dict[str, Any]:
    cash_minor = cage.balances(player.id).get("cash", 0)
    return {
        "id": str(player.id),
        "name": player.external_id,
        "money": _money(cash_minor, player.currency),
    }


def _money(amount_minor: int, currency: str) -> str:
    exponent = get_currency(currency).exponent
    amount = format_minor(amount_minor, exponent)
    told = formats.number_format(amount, exponent, use_l10n=True, force_grouping=True)
    return f"{told} {currency}"


def _demo_money(currency: str) -> str:
    return _money(_demo_minor(currency), currency)


def _demo_minor(currency: str) -> int:
    return DEMO_STAKES * get_currency(currency).stake_minor_min


def _let_in(request: HttpRequest) -> HttpResponse:
    """Open a session on a test account, and lead to the table. Errors: LobbyError."""
    language = translation.get_language()
    player = _player(request, language)
    if request.POST.get("fill") or not cage.balances(player.id).get("cash"):
        _fill_up(player)
    _session, token = door.open_session(
        ACTOR,
        player_id=player.id,
        visit=door.Visit(language=language, lobby_url=request.build_absolute_uri("/")),
        address=client_address(request),
    )
    start = {"token": token, "lang": language, "lobby": request.build_absolute_uri("/")}
    # Behind the #, where no server's log will find it.
    return HttpResponseRedirect(f"/table#{urlencode(start)}", status=303)


def _player(request: HttpRequest, language: str) -> Any:
    """Return the test account that is asked for, an old one or a new one. Errors: LobbyError."""
    chosen = request.POST.get("player", "")
    if chosen and chosen != "new":
        return _require_test(_by_id(chosen))
    name = " ".join(request.POST.get("name", "").split()) or f"guest-{secrets.token_hex(3)}"
    if not _NAME.fullmatch(name):
        raise LobbyError(_("A name has up to 40 letters, digits, spaces, dots or dashes."))
    known = players.players(external_id=name).first()
    if known is not None:
        return _require_test(known)
    currency = request.POST.get("currency", "")
    if currency not in CURRENCIES:
        raise LobbyError(_("Choose a currency from the list."))
    try:
        return door.register(
            ACTOR,
            external_id=name,
            currency=currency,
            country="GB",
            language=language,
            is_test=True,
        )
    except HouseError as error:  # somebody took the name this moment
        raise LobbyError(_("This name is taken.")) from error


def _by_id(text: str) -> Any:
    try:
        return players.player(UUID(text))
    except (ValueError, HouseError):
        return None


def _require_test(player: Any) -> Any:
    """Let nobody touch an account of real money from here (DMO-01). Errors: LobbyError."""
    if player is None or not player.is_test:
        raise LobbyError(_("There is no test account of this name."))
    return player


def _fill_up(player: Any) -> None:
    """Fill an account up to what a new one has, a bounded number of times; more it never gets."""
    missing_minor = _demo_minor(player.currency) - cage.balances(player.id).get("cash", 0)
    number = cage.statement(player.id).filter(reference__startswith="demo-").count()
    if missing_minor <= 0 or number >= FILLS_MAX:
        return
    banking = wallets.Banking(
        player.id, missing_minor, player.currency, reference=f"demo-{number + 1}"
    )
    try:
        wallets.deposit(ACTOR, banking=banking)
    except HouseError:
        return  # his own limit or exclusion binds him here too: he comes in with what he has
