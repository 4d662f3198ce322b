"""make chaos: every fault test in full, one after the other, each on a site of its own.

python -m tests.chaos [NAME …]          SEED=… makes the same faults again; --short: the sizes of make test
"""

import os
import secrets
import signal
import sys
from collections.abc import Callable
from types import FrameType, ModuleType
from typing import Any

from tests.chaos.report import Report, say
from tests.chaos.rows import ROWS
from tests.run.cluster import Cluster

INTERRUPTIONS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Interrupted(Exception):
    """Somebody wants us to end."""


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise _Interrupted


def main(arguments: list[str]) -> int:
    """0 if every invariant held, 1 if one was broken, 2 for a name that is no row."""
    for number in INTERRUPTIONS:
        signal.signal(number, _interrupt)
    short = "--short" in arguments
    names = [word for word in arguments if not word.startswith("-")] or list(ROWS)
    if unknown := [name for name in names if name not in ROWS]:
        say(f"There is no row {', '.join(unknown)}. There are: {', '.join(ROWS)}.")
        return 2
    seed = int(os.environ.get("SEED") or secrets.randbelow(10**6))
    reports = []
    try:
        for name in names:
            report = _one(name, seed, short=short)
            reports.append(report)
    except _Interrupted:
        say("Interrupted.")
        return 130
    broken = [f"{one.name}: {what}" for one in reports for what in one.broken]
    say("\nBROKEN: " + "; ".join(broken) if broken else "\nEvery invariant held.")
    return 1 if broken else 0


def environment_of(row: ModuleType, size: Any) -> dict[str, str]:
    """What the row's site is told otherwise than production's."""
    faults = {"CHAOS_FAULTS": size.faults} if hasattr(size, "faults") else {}
    return {**getattr(row, "ENVIRONMENT", {}), **faults}


def _one(name: str, seed: int, *, short: bool) -> Report:
    row: ModuleType = ROWS[name]
    report = Report(name, seed, is_short=short)
    size = row.SHORT if short else row.FULL
    run: Callable[[Report, Any, Cluster], None] = row.run
    with Cluster(**environment_of(row, size)) as cluster:
        run(report, size, cluster)
    say(report.table())
    return report


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
