"""One run on a port at a time. A web server shares its port with any other that asks alike, so
finding it free tells nothing of a run that is half-way there: a lock does.
"""

import fcntl
import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from deploy.local.errors import StartError
from deploy.local.options import Options

READABLE = 0o644


@contextmanager
def kept_port(options: Options) -> Iterator[None]:
    """Keep every other run off the port while the block runs, whoever's. Raises StartError."""
    try:
        lock = _open(_path(options))
    except OSError as error:
        raise _not_to_be_had(options, str(error)) from error
    with os.fdopen(lock) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise _not_to_be_had(options, "another run has it") from error
        yield


def require_free_port(options: Options) -> None:
    """Raise StartError unless the web server can have its port."""
    try:
        family, kind, protocol, _, address = _resolve(options)
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise _not_to_be_had(options, str(error.strerror)) from error


def _open(path: Path) -> int:
    """Open a file that any user may have made in the common /tmp: to read is enough to lock.

    Only who makes it asks for O_CREAT, which the kernel refuses there on another user's file; and
    nobody removes it, since two could then hold two files of one name.
    """
    with suppress(FileExistsError):
        made = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDONLY, READABLE)
        os.fchmod(made, READABLE)  # whatever the umask
        return made
    return os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)


def _path(options: Options) -> Path:
    host, port = _resolve(options)[4][:2]
    return Path(tempfile.gettempdir()) / f"pontoon-{host}-{port}.lock"


def _resolve(options: Options) -> tuple[Any, ...]:
    return socket.getaddrinfo(options.host, options.port, type=socket.SOCK_STREAM)[0]


def _not_to_be_had(options: Options, why: str) -> StartError:
    return StartError(
        f"Port {options.port} of {options.host} is not to be had ({why}): "
        "stop what uses it, or choose another with PORT=… and HOST=…"
    )
