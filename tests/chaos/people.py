"""People at tables who keep a record: what they sent, when it was answered, how long they had to wait.

They play at random, think for a moment, now and then fall asleep over the board, and come back whenever the line is
lost; a command that was not answered is sent again under the same id, as the page does.
"""

import asyncio
import hashlib
import json
import random
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

PAUSE_S = 0.1
OPEN_S = 10
MS = 1000
ENDED = frozenset({"over", "void", "cancelled"})
SWITCHES = {"auto_roll": True, "auto_forced": True, "auto_bear_off": True}


@dataclass(frozen=True, slots=True)
class Done:
    """A command that was acknowledged: its id, the version it led to, when it was first sent and answered, ms."""

    match: str
    side: str
    ref: str
    version: int
    sent_ms: float
    answered_ms: float


@dataclass
class Record:
    """What all people of a run have seen."""

    done: list[Done] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    waits_s: list[float] = field(default_factory=list)
    lines: int = 0
    gaps: list[str] = field(default_factory=list)
    ended: dict[str, str] = field(default_factory=dict)

    def refuse(self, code: str) -> None:
        """One more."""
        self.refused[code] = self.refused.get(code, 0) + 1


@dataclass(frozen=True, slots=True)
class Manner:
    """How somebody plays: how long they think, how often they use up the delay, double, resign or fall asleep."""

    think_s: float = 0.2
    slow: float = 0.02
    slow_s: float = 2.0
    double: float = 0.08
    take: float = 0.6
    resign: float = 0.01
    asleep: float = 0.001


