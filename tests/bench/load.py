"""A load generator: many tables played over real WebSockets by one process with a lean client.

    python -m tests.bench.load PLAN.json      prints one JSON object

It parses only the frames of whoever must act, so that one core of load can busy one core of server.
Two sockets a table; the time of a command counts from its sending to the last of the two players' frames.
"""

import asyncio
import base64
import hashlib
import json
import os
import struct
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import orjson

SHORTEST, SHORT = 2, 126
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
SIDES = ("light", "dark")
CONNECTING_AT_ONCE = 8


class Wire(asyncio.Protocol):
    """One WebSocket, just enough of RFC 6455 for a peer that we trust."""

    def __init__(self, path: str, cookie: str, port: int, heard: Callable[[bytes], None]) -> None:
        self._request = (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nCookie: {cookie}\r\n"
            f"Origin: http://127.0.0.1:{port}\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n"
        )
        self._heard = heard
        self._buffer = bytearray()
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.is_open = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(self._request.encode())

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.open.done():
            self.open.set_exception(ConnectionError("the server closed the connection"))

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self.is_open:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if not self._buffer.startswith(b"HTTP/1.1 101"):
                self.open.set_exception(ConnectionError(bytes(self._buffer[:100]).decode()))
                return
            del self._buffer[: end + 4]
            self.is_open = True
            self.open.set_result(None)
        while self._one():
            pass

    def _one(self) -> bool:
        """Takes one whole frame out of the buffer, if it is there."""
        head = self._head()
        if head is None:
            return False
        start, size = head
        if len(self._buffer) < start + size:
            return False
        kind, payload = self._buffer[0] & 15, bytes(self._buffer[start : start + size])
        del self._buffer[: start + size]
        if kind == TEXT:
            self._heard(payload)
        elif kind == PING:
            self._frame(PONG, payload)
        return True

    def _head(self) -> tuple[int, int] | None:
        """Where the payload begins, and its size."""
        buffer = self._buffer
        if len(buffer) < SHORTEST:
            return None
        size = buffer[1]
        if size < SHORT:
            return SHORTEST, size
        form, start = ("!H", 4) if size == SHORT else ("!Q", 10)
        return (start, struct.unpack_from(form, buffer, 2)[0]) if len(buffer) >= start else None

    def say(self, frame: dict[str, Any]) -> None:
        """Sends a frame. The mask is four zero bytes, which leaves the payload as it is."""
        self._frame(TEXT, orjson.dumps(frame))

    def _frame(self, kind: int, payload: bytes) -> None:
        size = len(payload)
        if size < SHORT:
            head = struct.pack("!BB", 0x80 | kind, 0x80 | size)
        else:
            head = struct.pack("!BBH", 0x80 | kind, 0x80 | SHORT, size)
        self.transport.write(head + b"\0\0\0\0" + payload)

    def close(self) -> None:
        """Ends the connection."""
        self.transport.close()


class Table:
    """One table with both its players."""

    def __init__(self, load: "Load", match_id: str, cookies: dict[str, str]) -> None:
        self.load = load
        self.path = f"/ws/table/{match_id}/"
        self.cookies = cookies
        self.seeds = {side: os.urandom(32) for side in SIDES}
        self.wires: dict[str, Wire] = {}
        self.sent_at = 0.0
        self.awaited = 0
        self.refs = 0
        self.said: set[str] = set()
        self.plays = asyncio.Event()
        self.ended = asyncio.Event()

    async def open(self) -> None:
        """Connects both players and lets them say hello."""
        loop = asyncio.get_running_loop()
        port = self.load.port
        for side in SIDES:
            _, wire = await loop.create_connection(
                lambda side=side: Wire(  # type: ignore[misc]
                    self.path, self.cookies[side], port, lambda data: self.heard(side, data)
                ),
                "127.0.0.1",
                port,
            )
            self.wires[side] = wire
            await wire.open
            wire.say({"v": 1, "cmd": "hello", "have": 0})

    def heard(self, side: str, data: bytes) -> None:
        """A frame for one of the players."""
        if data.startswith((b'{"kind":"events"', b'{"kind":"snapshot"')):
            self._changed(side, data)
        elif data.startswith(b'{"kind":"refused"'):
            self.load.refused += 1
        elif data.startswith(b'{"kind":"beat"'):
            ask = orjson.loads(data).get("ask")
            if ask:
                self.wires[side].say({"v": 1, "cmd": "beat", "ask": ask})

    def _changed(self, side: str, data: bytes) -> None:
        if self.awaited and data.startswith(b'{"kind":"events"'):
            self.awaited -= 1
            if not self.awaited:
                self.load.took(time.perf_counter() - self.sent_at)
        own = f'"to_act":"{side}"'.encode()
        if own in data or b'"phase":"ready"' in data or b'"phase":"seeds"' in data:
            self.load.think(self, side, orjson.loads(data))
        elif b'"phase":"over"' in data or b'"phase":"void"' in data:
            self.ended.set()

    def act(self, side: str, frame: dict[str, Any]) -> None:
        """Whoever must act does the plainest thing."""
        view, version = frame["view"], frame["version"]
        match view["phase"]:
            case "ready" if not view["accepted"][side] and f"accept{side}" not in self.said:
                self.said.add(f"accept{side}")
                commit = hashlib.sha256(self.seeds[side]).hexdigest()
                self._say(side, version, cmd="accept", commit=commit)
            case "seeds" if f"reveal{side}" not in self.said:
                self.said.add(f"reveal{side}")
                self._say(side, version, cmd="reveal", seed=self.seeds[side].hex())
            case "to_roll":
                self._timed(side, version, cmd="roll")
            case "to_move":
                self._timed(side, version, cmd="play", steps=first_turn(view["turns"]["nodes"]))
            case _:
                pass

    def _timed(self, side: str, version: int, **command: Any) -> None:
        self.plays.set()
        self.sent_at, self.awaited = time.perf_counter(), len(SIDES)
        self._say(side, version, **command)

    def _say(self, side: str, version: int, **command: Any) -> None:
        self.refs += 1
        self.wires[side].say({"v": 1, "id": f"load{self.refs:06}{side}", "at": version, **command})

    def close(self) -> None:
        """Both leave."""
        for wire in self.wires.values():
            wire.close()


