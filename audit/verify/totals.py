"""What the lines of an export add up to, and what of that its manifest does not say."""

from collections.abc import Iterator
from typing import Any

from audit.verify.package import Fault

# By part: what lines are counted by, and what is added up.
_SUMS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "transfers": (("currency", "code"), ("amount_minor",)),
    "rounds": (("currency", "rules", "state"), ("wagered_minor", "payout_minor")),
}

Total = dict[str, Any]


class Totals:
    """The totals of each part, as its lines come."""

    def __init__(self) -> None:
        self._totals: dict[str, dict[tuple[Any, ...], Total]] = {}

    def add(self, part: str, row: dict[str, Any]) -> None:
        """Add a line. Errors: KeyError, TypeError."""
        if part not in _SUMS:
            return
        names, sums = _SUMS[part]
        group = tuple(row[name] for name in names)
        amounts = {name: row[name] or 0 for name in sums}
        empty = dict(zip(names, group, strict=True)) | dict.fromkeys(("count", *sums), 0)
        total = self._totals.setdefault(part, {}).setdefault(group, empty)
        total["count"] += 1
        for name, minor in amounts.items():
            total[name] += minor

    def faults(self, kinds: set[str], told: dict[str, list[Total]]) -> Iterator[Fault]:
        """Yield what a manifest says otherwise, or does not say."""
        for part in sorted(kinds | told.keys()):
            expected, reckoned = told.get(part), list(self._totals.get(part, {}).values())
            for total in expected or ():
                if total not in reckoned:
                    yield Fault("manifest.json", f"its total {total} of {part} is not reckoned so")
            if expected is None or len(reckoned) != len(expected):
                yield Fault("manifest.json", f"tells {expected} of {part}, reckoned {reckoned}")
