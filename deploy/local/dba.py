"""A program of PostgreSQL as the superuser of the embedded server: `python -m deploy.local.dba`.

    python -m deploy.local.dba psql
    python -m deploy.local.dba pg_dump --format=custom --file=pontoon.dump

The server of a running `make run` is used; when none runs, one is started for the command.
"""

import os
import subprocess
import sys
from collections.abc import Sequence

from deploy.local.datafolder import SUPERUSER, program, socket_folder
from deploy.local.errors import StartError
from deploy.local.options import read_options
from deploy.local.secrets import load_secrets
from deploy.local.servers import DATABASE, borrowed_postgres


def main(command: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    if not command:
        sys.stderr.write(f"{__doc__}")
        return 2
    var = read_options(os.environ).var
    with borrowed_postgres(var, load_secrets(var / "secrets.env")) as server:
        environment = {
            "PGHOST": str(socket_folder(server.home)),
            "PGUSER": SUPERUSER,
            "PGPASSWORD": server.password,
            "PGDATABASE": DATABASE,
        }
        return subprocess.call(  # noqa: S603 (the DBA's own choice)
            [program(command[0]), *command[1:]], env={**os.environ, **environment}
        )


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except StartError as error:
        sys.exit(str(error))
