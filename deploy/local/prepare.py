"""Bring the database and the static files up to date: what is done already is skipped.

One process for all of it, because loading Django takes longer than the work.
"""

import argparse
import hashlib
import os
import runpy
import sys
from io import StringIO
from pathlib import Path

import django
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import CommandError, call_command
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import OperationalError

from deploy.local.terminal import say

OWNER = "owner"


def main() -> None:
    """Migrate as the owner, collect static files, and seed the demo when asked to."""
    parser = argparse.ArgumentParser(prog="python -m deploy.local.prepare", description=__doc__)
    parser.add_argument("--demo", action="store_true", help="seed the demo and print its keys")
    is_demo = parser.parse_args().demo
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    django.setup()
    try:
        _migrate()
        _make_partitions()
        call_command("software_identity", because="start", stdout=StringIO())
    except OperationalError as error:
        sys.exit(f"The database does not let us in: {str(error).splitlines()[0]}")
    _collect_static_files()
    if is_demo:
        sys.argv = ["deploy.local.seed"]
        runpy.run_module("deploy.local.seed", run_name="__main__")


def _migrate() -> None:
    executor = MigrationExecutor(connections[OWNER])
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        say(f"applying {len(plan)} migrations")
        call_command("migrate", database=OWNER, interactive=False, verbosity=0)


def _make_partitions() -> None:
    """Keep the log's partitions ahead of the time; a month that cannot be had stops nobody."""
    try:
        call_command("ensure_partitions", database=OWNER, stdout=StringIO())
    except CommandError as error:
        say(str(error))


def _collect_static_files() -> None:
    """Hash and compress the files anew only when one has changed: it takes seconds."""
    stamp = Path(f"{settings.STATIC_ROOT}.stamp")
    fingerprint = _fingerprint_static_files()
    if not stamp.exists() or stamp.read_text() != fingerprint:
        call_command("collectstatic", interactive=False, verbosity=0)
        stamp.write_text(fingerprint)


def _fingerprint_static_files() -> str:
    """Name, size and time of every file, and where they go, in one hash."""
    seen = hashlib.sha256(str(settings.STATIC_ROOT).encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            seen.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return seen.hexdigest()


if __name__ == "__main__":
    main()
