"""What may go wrong while a server starts: one sentence a person can act on, never a traceback."""

import shutil
from pathlib import Path


class StartError(Exception):
    """Something on this machine is in the way; its text says what, and what to do about it."""


def require_room(folder: Path, needed_bytes: int) -> None:
    """Raise StartError unless the disk of the folder has that much room for us."""
    free = shutil.disk_usage(folder).free
    if free < needed_bytes:
        raise StartError(
            f"The disk of {folder} is full ({free >> 20} MB free, {needed_bytes >> 20} MB needed): "
            "make room and start again."
        )


def unusable(error: OSError, folder: Path) -> StartError:
    """Tell which file of a folder could not be used, and why."""
    return StartError(f"{folder} cannot be used: {error.strerror} ({error.filename or folder}).")
