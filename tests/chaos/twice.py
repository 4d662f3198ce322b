"""One player in two tabs at two processes at once: of two commands one is taken, and one sent again is taken once."""

import asyncio
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from tests.chaos.bank import laws_broken
from tests.chaos.eye import once
from tests.chaos.hands import Hands
from tests.chaos.report import Report
from tests.run.cluster import Cluster

ANSWER_S = 20
PROCESSES = ("web1", "web2")
DOUBLED = """
    SELECT match_id::text || ' ' || version FROM games_matchevent GROUP BY match_id, version HAVING count(*) > 1
"""


@dataclass(frozen=True, slots=True)
class Size:
    """How many turns at how many tables."""

    tables: int
    turns: int


FULL = Size(tables=8, turns=30)
SHORT = Size(tables=2, turns=6)


def run(report: Report, size: Size, cluster: Cluster) -> None:
    """All tables, one after the other."""
    found = Findings()
    with Hands(cluster.environment) as hands:
        for number in range(1, size.tables + 1):
            light, dark = hands.do("people", count=2)
            match = hands.do(
                "open_table", light=light["id"], dark=dark["id"], currency="PLAY", stake=10
            )
            hands.do("start", match=match)
            asyncio.run(_table(cluster, match, {"light": light, "dark": dark}, size.turns, found))
            if number % 5 == 0:
                report.progress(f"{number} tables of {size.tables}")
    report.must("commands sent by two tabs at once", found.pairs, "> 0", holds=found.pairs > 0)
    report.none("both were taken", found.both)
    report.none("sent again and not answered as the first time", found.other)
    report.none("made against an old board and taken", found.stale)
    report.none("numbers written twice", [row[0] for row in once(cluster.postgres.url, DOUBLED)])
    report.none("laws broken (check_ledger)", laws_broken(cluster))


class Findings:
    """What should not have been."""

    def __init__(self) -> None:
        self.pairs = 0
        self.both: list[str] = []
        self.other: list[str] = []
        self.stale: list[str] = []


class Tab:
    """One socket at one process, past nginx."""

    def __init__(self, line: ClientConnection) -> None:
        self._line = line
        self.version = 0
        self.view: dict[str, Any] = {}

    async def send(self, frame: dict[str, Any]) -> None:
        """Any frame."""
        await self._line.send(json.dumps({"v": 1, **frame}))

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Takes in frames until one is wanted."""
        async with asyncio.timeout(ANSWER_S):
            while True:
                frame: dict[str, Any] = json.loads(await self._line.recv())
                if frame["kind"] in {"events", "snapshot"}:
                    self.version, self.view = frame["version"], frame["view"]
                if frame["kind"] == "beat" and "ask" in frame:
                    await self.send({"cmd": "beat", "ask": frame["ask"]})
                if wanted(frame):
                    return frame

    async def answer(self, frame: dict[str, Any]) -> dict[str, Any]:
        """Sends a command; what answers it."""
        await self.send(frame)
        return await self.until(lambda told: told.get("ref") == frame["id"])

    async def refresh(self) -> None:
        """Asks how things stand."""
        await self.send({"cmd": "hello", "have": 0})
        await self.until(lambda told: told["kind"] == "snapshot")


async def _table(
    cluster: Cluster, match: str, people: dict[str, Any], turns: int, found: Findings
) -> None:
    for _ in range(turns):
        # New lines each turn: a browser asks for a snapshot only now and then.
        tabs = {
            side: [await _tab(cluster, name, match, person["cookie"]) for name in PROCESSES]
            for side, person in people.items()
        }
        try:
            await tabs["light"][0].refresh()
            view = tabs["light"][0].view
            if view["phase"] not in {"to_roll", "to_move"}:
                return
            await _turn(match, tabs[view["to_act"]], found)
        finally:
            for tab in (*tabs["light"], *tabs["dark"]):
                await tab._line.close()


async def _tab(cluster: Cluster, process: str, match: str, cookie: str) -> Tab:
    place = f"http://127.0.0.1:{cluster.member(process).port}"
    line = await connect(
        f"{place.replace('http', 'ws', 1)}/ws/table/{match}/",
        origin=place,
        additional_headers={"Cookie": cookie},
        ping_interval=None,
        close_timeout=1,
    )
    return Tab(line)


async def _turn(match: str, tabs: list[Tab], found: Findings) -> None:
    for tab in tabs:
        await tab.refresh()
    at, view = tabs[0].version, tabs[0].view
    command = _command(view)
    frames = [{"id": secrets.token_hex(8), "at": at, **command} for _ in tabs]
    answers = await asyncio.gather(
        *(tab.answer(frame) for tab, frame in zip(tabs, frames, strict=True))
    )
    found.pairs += 1
    taken = [n for n, answer in enumerate(answers) if answer["kind"] == "ack"]
    if len(taken) != 1:
        found.both.append(f"{match} at {at}: {[answer.get('code', 'ack') for answer in answers]}")
        return
    (first,) = taken
    again = await tabs[1 - first].answer(frames[first])
    if (again["kind"], again["version"]) != ("ack", answers[first]["version"]):
        found.other.append(f"{match} at {at}: {again.get('code', again['version'])}")
    await _old_board(match, tabs[first], at, found)


async def _old_board(match: str, tab: Tab, at: int, found: Findings) -> None:
    """A turn that would be legal now, from somebody who has not seen the dice."""
    await tab.until(lambda frame: frame["kind"] == "events") if tab.version == at else None
    if tab.view["phase"] != "to_move" or not tab.view["turns"]:
        return
    frame = {"id": secrets.token_hex(8), "at": at, **_command(tab.view)}
    answer = await tab.answer(frame)
    if answer["kind"] == "ack":
        found.stale.append(f"{match}: made at {at}, taken at {answer['version']}")


def _command(view: dict[str, Any]) -> dict[str, Any]:
    if view["phase"] == "to_roll":
        return {"cmd": "roll"}
    steps, node, nodes = [], 0, view["turns"]["nodes"]
    while nodes[node]:
        src, dst, _die, _hit, node = nodes[node][0]
        steps.append([src, dst])
    return {"cmd": "play", "steps": steps}
