"""Whole evenings at many tables while everything that can die dies, every few seconds."""

import asyncio
from collections import Counter
from dataclasses import dataclass
from typing import Any

from tests.chaos.bank import laws_broken
from tests.chaos.eye import Eye, Watch, once
from tests.chaos.hands import Hands
from tests.chaos.people import Done, Manner, Person, Record
from tests.chaos.report import Report, quantile
from tests.run.cluster import Cluster

VICTIMS = ("web1", "web2", "worker1", "worker2", "beat1", "redis", "postgres")
FASTER = 10
CENTS = 100_000
STAKE = 100
STUCK_S = 10.0
ERROR_MS = 1_000
MS = 1000
GAME_S = 240
OVERDUE = """
    SELECT coalesce(max((extract(epoch FROM clock_timestamp()) * 1000)::bigint - due_ms), 0) FROM games_matchhead
"""
ESCROW = """
    SELECT coalesce(sum(balance), 0) FROM wallet_account WHERE kind = 'escrow' AND currency = 'USD'
"""


@dataclass(frozen=True, slots=True)
class Size:
    """How much of it."""

    tables: int
    games: int
    kill_every_s: float
    think_s: float


FULL = Size(tables=60, games=20, kill_every_s=5, think_s=0.2)
SHORT = Size(tables=4, games=1, kill_every_s=3, think_s=0.1)


def run(report: Report, size: Size, cluster: Cluster) -> None:
    """All tables, all games."""
    evening = Evening(report, size, cluster)
    with Hands(cluster.environment) as evening.hands:
        asyncio.run(evening.go())
        evening.judge()


