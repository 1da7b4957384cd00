"""What somebody asks for: which time, counted in whose days, which player, currency and kinds."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from casino.days import Span, find_zone, format_time, parse_edge

KINDS = ("entries", "transfers", "accounts", "rounds")
FORMATS = ("jsonl", "csv", "parquet")


@dataclass(frozen=True, slots=True)
class Asked:
    """What an export shall hold; nothing said is everything.

    `old_size` is the size of an earlier checkpoint that the export shall be held against: a
    whole export can be held against any, a part of the log only where it was asked for.
    """

    span: Span = field(default_factory=Span)
    player_id: UUID | None = None
    currency: str | None = None
    kinds: tuple[str, ...] = KINDS
    formats: tuple[str, ...] = ("jsonl",)
    old_size: int | None = None

    @property
    def as_json(self) -> dict[str, Any]:
        """Return it as it is stored, recorded and told in the manifest."""
        begin, end = self.span.begin, self.span.end
        return {
            "from": begin and format_time(begin),
            "to": end and format_time(end),
            "tz": self.span.zone.key,
            "player_id": self.player_id and str(self.player_id),
            "currency": self.currency,
            "kinds": list(self.kinds),
            "formats": list(self.formats),
            "old_size": self.old_size,
        }


def parse_asked(told: dict[str, Any]) -> Asked:
    """Return what was asked for as JSON; members may be left out. Errors: ValueError."""
    zone = find_zone(told.get("tz") or "UTC")
    begin, end = (
        parse_edge(told[edge], zone) if told.get(edge) else None for edge in ("from", "to")
    )
    if begin and end and end <= begin:
        raise ValueError("the interval ends before it begins")
    player_id, formats = told.get("player_id"), told.get("formats") or ()
    return Asked(
        span=Span(begin, end, zone),
        player_id=UUID(str(player_id)) if player_id else None,
        currency=told.get("currency"),
        kinds=tuple(kind for kind in KINDS if kind in (told.get("kinds") or KINDS)),
        formats=tuple(name for name in FORMATS if name == "jsonl" or name in formats),
        old_size=told.get("old_size"),
    )
