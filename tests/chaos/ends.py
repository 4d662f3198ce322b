"""Sockets that have to end: the session, the account or the password is gone; who reads nothing; who floods."""

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.chaos.hands import Hands
from tests.chaos.report import Report
from tests.run.cluster import Cluster

DEAD_S = 5.0
PATIENCE_S = 30
SILENT_S = 90
FLOOD = 2_000
DEEDS = ("end_session", "end_account", "change_password")


@dataclass(frozen=True, slots=True)
class Size:
    """How many people lose their session in each way, and whether a silent reader is waited for."""

    people: int
    silent: bool


FULL = Size(people=10, silent=True)
SHORT = Size(people=2, silent=False)


def run(report: Report, size: Size, cluster: Cluster) -> None:
    """Each kind of end."""
    with Hands(cluster.environment) as hands:
        asyncio.run(_all(report, size, cluster, hands))


async def _all(report: Report, size: Size, cluster: Cluster, hands: Hands) -> None:
    for deed in DEEDS:
        await _ended(report, size, cluster, hands, deed)
    match, light = await _table(hands)
    closed = await _flood(cluster, match, light["cookie"])
    report.must("who floods is let go with", closed, "4008", holds=closed == 4008)
    if size.silent:
        took = await _silent(cluster, match, light["cookie"])
        report.must(
            "who reads nothing is let go after, s",
            took and f"{took:.0f}",
            f"< {SILENT_S}",
            holds=took is not None,
        )


async def _table(hands: Hands) -> tuple[str, dict[str, Any]]:
    light, dark = await asyncio.to_thread(hands.do, "people", count=2)
    match = await asyncio.to_thread(
        hands.do, "open_table", light=light["id"], dark=dark["id"], currency="PLAY", stake=10
    )
    await asyncio.to_thread(hands.do, "start", match=match)
    return match, light


async def _ended(report: Report, size: Size, cluster: Cluster, hands: Hands, deed: str) -> None:
    """At the table, as a watcher elsewhere, and in the lobby."""
    spans: list[float] = []
    for _ in range(size.people):
        match, person = await _table(hands)
        other, _ = await _table(hands)
        paths = [f"/ws/table/{match}/", f"/ws/table/{other}/", "/ws/lobby/practice/"]
        lines = [await _open(cluster, path, person["cookie"]) for path in paths]
        waiting = [asyncio.create_task(_until_closed(line)) for line in lines]
        await asyncio.sleep(0.5)
        assert not any(task.done() for task in waiting), "closed before anything had ended"
        began = time.monotonic()
        await asyncio.to_thread(hands.do, deed, person=person)
        ends = await asyncio.gather(*waiting)
        spans += [PATIENCE_S if end is None else end - began for end in ends]
        again = await _open(cluster, paths[0], person["cookie"])
        await _require_stranger(report, again, deed)
    what = deed.replace("_", " ")
    report.must(f"{what}: sockets that stayed", sum(span >= PATIENCE_S for span in spans), "0",
                holds=all(span < PATIENCE_S for span in spans))  # fmt: skip
    report.within(f"{what}: dead after, at most, s", max(spans), DEAD_S)


async def _open(cluster: Cluster, path: str, cookie: str) -> ClientConnection:
    line = await connect(
        f"{cluster.url.replace('http', 'ws', 1)}{path}",
        origin=cluster.url,
        additional_headers={"Cookie": cookie},
        ping_interval=None,
        close_timeout=1,
    )
    first = {"cmd": "beat"} if "lobby" in path else {"v": 1, "cmd": "hello", "have": 0}
    await line.send(json.dumps(first))
    return line


async def _until_closed(line: ClientConnection) -> float | None:
    """When it was closed; None if it was not. Heartbeats go on."""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE_S):
            try:
                async for text in line:
                    frame = json.loads(text)
                    if "ask" in frame:
                        await line.send(json.dumps({"v": 1, "cmd": "beat", "ask": frame["ask"]}))
            except ConnectionClosed:
                pass
            return time.monotonic()
    return None


async def _require_stranger(report: Report, line: ClientConnection, deed: str) -> None:
    """With the old cookie one only looks on."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            await _until(line, lambda frame: frame["kind"] == "snapshot" and frame["you"] is None)
    except (TimeoutError, ConnectionClosed):
        report.must(f"{deed}: comes back as a player", "yes", "no", holds=False)
    await line.close()


async def _until(line: ClientConnection, wanted: Callable[[dict[str, Any]], bool]) -> None:
    async for text in line:
        if wanted(json.loads(text)):
            return


async def _flood(cluster: Cluster, match: str, cookie: str) -> int | None:
    """The code with which the server closes."""
    line = await _open(cluster, f"/ws/table/{match}/", cookie)
    listening = asyncio.create_task(_until_closed(line))
    with suppress(ConnectionClosed):
        for n in range(FLOOD):
            await line.send(json.dumps({"v": 1, "cmd": "roll", "id": f"flood{n:06}", "at": 1}))
    await listening
    return line.close_code


async def _silent(cluster: Cluster, match: str, cookie: str) -> float | None:
    """Seconds until the server lets go of who sends beats and reads nothing."""
    line = await _open(cluster, f"/ws/table/{match}/", cookie)
    line.transport.pause_reading()
    began = time.monotonic()
    try:
        async with asyncio.timeout(SILENT_S + PATIENCE_S):
            while not await _is_away(cluster, match):
                with suppress(ConnectionClosed, OSError):
                    await asyncio.wait_for(line.send(json.dumps({"v": 1, "cmd": "beat"})), 1)
                await asyncio.sleep(1)
    except TimeoutError:
        return None
    line.transport.abort()
    return time.monotonic() - began


async def _is_away(cluster: Cluster, match: str) -> bool:
    """Whether the server counts the player as gone, as another who looks on is told."""
    line = await _open(cluster, f"/ws/table/{match}/", "")
    try:
        async with asyncio.timeout(PATIENCE_S):
            async for text in line:
                frame = json.loads(text)
                seen = frame.get("presence") if frame["kind"] == "snapshot" else None
                if seen is not None:
                    return not seen.get("light", {"here": True})["here"]
    finally:
        await line.close()
    return False
