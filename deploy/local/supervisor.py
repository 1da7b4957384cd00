"""The foreground supervisor of `make run`: start in order, watch, stop in the reverse order."""

import fcntl
import http.client
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn, Protocol

from deploy.local.database import APP, OWNER, prepare_database
from deploy.local.errors import StartError, unusable
from deploy.local.leftover import MARK, stop_marked
from deploy.local.options import Options, require_free_port
from deploy.local.postgres import Postgres
from deploy.local.process import spawn
from deploy.local.programs import ROOT, Program, programs
from deploy.local.secrets import load_secrets
from deploy.local.terminal import say
from deploy.local.valkey import Valkey

DATABASE = "pontoon"
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
POLL_S = 0.1
WEB_TIMEOUT_S = 60
FALLS_MAX = 5
FALLS_WINDOW_S = 60


class StopAskedError(BaseException):
    """Ctrl-C, SIGTERM or SIGHUP: raised in the main thread, wherever it is."""


class Service(Protocol):
    """What is started, watched and stopped: a server or a program of ours."""

    name: str
    process: subprocess.Popen[bytes] | None

    def start(self) -> None: ...
    def stop(self) -> None: ...


def run(options: Options, environment: Mapping[str, str]) -> None:
    """Serve until somebody asks to stop. Raises StartError when it cannot go on."""
    started: list[Service] = []
    _listen_to_signals()
    try:
        with _locked(options.var):
            try:
                _start(options, environment, started)
                _watch(started)
            finally:
                _stop(started)
    except StopAskedError:
        say("stopped; the data stays in " + str(options.var))


def _listen_to_signals() -> None:
    """The first signal stops what is going on; a later one is told to wait for it."""

    def be_patient(*_: object) -> None:
        say("still stopping, so that nothing is lost")

    def ask(*_: object) -> NoReturn:
        for each in STOP_SIGNALS:
            signal.signal(each, be_patient)
        raise StopAskedError

    for each in STOP_SIGNALS:
        if each != signal.SIGHUP or signal.getsignal(each) != signal.SIG_IGN:  # nohup
            signal.signal(each, ask)


@contextmanager
def _locked(var: Path) -> Iterator[None]:
    """Keep a second run off the same folder; the kernel frees the lock of one that is killed."""
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
            raise StartError(
                f"Another run works on {var} (process {path.read_text() or '?'}): "
                "stop it, or choose another folder with VAR=…"
            ) from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def _start(options: Options, environment: Mapping[str, str], started: list[Service]) -> None:
    """Servers first, then the database's state, then the programs, in the order of need.

    A service is in `started` before it starts, so that one that comes half-way is stopped too.
    """
    began_at = time.monotonic()
    stop_marked(options.var)
    require_free_port(options)
    secrets = load_secrets(options.var / "secrets.env", environment)
    urls = _start_servers(options, secrets, started)
    child_environment = _environment(options, environment, secrets, urls)
    _prepare(options, child_environment, urls["DATABASE_OWNER_URL"])
    (options.var / "beat").mkdir(exist_ok=True)
    for program in programs(options, child_environment):
        started.append(program)
        program.start()
    _wait_until_web_answers(options, started)
    _show_urls(options, time.monotonic() - began_at)


def _start_servers(
    options: Options, secrets: Mapping[str, str], started: list[Service]
) -> dict[str, str]:
    """Start what is not given from outside; returns the URLs of the database and the broker."""
    urls = {
        "DATABASE_URL": options.database_url,
        "DATABASE_OWNER_URL": options.owner_url,
        "CELERY_BROKER_URL": options.broker_url,
    }
    if not options.database_url:
        urls |= _start_postgres(options.var, secrets, started)
    elif options.owner_url == options.database_url:
        say("one database role migrates and serves: the grants protect nothing (see runbook)")
    if not options.broker_url:
        valkey = Valkey(
            options.var / "valkey", options.var / "log" / "valkey.log", secrets["VALKEY_PASSWORD"]
        )
        started.append(valkey)
        valkey.start()
        urls["CELERY_BROKER_URL"] = valkey.url
    return urls


def _start_postgres(
    var: Path, secrets: Mapping[str, str], started: list[Service]
) -> dict[str, str]:
    server = Postgres(var / "postgres", var / "log" / "postgres.log", secrets["POSTGRES_PASSWORD"])
    started.append(server)
    server.start()
    owner, app = secrets["POSTGRES_OWNER_PASSWORD"], secrets["POSTGRES_APP_PASSWORD"]
    prepare_database(server, DATABASE, {OWNER: owner, APP: app})
    return {
        "DATABASE_URL": server.url(APP, app, DATABASE),
        "DATABASE_OWNER_URL": server.url(OWNER, owner, DATABASE),
    }


