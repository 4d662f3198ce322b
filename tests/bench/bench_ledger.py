"""Transfers a second, each committed: our ledger beside a plain one with row locks and beside django-hordak.

    DATABASE_URL=… python -m tests.bench.bench_ledger [--quick]

The three take turns, at 1, 4 and 16 hands, five rounds each; medians. 1,000 players pay 1,000 pools a cent, at random.
Then our ledger alone as its history grows, with a page of a statement and a round of the checker.
Draws docs/img/growth-ledger.svg. `--quick`: a tenth of the history, one short round, no picture.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from contextlib import ExitStack
from statistics import median
from typing import Self

import psycopg

from tests.bench.bench_growth import plot
from tests.bench.ledgers.hands import HANDS
from tests.bench.report import Row, show
from tests.bench.servers import Environment, stage
from tests.run.site import ROOT

CROWDS = (1, 4, 16)
PROCESSES = 4
"""At most; more hands share a process. On two cores more processes would only wait for each other."""

HISTORY = (10_000, 100_000, 1_000_000)
NAMES = {
    "ours": "ours",
    "plain": "SELECT … FOR UPDATE, plain SQL",
    "hordak": "django-hordak",
}

# Old transfers as the ledger writes them, between its own accounts; the balances follow from them.
_OLD_TRANSFERS = """
INSERT INTO wallet_transfer (key, source_id, target_id, currency, amount, purpose, reason, created_at)
SELECT 'old:' || n, p.ids[1 + n %% 1000], q.ids[1 + (n / 7) %% 1000], 'USD', 1, 'entry', '',
    now() - n * interval '1 second'
FROM generate_series(%s + 1, %s) AS n,
    (SELECT array_agg(id ORDER BY id) AS ids FROM wallet_account WHERE kind = 'player' AND currency = 'USD') AS p,
    (SELECT array_agg(id ORDER BY id) AS ids FROM wallet_account WHERE kind = 'tournament') AS q
"""
_BALANCES = """
UPDATE wallet_account AS a SET balance = coalesce(i.sum, 0) - coalesce(o.sum, 0)
FROM wallet_account AS b
LEFT JOIN (SELECT target_id, sum(amount) FROM wallet_transfer GROUP BY 1) AS i ON i.target_id = b.id
LEFT JOIN (SELECT source_id, sum(amount) FROM wallet_transfer GROUP BY 1) AS o ON o.source_id = b.id
WHERE a.id = b.id
"""
_LOOK = """
import json, time
import django
django.setup()
from statistics import median
from django.contrib.auth import get_user_model
from wallet import reconcile, selectors
from wallet.money import Currency
def took(work, times):
    found = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return 1000 * median(found)
