"""The bank's tellers: processes that move money at random, are killed at random, and go on where they were.

    python -m tests.chaos.tellers PLAN.json          until its folder has a file named "over"

PLAN: {"folder", "seed", "tellers", "users": [ids]}. Each teller writes into its journal what it is about to do, and
that it was done (or refused) once the ledger has answered. One who follows a killed one does its unfinished
business again, under the same keys.
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any
from uuid import UUID

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardysite.settings.test")
    django.setup()

from django.db import Error, close_old_connections, transaction

from wallet import chart, ledger
from wallet.chart import AccountRef, Purpose
from wallet.errors import InsufficientFunds
from wallet.money import Currency

KILL_AFTER_S = (0.3, 0.9)
PAUSE_S = 0.05
Deed = list[dict[str, Any]]
"""Transfers that happen together, as JSON: key, purpose, source, target, amount."""


def ref(code: str) -> AccountRef:
    """The account of a code that these tellers use."""
    kind, _, name = code.partition(":")
    match kind:
        case "player":
            return chart.player(int(name))
        case "escrow":
            return chart.escrow(UUID(name))
        case "provider":
            return chart.provider(name)
        case _:
            return chart.commission()


def carry_out(deed: Deed) -> None:
    """All of it or nothing. Raises InsufficientFunds."""
    moves = [
        ledger.Move(
            key=one["key"], source=ref(one["source"]), target=ref(one["target"]),
            amount=one["amount"], purpose=Purpose(one["purpose"]), currency=Currency.USD,
        )
        for one in deed
    ]  # fmt: skip
    with transaction.atomic():
        ledger.move_many(moves)


class Customers:
    """Thinks of what people want."""

    def __init__(self, users: list[int], chance: random.Random) -> None:
        self._users = users
        self._chance = chance
        self.playing: list[tuple[str, int, int, int]] = []

    def wish(self) -> Deed:
        """A deposit, two stakes, or the end of a match that was staked for."""
        if self.playing and self._chance.random() < 0.5:
            return self._settle(*self.playing.pop())
        if self._chance.random() < 0.15:
            return self._deposit()
        return self._stake()

    def _deposit(self) -> Deed:
        user, amount = self._chance.choice(self._users), self._chance.randint(1, 500)
        key = f"deposit:chaos:{self._chance.getrandbits(64):x}"
        return [_move(key, Purpose.DEPOSIT, "provider:chaos", f"player:{user}", amount)]

    def _stake(self) -> Deed:
        light, dark = self._chance.sample(self._users, 2)
        match = str(UUID(int=self._chance.getrandbits(128), version=4))
        amount = self._chance.randint(50, 4_000)
        self.playing.append((match, light, dark, amount))
        return [
            _move(f"match:{match}:stake:{side}", Purpose.STAKE, f"player:{user}", f"escrow:{match}", amount)
            for side, user in (("light", light), ("dark", dark))
        ]  # fmt: skip

    def _settle(self, match: str, winner: int, loser: int, amount: int) -> Deed:
        fee = amount // 20
        lost = self._chance.randint(2 * fee, amount)
        parts = [
            ("prize", Purpose.PRIZE, f"player:{winner}", amount + lost - 2 * fee),
            ("commission", Purpose.COMMISSION, "commission", 2 * fee),
            ("back", Purpose.STAKE_BACK, f"player:{loser}", amount - lost),
        ]
        return [
            _move(f"match:{match}:{word}", purpose, f"escrow:{match}", target, sum_)
            for word, purpose, target, sum_ in parts
            if sum_
        ]


def _move(key: str, purpose: Purpose, source: str, target: str, amount: int) -> dict[str, Any]:
    return {
        "key": key, "purpose": purpose.value, "source": source, "target": target, "amount": amount,
    }  # fmt: skip


class Teller:
    """One window of the bank, over the lives of all who sit behind it."""

    def __init__(
        self, journal: Path, over: Path, customers: Customers, chance: random.Random
    ) -> None:
        self._journal = journal
        self._over = over
        self._customers = customers
        self._chance = chance

    def work(self) -> None:
        """First what the one before left undone, then whatever is asked."""
        self._file = os.open(self._journal, os.O_APPEND | os.O_CREAT | os.O_WRONLY)
        for deed in unfinished(self._journal):
            self._do(deed)
        while not self._over.exists():
            deed = self._customers.wish()
            self._write("wants", deed)
            self._do(deed)
            if self._chance.random() < 0.2:
                self._do(deed)  # the answer got lost, say: asked for once more

    def _do(self, deed: Deed) -> None:
        while True:
            try:
                carry_out(deed)
            except InsufficientFunds:
                self._customers.playing = [
                    one for one in self._customers.playing if one[0] not in deed[0]["key"]
                ]
                return self._write("refused", deed)
            except Error:
                close_old_connections()
                time.sleep(PAUSE_S)
            else:
                return self._write("done", deed)

    def _write(self, what: str, deed: Deed) -> None:
        os.write(self._file, (json.dumps([what, deed]) + "\n").encode())


def read(journal: Path) -> list[tuple[str, Deed]]:
    """The whole lines of a journal."""
    if not journal.exists():
        return []
    lines = journal.read_text().split("\n")[:-1]
    return [(what, deed) for what, deed in map(json.loads, lines)]


def unfinished(journal: Path) -> list[Deed]:
    """What was wanted and never answered."""
    waiting: dict[str, Deed] = {}
    for what, deed in read(journal):
        if what == "wants":
            waiting[deed[0]["key"]] = deed
        else:
            waiting.pop(deed[0]["key"], None)
    return list(waiting.values())


def fork(plan: dict[str, Any], number: int, life: int) -> int:
    """A teller in a process of its own; its process id."""
    pid = os.fork()
    if pid:
        return pid
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    folder = Path(plan["folder"])
    chance = random.Random(f"{plan['seed']} {number} {life}")
    customers = Customers(plan["users"], chance)
    try:
        Teller(folder / f"teller{number}", folder / "over", customers, chance).work()
    finally:
        os._exit(0)


def main(plan: dict[str, Any]) -> int:
    """Keeps the windows open and kills who sits there; prints how many it has killed."""
    chance = random.Random(f"{plan['seed']} kills")
    over = Path(plan["folder"]) / "over"
    lives = dict.fromkeys(range(plan["tellers"]), 0)
    pids = {number: fork(plan, number, 0) for number in lives}
    kills = 0
    while not over.exists():
        time.sleep(chance.uniform(*KILL_AFTER_S))
        number = chance.choice(sorted(pids))
        os.kill(pids[number], signal.SIGKILL)
        os.waitpid(pids[number], 0)
        kills += 1
        lives[number] += 1
        pids[number] = fork(plan, number, lives[number])
    for pid in pids.values():
        os.waitpid(pid, 0)
    sys.stdout.write(f"{kills}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(json.loads(Path(sys.argv[1]).read_text())))
