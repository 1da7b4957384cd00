"""Significant events: which they are, and each with who, why, before and after (EVT-01, EVT-02)."""

from collections.abc import Mapping
from heapq import merge
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_noop as _

from audit import queries as audit
from audit.events import Event
from casino.players.profiles import CURRENCIES
from pontoon.reports import read
from pontoon.reports.asked import Asked, Row
from pontoon.reports.tables import Column, Report, Table


def _of(*components: str) -> frozenset[Event]:
    return frozenset(event for event in Event if event.partition(".")[0] in components)


SIGNIFICANT: Mapping[str, frozenset[Event]] = MappingProxyType(
    {
        "access failures": frozenset(
            event for event in Event if event.endswith((".refused", ".exceeded"))
        )
        | {Event.STAFF_UNLOCKED},
        "what does not authenticate": _of("software") | {Event.LOG_BROKEN, Event.LOG_KEYS_CHANGED},
        "downtime": _of("suspension", "work")
        | {Event.SOFTWARE_IDENTIFIED, Event.WEBHOOK_DISABLED, Event.WEBHOOK_ENABLED},
        "clock": _of("clock"),
        "large wins": _of("win") | {Event.ROUND_HELD, Event.ROUND_HELD_ON, Event.ROUND_RELEASED},
        "voids and overrides": _of("malfunction") | {Event.ROUND_VOIDED},
        "data outside play": _of("log", "export") | {Event.WEBHOOK_REPLAYED, Event.WORK_RETRIED},
        "parameters": _of("key", "staff", "webhook", "limit"),
        "adjustments": _of("adjustment"),
        "player accounts": frozenset({Event.PLAYER_EXCLUDED}),
        "unusual": _of("rtp"),
    }
)
"""The events of each line of EVT-01. A large wager is found by its amount, whatever its event;
a balance below zero is a receivable, which a void or an adjustment makes or settles."""

EVENTS = tuple(sorted(frozenset().union(*SIGNIFICANT.values())))


def significant_events(asked: Asked) -> Report:
    """Significant events (EVT-01), each with who, why, before and after (EVT-02)."""
    found = audit.entries_between(asked.begin, asked.end, events=EVENTS)
    entries = merge(found, _large_wagers(asked), key=lambda entry: entry["id"])
    rows = [_event(entry) for entry in entries if UUID(entry["player_id"]) not in asked.without]
    return Report(
        "significant_events", "Significant events", asked, (Table(_("Events"), _EVENT, rows),)
    )


def _large_wagers(asked: Asked) -> list[dict[str, Any]]:
    """Return the entries of rounds whose wagers came to the highest stake, or to more.

    The one of a settlement tells all of a round's wagers; a round that was held is told anyway.
    """
    lines = {code: currency.stake_minor_max for code, currency in CURRENCIES.items()}
    return read.large_wagers(asked, lines)


_EVENT = (
    Column("at", _("Time"), "time"),
    Column("event", _("Event")),
    Column("component", _("Component")),
    Column("subject", _("Of")),
    Column("actor", _("By")),
    Column("raised_by", _("Raised by")),
    Column("authorised_by", _("Authorised by")),
    Column("reason", _("Reason")),
    Column("before", _("Before")),
    Column("after", _("After")),
    Column("entry_id", _("Entry")),
)


def _event(entry: dict[str, Any]) -> Row:
    payload = entry["payload"]
    return {
        "at": entry["at"],
        "event": entry["event"],
        "component": entry["event"].partition(".")[0],
        "subject": entry["subject"],
        "actor": entry["actor"],
        "raised_by": payload.get("raised_by") or payload.get("processed_by"),
        "authorised_by": payload.get("authorised_by"),
        "reason": payload.get("reason") or payload.get("cause") or payload.get("code"),
        "before": payload.get("before"),
        "after": payload.get("after"),
        "entry_id": entry["id"],
    }