user = get_user_model().objects.order_by("pk").first().pk
page = took(lambda: selectors.statement(user, Currency.USD), 5)
outcomes = reconcile.run()
assert not any(one.findings for one in outcomes), outcomes
print(json.dumps([page, sum(one.took_ms for one in outcomes)]))
"""


class Crew:
    """The processes that work at one ledger, on a database of their own."""

    def __init__(self, kind: str, environment: Environment) -> None:
        self.kind = kind
        self.environment = {**os.environ, **environment}
        self.moved = 0
        self._processes: list[subprocess.Popen[str]] = []

    def __enter__(self) -> Self:
        self._processes = [self._process(number) for number in range(PROCESSES)]
        self._ask(1, "prepare")
        return self

    def __exit__(self, *exception: object) -> None:
        for process in self._processes:
            process.communicate()

    def rate(self, hands: int, seconds: float) -> float:
        """Committed transfers a second with so many hands at once."""
        processes = min(hands, PROCESSES)
        moved = sum(self._ask(processes, f"run {hands // processes} {seconds}"))
        self.moved += moved
        return moved / seconds

    def proves_itself(self, old: int = 0) -> None:
        """Every transfer that was acknowledged has arrived, and no other."""
        (total,) = self._ask(1, "total")
        assert total == self.moved + old, f"{self.kind}: {self.moved + old} moved, {total} arrived"

    def _process(self, number: int) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.bench.ledgers.worker", self.kind, str(number)],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def _ask(self, processes: int, line: str) -> list[int]:
        asked = self._processes[:processes]
        for process in asked:
            assert process.stdin is not None
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
        return [int(process.stdout.readline()) for process in asked if process.stdout is not None]


def side_by_side(rounds: int, seconds: float) -> list[Row]:
    """The three ledgers in turns."""
    found: dict[tuple[str, int], list[float]] = defaultdict(list)
    with ExitStack() as stack:
        crews = [
            stack.enter_context(Crew(kind, stack.enter_context(stage(settings))))
            for kind, (_, settings) in HANDS.items()
        ]
        for crew in crews:
            crew.rate(4, seconds)  # everything is in memory then
        for number in range(rounds):
            for hands in CROWDS:
                for crew in crews:
                    found[crew.kind, hands].append(crew.rate(hands, seconds))
            sys.stderr.write(f"round {number + 1} of {rounds}\n")
        for crew in crews:
            crew.proves_itself()
    return [_row(found, kind, hands) for hands in CROWDS for kind in NAMES]


def _row(found: dict[tuple[str, int], list[float]], kind: str, hands: int) -> Row:
    label = f"transfers a second, {hands} at once: {NAMES[kind]}"
    rate = median(found[kind, hands])
    if kind == "ours":
        return Row(label, rate, "1/s")
    ratios = [o / t for o, t in zip(found["ours", hands], found[kind, hands], strict=True)]
    return Row(label, rate, "1/s", "ours against it", median(ratios))


def by_history(counts: tuple[int, ...], rounds: int, seconds: float) -> list[tuple[int, ...]]:
    """(transfers in the ledger, transfers a second, ms for a page of a statement, ms for the checker)."""
    found: list[tuple[int, ...]] = []
    with stage(HANDS["ours"][1]) as environment, Crew("ours", environment) as ours:
        made = 0
        for count in counts:
            with psycopg.connect(environment["DATABASE_URL"], autocommit=True) as connection:
                connection.execute(_OLD_TRANSFERS, [made, count])
                connection.execute(_BALANCES)
                connection.execute("VACUUM (ANALYZE) wallet_transfer, wallet_account")
            made = count
            rate = median(ours.rate(4, seconds) for _ in range(rounds))
            done = subprocess.run(
                [sys.executable, "-c", _LOOK],
                cwd=ROOT,
                env=ours.environment,
                capture_output=True,
                text=True,
                check=True,
            )
            page, checker = json.loads(done.stdout)
            found.append((count, round(rate), round(page), round(checker)))
            sys.stderr.write(f"{count} transfers in the ledger: {rate:.0f}/s\n")
        ours.proves_itself(old=made)
    return found


def main() -> None:
    """Prints the rows and draws the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="a tenth of the history, one short round"
    )
    quick = parser.parse_args().quick
    rounds, seconds = (1, 1.0) if quick else (5, 3.0)
    counts = tuple(count // 10 for count in HISTORY) if quick else HISTORY
    show(side_by_side(rounds, seconds))
    grown = by_history(counts, rounds, seconds)
    first = grown[0]
    for count, rate, page, checker in grown:
        label = f"with {count:,} transfers in the ledger: "
        show(
            [
                Row(f"{label}transfers, 4 at once", rate, "1/s", f"{first[0]:,}", rate / first[1]),
                Row(f"{label}a page of a statement", page, "ms"),
                Row(f"{label}a round of the checker", checker, "ms"),
            ]
        )
    if not quick:
        plot(
            "growth-ledger.svg",
            f"Four at once, {os.cpu_count()} cores",
            "transfers in the ledger",
            "transfers a second",
            {"our ledger": [(count, rate) for count, rate, _, _ in grown]},
        )


if __name__ == "__main__":
    main()
