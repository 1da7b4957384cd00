"""The foreground supervisor of `make run`: start in order, watch, stop in the reverse order."""

import http.client
import sys
import time
from collections.abc import Mapping, Sequence

from deploy.local.errors import StartError
from deploy.local.leftover import MARK, stop_marked
from deploy.local.lock import locked
from deploy.local.options import Options
from deploy.local.port import kept_port, require_free_port
from deploy.local.process import spawn
from deploy.local.programs import ROOT, Program, programs
from deploy.local.secrets import load_secrets
from deploy.local.servers import Urls, start_servers
from deploy.local.stopping import be_patient
from deploy.local.terminal import say
from deploy.local.watch import Service, has_ended, watch

POLL_S = 0.05
WEB_TIMEOUT_S = 60


def run(options: Options, environment: Mapping[str, str]) -> None:
    """Serve until StopAskedError. Raises StartError when it cannot go on."""
    started: list[Service] = []
    with locked(options.var), kept_port(options):
        try:
            _start(options, environment, started)
            watch(started)
        finally:
            be_patient()
            _stop(started)


def _start(options: Options, environment: Mapping[str, str], started: list[Service]) -> None:
    """Servers first, then the state of the database, then the programs.

    A service is in `started` before it starts, so that one that comes half-way is stopped too.
    """
    began_at = time.monotonic()
    stop_marked(options.var)
    require_free_port(options)
    secrets = load_secrets(options.var / "secrets.env", environment)
    urls = start_servers(options, secrets, started)
    inherited = _environment(options, environment, secrets, urls)
    _prepare(options, {**inherited, "DATABASE_OWNER_URL": urls.owner})
    (options.var / "beat").mkdir(exist_ok=True)
    require_free_port(options)  # once more: a first start takes minutes on a slow machine
    for program in programs(options, inherited):
        started.append(program)
        program.start()
        if program.name == "web":  # which answers sooner with the machine to itself
            _wait_until_web_answers(options, started)
    _show_urls(options, time.monotonic() - began_at)


def _environment(
    options: Options, environment: Mapping[str, str], secrets: Mapping[str, str], urls: Urls
) -> dict[str, str]:
    """What the programs see: the application's role and keys, never the owner's or the DBA's."""
    hidden = {*secrets, "DATABASE_OWNER_URL"}
    return {name: value for name, value in environment.items() if name not in hidden} | {
        MARK: str(options.var),
        "VAR": str(options.var),
        "SECRET_KEY": secrets["SECRET_KEY"],
        "SEED_KEYS": secrets["SEED_KEYS"],
        "STAFF_KEYS": secrets["STAFF_KEYS"],
        "LOG_KEYS": secrets["LOG_KEYS"],
        "WEBHOOK_KEYS": secrets["WEBHOOK_KEYS"],
        "DATABASE_URL": urls.database,
        "CELERY_BROKER_URL": urls.broker,
        "STATIC_ROOT": environment.get("STATIC_ROOT") or str(options.var / "static"),
        "LOBBY": environment.get("LOBBY") or ("1" if options.is_demo else ""),
        "PYTHONUNBUFFERED": "1",
        # Celery warns at length about root; who starts this as root has chosen so.
        "PYTHONWARNINGS": "ignore:You're running the worker with superuser",
    }


def _prepare(options: Options, environment: Mapping[str, str]) -> None:
    """Migrate, collect static files and seed, in a process of its own that ends."""
    demo = ["--demo"] if options.is_demo else []
    process = spawn(
        [sys.executable, "-m", "deploy.local.prepare", *demo],
        folder=ROOT,
        output=sys.stdout.fileno(),
        environment=environment,
    )
    try:
        if process.wait() != 0:
            raise StartError("The database could not be made ready: the reason stands above.")
    finally:
        process.kill()
        process.wait()


def _wait_until_web_answers(options: Options, services: Sequence[Service]) -> None:
    deadline = time.monotonic() + WEB_TIMEOUT_S
    while not _is_web_ready(options):
        for service in filter(has_ended, services):
            raise StartError(f"{service.name} ended while starting: see what it wrote above.")
        if time.monotonic() > deadline:
            raise StartError(f"The web server is not ready after {WEB_TIMEOUT_S} s.")
        time.sleep(POLL_S)


def _is_web_ready(options: Options) -> bool:
    connection = http.client.HTTPConnection(options.address.removeprefix("http://"), timeout=10)
    try:
        connection.request("GET", "/health/ready")
        return connection.getresponse().status == http.HTTPStatus.OK
    except OSError:
        return False
    finally:
        connection.close()


def _show_urls(options: Options, took_s: float) -> None:
    say(f"ready after {took_s:.1f} s; Ctrl-C stops everything and keeps the data")
    if options.is_demo:
        say(f"  lobby: play here   {options.address}/")
    say(f"  API and its docs   {options.address}/api/v1/docs")
    say(f"  operator panel     {options.address}/panel/")
    say(f"  health             {options.address}/health/ready")


def _stop(started: Sequence[Service]) -> None:
    """All programs are asked at once; then each is waited for, the database last."""
    for service in started:
        if isinstance(service, Program):
            service.ask_to_stop()
    for service in reversed(started):
        service.stop()
