"""Thousands of deadlines in a short time, a worker killed, the database crashed: each takes effect once and in time."""

import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from tests.chaos.bank import laws_broken
from tests.chaos.eye import Eye, Watch
from tests.chaos.hands import Hands
from tests.chaos.report import Report, quantile
from tests.run.cluster import Cluster

LATE_MS = 1_000
PEOPLE = 400
UNFIRED = "SELECT count(*) FROM games_matchhead WHERE due_ms IS NOT NULL"


@dataclass(frozen=True, slots=True)
class Size:
    """How many deadlines in so many seconds; `setup_ms`: how long one match takes to set up, at most."""

    spread: int
    spread_s: float
    burst: int
    burst_s: float
    people: int
    setup_ms: float


FULL = Size(spread=5_000, spread_s=30, burst=1_000, burst_s=1, people=800, setup_ms=60)
SHORT = Size(spread=60, spread_s=3, burst=30, burst_s=1, people=20, setup_ms=50)


def run(report: Report, size: Size, cluster: Cluster) -> None:
    """The long row with faults, then the burst."""
    with Hands(cluster.environment) as hands:
        users = [one["id"] for one in hands.do("people", count=size.people)]
        _wave(report, cluster, hands, users, size, "spread", faults=True)
        cluster.settle()
        _wave(report, cluster, hands, users, size, "burst", faults=False)
    report.none("laws broken (check_ledger)", laws_broken(cluster))


def _wave(  # noqa: PLR0913  each is named at every call
    report: Report,
    cluster: Cluster,
    hands: Hands,
    users: list[int],
    size: Size,
    name: str,
    *,
    faults: bool,
) -> None:
    count: int = getattr(size, name)
    seconds: float = getattr(size, f"{name}_s")
    matches, left_s = _set_up(report, hands, users, size, count=count, seconds=seconds)
    report.progress(f"{name}: {count} matches set up, the first deadline in {left_s:.0f} s")
    watch = Watch(cluster.postgres.url, _look)
    watch.start()
    time.sleep(left_s)
    if faults:
        time.sleep(seconds / 3)
        report.progress("worker1 is killed")
        cluster.kill("worker1")
        time.sleep(seconds / 3)
        report.progress("the database crashes")
        cluster.kill("postgres")
    _wait(cluster, patience_s=seconds + 120)
    watch.end()
    report.progress(f"{name}: all have fired")
    _judge(report, name, matches, hands.do("flags", matches=matches), watch)


def _set_up(
    report: Report, hands: Hands, users: list[int], size: Size, *, count: int, seconds: float
) -> tuple[list[str], float]:
    """Matches with their deadlines ahead, and the seconds until the first; again with more time on a slow machine."""
    lead_ms = 3_000 + count * size.setup_ms
    while True:
        due_in = [round(lead_ms + report.chance.uniform(0, seconds * 1000)) for _ in range(count)]
        began = time.monotonic()
        matches = hands.do("running", users=users, due_in_ms=due_in)
        left_s = lead_ms / 1000 - (time.monotonic() - began)
        if left_s > 0:
            return matches, left_s
        report.progress("setting up took longer than the first deadline: once more, with more time")
        lead_ms *= 3


def _look(eye: Eye) -> None:
    eye.ask("SELECT 1")


def _wait(cluster: Cluster, *, patience_s: float) -> None:
    eye = Eye(cluster.postgres.url)
    limit = time.monotonic() + patience_s
    while eye.one(UNFIRED):
        assert time.monotonic() < limit, "deadlines were never written"
        time.sleep(0.2)
    eye.close()


def _judge(
    report: Report, name: str, matches: list[str], flags: list[dict[str, Any]], watch: Watch
) -> None:
    times = Counter(flag["match"] for flag in flags)
    late = [flag["at"] - flag["due"] for flag in flags]
    ours = [flag["at"] - flag["due"] - watch.away_within(flag["due"], flag["at"]) for flag in flags]
    report.must(
        f"{name}: deadlines", len(flags), str(len(matches)), holds=len(flags) == len(matches)
    )
    report.none(f"{name}: never or twice", [one for one in matches if times[one] != 1])
    report.none(f"{name}: early", [flag["match"] for flag in flags if flag["at"] < flag["due"]])
    report.figure(f"{name}: late, median, ms", f"{quantile(late, 0.5):.0f}")
    report.figure(f"{name}: late, at most, ms", f"{max(late):.0f}")
    away = sum(until - begun for begun, until in watch.away)
    report.figure(f"{name}: the database was away, ms", f"{away:.0f}")
    report.within(f"{name}: late while the database was there, at most, ms", max(ours), LATE_MS)
