"""Whatever ends by itself is started again, a little later each time, and not for ever."""

import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn, Protocol

from deploy.local.terminal import say

POLL_S = 0.1
FALLS_WINDOW_S = 60
DELAY_MAX_S = 10.0


class Service(Protocol):
    """What is started, watched and stopped: a server or a program of ours."""

    name: str
    process: subprocess.Popen[bytes] | None

    def start(self) -> None:
        """Start it, whatever was there before. Raises StartError."""

    def stop(self) -> None:
        """Stop it and wait for its end."""


def watch(services: Sequence[Service]) -> NoReturn:
    """Keep the services running; ends by an exception only."""
    watched = [_Watched(service) for service in services]
    while True:
        for each in watched:
            each.look(time.monotonic())
        time.sleep(POLL_S)


def has_ended(service: Service) -> bool:
    """Whether it is not running."""
    return service.process is None or service.process.poll() is not None


@dataclass
class _Watched:
    """One service, when it fell, and when it is due again."""

    service: Service
    fallen_at: list[float] = field(default_factory=list)
    start_at: float | None = None

    def look(self, now: float) -> None:
        """Note a fall, or start again when it is time."""
        if self.start_at is None and has_ended(self.service):
            self._note_fall(now)
        elif self.start_at is not None and now >= self.start_at:
            self.start_at = None
            self.service.start()

    def _note_fall(self, now: float) -> None:
        recent = [at for at in self.fallen_at if now - at < FALLS_WINDOW_S]
        self.fallen_at = [*recent, now]
        # It ran once, so it can again: nobody need be there when what kills it is over.
        delay_s = min(2.0 ** (len(self.fallen_at) - 2), DELAY_MAX_S)
        say(f"{self.service.name} ended ({_how(self.service)}); again in {delay_s:g} s")
        self.start_at = now + delay_s


def _how(service: Service) -> str:
    code = service.process.returncode if service.process else 0
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
