"""`manage.py` on the data of `make run`: `python -m deploy.local.manage check_ledger`.

It has the roles and keys of that run. The server of a running `make run` is used; when none
runs, one is started for the command.
"""

import os
import subprocess
import sys
from collections.abc import Sequence

from deploy.local.errors import StartError
from deploy.local.options import read_options
from deploy.local.programs import ROOT
from deploy.local.secrets import load_secrets
from deploy.local.servers import borrowed_postgres, embedded_urls


def main(arguments: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    var = read_options(os.environ).var
    secrets = load_secrets(var / "secrets.env")
    urls = embedded_urls(var, secrets)
    environment = {
        "VAR": str(var),
        "DATABASE_URL": urls.database,
        "DATABASE_OWNER_URL": urls.owner,
        "CELERY_BROKER_URL": urls.broker,
        "SECRET_KEY": secrets["SECRET_KEY"],
        "SEED_KEYS": secrets["SEED_KEYS"],
        "STAFF_KEYS": secrets["STAFF_KEYS"],
        "LOG_KEYS": secrets["LOG_KEYS"],
        "WEBHOOK_KEYS": secrets["WEBHOOK_KEYS"],
    }
    with borrowed_postgres(var, secrets):
        return subprocess.call(  # noqa: S603 (the operator's own choice)
            [sys.executable, ROOT / "manage.py", *arguments], env={**os.environ, **environment}
        )


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except StartError as error:
        sys.exit(str(error))
