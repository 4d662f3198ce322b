"""Commands a second and their latency over real WebSockets, beside the usual way of writing such a table.

    DATABASE_URL=… REDIS_URL=… python -m tests.bench.bench_live [--seconds 8] [--rounds 5] [--tables 200]

Each round starts each server anew on fresh tables and measures one after the other. Figures are medians.
"""

import argparse
import sys
from statistics import median
from typing import Any

from tests.bench.report import Row, show
from tests.bench.servers import SERVERS, USUAL, measure

PACED_PAUSE_S = 5.0
GOALS = {"daphne": 2000, "uvicorn": 4000}
GOAL_P99_MS = 50
GOAL_KIB = 150


def rows(*, tables: int, seconds: float, rounds: int) -> list[Row]:
    """Each server flat out."""
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
    usual = median(figures["per_s"] for figures in found[USUAL])
    listed: list[Row] = []
    for name, runs in found.items():
        per_s = median(run["per_s"] for run in runs)
        label = f"accepted commands, {tables} tables flat out: {name}"
        if name in GOALS:
            listed.append(Row(label, per_s, "1/s", f"goal {GOALS[name]}", per_s / GOALS[name]))
        listed.append(Row(label, per_s, "1/s", f"the usual way {usual:.0f}/s", per_s / usual))
        listed.append(Row(label, median(run["p50_ms"] or 0 for run in runs), "ms p50"))
    return listed


def paced_rows(*, tables: int, seconds: float) -> list[Row]:
    """Latency at the pace of people: a command each five seconds at a table."""
    figures = measure("daphne", tables=tables, seconds=seconds, pause_s=PACED_PAUSE_S, spares=1)
    label = f"a move to both players, {tables} tables at real pace"
    p99, kib = figures["p99_ms"], figures["kib_a_table"]
    return [
        Row(label, figures["p50_ms"], "ms p50"),
        Row(label, p99, "ms p99", f"goal {GOAL_P99_MS} ms", p99 / GOAL_P99_MS),
        Row("memory of a table, 2 sockets", kib, "KiB", f"goal {GOAL_KIB} KiB", kib / GOAL_KIB),
    ]


def main() -> None:
    """Prints the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--paced-tables", type=int, default=1000)
    options = parser.parse_args()
    show(rows(tables=options.tables, seconds=options.seconds, rounds=options.rounds))
    show(paced_rows(tables=options.paced_tables, seconds=30))


if __name__ == "__main__":
    main()
