"""How the cost of a command grows: with the tables at one process, and with the matches in the history.

    DATABASE_URL=… REDIS_URL=… python -m tests.bench.bench_growth [--quick]

Draws docs/img/growth-tables.svg and docs/img/growth-history.svg.
"""

import argparse
import os
import sys
from statistics import median
from typing import Any

import matplotlib as mpl
import psycopg

from tests.bench.report import Row, show
from tests.bench.servers import Environment, play, seats, stage
from tests.run.site import ROOT

mpl.use("svg")
from matplotlib import pyplot as plt

IMAGES = ROOT / "docs/img"
TABLES = (100, 300, 1000, 3000)
HISTORY = (10_000, 100_000, 1_000_000)
PAUSE_S = 5.0
FLAT_OUT = 100
EVENTS_EACH = 4

# Old matches as the site leaves them, made of one that it has opened: same rows, same indexes.
_OLD_MATCHES = """
INSERT INTO games_match SELECT (m).* FROM (
    SELECT m #= hstore(ARRAY['id', 'finished_at'], ARRAY[gen_random_uuid()::text, now()::text]) AS m
    FROM (SELECT m FROM games_match AS m LIMIT 1) AS pattern, generate_series(1, %s)
) AS made
"""
_OLD_EVENTS = """
INSERT INTO games_matchevent (match_id, version, kind, payload, at_ms, side, ref)
SELECT m.id, n, 'rolled', '{"side": "light", "high": 6, "low": 1, "roll_number": 1}', 0, 'light', NULL
FROM games_match AS m, generate_series(1, %s) AS n
WHERE m.finished_at IS NOT NULL AND NOT EXISTS (SELECT FROM games_matchevent AS e WHERE e.match_id = m.id)
"""
_OLD_HEADS = """
INSERT INTO games_matchhead (match_id, version, phase, position, due_ms)
SELECT m.id, %s, 'over', '', NULL FROM games_match AS m
WHERE m.finished_at IS NOT NULL AND NOT EXISTS (SELECT FROM games_matchhead AS h WHERE h.match_id = m.id)
"""


def by_tables(counts: tuple[int, ...], seconds: float) -> list[tuple[int, float, float]]:
    """(tables, p50, p99) at the pace of people."""
    found = []
    for tables in counts:
        with stage("nardysite.settings.test") as environment:
            figures = play(
                environment, "daphne", tables=tables, seconds=seconds, pause_s=PAUSE_S, spares=1
            )
        found.append((tables, figures["p50_ms"], figures["p99_ms"]))
        sys.stderr.write(f"{tables} tables: p50 {found[-1][1]:.1f} ms, p99 {found[-1][2]:.1f} ms\n")
    return found


def by_history(counts: tuple[int, ...], seconds: float, rounds: int) -> list[tuple[int, float]]:
    """(finished matches in the database, commands a second flat out)."""
    found = []
    with stage("nardysite.settings.test") as environment:
        seats(environment, "daphne", tables=1, spares=1)
        made = 0
        for matches in counts:
            _write_history(environment, matches - made)
            made = matches
            runs: list[dict[str, Any]] = [
                play(environment, "daphne", tables=FLAT_OUT, seconds=seconds, spares=2)
                for _ in range(rounds)
            ]
            found.append((matches, median(run["per_s"] for run in runs)))
            sys.stderr.write(f"{matches} matches in the history: {found[-1][1]:.0f}/s\n")
    return found


def _write_history(environment: Environment, matches: int) -> None:
    with psycopg.connect(environment["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS hstore")
        connection.execute(_OLD_MATCHES, [matches])
        connection.execute(_OLD_EVENTS, [EVENTS_EACH])
        connection.execute(_OLD_HEADS, [EVENTS_EACH])
        connection.execute("VACUUM (ANALYZE) games_match, games_matchevent, games_matchhead")


def plot(name: str, title: str, x: str, y: str, lines: dict[str, list[tuple[int, float]]]) -> None:
    """A picture in docs/img; the number of things is on a logarithmic axis."""
    figure, axes = plt.subplots(figsize=(7, 4))
    for label, points in lines.items():
        axes.plot(*zip(*points, strict=True), marker="o", label=label)
    axes.set(title=title, xlabel=x, ylabel=y, xscale="log")
    axes.set_ylim(bottom=0)
    axes.grid(visible=True, alpha=0.3)
    axes.legend()
    figure.savefig(IMAGES / name, bbox_inches="tight")


def main() -> None:
    """Prints the rows and draws the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of everything, no pictures")
    options = parser.parse_args()
    part = 10 if options.quick else 1
    seconds = 20 / part**0.5
    tables = by_tables(tuple(count // part for count in TABLES), seconds)
    history = by_history(tuple(count // part for count in HISTORY), 6, 5)
    show(
        [
            *(Row(f"a move to both players, {n} tables", p50, "ms p50") for n, p50, _ in tables),
            *(
                Row(
                    f"a move to both players, {n} tables",
                    p99,
                    "ms p99",
                    f"{tables[0][0]} tables",
                    p99 / tables[0][2],
                )
                for n, _, p99 in tables
            ),
            *(
                Row(
                    f"commands with {n:,} matches in the history",
                    per_s,
                    "1/s",
                    f"{history[0][0]:,} matches",
                    per_s / history[0][1],
                )
                for n, per_s in history
            ),
        ]
    )
    if not options.quick:
        cores = os.cpu_count()
        plot(
            "growth-tables.svg",
            f"One web process, a command each five seconds a table ({cores} cores)",
            "tables",
            "milliseconds, click to both players",
            {
                "99 of 100": [(n, p99) for n, _, p99 in tables],
                "half": [(n, p50) for n, p50, _ in tables],
            },
        )
        plot(
            "growth-history.svg",
            f"One web process, {FLAT_OUT} tables flat out ({cores} cores)",
            "finished matches in the database",
            "commands a second",
            {"accepted commands": list(history)},
        )


if __name__ == "__main__":
    main()
