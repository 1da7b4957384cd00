"""The demo's people: an operator's key, players with money, staff. `python -m deploy.local.seed`.

Made once and kept: what is printed is also in `var/demo.env`, which a shell can source.
"""

import hashlib
import os
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import django
from django.conf import settings

ACTOR = "command:seed"
CASH_MINOR = {"USD": 1_000_00, "EUR": 1_000_00, "BRL": 5_000_00, "SEK": 10_000_00, "JPY": 150_000}
STAFF = {
    "support": "support",
    "floor": "floor",
    "compliance": "compliance",
    "engineer": "engineer",
    "engineer_2": "engineer",  # a change of roles takes two of them
    "auditor": "auditor",
}
"""Who may log in to the panel, and what he is there for.

Each has a phone that is set up already, whose secret is printed: for this machine's demo alone.
What it shows now, `python -m deploy.local.code floor` says.
"""


def main() -> None:
    """Seed, and print who there is."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    django.setup()
    file = Path(os.environ.get("VAR") or settings.BASE_DIR / "var") / "demo.env"
    if not _is_seeded(file):
        _write(file, dict(_seed()))
    sys.stdout.write(f"The demo's credentials, also in {file}:\n")
    sys.stdout.write("".join(f"  {line}\n" for line in file.read_text().splitlines()))


def _is_seeded(file: Path) -> bool:
    """Say whether the file is there and its key opens this database, not one of an earlier day."""
    from casino.players import queries
    from casino.players.errors import NotAuthenticatedError

    if not file.exists():
        return False
    lines = dict(line.split("=", 1) for line in file.read_text().splitlines() if "=" in line)
    if "STAFF_AUDITOR_SECRET" not in lines:
        return False  # of a version that knew no roles and no phones
    try:
        queries.active_key(hashlib.sha256(lines.get("OPERATOR_KEY", "").encode()).digest())
    except NotAuthenticatedError:
        return False
    return True


def _seed() -> Iterator[tuple[str, str]]:
    """Make everybody; yield names and credentials. Who is there already is not made twice."""
    from casino.players import services as players

    for currency, amount_minor in CASH_MINOR.items():
        yield f"PLAYER_{currency}", _player(currency, amount_minor)
    for username, role in STAFF.items():
        password, secret = _staff(username, role=role)
        yield f"STAFF_{username.upper()}", password
        yield f"STAFF_{username.upper()}_SECRET", secret
    _, token = players.create_key(ACTOR, name="demo operator", scopes=players.SCOPES)
    yield "OPERATOR_KEY", token


def _player(currency: str, amount_minor: int) -> str:
    from casino.players import services as players
    from wallets import services as wallets

    player = players.register(
        ACTOR,
        external_id=f"demo-{currency.lower()}",
        currency=currency,
        country="GB",
        language="en",
        is_test=True,
    )
    banking = wallets.Banking(player.id, amount_minor, currency, reference="demo")
    wallets.deposit(ACTOR, banking=banking)
    return str(player.id)


def _staff(username: str, *, role: str) -> tuple[str, str]:
    """Make a member of the staff, or give him a new password and phone; return both."""
    from casino.staff import second
    from casino.staff import services as staff
    from casino.staff.errors import TakenNameError

    password = secrets.token_urlsafe(12)
    try:
        user = staff.create_user(ACTOR, username=username, password=password, role=role)
    except TakenNameError:
        user = staff.set_password(ACTOR, username=username, password=password)
        user = second.reset(ACTOR, username=username)
    secret = second.begin(user)
    code = second.code_at(secret, unix_s=time.time())
    if second.confirm(user, code=code, address="") is None:
        raise ValueError("this machine's clock and the database's are a minute apart")
    return password, secret


def _write(file: Path, lines: dict[str, str]) -> None:
    file.unlink(missing_ok=True)
    file.touch(mode=0o600)
    file.write_text("".join(f"{name}={value}\n" for name, value in sorted(lines.items())))


if __name__ == "__main__":
    main()
