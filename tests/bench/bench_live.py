"""Commands a second and their latency over real WebSockets, beside the usual way of writing such a table.

    DATABASE_URL=… REDIS_URL=… python -m tests.bench.bench_live [--seconds 8] [--rounds 5] [--tables 200]

Each round starts each server anew on fresh tables and measures one after the other. Figures are medians.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from tests.run.site import ROOT, Daphne

Row = tuple[str, float, str, str, float]
SPARES = 12
PACED_PAUSE_S = 5.0
PAGE_KIB = 4


class Uvicorn(Daphne):
    """The same site under uvicorn."""

    name = "uvicorn"

    def _command(self) -> list[str]:
        place = ["--host", "127.0.0.1", "--port", str(self.port)]
        quiet = ["--log-level", "warning", "--no-access-log", "--ws", "websockets-sansio"]
        return [sys.executable, "-m", "uvicorn", *place, *quiet, "nardysite.asgi:application"]


class Plain(Daphne):
    """The usual way."""

    name = "plain"

    def _command(self) -> list[str]:
        place = ["-b", "127.0.0.1", "-p", str(self.port)]
        return [sys.executable, "-m", "daphne", *place, "tests.bench.plain.asgi:application"]


Server = Callable[[dict[str, str]], Daphne]
SERVERS: dict[str, tuple[Server, str]] = {
    "daphne": (Daphne, "nardysite.settings.test"),
    "uvicorn": (Uvicorn, "nardysite.settings.test"),
    "row a message, ORM, stock consumer": (Plain, "tests.bench.plain.settings"),
}


@contextmanager
def stage(settings: str) -> Iterator[dict[str, str]]:
    """A fresh database with the site's tables."""
    parts = urlsplit(os.environ["DATABASE_URL"])
    name = f"bench_{uuid.uuid4().hex[:8]}"
    server = urlunsplit(parts._replace(path="/postgres"))
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            environment = {
                "DJANGO_SETTINGS_MODULE": settings,
                "DATABASE_URL": urlunsplit(parts._replace(path=f"/{name}")),
                "REDIS_URL": os.environ["REDIS_URL"],
            }
            _python(environment, "manage.py", "migrate", "--run-syncdb", "--verbosity", "0")
            yield environment
        finally:
            connection.execute(
                sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
            )


def _python(environment: dict[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


def measure(
    name: str, *, tables: int, seconds: float, pause_s: float = 0.0, spares: int = SPARES
) -> dict[str, Any]:
    """One run of one server: what tests.bench.load prints, and the server's memory."""
    make, settings = SERVERS[name]
    with stage(settings) as environment:
        seats = json.loads(
            _python(environment, "-m", "tests.bench.setting", str(tables), str(spares))
        )
        server = make(environment)
        server.start()
        try:
            plan = {"port": server.port, "seconds": seconds, "pause_s": pause_s, "tables": seats}
            with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                file.write(json.dumps(plan))
                file.flush()
                before = _memory_kib(server)
                figures: dict[str, Any] = json.loads(
                    _python(environment, "-m", "tests.bench.load", file.name)
                )
            figures["kib_a_table"] = (_memory_kib(server) - before) / tables
            return figures
        finally:
            server.stop()


def _memory_kib(server: Daphne) -> int:
    assert server.process is not None
    pages = Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]
    return int(pages) * PAGE_KIB


def rows(*, tables: int, seconds: float, rounds: int) -> list[Row]:
    """The table of quality.md, as far as one process goes."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in SERVERS}
    for number in range(1, rounds + 1):
        for name in SERVERS:
            figures = measure(name, tables=tables, seconds=seconds)
            found[name].append(figures)
            sys.stderr.write(
                f"round {number} of {rounds}: {name} {figures['per_s']:.0f}/s,"
                f" p99 {figures['p99_ms'] or 0:.0f} ms, {figures['refused']} refused,"
                f" load generator {figures['busy']:.0%} busy\n"
            )
    plain = median(f["per_s"] for f in found["row a message, ORM, stock consumer"])
    goals = {"daphne": 2000, "uvicorn": 4000}
    listed: list[Row] = []
    for name, runs in found.items():
        per_s = median(run["per_s"] for run in runs)
        label = f"accepted commands, {tables} tables flat out: {name}"
        if name in goals:
            listed.append((label, per_s, "1/s", f"goal {goals[name]}", per_s / goals[name]))
        listed.append((label, per_s, "1/s", f"the usual way {plain:.0f}/s", per_s / plain))
        listed.append((label, median(run["p50_ms"] for run in runs), "ms p50", "", 0.0))
    return listed


def paced_rows(*, tables: int, seconds: float) -> list[Row]:
    """Latency at the pace of people: a command each five seconds at a table."""
    figures = measure("daphne", tables=tables, seconds=seconds, pause_s=PACED_PAUSE_S, spares=1)
    label = f"a move to both players, {tables} tables at real pace"
    return [
        (label, figures["p50_ms"], "ms p50", "", 0.0),
        (label, figures["p99_ms"], "ms p99", "goal 50 ms", figures["p99_ms"] / 50),
        ("memory of a played table, 2 sockets", figures["kib_a_table"], "KiB", "", 0.0),
    ]


def main() -> None:
    """Prints the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--paced-tables", type=int, default=1000)
    options = parser.parse_args()
    found = rows(tables=options.tables, seconds=options.seconds, rounds=options.rounds)
    found += paced_rows(tables=options.paced_tables, seconds=30)
    for label, figure, unit, beside, ratio in found:
        sys.stdout.write(f"{label:<70}{figure:>10.1f} {unit:<8}{beside:<24}{ratio or '':>6.3}\n")


if __name__ == "__main__":
    main()
