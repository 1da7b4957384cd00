"""Measure the service and the floor under it, in one run, on this machine. `make bench`.

Each figure is the median of repeats that alternate; what counts are the ratios.
"""

import hashlib
import json
import os
import statistics
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"

import django
import psutil
from django.core.management import call_command
from django.db import connections
from rich.console import Console
from rich.table import Table

django.setup()

from tests.bench import engine, floor, people, simulation, web  # noqa: E402
from tests.cluster import Cluster  # noqa: E402
from tests.conftest import point  # noqa: E402

CLIENTS = (1, 8, 32)
REPEATS = int(os.environ.get("BENCH_REPEATS", "3"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "800"))  # opened a measurement; each has a player
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}

Figures = defaultdict[tuple[str, int], list[dict[str, float]]]


def main() -> None:
    """Prepare once, measure in turns, print the table and keep the figures."""
    console = Console()
    figures: Figures = defaultdict(list)
    with Cluster(**DURABLE) as cluster:
        with console.status("seating the players"):
            template, tokens = prepare(cluster)
        for repeat in range(1, REPEATS + 1):
            with console.status(f"repeat {repeat} of {REPEATS}"):
                measure_floor(cluster, template, figures)
                measure_web(cluster, template, tokens, figures)
    simulated = simulation.measure()
    pure = {
        "engine": {"rate": engine.measure()},
        "simulation": simulated,
        "exact": simulation.measure_exact(simulated["rate"]),
    }
    report(console, figures, pure)


def prepare(cluster: Cluster) -> tuple[str, list[str]]:
    """Migrate a template and seat a player for every round of a repeat; return his token too."""
    tokens: list[str] = []

    def fill(name: str) -> None:
        point("owner", cluster.owner_url(name))
        point("default", cluster.app_url(name))
        call_command("migrate", database="owner", verbosity=0)
        tokens.extend(people.seat(ROUNDS * len(CLIENTS)))
        hashes = [hashlib.sha256(token.encode()).digest() for token in tokens]
        floor.prepare(cluster.superuser_url(name), hashes)
        connections.close_all()

    return cluster.create_template("pontoon_bench", fill), tokens


def measure_floor(cluster: Cluster, template: str, figures: Figures) -> None:
    """Commit prepared acts by pgbench."""
    name = cluster.clone(template)
    for client_count in CLIENTS:
        rate = floor.measure(cluster.app_url(name), client_count, ROUNDS)
        figures["floor", client_count].append({"rate": rate})
    cluster.drop(name)


def measure_web(cluster: Cluster, template: str, tokens: list[str], figures: Figures) -> None:
    """Ask for nothing, open a round for every player, and act on those that are not over."""
    name = cluster.clone(template)
    with web.serving(cluster.app_url(name)) as server:
        for turn, client_count in enumerate(CLIENTS):
            mine = tokens[turn * ROUNDS : (turn + 1) * ROUNDS]
            nothing = [["GET", "/health/live", token, None] for token in mine]
            bets = [["POST", "/api/v1/rounds", token, people.BET] for token in mine]
            figures["nothing", client_count].append(run(cluster, server, client_count, nothing)[0])
            opened, rounds = run(cluster, server, client_count, bets)
            figures["open", client_count].append(opened)
            acts = [
                ["POST", f"/api/v1/rounds/{round_['round_id']}/actions", token, people.HIT]
                for token, round_ in zip(mine, rounds, strict=True)
                if round_["state"] == "open"
            ]
            figures["act", client_count].append(run(cluster, server, client_count, acts)[0])
    cluster.drop(name)


def run(
    cluster: Cluster, server: web.Web, client_count: int, requests: list[Any]
) -> tuple[dict[str, float], list[Any]]:
    """Send requests; return rate, latencies and processor time a request, and the answers."""
    database = psutil.Process(cluster.server.process.pid)
    before = web.cpu_s(server.process), web.cpu_s(database)
    told = server.send(client_count, requests)
    after = web.cpu_s(server.process), web.cpu_s(database)
    if bad := [status for status in told["statuses"] if status not in {200, 201}]:
        raise RuntimeError(f"{len(bad)} requests failed, with {set(bad)}: {told['bodies'][0]}")
    latencies = sorted(told["latencies_s"])
    count = len(requests)
    figures = {
        "rate": count / told["seconds"],
        "p50_ms": latencies[count // 2] * 1000,
        "p99_ms": latencies[count * 99 // 100] * 1000,
        "web_ms": (after[0] - before[0]) / count * 1000,
        "postgres_ms": (after[1] - before[1]) / count * 1000,
        "load_ms": told["cpu_s"] / count * 1000,
    }
    return figures, [json.loads(body) for body in told["bodies"]]


NAMES = {
    "floor": "floor: pgbench, the same commit",
    "nothing": "HTTP, a request that does nothing",
    "open": "HTTP, rounds opened",
    "act": "HTTP, actions",
}
COLUMNS = ("rate", "p50_ms", "p99_ms", "web_ms", "postgres_ms", "load_ms")


def report(console: Console, figures: Figures, pure: dict[str, dict[str, float]]) -> None:
    """Print medians and their ratio to the floor, and write them to build/bench.json."""
    table = Table(title=f"medians of {REPEATS} repeats, {os.cpu_count()} cores for all of it")
    for column in ("", "clients", "a second", "of floor", *COLUMNS[1:]):
        table.add_column(column, justify="left" if not column else "right")
    medians: dict[str, dict[str, float]] = {}
    for kind, name in NAMES.items():
        for client_count in CLIENTS:
            rows = figures[kind, client_count]
            row = {key: statistics.median(one[key] for one in rows) for key in rows[0]}
            row["of_floor"] = row["rate"] / medians.get(f"floor/{client_count}", row)["rate"]
            medians[f"{kind}/{client_count}"] = row
            cells = [f"{row[key]:.2f}" if key in row else "" for key in COLUMNS[1:]]
            table.add_row(
                name, str(client_count), f"{row['rate']:,.0f}", f"{row['of_floor']:.3f}", *cells
            )
    console.print(table)
    console.print("p50, p99: latency; web, postgres, load: processor time a request (ms).")
    console.print(f"engine: {pure['engine']['rate']:,.0f} rounds a second on one core")
    console.print(simulation.format_rates(pure["simulation"]))
    console.print(simulation.format_exact(pure["exact"]))
    Path("build").mkdir(exist_ok=True)
    Path("build/bench.json").write_text(json.dumps(medians | pure, indent=2))


if __name__ == "__main__":
    sys.exit(main())
