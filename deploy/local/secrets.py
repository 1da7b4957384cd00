"""The secrets of one machine: made once, kept in a file that only its owner reads.

An environment variable of the same name goes before the file.
"""

import base64
import os
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path

from deploy.local.errors import unusable

MODE = 0o600


def _password() -> str:
    return secrets.token_urlsafe(24)


def _fernet_key() -> str:
    """What `cryptography.fernet.Fernet.generate_key` makes, without loading it."""
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()


def _signing_key() -> str:
    return base64.b64encode(secrets.token_bytes(32)).decode()


MAKERS: dict[str, Callable[[], str]] = {
    "SECRET_KEY": lambda: secrets.token_urlsafe(48),
    "SEED_KEYS": _fernet_key,
    "STAFF_KEYS": _fernet_key,
    "WEBHOOK_KEYS": _fernet_key,
    "LOG_KEYS": _signing_key,
    "POSTGRES_PASSWORD": _password,
    "POSTGRES_OWNER_PASSWORD": _password,
    "POSTGRES_APP_PASSWORD": _password,
    "VALKEY_PASSWORD": _password,
}


def load_secrets(path: Path, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Read every secret by name, after making those that are missing. Raises StartError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = _read(path)
        missing = [name for name in MAKERS if name not in kept]
        if missing:
            kept |= {name: MAKERS[name]() for name in missing}
            _write(path, kept)
    except OSError as error:
        raise unusable(error, path.parent) from error
    return {name: environment.get(name) or kept[name] for name in MAKERS}


def _read(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    path.chmod(MODE)
    lines = [line.partition("=") for line in path.read_text().splitlines() if "=" in line]
    return {name.strip(): value.strip() for name, _, value in lines if value.strip()}


def _write(path: Path, values: Mapping[str, str]) -> None:
    """Write beside the file and move, so that a full disk or a kill leaves the old one whole."""
    unfinished = path.with_suffix(".new")
    unfinished.unlink(missing_ok=True)
    with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, MODE), "w") as file:
        file.write(
            "# Keep a copy apart from the data: without SEED_KEYS no open round can go on, and\n"
            "# without STAFF_KEYS nobody gets into the panel.\n"
        )
        file.writelines(f"{name}={value}\n" for name, value in values.items())
        file.flush()
        os.fsync(file.fileno())
    unfinished.rename(path)