class Person:
    """One side of one match, in one tab."""

    def __init__(
        self,
        url: str,
        match: str,
        cookie: str,
        *,
        record: Record,
        chance: random.Random,
        manner: Manner | None = None,
    ) -> None:
        self.match = match
        self.side = ""
        self.version = 0
        self.phase = ""
        self.view: dict[str, Any] = {}
        self.is_asleep = False
        self.sent: list[dict[str, Any]] = []
        self.came_back_s: list[float] = []
        self._url, self._cookie = url, cookie
        self._record, self._chance = record, chance
        self._manner = manner or Manner()
        self._seed = secrets.token_bytes(32)
        self._waiting: dict[str, Any] | None = None
        self._sent_ms = 0.0
        self._lost_at: float | None = None
        self._news = asyncio.Event()
        self._acting: asyncio.Task[None] | None = None
        self._is_greeted = False

    # --- the line ---------------------------------------------------------------------------------

    async def play(self) -> None:
        """Until the match has ended, or until cancelled."""
        try:
            while self.phase not in ENDED:
                with suppress(OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
                    await self._one_line()
                if self._lost_at is None and self.phase not in ENDED:
                    self._lost_at = time.monotonic()
                await asyncio.sleep(PAUSE_S * (0.5 + self._chance.random()))
        finally:
            if self._acting is not None:
                self._acting.cancel()

    async def _one_line(self) -> None:
        place = f"{self._url.replace('http', 'ws', 1)}/ws/table/{self.match}/"
        async with connect(
            place,
            origin=self._url,
            additional_headers={"Cookie": self._cookie},
            open_timeout=OPEN_S,
            ping_interval=None,
            close_timeout=1,
            compression=None,
        ) as line:
            self._record.lines += 1
            self._is_greeted = False
            await line.send(json.dumps({"v": 1, "cmd": "hello", "have": self.version}))
            async for text in line:
                await self._hear(line, json.loads(text))
                if self.phase in ENDED:
                    return

    async def _hear(self, line: ClientConnection, frame: dict[str, Any]) -> None:
        match frame["kind"]:
            case "events" | "snapshot":
                await self._take_in(line, frame)
            case "ack":
                self._answered(frame, done=True)
            case "refused":
                self._answered(frame, done=False)
                await self._refused(line, frame)
            case "beat" if "ask" in frame:
                await line.send(json.dumps({"v": 1, "cmd": "beat", "ask": frame["ask"]}))
            case _:
                pass  # presence, chat, balances
        self._news.set()

    async def _take_in(self, line: ClientConnection, frame: dict[str, Any]) -> None:
        if frame["kind"] == "events" and self._misses(frame):
            return
        self._is_greeted = True
        self.side = frame.get("you") or self.side
        self.version = max(self.version, frame["version"])
        self.view = frame["view"]
        self.phase = self.view["phase"]
        if self.phase in ENDED:
            result = self.view.get("result") or {}
            self._record.ended[self.match] = result.get("reason", self.phase)
        if self._lost_at is not None:
            self.came_back_s.append(time.monotonic() - self._lost_at)
            self._lost_at = None
            await self._again(line)
        self._act_soon(line)

    def _misses(self, frame: dict[str, Any]) -> bool:
        """Whether events before these are missing. Until `hello` is answered that may be: the answer has them."""
        numbers = [event["n"] for event in frame["events"] if event["n"] > self.version]
        if not numbers or numbers == list(range(self.version + 1, frame["version"] + 1)):
            return False
        if self._is_greeted:
            self._record.gaps.append(f"{self.match} {self.side}: {self.version}, then {numbers}")
        return True

    async def _again(self, line: ClientConnection) -> None:
        """What was not answered before the line was lost is sent once more: the same id, the same version."""
        if self._waiting is not None:
            await line.send(json.dumps(self._waiting))

    def _answered(self, frame: dict[str, Any], *, done: bool) -> None:
        waiting = self._waiting
        if waiting is None or frame.get("ref") != waiting["id"]:
            return
        if not done and frame["code"] in {"busy", "refused", "too_fast"}:
            return  # sent again, see _refused
        self._waiting = None
        now_ms = time.time() * MS
        self._record.waits_s.append((now_ms - self._sent_ms) / MS)
        if done:
            told = Done(
                self.match, self.side, waiting["id"], frame["version"], self._sent_ms, now_ms
            )
            self._record.done.append(told)

    async def _refused(self, line: ClientConnection, frame: dict[str, Any]) -> None:
        self._record.refuse(frame["code"])
        if self._waiting is not None and frame.get("ref") == self._waiting["id"]:
            await asyncio.sleep(PAUSE_S)
            await self._again(line)
            return
        if frame["code"] == "too_fast":
            await asyncio.sleep(1)
        # What the page would do with a refusal it did not expect: ask how things stand.
        await asyncio.sleep(PAUSE_S)
        await line.send(json.dumps({"v": 1, "cmd": "hello", "have": self.version}))

    # --- the player -------------------------------------------------------------------------------

    def _act_soon(self, line: ClientConnection) -> None:
        if self._acting is not None:
            self._acting.cancel()
        self._acting = asyncio.create_task(self._act(line))

    async def _act(self, line: ClientConnection) -> None:
        if self._waiting is not None:
            return
        command = self._wish()
        if command is None:
            return
        if self.phase not in {"ready", "seeds"}:
            self.is_asleep = self.is_asleep or self._chance.random() < self._manner.asleep
            await asyncio.sleep(self._thinking_s())
            if self.is_asleep:
                return
        with suppress(ConnectionClosed):
            await self._say(line, command)

    def _thinking_s(self) -> float:
        slow = self._chance.random() < self._manner.slow
        return (
            self._manner.slow_s * self._chance.random()
            if slow
            else self._manner.think_s * 2 * self._chance.random()
        )

    def _wish(self) -> dict[str, Any] | None:
        """The command that this player would give now, None if it is not their turn."""
        view, manner, chance = self.view, self._manner, self._chance
        if self.phase in {"ready", "seeds"}:
            return self._ready()
        if view["to_act"] != self.side or self.phase == "adjudicating":
            return None
        may = view["may"]
        if "answer" in may or "take" in may:
            return self._answer(may)
        if view["resign_levels"] and chance.random() < manner.resign:
            return {"cmd": "resign", "level": chance.choice(view["resign_levels"])}
        if "double" in may and chance.random() < manner.double:
            return {"cmd": "double"}
        if "roll" in may:
            return {"cmd": "roll"}
        return {"cmd": "play", "steps": self._turn(view["turns"]["nodes"])}

    def _ready(self) -> dict[str, Any] | None:
        if self.phase == "ready":
            commit = hashlib.sha256(self._seed).hexdigest()
            is_ready = self.view["accepted"].get(self.side)
            return None if is_ready else {"cmd": "accept", "commit": commit}
        may = self.view["may"]
        return {"cmd": "reveal", "seed": self._seed.hex()} if "reveal" in may else None

    def _answer(self, may: list[str]) -> dict[str, Any]:
        if "answer" in may:
            return {"cmd": "answer", "accept": self._chance.random() < 0.8}
        return {"cmd": "take" if self._chance.random() < self._manner.take else "drop"}

    def _turn(self, nodes: list[list[list[int]]]) -> list[list[int]]:
        steps, node = [], 0
        while nodes[node]:
            src, dst, _die, _hit, node = self._chance.choice(nodes[node])
            steps.append([src, dst])
        return steps

    async def _say(self, line: ClientConnection, command: dict[str, Any]) -> None:
        self._waiting = {"v": 1, "id": secrets.token_hex(8), "at": self.version, **command}
        self._sent_ms = time.time() * MS
        self.sent.append(self._waiting)
        await line.send(json.dumps(self._waiting))

    @property
    def is_cut(self) -> bool:
        """Whether the line is lost and not yet back."""
        return self._lost_at is not None

    @property
    def waits_s(self) -> float:
        """For how long the command that waits has waited."""
        return 0.0 if self._waiting is None else time.time() - self._sent_ms / MS
