"""A server that outlived its supervisor is stopped: two on one data folder would destroy it."""

import os
import signal
import time
from pathlib import Path

from deploy.local.errors import StartError

STOP_TIMEOUT_S = 60
POLL_S = 0.02


def stop_leftover(data: Path) -> None:
    """Stop the PostgreSQL that still runs on a data folder, and wait for its last process.

    Once no process works in the folder, a `postmaster.pid` in it is stale, whoever has that
    number now, and is removed: PostgreSQL itself would believe it.
    """
    pid_file = data / "postmaster.pid"
    if not pid_file.exists() or not Path("/proc/self/cwd").exists():
        return
    deadline = time.monotonic() + STOP_TIMEOUT_S
    asked = None
    while pids := _pids_working_in(data):
        postmaster = _postmaster_pid(pid_file)
        if postmaster in pids and postmaster != asked:
            asked = postmaster
            os.kill(postmaster, signal.SIGINT)
        if time.monotonic() > deadline:
            raise StartError(f"Another PostgreSQL (process {pids[0]}) runs on {data}: stop it.")
        time.sleep(POLL_S)
    pid_file.unlink(missing_ok=True)


def _postmaster_pid(pid_file: Path) -> int:
    """The first line of the file; 0 when it is gone or not yet written."""
    try:
        return int(pid_file.read_text().split()[0])
    except (OSError, IndexError):
        return 0


def _pids_working_in(folder: Path) -> list[int]:
    """Every PostgreSQL process stands in its data folder."""
    here = _inode(folder)
    pids = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return [pid for pid in pids if here and _inode(Path(f"/proc/{pid}/cwd")) == here]


def _inode(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