def _environment(
    options: Options,
    environment: Mapping[str, str],
    secrets: Mapping[str, str],
    urls: Mapping[str, str],
) -> dict[str, str]:
    """What the programs see: the application's role and keys, never the owner's or the DBA's."""
    given = {name: value for name, value in environment.items() if name not in secrets}
    given.pop("DATABASE_OWNER_URL", None)
    return given | {
        MARK: str(options.var),
        "SECRET_KEY": secrets["SECRET_KEY"],
        "SEED_KEYS": secrets["SEED_KEYS"],
        "DATABASE_URL": urls["DATABASE_URL"],
        "CELERY_BROKER_URL": urls["CELERY_BROKER_URL"],
        "STATIC_ROOT": environment.get("STATIC_ROOT") or str(options.var / "static"),
        "DJANGO_SETTINGS_MODULE": environment.get("DJANGO_SETTINGS_MODULE") or "casino.settings",
        "PYTHONUNBUFFERED": "1",
        # Celery warns at length about root; who starts this as root has chosen so.
        "PYTHONWARNINGS": "ignore::RuntimeWarning:celery.platforms",
    }


def _prepare(options: Options, environment: Mapping[str, str], owner_url: str) -> None:
    """Migrate, collect static files and seed, in a process of its own that ends."""
    demo = ["--demo"] if options.is_demo else []
    process = spawn(
        [sys.executable, "-m", "deploy.local.prepare", *demo],
        folder=ROOT,
        output=1,
        environment={**environment, "DATABASE_OWNER_URL": owner_url},
    )
    try:
        if process.wait() != 0:
            raise StartError("The database could not be made ready: the reason stands above.")
    finally:
        process.kill()


def _wait_until_web_answers(options: Options, services: Sequence[Service]) -> None:
    deadline = time.monotonic() + WEB_TIMEOUT_S
    while not _is_web_ready(options):
        for service in services:
            if service.process is None or service.process.poll() is not None:
                raise StartError(f"{service.name} ended while starting: see what it wrote above.")
        if time.monotonic() > deadline:
            raise StartError(f"The web server is not ready after {WEB_TIMEOUT_S} s.")
        time.sleep(POLL_S)


def _is_web_ready(options: Options) -> bool:
    connection = http.client.HTTPConnection(options.address.removeprefix("http://"), timeout=10)
    try:
        connection.request("GET", "/health/ready")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def _show_urls(options: Options, took_s: float) -> None:
    say(f"ready after {took_s:.1f} s; Ctrl-C stops everything and keeps the data")
    say(f"  API and its docs   {options.address}/api/v1/docs")
    say(f"  operator panel     {options.address}/panel/")
    say(f"  health             {options.address}/health/ready")


@dataclass
class _Watched:
    """One service and when it fell, for the back-off."""

    service: Service
    fallen_at: list[float] = field(default_factory=list)
    start_at: float | None = None

    def look(self, now: float) -> None:
        """Note a fall, or start again when it is time."""
        process = self.service.process
        if self.start_at is None and (process is None or process.poll() is not None):
            self._fall(now, process.returncode if process else None)
        elif self.start_at is not None and now >= self.start_at:
            self.start_at = None
            self.service.start()

    def _fall(self, now: float, code: int | None) -> None:
        recent = [at for at in self.fallen_at if now - at < FALLS_WINDOW_S]
        self.fallen_at = [*recent, now]
        falls = len(self.fallen_at)
        name = self.service.name
        if falls >= FALLS_MAX:
            raise StartError(f"{name} ended {falls} times within a minute: giving up.")
        delay_s = 2.0 ** (falls - 2)
        say(f"{name} ended ({_how(code)}); it is started again in {delay_s:g} s")
        self.start_at = now + delay_s


def _how(code: int | None) -> str:
    if code is None or code >= 0:
        return f"exit code {code}"
    return f"by {signal.Signals(-code).name}"


def _watch(services: Sequence[Service]) -> NoReturn:
    """Start again whatever ends by itself; ends by an exception only."""
    watched = [_Watched(service) for service in services]
    while True:
        for each in watched:
            each.look(time.monotonic())
        time.sleep(POLL_S)


def _stop(started: Sequence[Service]) -> None:
    """All programs are asked at once; then each is waited for, the database last."""
    for signal_number in STOP_SIGNALS:
        if callable(signal.getsignal(signal_number)):
            signal.signal(signal_number, lambda *_: say("still stopping"))
    for service in started:
        if isinstance(service, Program):
            service.ask_to_stop()
    for service in reversed(started):
        service.stop()
