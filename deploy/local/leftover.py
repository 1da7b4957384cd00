"""What outlived an earlier supervisor is stopped before anything is started in its place.

Two servers on one data folder would destroy it. Linux tells by /proc; elsewhere nothing is
found here, and the servers' own lock files have to do.
"""

import os
import signal
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

from deploy.local.errors import StartError

STOP_TIMEOUT_S = 60
POLL_S = 0.02

MARK = "PONTOON_RUN"
"""An environment variable of every program we start: the var folder that it works for."""


def stop_postgres(data: Path) -> None:
    """Stop the PostgreSQL that still runs on a data folder, and wait for its last process.

    Once no process works in the folder, a `postmaster.pid` in it is stale, whoever has that
    number now, and is removed: PostgreSQL itself would believe it.
    """
    pid_file = data / "postmaster.pid"
    if not pid_file.exists() or not Path("/proc/self/cwd").exists():
        return

    def find() -> list[int]:
        """The first process, as long as it lives; the others end by themselves after it."""
        pids = pids_working_in(data)
        first = _first_number(pid_file)
        return [first] if first in pids else pids

    stop_processes(find, signal.SIGINT, str(data))
    pid_file.unlink(missing_ok=True)


def stop_marked(var: Path) -> None:
    """End the web servers and workers of an earlier run on the same folder.

    They were asked to stop when their supervisor died; nothing is lost when they are killed.
    """
    stop_processes(lambda: _pids_marked(var), signal.SIGKILL, str(var))


def stop_processes(
    find: Callable[[], Collection[int]], stop_signal: signal.Signals, place: str
) -> None:
    """Ask each process once to stop, and wait until none is found. Raises StartError."""
    asked: set[int] = set()
    deadline = time.monotonic() + STOP_TIMEOUT_S
    while pids := find():
        for pid in set(pids) - asked:
            with suppress(ProcessLookupError):
                os.kill(pid, stop_signal)
        asked.update(pids)
        if time.monotonic() > deadline:
            raise StartError(f"Process {min(pids)} still works on {place}: stop it.")
        time.sleep(POLL_S)


def pids_working_in(folder: Path) -> list[int]:
    """A database server stands in its data folder: that is its working directory."""
    here = _inode(folder)
    return [pid for pid in _pids() if here and _inode(Path(f"/proc/{pid}/cwd")) == here]


def _pids_marked(var: Path) -> list[int]:
    mark = f"{MARK}={var}".encode()
    return [pid for pid in _pids() if mark in _environment(pid) and pid != os.getpid()]


def _pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").glob("[0-9]*")]


def _environment(pid: int) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return []


def _inode(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _first_number(path: Path) -> int:
    try:
        return int(path.read_text().split()[0])
    except (OSError, IndexError):
        return 0
