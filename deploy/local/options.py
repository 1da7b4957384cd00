"""The knobs of `make run`, read from the environment and checked before anything starts."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from deploy.local.errors import StartError


@dataclass(frozen=True)
class Options:
    """Empty `database_url` or `broker_url`: ours to embed."""

    host: str
    port: int
    web_workers: int
    web_threads: int
    var: Path
    database_url: str
    owner_url: str
    broker_url: str
    is_demo: bool

    @property
    def address(self) -> str:
        """Where a browser on this machine finds the service."""
        anywhere = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104 (not bound here)
        return f"http://{anywhere.get(self.host, self.host)}:{self.port}"


def read_options(environment: Mapping[str, str]) -> Options:
    """Read the knobs; raises StartError on a number that is none."""
    database_url = environment.get("DATABASE_URL", "")
    return Options(
        host=environment.get("HOST") or "127.0.0.1",
        port=_number(environment, "PORT", 8000, 65535),
        web_workers=_number(environment, "WEB_WORKERS", 2, 256),
        web_threads=_number(environment, "WEB_THREADS", 4, 256),
        var=Path(environment.get("VAR") or "var").resolve(),
        database_url=database_url,
        owner_url=environment.get("DATABASE_OWNER_URL") or database_url,
        broker_url=environment.get("CELERY_BROKER_URL", ""),
        is_demo=environment.get("DEMO", "" if database_url else "1") == "1",
    )


def _number(environment: Mapping[str, str], name: str, default: int, largest: int) -> int:
    text = environment.get(name) or str(default)
    if not text.isdecimal() or not 1 <= int(text) <= largest:
        raise StartError(f"{name} is a number from 1 to {largest}, not {text!r}.")
    return int(text)
