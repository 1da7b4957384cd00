"""How the panel words a value: money, times, states, ids. A leaf that imports no app."""

from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.words import LABELS, WORDS

NOTHING = SafeString("–")
MINUS = "\N{MINUS SIGN}"

EXPONENTS: dict[str, int] = {}
"""How many decimals a currency has; the door says so when its part of the panel is loaded."""


def money(amount_minor: int | Decimal | None, currency: str, *, signed: bool = False) -> str:
    """Return an amount in the major unit of its currency: (-1250, "USD") → "-12.50 USD"."""
    if amount_minor is None:
        return NOTHING
    amount = int(amount_minor)
    exponent = EXPONENTS.get(currency, 0)
    digits = str(abs(amount)).rjust(exponent + 1, "0")
    whole = f"{int(digits[: len(digits) - exponent]):,}".replace(",", "\u202f")
    cents = f".{digits[len(digits) - exponent :]}" if exponent else ""
    sign = MINUS if amount < 0 else "+" * (signed and amount > 0)
    return f"{sign}{whole}{cents}\u00a0{currency}"


def when(at: datetime | str | None) -> str:
    """Return a time to the second, in the panel's zone; the whole of it stands behind the text."""
    if not at:
        return NOTHING
    moment = datetime.fromisoformat(at) if isinstance(at, str) else at
    local = timezone.localtime(moment)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        moment.isoformat(),
        f"{moment.isoformat(timespec='microseconds')} ({settings.TIME_ZONE})",
        f"{local:%Y-%m-%d %H:%M:%S}",
    )


def word(value: Any) -> str:
    """Return a stored word in the reader's language, as it is if nobody has translated it."""
    return str(WORDS.get(str(value), value))


def badge(value: Any) -> str:
    """Return a state as a coloured word; its colour is the stylesheet's."""
    if value is None or value == "":
        return NOTHING
    return format_html('<span class="badge" data-word="{}">{}</span>', value, word(value))


def code(value: Any) -> str:
    """Return an id or a hash, to be read letter by letter."""
    if value is None or value == "":
        return NOTHING
    return format_html('<code class="id" title="{}">{}</code>', value, value)


_PAGES = {
    "player_id": "admin:players_player_change",
    "round_id": "admin:pontoon_round_change",
    "session_id": "admin:players_playsession_change",
    "malfunction_id": "admin:pontoon_malfunction_change",
}


def reference(name: str, value: Any) -> str:
    """Return an id as a link to the page of what it names."""
    if str(value) == str(UUID(int=0)):
        return NOTHING
    return format_html('<a href="{}">{}</a>', reverse(_PAGES[name], args=[value]), code(value))


def label(name: str) -> Any:
    """Return what stands above a column."""
    return LABELS.get(name, name.removesuffix("_minor").replace("_", " ").capitalize())


BADGES = {
    "state", "held_reason", "code", "kind", "set_by", "by", "mark", "verdict",
    "closed_because", "outcome", "status", "debit", "credit",
}  # fmt: skip


def value_of(name: str, value: Any, currency: str = "") -> Any:
    """Return a value as its name asks for it to be shown."""
    if value is None or value == "":
        return NOTHING
    for applies, show in _SHOWN:
        if applies(name, value):
            return show(name, value, currency)
    return value


def _is_badge(name: str, value: Any) -> bool:
    return name in BADGES and ":" not in str(value)


def _is_code(name: str, value: Any) -> bool:
    is_somebody = (name in {"actor", "by"} or name.endswith("_by")) and ":" in str(value)
    return is_somebody or isinstance(value, UUID) or name.endswith(_CODES)


