"""People at tables of a cluster, as plain as can be: they play the first listed turn, and come back when the line is lost."""

import asyncio
import hashlib
import json
import secrets
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.run.cluster import ROOT, Cluster

PAUSE_S = 0.1
PATIENCE_S = 60


class Seats(NamedTuple):
    """A match, and the cookie of each side's session."""

    match: str
    cookies: dict[str, str]


def seat(cluster: Cluster, tables: int) -> list[Seats]:
    """So many tables for chips, at their ready check, with new people."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.setting", str(tables), "1"],
        cwd=ROOT,
        env=cluster.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return [Seats(one["match"], one["cookies"]) for (one,) in json.loads(done.stdout)]


def line_to(cluster: Cluster, match: str, cookie: str = "", **headers: str) -> Any:
    """A socket of that table through nginx."""
    return connect(
        f"{cluster.url.replace('http', 'ws', 1)}/ws/table/{match}/",
        origin=cluster.url,
        additional_headers={"Cookie": cookie, **headers},
        open_timeout=PATIENCE_S,
    )


def server_of(line: ClientConnection) -> str:
    """The address of the process behind nginx; the last one, if others were tried first."""
    assert line.response is not None
    return line.response.headers["X-Served-By"].split(", ")[-1]


class Player:
    """One side of a match. `events` are the kinds by number, `acknowledged` the versions of its commands."""

    def __init__(self, cluster: Cluster, seats: Seats, side: str) -> None:
        self._cluster = cluster
        self._seats = seats
        self._side = side
        self._seed = secrets.token_bytes(32)
        self.version = 0
        self.events: dict[int, str] = {}
        self.acknowledged: list[int] = []
        self.servers: list[str] = []
        self.phase = ""
        self._news = asyncio.Event()

    async def play(self) -> None:
        """Until cancelled, or until the match is over."""
        while self.phase not in {"over", "void", "cancelled"}:
            with suppress(OSError, ConnectionClosed, InvalidHandshake):
                async with line_to(
                    self._cluster, self._seats.match, self._seats.cookies[self._side]
                ) as line:
                    self.servers.append(server_of(line))
                    await self._say(line, cmd="hello", have=self.version)
                    async for text in line:
                        await self._hear(line, json.loads(text))
            await asyncio.sleep(PAUSE_S)

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Waits for news until it is so."""
        async with asyncio.timeout(PATIENCE_S):
            while not is_so():
                self._news.clear()
                await self._news.wait()

    async def _hear(self, line: ClientConnection, frame: dict[str, Any]) -> None:
        match frame["kind"]:
            case "ack":
                self.acknowledged.append(frame["version"])
            case "events" | "snapshot":
                self.events.update({event["n"]: event["kind"] for event in frame["events"]})
                self.version, view = frame["version"], frame["view"]
                self.phase = view["phase"]
                await self._act(line, view)
            case "refused":
                raise ConnectionError(frame["code"])  # hangs up, and asks anew
            case _:
                pass  # presence, chat, balances
        self._news.set()

    async def _act(self, line: ClientConnection, view: dict[str, Any]) -> None:
        match view["phase"]:
            case "ready" if not view["accepted"][self._side]:
                await self._say(line, cmd="accept", commit=hashlib.sha256(self._seed).hexdigest())
            case "seeds" if "reveal" in view["may"]:
                await self._say(line, cmd="reveal", seed=self._seed.hex())
            case "to_roll" if view["to_act"] == self._side:
                await self._say(line, cmd="roll")
            case "to_move" if view["to_act"] == self._side:
                await self._say(line, cmd="play", steps=_first_turn(view["turns"]["nodes"]))
            case _:
                pass  # it is the other's turn

    async def _say(self, line: ClientConnection, **command: Any) -> None:
        frame = {"v": 1, "id": secrets.token_hex(8), "at": self.version, **command}
        await line.send(json.dumps(frame))


def _first_turn(nodes: list[list[list[int]]]) -> list[list[int]]:
    steps, node = [], 0
    while nodes[node]:
        src, dst, _die, _hit, node = nodes[node][0]
        steps.append([src, dst])
    return steps
