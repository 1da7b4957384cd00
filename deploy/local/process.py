"""Start a child that gives up root, ends when its parent is killed, and hears no Ctrl-C."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

CHILD = Path(__file__).with_name("child.py")

User = tuple[int, int]
"""A user id and a group id."""


def spawn(
    command: Sequence[str | Path],
    *,
    folder: Path,
    output: int | IO[bytes],
    death_signal: signal.Signals = signal.SIGTERM,
    user: User | None = None,
    environment: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own, so that only its parent decides when it stops.

    When the parent dies without a word (kill -9) the kernel sends the child `death_signal`.
    """
    return subprocess.Popen(  # noqa: S603 (the programs are our own)
        wrapped(command, death_signal, user),
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def wrapped(
    command: Sequence[str | Path],
    death_signal: signal.Signals = signal.SIGTERM,
    user: User | None = None,
) -> list[str]:
    """Put `child.py` in front of a command."""
    who = f"{user[0]}:{user[1]}" if user else "-"
    python = [sys.executable, "-I", "-S", str(CHILD)]
    return [*python, str(os.getpid()), str(int(death_signal)), who, *map(str, command)]