_CODES = ("_id", "_hash", "seed", "commitment")
_SHOWN: tuple[tuple[Callable[[str, Any], bool], Callable[[str, Any, str], Any]], ...] = (
    (lambda name, _: name.endswith("_minor"), lambda _, value, currency: money(value, currency)),
    (lambda name, _: name == "at" or name.endswith("_at"), lambda _, value, __: when(value)),
    (lambda _, value: isinstance(value, datetime), lambda _, value, __: when(value)),
    (_is_badge, lambda _, value, __: badge(value)),
    (lambda _, value: isinstance(value, bool), lambda _, value, __: _told(value)),
    (lambda name, _: name == "period", lambda _, value, __: word(value)),
    (lambda name, _: name in _PAGES, lambda name, value, _: reference(name, value)),
    (_is_code, lambda _, value, __: code(value)),
    (lambda _, value: isinstance(value, list | tuple), lambda _, value, __: _listed(value)),
)


def _told(is_so: bool) -> str:
    return gettext("yes") if is_so else gettext("no")


def _listed(values: Any) -> str:
    return " ".join(map(str, values)) or NOTHING


def column(name: str) -> Callable[[Any], Any]:
    """Return a column of a table of the panel: a field of its rows, headed and shown."""

    def shown(row: Any) -> Any:
        return value_of(name, getattr(row, name), getattr(row, "currency", ""))

    shown.__name__ = name
    told: Any = shown
    told.short_description = label(name)
    told.admin_order_field = name
    return shown


def as_table(
    rows: Any, *, headed: Mapping[str, Any] | None = None, folds: bool = False
) -> SafeString:
    """Return rows of the same members as a table that scrolls inside its own box.

    One that `folds` becomes cards where the screen is narrow.
    """
    rows = list(rows)
    if not rows:
        return format_html('<p class="nothing">{}</p>', gettext("There is nothing here."))
    names = headed or {name: label(name) for name in rows[0] if name != "currency"}
    head = format_html_join(
        "", '<th scope="col"{}>{}</th>', ((_aligned(name), text) for name, text in names.items())
    )
    lines = format_html_join("", "<tr>{}</tr>", ((_line(row, names),) for row in rows))
    return format_html(
        '<div class="scroll" tabindex="0"><table class="rows{}"><thead><tr>{}</tr></thead>'
        "<tbody>{}</tbody></table></div>",
        " folds" if folds else "",
        head,
        lines,
    )


def _line(row: Mapping[str, Any], names: Mapping[str, Any]) -> SafeString:
    currency = str(row.get("currency") or "")
    return format_html_join(
        "",
        '<td data-label="{}"{}>{}</td>',
        ((names[n], _aligned(n), value_of(n, row.get(n), currency)) for n in names),
    )


def _aligned(name: str) -> str:
    return SafeString(' class="number"' if name.endswith(("_minor", "_count")) else "")


RANKS = {"A": _("ace"), "K": _("king"), "Q": _("queen"), "J": _("jack"), "T": "10"}
SUITS = {
    "S": ("♠", _("spades")),
    "H": ("♥", _("hearts")),
    "D": ("♦", _("diamonds")),
    "C": ("♣", _("clubs")),
}


def card(text: str) -> SafeString:
    """Return a card such as `AS` as a drawing; anything else lies face down."""
    if len(text) != len("AS") or text[1] not in SUITS:
        return format_html(
            '<span class="card card-back" role="img" aria-label="{}"></span>', _("face down")
        )
    symbol, suit = SUITS[text[1]]
    rank = "10" if text[0] == "T" else text[0]
    named = gettext("%(rank)s of %(suit)s") % {
        "rank": RANKS.get(text[0], rank),
        "suit": suit,
    }
    return format_html(
        '<span class="card" data-suit="{}" role="img" aria-label="{}">'
        '<b aria-hidden="true">{}</b><i aria-hidden="true">{}</i></span>',
        text[1],
        named,
        rank,
        symbol,
    )


def hand(cards: Any) -> SafeString:
    """Return cards side by side."""
    return format_html(
        '<span class="cards">{}</span>', format_html_join("", "{}", ((card(one),) for one in cards))
    )
