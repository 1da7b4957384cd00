"""One run on a folder at a time; the kernel frees the lock of one that is killed."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.local.errors import StartError, unusable


class FolderTakenError(StartError):
    """Another run works on the folder."""


@contextmanager
def locked(var: Path) -> Iterator[None]:
    """Keep every other run off the folder while the block runs. Raises FolderTakenError."""
    path = var / "lock"
    try:
        var.mkdir(parents=True, exist_ok=True)
        file = path.open("a")
    except OSError as error:
        raise unusable(error, var) from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise FolderTakenError(
                f"Another run works on {var} (process {path.read_text()}): "
                "stop it, or choose another folder with VAR=…"
            ) from error
        path.write_text(str(os.getpid()))
        yield
