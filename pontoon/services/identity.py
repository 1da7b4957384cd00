"""What the software is: the hash of every file that can change play, and of the numbers in force.

The manifest is a list that plain `sha256sum --check` reads at the top of the installation, so
that a third party needs nothing of ours. Source: SIG-01, SIG-02, SIG-04.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from django.conf import settings
from django.db import transaction

from audit import queries
from audit import services as audit
from audit.events import Event
from casino.players.profiles import CURRENCIES, PROFILES
from pontoon.engine import GAMES

CRITICAL = ("audit", "casino", "pontoon", "wallets", "manage.py", "requirements.lock")

SUBJECT = "software"
_TOLD_MAX = 200


@dataclass(frozen=True, slots=True)
class Identity:
    """A manifest, and the lines of it that the one before did not have or had otherwise.

    `changed` names files, sorted; it is empty when nothing changed, or nothing was known before.
    """

    manifest: str
    changed: tuple[str, ...]

    @property
    def digest(self) -> str:
        """The SHA-256 of the manifest, hex: the software in one line."""
        return hashlib.sha256(self.manifest.encode()).hexdigest()


def identify(actor: str, *, because: str, root: Path = settings.BASE_DIR) -> Identity:
    """Hash the software anew, keep the manifest, and record whether it is what it last was."""
    with transaction.atomic(durable=True):
        before = queries.last_manifest()
        manifest = make_manifest(root=root)
        changed = () if before is None else _changed(before[1], manifest)
        identity = Identity(manifest, changed)
        written = audit.entry(
            Event.SOFTWARE_CHANGED if changed else Event.SOFTWARE_IDENTIFIED,
            subject=SUBJECT,
            actor=actor,
            at=audit.now(),
            payload={
                "because": because,
                "version": settings.VERSION,
                "build": settings.BUILD,
                "before": before and before[0],
                "after": identity.digest,
                "changed": changed[:_TOLD_MAX],
                "changed_count": len(changed),
            },
        )
        audit.commit("audit_identify", {"manifest": manifest, "entry": written})
    return identity


def make_manifest(*, root: Path = settings.BASE_DIR) -> str:
    """Return a line for each critical file, and above them, as a comment, that of the values."""
    lines = [f"{_hash(root / path)}  {path}" for path in sorted(map(str, _files(root)))]
    values = hashlib.sha256(values_in_force().encode()).hexdigest()
    return "\n".join([f"# {values}  rule sets, currencies and profiles", *lines, ""])


def values_in_force() -> str:
    """Return what rule sets, currencies and profiles say in this process, as JSON."""
    rules = {name: rules for game in GAMES.values() for name, rules in game.RULES.items()}
    values = {
        "rules": {name: asdict(numbers) for name, numbers in rules.items()},
        "currencies": {code: asdict(currency) for code, currency in CURRENCIES.items()},
        "profiles": {name: asdict(profile) for name, profile in PROFILES.items()},
    }
    return json.dumps(values, indent=2, sort_keys=True, default=str) + "\n"


def _files(root: Path) -> Iterator[Path]:
    """Yield the critical files, relative to the top; what Python compiles for itself is none."""
    for name in CRITICAL:
        top = root / name
        for path in top.rglob("*") if top.is_dir() else [top]:
            if path.is_file() and "__pycache__" not in path.parts:
                yield path.relative_to(root)


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _changed(before: str, after: str) -> tuple[str, ...]:
    lines = set(before.splitlines()) ^ set(after.splitlines())
    return tuple(sorted({line.partition("  ")[2] for line in lines}))
