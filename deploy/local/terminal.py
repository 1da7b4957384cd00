"""One terminal for many programs: whole lines, each with the name of who says it."""

import os
import subprocess
import sys
import threading
from contextlib import suppress
from typing import IO

NAME_WIDTH = 8
COLOURS = {"web": 36, "worker": 32, "beat": 35}


def say(text: str, name: str = "pontoon") -> None:
    """Write a line in one piece; a terminal that is gone stops nobody."""
    prefix = f"{name:{NAME_WIDTH}}| "
    if sys.stdout.isatty():
        prefix = f"\x1b[{COLOURS.get(name, 33)}m{prefix}\x1b[0m"
    with suppress(OSError):
        os.write(1, f"{prefix}{text}\n".encode())


def follow(process: subprocess.Popen[bytes], name: str) -> None:
    """Pass on what a process writes, line by line, until the last writer has closed."""
    if process.stdout:
        threading.Thread(target=_pass_on, args=(process.stdout, name), daemon=True).start()


def _pass_on(lines: IO[bytes], name: str) -> None:
    with lines:
        for line in lines:
            say(line.decode(errors="replace").rstrip(), name)
