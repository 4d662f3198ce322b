"""Tellers that are killed while they move money, on a database that crashes: nothing lost, nothing twice."""

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.chaos.eye import Eye, Watch, once
from tests.chaos.hands import Hands
from tests.chaos.report import Report
from tests.run.cluster import ROOT, Cluster

OVERDRAWN = "SELECT count(*) FROM wallet_account WHERE balance < 0 AND NOT may_go_negative"
SUMS = (
    "SELECT currency, sum(balance) FROM wallet_account GROUP BY currency HAVING sum(balance) <> 0"
)
STORED = """
    SELECT t.key, s.code, d.code, t.amount FROM wallet_transfer t
    JOIN wallet_account s ON s.id = t.source_id JOIN wallet_account d ON d.id = t.target_id
    WHERE s.code LIKE 'escrow:%' OR d.code LIKE 'escrow:%' OR s.code = 'provider:chaos'
"""
Content = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Size:
    """How much of it."""

    seconds: float
    accounts: int
    tellers: int
    crashes: int


FULL = Size(seconds=60, accounts=200, tellers=4, crashes=2)
SHORT = Size(seconds=6, accounts=30, tellers=4, crashes=1)


def run(report: Report, size: Size, cluster: Cluster) -> None:
    """One night at the bank."""
    with Hands(cluster.environment) as hands:
        people = hands.do("people", count=size.accounts, cents=10_000)
    watch = Watch(cluster.postgres.url, _look)
    with tempfile.TemporaryDirectory(prefix="nardy-bank-") as name:
        folder = Path(name)
        watch.start()
        kills = _work(report, size, cluster, folder, [one["id"] for one in people])
        watch.end()
        journals = [_read(path) for path in sorted(folder.glob("teller*"))]
    stored = _stored(cluster)
    report.figure("tellers killed", kills)
    report.must(
        "database crashes",
        len(watch.away),
        f"{size.crashes}",
        holds=len(watch.away) >= size.crashes,
    )
    report.must("reads of all balances", watch.looks, "> 0", holds=watch.looks > 0)
    report.none("reads that did not sum to zero", watch.wrong)
    _compare(report, [line for journal in journals for line in journal], stored)
    report.none("laws broken (check_ledger)", laws_broken(cluster))


def _look(eye: Eye) -> None:
    sums, overdrawn = eye.ask(SUMS), eye.ask(OVERDRAWN)[0][0]
    assert not sums, f"sums {sums}"
    assert not overdrawn, f"{overdrawn} accounts below zero"


def _work(report: Report, size: Size, cluster: Cluster, folder: Path, users: list[int]) -> int:
    plan = {"folder": str(folder), "seed": report.seed, "tellers": size.tellers, "users": users}
    (folder / "plan.json").write_text(json.dumps(plan))
    command = [sys.executable, "-m", "tests.chaos.tellers", str(folder / "plan.json")]
    quiet = {**cluster.environment, "LOG_LEVEL": "ERROR"}
    told = (folder / "told").open("w")
    bank = subprocess.Popen(
        command, cwd=ROOT, env=quiet, stdout=subprocess.PIPE, stderr=told, text=True
    )
    try:
        for crash in range(1, size.crashes + 1):
            time.sleep(size.seconds / (size.crashes + 1))
            report.progress(f"the database crashes ({crash} of {size.crashes})")
            cluster.kill("postgres")
        time.sleep(size.seconds / (size.crashes + 1))
        (folder / "over").touch()
        kills, _ = bank.communicate(timeout=60)
        return int(kills)
    finally:
        bank.kill()
        told.close()
        cluster.settle()


def _read(journal: Path) -> list[tuple[str, list[dict[str, Any]]]]:
    return [tuple(json.loads(line)) for line in journal.read_text().split("\n")[:-1]]


def _stored(cluster: Cluster) -> dict[str, list[Content]]:
    found: dict[str, list[Content]] = {}
    for key, source, target, amount in once(cluster.postgres.url, STORED):
        found.setdefault(key, []).append((source, target, amount))
    return found


def _compare(
    report: Report, lines: list[tuple[str, list[dict[str, Any]]]], stored: dict[str, list[Content]]
) -> None:
    """What was acknowledged is there once and as it was ordered; what was refused is not; nothing is there by half."""
    lost, twice, other, refused, half = [], [], [], [], []
    done = {deed[0]["key"]: deed for what, deed in lines if what == "done"}
    wanted = {deed[0]["key"]: deed for _, deed in lines}
    for deed in done.values():
        for move in deed:
            there = stored.get(move["key"], [])
            ordered = (move["source"], move["target"], move["amount"])
            lost += [] if there else [move["key"]]
            twice += [move["key"]] if len(there) > 1 else []
            other += [move["key"]] if there and there[0] != ordered else []
    for key, deed in wanted.items():
        found = sum(move["key"] in stored for move in deed)
        half += [key] if 0 < found < len(deed) else []
    for what, deed in lines:
        if what == "refused" and deed[0]["key"] not in done and deed[0]["key"] in stored:
            refused.append(deed[0]["key"])
    known = {move["key"] for deed in wanted.values() for move in deed}
    ours = [key for key in stored if key.startswith("deposit:chaos:")]
    report.figure("transfers acknowledged", sum(map(len, done.values())))
    report.figure("refused for want of money", len(wanted) - len(done))
    report.none("acknowledged and lost", lost)
    report.none("applied twice", twice)
    report.none("stored otherwise than ordered", other)
    report.none("refused and applied all the same", refused)
    report.none("applied by half", half)
    report.none("applied and ordered by nobody", [key for key in ours if key not in known])


def laws_broken(cluster: Cluster) -> list[str]:
    """What the checker finds, line by line."""
    done = subprocess.run(
        [sys.executable, "manage.py", "check_ledger"],
        cwd=ROOT, env=cluster.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode == 0 and "nothing found" in done.stdout:
        return []
    return [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
