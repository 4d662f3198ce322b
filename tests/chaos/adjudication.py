"""Abandoned matches whose engine is killed, hangs and lies: one settlement each, or a moderator's case in time."""

import time
from collections import Counter
from dataclasses import dataclass

from tests.chaos.bank import laws_broken
from tests.chaos.eye import Eye
from tests.chaos.hands import Hands
from tests.chaos.report import Report
from tests.run.cluster import Cluster

ENVIRONMENT = {"DJANGO_SETTINGS_MODULE": "tests.chaos.settings"}
KILL_AFTER_S = (1.0, 12.0)
STAKE = 500
CASES = """
    SELECT a.match_id::text, a.done, a.with_moderators,
        (SELECT count(*) FROM games_matchevent e WHERE e.match_id = a.match_id AND e.kind = 'match_settled'),
        (SELECT count(*) FROM games_matchevent e WHERE e.match_id = a.match_id AND e.kind = 'adjudicated'),
        (SELECT min(at_ms) FROM games_matchevent e WHERE e.match_id = a.match_id AND e.kind = 'abandoned'),
        (SELECT min(at_ms) FROM games_matchevent e WHERE e.match_id = a.match_id
            AND e.kind IN ('match_settled', 'sent_to_moderators'))
    FROM games_adjudication a
"""
WAITING = "SELECT count(*) FROM games_adjudication WHERE NOT done AND NOT with_moderators"


@dataclass(frozen=True, slots=True)
class Size:
    """`faults` are those that every process has; `patience_s`: after which a person decides."""

    kills: int
    at_once: int
    faults: str
    patience_s: float


FULL = Size(kills=50, at_once=2, faults="", patience_s=120)
SHORT = Size(kills=2, at_once=1, faults="quick_verdicts", patience_s=8)


def run(report: Report, size: Size, cluster: Cluster) -> None:
    """Kills, then lies, then a hanging engine, then one that works."""
    row = Row(report, size, cluster)
    with Hands(cluster.environment) as row.hands:
        row.killed()
        row.faulty("lies")
        row.faulty("hangs")
        row.well()
    row.judge()


class Row:
    """The course of it."""

    hands: Hands

    def __init__(self, report: Report, size: Size, cluster: Cluster) -> None:
        self._report, self._size, self._cluster = report, size, cluster
        self._eye = Eye(cluster.postgres.url)
        self._engine = cluster.roles["engine"]
        self._before = {row[0] for row in self._eye.insist(CASES)}

    def killed(self) -> None:
        """The engine's processes die again and again while there is something to decide."""
        for number in range(1, self._size.kills + 1):
            self._have(self._size.at_once)
            time.sleep(self._report.chance.uniform(*KILL_AFTER_S))
            self._cluster.kill("engine")
            if number % 10 == 0:
                self._report.progress(f"killed {number} times of {self._size.kills}")
        self._report.figure("the engine was killed", self._size.kills)

    def faulty(self, fault: str) -> None:
        """The engine is started anew with a fault; matches are abandoned meanwhile, until they are decided."""
        self._start_engine(",".join(filter(None, (self._size.faults, fault))))
        self._have(self._size.at_once)
        self._wait()
        self._report.progress(f"the engine {fault}: what waited has found its end")

    def well(self) -> None:
        """An engine without a fault decides again."""
        self._start_engine(self._size.faults)
        before = self._settled()
        self._have(self._size.at_once)
        self._wait()
        settled = self._settled() - before
        self._report.must("decided by a sound engine afterwards", settled, "> 0", holds=settled > 0)

    def _start_engine(self, faults: str) -> None:
        self._engine.environment["CHAOS_FAULTS"] = faults
        self._cluster.kill("engine")
        time.sleep(2)
        self._cluster.settle()

    def _have(self, count: int) -> None:
        """So many matches that wait for a verdict."""
        while self._eye.one(WAITING) < count:
            light, dark = self.hands.do("people", count=2, cents=10_000)
            match = self.hands.do(
                "open_table", light=light["id"], dark=dark["id"], currency="USD", stake=STAKE
            )
            self.hands.do("start", match=match)
            self.hands.do("abandon", match=match)

    def _wait(self) -> None:
        limit = time.monotonic() + 2 * self._size.patience_s + 60
        while self._eye.one(WAITING):
            assert time.monotonic() < limit, "an abandoned match was forgotten"
            time.sleep(0.5)

    def _settled(self) -> int:
        return int(self._eye.one("SELECT count(*) FROM games_adjudication WHERE done"))

    def judge(self) -> None:
        """Every case has one end, in time."""
        report = self._report
        cases = [row for row in self._eye.insist(CASES) if row[0] not in self._before]
        ends = Counter("settled" if done else "with moderators" for _, done, *_ in cases)
        report.figure("abandoned matches", len(cases))
        for end, count in sorted(ends.items()):
            report.figure(f"  {end}", count)
        wrong = [
            match
            for match, done, moderators, settled, verdicts, *_ in cases
            if settled != int(done) or verdicts != int(done) or (not done and not moderators)
        ]
        report.none("settled twice, or neither settled nor with moderators", wrong)
        longest = max(((until or 10**15) - since) / 1000 for *_, since, until in cases)
        report.within("decided or handed over after, s", longest, self._size.patience_s + 1)
        report.none("laws broken (check_ledger)", laws_broken(self._cluster))
        self._eye.close()