class Evening:
    """The people, the faults, and what was seen."""

    hands: Hands

    def __init__(self, report: Report, size: Size, cluster: Cluster) -> None:
        self._report, self._size, self._cluster = report, size, cluster
        self._record = Record()
        self._sitting: set[Person] = set()
        self._kills: Counter[str] = Counter()
        self._games = 0
        self._stuck_s = 0.0
        self._overdue: list[float] = []
        self._came_back: list[float] = []
        self._watch = Watch(cluster.postgres.url, self._look, every_s=0.1)
        self._matches: list[str] = []

    def _look(self, eye: Eye) -> None:
        self._overdue.append(float(eye.ask(OVERDUE)[0][0]))

    async def go(self) -> None:
        """Until every table has played its games."""
        count = self._size.tables
        people = await asyncio.to_thread(self.hands.do, "people", count=2 * count, cents=CENTS)
        self._report.progress(f"{count} tables of {self._size.games} games each")
        self._watch.start()
        faults = asyncio.create_task(self._faults())
        watching = asyncio.create_task(self._wait_watch())
        pairs = [(people[2 * n], people[2 * n + 1]) for n in range(count)]
        try:
            await asyncio.gather(*(self._table(*pair) for pair in pairs))
        finally:
            faults.cancel()
            watching.cancel()
            await asyncio.gather(faults, watching, return_exceptions=True)
            self._watch.end()
            await asyncio.to_thread(self._cluster.settle)

    async def _table(self, light: dict[str, Any], dark: dict[str, Any]) -> None:
        for _ in range(self._size.games):
            await self._game(light, dark)
            self._games += 1
            if self._games % 50 == 0:
                total = self._size.tables * self._size.games
                self._report.progress(f"{self._games} games of {total}")

    async def _game(self, light: dict[str, Any], dark: dict[str, Any]) -> None:
        match = await asyncio.to_thread(
            self.hands.do, "open_table",
            light=light["id"], dark=dark["id"], currency="USD", stake=STAKE, faster=FASTER,
        )  # fmt: skip
        self._matches.append(match)
        manner = Manner(think_s=self._size.think_s, double=0.12, take=0.5, resign=0.02)
        sides = [
            Person(
                self._cluster.url, match, one["cookie"],
                record=self._record, chance=self._report.chance, manner=manner,
            )
            for one in (light, dark)
        ]  # fmt: skip
        self._sitting.update(sides)
        try:
            async with asyncio.timeout(GAME_S):
                await asyncio.gather(*(side.play() for side in sides))
        except TimeoutError:
            self._report.progress(
                f"{match} did not end: {sides[0].phase}, {sides[0].view.get('to_act')}"
            )
        finally:
            self._sitting.difference_update(sides)
            for side in sides:
                self._came_back += side.came_back_s

    async def _faults(self) -> None:
        """One after the other in an order of chance, so that each has its turn."""
        order: list[str] = []
        while True:
            await asyncio.sleep(self._size.kill_every_s)
            if not order:
                order = list(VICTIMS)
                self._report.chance.shuffle(order)
            victim = order.pop()
            self._kills[victim] += 1
            await asyncio.to_thread(self._cluster.kill, victim)

    async def _wait_watch(self) -> None:
        while True:
            await asyncio.sleep(0.2)
            waits = [person.waits_s for person in self._sitting]
            self._stuck_s = max([self._stuck_s, *waits])

    # --- what came of it --------------------------------------------------------------------------

    def judge(self) -> None:
        """The figures."""
        report, record = self._report, self._record
        total = self._size.tables * self._size.games
        report.figure("killed with -9", sum(self._kills.values()))
        report.figure(
            "  of these", " ".join(f"{name}:{n}" for name, n in sorted(self._kills.items()))
        )
        report.must(
            "games that ended", len(record.ended), str(total), holds=len(record.ended) == total
        )
        reasons = Counter(record.ended.values())
        report.figure("  by reason", " ".join(f"{name}:{n}" for name, n in sorted(reasons.items())))
        report.figure("commands acknowledged", len(record.done))
        report.figure(
            "refused", " ".join(f"{code}:{n}" for code, n in sorted(record.refused.items())) or "0"
        )
        report.figure("lines opened", record.lines)
        report.figure("back after a cut, 99 %, s", f"{quantile(self._came_back, 0.99):.1f}")
        stuck = max([self._stuck_s, *record.waits_s])
        report.figure("a command waited, 99 %, s", f"{quantile(record.waits_s, 0.99):.2f}")
        report.within("a command waited, at most, s", stuck, STUCK_S)
        report.none("gaps in the numbers", record.gaps)
        self._judge_time()
        self._judge_commands()
        self._judge_money()

    def _judge_time(self) -> None:
        report, watch = self._report, self._watch
        flags = self.hands.do("flags", matches=self._matches)
        late = [
            flag["at"] - flag["due"] - watch.away_within(flag["due"], flag["at"]) for flag in flags
        ]
        report.figure("flags", len(flags))
        twice = [match for match, n in Counter(flag["match"] for flag in flags).items() if n > 1]
        report.none("flagged twice", twice)
        report.figure("the database was away, s", f"{sum(b - a for a, b in watch.away) / MS:.1f}")
        report.within(
            "a flag was late while it was there, at most, ms", max(late, default=0), ERROR_MS
        )
        overdue = max(self._overdue, default=0)
        report.within("a deadline overdue, at most, s", overdue / MS, STUCK_S)

    def _judge_commands(self) -> None:
        """Acknowledged is stored, once, and at a time between the sending and the answer."""
        stored = self._stored()
        lost, twice, errors = [], [], [0.0]
        for done in self._record.done:
            there = stored.get((done.match, done.side, done.ref), [])
            lost += [] if there else [f"{done.match} {done.ref}"]
            twice += [done.ref] if len(there) > 1 else []
            errors += [_error_ms(at_ms, done) for at_ms in there]
        self._report.none("acknowledged and lost", lost)
        self._report.none("applied twice", twice)
        worst = max(errors)
        self._report.within("clock error, at most, ms", worst, ERROR_MS)

    def _stored(self) -> dict[tuple[str, str, str], list[int]]:
        found: dict[tuple[str, str, str], list[int]] = {}
        rows = once(
            self._cluster.postgres.url,
            "SELECT match_id::text, side, ref, at_ms FROM games_matchevent"
            " WHERE ref IS NOT NULL AND match_id = ANY(%s::uuid[])",
            list(set(self._matches)),
        )
        for match, side, ref, at_ms in rows:
            found.setdefault((match, side, ref), []).append(at_ms)
        return found

    def _judge_money(self) -> None:
        escrow = once(self._cluster.postgres.url, ESCROW)[0][0]
        self._report.must("cents left in escrow", escrow, "0", holds=escrow == 0)
        self._report.none("laws broken (check_ledger)", laws_broken(self._cluster))


def _error_ms(at_ms: int, done: Done) -> float:
    """How far the stored time lies outside of the span in which the command was under way."""
    return max(0.0, done.sent_ms - at_ms, at_ms - done.answered_ms)