def first_turn(nodes: Sequence[Sequence[Sequence[int]]]) -> list[list[int]]:
    """The steps of the first turn that is listed."""
    steps, node = [], 0
    while nodes[node]:
        src, dst, _die, _hit, node = nodes[node][0]
        steps.append([src, dst])
    return steps


class Load:
    """All tables of this process. `pause_s`: how long a player thinks; 0 is flat out."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self.port: int = plan["port"]
        self.seconds: float = plan["seconds"]
        self.pause_s: float = plan["pause_s"]
        self.seats: list[list[dict[str, Any]]] = plan["tables"]
        self.refused = 0
        self.times: list[float] = []
        self.counting = False
        self.playing = 0
        self.over = False
        self.gate = asyncio.Semaphore(CONNECTING_AT_ONCE)

    def took(self, seconds: float) -> None:
        """A command reached both players."""
        if self.counting:
            self.times.append(seconds)

    def think(self, table: Table, side: str, frame: dict[str, Any]) -> None:
        """Acts at once, or after a while."""
        if self.over:
            return
        if not self.pause_s or frame["view"]["phase"] in {"ready", "seeds"}:
            table.act(side, frame)
        else:
            spread = self.pause_s * (0.5 + int.from_bytes(os.urandom(2)) / 65535)
            asyncio.get_running_loop().call_later(spread, table.act, side, frame)

    async def run(self) -> dict[str, Any]:
        """Plays; the figures."""
        drivers = [asyncio.create_task(self._drive(seats)) for seats in self.seats]
        await self._all_play(len(drivers))
        await asyncio.sleep(self.pause_s * 1.5 + 1)
        self.counting = True
        started, cpu = time.perf_counter(), time.process_time()
        await asyncio.sleep(self.seconds)
        self.counting, self.over = False, True
        took, busy = time.perf_counter() - started, time.process_time() - cpu
        for driver in drivers:
            driver.cancel()
        ends = await asyncio.gather(*drivers, return_exceptions=True)
        failures = [e for e in ends if isinstance(e, Exception)]
        if failures:
            raise failures[0]
        times = sorted(self.times)
        return {
            "commands": len(times),
            "per_s": len(times) / took,
            "p50_ms": 1e3 * times[len(times) // 2] if times else None,
            "p99_ms": 1e3 * times[len(times) * 99 // 100] if times else None,
            "refused": self.refused,
            "busy": busy / took,
        }

    async def _all_play(self, tables: int) -> None:
        """Waits until dice have been asked for at every table: what comes before is not what is measured."""
        while self.playing < tables:
            await asyncio.sleep(0.1)

    async def _drive(self, seats: list[dict[str, Any]]) -> None:
        for one in seats:
            table = Table(self, one["match"], one["cookies"])
            try:
                async with self.gate:
                    await table.open()
                await table.plays.wait()
                self.playing += one is seats[0]
                await table.ended.wait()
            finally:
                table.close()


if __name__ == "__main__":
    result = asyncio.run(Load(json.loads(Path(sys.argv[1]).read_text())).run())
    sys.stdout.write(json.dumps(result) + "\n")
