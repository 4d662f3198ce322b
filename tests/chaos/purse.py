"""Withdrawals, stakes and settlements at the same moment on one account: exactly what the balance covers."""

import json
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from typing import Any

from tests.chaos.bank import laws_broken
from tests.chaos.report import Report
from tests.run.cluster import ROOT, Cluster

GAINS = {"settle": 1, "withdraw": -1, "stake": -1}


@dataclass(frozen=True, slots=True)
class Size:
    """How much of it."""

    rounds: int
    at_once: int


FULL = Size(rounds=1_000, at_once=50)
SHORT = Size(rounds=8, at_once=50)


def run(report: Report, size: Size, cluster: Cluster) -> None:
    """All rounds, each judged by itself."""
    wrong: list[str] = []
    counted: Counter[str] = Counter()
    command = [
        sys.executable,
        "-m",
        "tests.chaos.rush",
        str(size.rounds),
        str(size.at_once),
        str(report.seed),
    ]
    environment = {**cluster.environment, "DATABASE_POOL": str(size.at_once), "LOG_LEVEL": "ERROR"}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as rush:
        assert rush.stdout is not None
        for told in map(json.loads, rush.stdout):
            wrong += judged(told)
            counted.update(
                f"{kind} {'done' if ok else 'refused'}" for kind, _, ok in told["orders"]
            )
            counted["rounds"] += 1
            if counted["rounds"] % 100 == 0:
                report.progress(f"{counted['rounds']} rounds of {size.rounds}")
    report.must("rounds", counted.pop("rounds"), str(size.rounds), holds=rush.returncode == 0)
    for what, count in sorted(counted.items()):
        report.figure(what, count)
    report.must("refused in all", counted["stake refused"] + counted["withdraw refused"], "> 0",
                holds=counted["stake refused"] + counted["withdraw refused"] > 0)  # fmt: skip
    report.none("rounds that did not add up", wrong)
    report.none("laws broken (check_ledger)", laws_broken(cluster))


def judged(told: dict[str, Any]) -> list[str]:
    """What is wrong with a round: sums, a settlement that was refused, a refusal that was not due."""
    number, after = told["number"], told["after"]
    due = told["before"] + sum(GAINS[kind] * amount for kind, amount, ok in told["orders"] if ok)
    settled = sum(amount for kind, amount, ok in told["orders"] if ok and kind == "settle")
    wrong = []
    if after != due or after < 0:
        wrong.append(f"round {number}: {after} left, {due} are due")
    for kind, amount, ok in told["orders"]:
        if not ok and kind == "settle":
            wrong.append(f"round {number}: a settlement was refused")
        # What was refused can have been covered neither then nor at the end, but for what came in since.
        elif not ok and amount <= after - settled:
            wrong.append(f"round {number}: {kind} of {amount} was refused, {after} are left")
    return wrong
