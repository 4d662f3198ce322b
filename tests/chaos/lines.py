"""Lines that are cut: two tabs, a browser asleep, Redis restarted and emptied, a release, a storm of reconnects."""

import asyncio
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tests.chaos.bank import laws_broken
from tests.chaos.eye import once
from tests.chaos.hands import Hands
from tests.chaos.people import Manner, Person, Record
from tests.chaos.report import Report, quantile
from tests.run.cluster import Cluster

BACK_S = 3.0
PATIENCE_S = 60
LINES_EACH = 10
AN_HOUR_MS = 3_600_000
LOST = "SELECT count(*) FROM games_matchevent WHERE kind IN ('abandoned', 'time_expired') AND match_id = ANY(%s::uuid[])"


@dataclass(frozen=True, slots=True)
class Size:
    """`storm`: sockets that come back at the same moment; `sleep_s`: how long a browser hears and says nothing."""

    tables: int
    storm: int
    sleep_s: float


FULL = Size(tables=10, storm=1_000, sleep_s=25)
SHORT = Size(tables=2, storm=60, sleep_s=3)


def run(report: Report, size: Size, cluster: Cluster) -> None:
    """Everything in turn, while the same people play."""
    with Hands(cluster.environment) as hands:
        people = hands.do("people", count=2 * size.tables)
        crowd = hands.do("people", count=size.storm // LINES_EACH + 2)
        matches = [
            hands.do("open_table", light=people[n]["id"], dark=people[n + 1]["id"], currency="PLAY", stake=10)
            for n in range(0, len(people), 2)
        ]  # fmt: skip
        quiet = hands.do(
            "running", users=[one["id"] for one in crowd[:2]], due_in_ms=[AN_HOUR_MS] * size.tables
        )
    row = Row(report, size, cluster, matches, people)
    row.crowd, row.quiet = [one["cookie"] for one in crowd], quiet
    asyncio.run(row.go())
    row.judge()


class Row:
    """The people, and what is done to their lines. `crowd`: cookies of those who only look on, at `quiet` tables."""

    crowd: list[str]
    quiet: list[str]

    def __init__(
        self, report: Report, size: Size, cluster: Cluster, matches: list[str], people: list[Any]
    ) -> None:
        self._report, self._size, self._cluster = report, size, cluster
        self._matches = matches
        self._record = Record()
        slow = Manner(think_s=0.5, double=0, resign=0, asleep=0)
        seats = [(matches[n // 2], one["cookie"]) for n, one in enumerate(people)]
        # Each in two tabs, which both play: whoever is first has moved.
        self._tabs = [self._tab(match, cookie, slow) for match, cookie in seats for _ in range(2)]
        self._seats = seats

    def _tab(self, match: str, cookie: str, manner: Manner) -> Person:
        return Person(
            self._cluster.url,
            match,
            cookie,
            record=self._record,
            chance=self._report.chance,
            manner=manner,
        )

    async def go(self) -> None:
        """One thing after the other."""
        playing = [asyncio.create_task(tab.play()) for tab in self._tabs]
        try:
            await self._moves("two tabs of each player", lambda: None)
            await self._sleep()
            await self._moves("Redis was killed", lambda: self._cluster.kill("redis"))
            await asyncio.to_thread(self._cluster.settle)
            await self._moves("Redis was emptied", self._flush)
            await self._moves("a release: one process after the other", self._release)
            await self._storm()
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)

    async def _moves(self, what: str, deed: Callable[[], object]) -> None:
        """After the deed every table that still plays moves on, and is back soon."""
        for tab in self._tabs:
            tab.came_back_s.clear()
        before = {tab: tab.version for tab in self._tabs}
        began = time.monotonic()
        await asyncio.to_thread(deed)
        async with asyncio.timeout(PATIENCE_S):
            while not all(self._has_moved(tab, before[tab]) for tab in self._tabs):
                await asyncio.sleep(0.05)
        self._report.progress(what)
        self._report.figure(
            f"{what}: all tables have moved on after, s", f"{time.monotonic() - began:.1f}"
        )
        back = [span for tab in self._tabs for span in tab.came_back_s]
        if back:
            self._report.within(f"{what}: back, at most, s", max(back), BACK_S)

    @staticmethod
    def _has_moved(tab: Person, version: int) -> bool:
        return tab.version > version or tab.phase in {"over", "void", "cancelled"}

    def _flush(self) -> None:
        with socket.create_connection(("127.0.0.1", self._cluster.redis.port)) as line:
            line.sendall(b"FLUSHALL\r\n")
            assert line.recv(64).startswith(b"+OK")

    def _release(self) -> None:
        for name in ("web1", "web2"):
            self._cluster.restart(name)
            time.sleep(2)
            self._cluster.settle()

    async def _sleep(self) -> None:
        """Both tabs of one player hear and say nothing, as a laptop with its lid shut; then they are back at once."""
        match, cookie = self._seats[0]
        quiet = self._tab(match, cookie, Manner(asleep=1))
        task = asyncio.create_task(quiet.play())
        async with asyncio.timeout(PATIENCE_S):
            while not quiet.version:
                await asyncio.sleep(0.05)
        task.cancel()  # without a goodbye that anybody would act on
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.sleep(self._size.sleep_s)
        back = self._tab(match, cookie, Manner(asleep=1))
        back.version = quiet.version
        began = time.monotonic()
        task = asyncio.create_task(back.play())
        async with asyncio.timeout(PATIENCE_S):
            while not back.phase:
                await asyncio.sleep(0.02)
        self._report.within("back from sleep, s", time.monotonic() - began, BACK_S)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async def _storm(self) -> None:
        """So many at once, after the process that had them is gone."""
        crowd = []
        for n in range(self._size.storm):
            match = self.quiet[n % len(self.quiet)]
            cookie = self.crowd[n % len(self.crowd)]
            crowd.append(self._tab(match, cookie, Manner(asleep=1)))
        tasks = [asyncio.create_task(one.play()) for one in crowd]
        try:
            async with asyncio.timeout(4 * PATIENCE_S):
                while not all(one.version for one in crowd):
                    await asyncio.sleep(0.1)
            self._report.progress(
                f"{len(crowd)} lines are open; one process is killed, then the other"
            )
            for one in crowd:
                one.came_back_s.clear()
            for name in ("web1", "web2"):
                await asyncio.to_thread(self._cluster.kill, name)
                await asyncio.sleep(1)
                await asyncio.to_thread(self._cluster.settle)
                async with asyncio.timeout(2 * PATIENCE_S):
                    while any(one.is_cut for one in crowd):
                        await asyncio.sleep(0.05)
            back = [span for one in crowd for span in one.came_back_s]
            self._report.figure("storm: lines that came back", len(back))
            self._report.figure("storm: back, median, s", f"{quantile(back, 0.5):.1f}")
            self._report.figure(
                "storm: back, 99 %, s", f"{quantile(back, 0.99):.1f}", f"at most {BACK_S:g}"
            )
        finally:
            for task in tasks:
                task.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.gather(*tasks, return_exceptions=True)

    def judge(self) -> None:
        """Nobody has lost a seat or time."""
        report = self._report
        lost = once(self._cluster.postgres.url, LOST, self._matches)[0][0]
        report.must("games lost by time or by leaving", lost, "0", holds=lost == 0)
        report.none("gaps in the numbers", self._record.gaps)
        report.figure("commands acknowledged", len(self._record.done))
        report.figure(
            "refused", " ".join(f"{c}:{n}" for c, n in sorted(self._record.refused.items())) or "0"
        )
        report.none("laws broken (check_ledger)", laws_broken(self._cluster))
