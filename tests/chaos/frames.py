"""Ten thousand frames that nobody should send: no trace in the log, no change at the table, no trouble for others."""

import asyncio
import base64
import json
import os
import random
import secrets
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.chaos.eye import Eye
from tests.chaos.hands import Hands
from tests.chaos.people import Manner, Person, Record
from tests.chaos.report import Report, quantile
from tests.run.cluster import Cluster

WEB = ("web1", "web2")
PAGE_KIB = os.sysconf("SC_PAGE_SIZE") // 1024
GROWTH_MB = 64.0
P99_MS = 500.0
FRAME_LIMIT = 8 * 1024
PACE_S = 0.12
QUIET = ("player_lost", "player_returned", "credited")
"""Events that follow from who is there, whatever is sent."""
PLAYED = 8
"""Version at which the players of a table that is attacked stop to move."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much of it."""

    frames: int
    targets: int
    bystanders: int


FULL = Size(frames=10_000, targets=10, bystanders=20)
SHORT = Size(frames=400, targets=2, bystanders=2)


@dataclass
class Target:
    """A table that is attacked: its players, and who attacks it with which cookie."""

    match: str
    players: tuple[Person, Person]
    cookies: dict[str, str]

    @property
    def waiting(self) -> Person:
        """Who is not to act."""
        return next(one for one in self.players if one.side != one.view["to_act"])

    @property
    def acting(self) -> Person:
        """Who is to act, and sleeps."""
        return next(one for one in self.players if one.side == one.view["to_act"])


def run(report: Report, size: Size, cluster: Cluster) -> None:
    """The attack, beside people who play."""
    with Hands(cluster.environment) as hands:
        people = hands.do("people", count=2 * (size.targets + size.bystanders) + size.targets)
        matches = [
            hands.do("open_table", light=a["id"], dark=b["id"], currency="PLAY", stake=10)
            for a, b in _pairs(people[: 2 * (size.targets + size.bystanders)])
        ]
    attack = Attack(report, size, cluster)
    asyncio.run(attack.go(people, matches))
    attack.judge()


def _pairs(people: list[Any]) -> list[tuple[Any, Any]]:
    return [(people[n], people[n + 1]) for n in range(0, len(people), 2)]


class Attack:
    """Who is attacked, with what, and what came of it."""

    def __init__(self, report: Report, size: Size, cluster: Cluster) -> None:
        self._report, self._size, self._cluster = report, size, cluster
        self._bystanders = Record()
        self._kinds: Counter[str] = Counter()
        self._answers: Counter[str] = Counter()
        self._sent = 0
        self._eye = Eye(cluster.postgres.url)
        self._logs = {name: cluster.member(name).log.stat().st_size for name in WEB}

    async def go(self, people: list[dict[str, Any]], matches: list[str]) -> None:
        """Everybody sits down, the targets stop moving, then it begins."""
        count = self._size.targets
        pairs = _pairs(people)
        targets = [
            Target(match, self._sit(match, pair, Record(), Manner(think_s=0.02, double=0, resign=0, asleep=0)),
                   {"watcher": people[-1 - n]["cookie"], "stranger": "", "light": pair[0]["cookie"], "dark": pair[1]["cookie"]})
            for n, (match, pair) in enumerate(zip(matches[:count], pairs[:count], strict=True))
        ]  # fmt: skip
        calm = Manner(think_s=1.0, double=0, resign=0, asleep=0)
        others = [
            self._sit(match, pair, self._bystanders, calm)
            for match, pair in zip(matches[count:], pairs[count : len(matches)], strict=True)
        ]
        seated = [one for target in targets for one in target.players] + [
            p for pair in others for p in pair
        ]
        playing = [asyncio.create_task(one.play()) for one in seated]
        try:
            await self._stop_moving(targets)
            await asyncio.sleep(2)
            self._bystanders.waits_s.clear()
            self._before = {target.match: self._events(target.match) for target in targets}
            self._memory = {name: self._resident_mb(name) for name in WEB}
            self._report.progress(f"{count} tables are attacked, {len(others)} play beside them")
            await self._attack(targets)
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
        self._after = {target.match: self._events(target.match) for target in targets}

    def _sit(
        self, match: str, pair: tuple[Any, Any], record: Record, manner: Manner
    ) -> tuple[Person, Person]:
        light, dark = (
            Person(
                self._cluster.url,
                match,
                one["cookie"],
                record=record,
                chance=self._report.chance,
                manner=manner,
            )
            for one in pair
        )
        return light, dark

    async def _stop_moving(self, targets: list[Target]) -> None:
        async with asyncio.timeout(60):
            for target in targets:
                while min(one.version for one in target.players) < PLAYED:
                    await asyncio.sleep(0.05)
                for one in target.players:
                    one.is_asleep = True

    async def _attack(self, targets: list[Target]) -> None:
        share = self._size.frames // (4 * len(targets))
        jobs = []
        for target in targets:
            for who, cookie in target.cookies.items():
                chance = random.Random(f"{self._report.seed} {target.match} {who}")
                jobs.append(self._attacker(target, who, cookie, share, chance))
            jobs.append(self._garbage(target))
        await asyncio.gather(*jobs)

    async def _attacker(
        self, target: Target, who: str, cookie: str, count: int, chance: random.Random
    ) -> None:
        left = count
        while left > 0:
            with suppress(OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
                left -= await self._one_line(target, who, cookie, left, chance)
            await asyncio.sleep(PACE_S)

    async def _one_line(
        self, target: Target, who: str, cookie: str, left: int, chance: random.Random
    ) -> int:
        url = self._cluster.url
        sent = 0
        async with connect(
            f"{url.replace('http', 'ws', 1)}/ws/table/{target.match}/",
            origin=url,
            additional_headers={"Cookie": cookie} if cookie else {},
            ping_interval=None,
            close_timeout=1,
        ) as line:
            listening = asyncio.create_task(self._listen(line))
            try:
                while sent < left:
                    kind = chance.choice(KINDS)
                    frame = kind(target, who, chance)
                    sent += 1
                    self._sent += 1
                    self._kinds[kind.__name__] += 1
                    await line.send(frame)
                    await asyncio.sleep(PACE_S)
            except ConnectionClosed:
                pass
            finally:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)
        return sent

    async def _listen(self, line: Any) -> None:
        async for text in line:
            frame = json.loads(text)
            self._answers[frame.get("code", frame["kind"])] += 1
            if "ask" in frame:
                await line.send(json.dumps({"v": 1, "cmd": "beat", "ask": frame["ask"]}))

    async def _garbage(self, target: Target) -> None:
        """What is not even a WebSocket frame as it should be."""
        for head in (b"\xff" * 64, b"\x81\x05hello", b"\x83\x80\0\0\0\0", b"\x81\xfe\xff\xff\0\0\0\0" + b"\xc3" * 65535,
                     b"\x01\x80\0\0\0\0" * 500, b"\x81\xff" + b"\xff" * 8 + b"\0" * 20):  # fmt: skip
            with suppress(OSError, TimeoutError):
                await self._raw(target, head)
                self._sent += 1
                self._kinds["no frame at all"] += 1

    async def _raw(self, target: Target, data: bytes) -> None:
        host, port = self._cluster.url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write(
            f"GET /ws/table/{target.match}/ HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: {self._cluster.url}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        async with asyncio.timeout(10):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(data)
            await asyncio.sleep(1)
            writer.close()
            await writer.wait_closed()

    def _events(self, match: str) -> list[Any]:
        rows = self._eye.insist(
            "SELECT version, kind, payload::text FROM games_matchevent WHERE match_id = %s::uuid ORDER BY version",
            match,
        )
        return [row for row in rows if row[1] not in QUIET]

    def _resident_mb(self, name: str) -> float:
        process = self._cluster.member(name).process
        assert process is not None
        pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
        return pages * PAGE_KIB / 1024

    # --- what came of it --------------------------------------------------------------------------

    def judge(self) -> None:
        """The figures."""
        report = self._report
        report.must(
            "frames sent",
            self._sent,
            f">= {self._size.frames}",
            holds=self._sent >= self._size.frames,
        )
        for kind, count in sorted(self._kinds.items()):
            report.figure(f"  {kind.strip('_').replace('_', ' ')}", count)
        told = " ".join(f"{code}:{n}" for code, n in self._answers.most_common(12))
        report.figure("answers", told)
        changed = [match for match, before in self._before.items() if self._after[match] != before]
        report.none("tables that changed", changed)
        report.none("errors in the log", [line for name in WEB for line in self._errors(name)])
        grown = max(self._resident_mb(name) - self._memory[name] for name in WEB)
        report.must(
            "memory of a process grew by, MB",
            f"{grown:.1f}",
            f"< {GROWTH_MB:.0f}",
            holds=grown < GROWTH_MB,
        )
        restarted = [name for name in WEB if self._cluster.restarts[name]]
        report.none("processes that died", restarted)
        waits = self._bystanders.waits_s
        report.must("commands of bystanders", len(waits), "> 0", holds=len(waits) > 0)
        report.within("bystanders' wait, 99 %, ms", quantile(waits, 0.99) * 1000, P99_MS, digits=0)
        self._eye.close()

    def _errors(self, name: str) -> list[str]:
        with self._cluster.member(name).log.open("rb") as log:
            log.seek(self._logs[name])
            lines = log.read().decode(errors="replace").splitlines()
        return [line[:300] for line in lines if "Traceback" in line or '"level": "ERROR"' in line]


# --- what is sent -----------------------------------------------------------------------------------


def _id() -> str:
    return secrets.token_hex(8)


def malformed(target: Target, who: str, chance: random.Random) -> str | bytes:
    """No JSON, or no object, or not of this protocol."""
    return chance.choice(
        [
            "", "{", "null", "[]", "[" * 4_000, '"' + "\\u0000" * 100 + '"', "{}" * 100, "NaN", "1e999",
            '{"v":1,"cmd":"roll","id":"' + "x" * 100 + '","at":1}', '{"v":1,"cmd":"roll","at":-1,"id":"aaaaaaaa"}',
            '{"v":1,"cmd":{"a":1},"id":"aaaaaaaa"}', '{"v":2,"cmd":"roll","id":"aaaaaaaa","at":3}', '{"cmd":"roll"}',
            '{"v":1,"cmd":"play","id":"aaaaaaaa","at":9,"steps":[[1e400,2]]}', '{"v":1,"cmd":"play","id":"aaaaaaaa","at":9,"steps":[[true,false]]}',
            '{"v":1,"cmd":"hello","have":99999999999999999999}', '{"v":1,"cmd":"beat","ask":[]}', '{"v":1,"cmd":"chat","id":"aaaaaaaa","text":7}',
            json.dumps({"v": 1, "cmd": "\ud800", "id": _id()}), "".join(map(chr, chance.choices(range(1, 0xD000), k=200))),
            chance.randbytes(50).decode("latin-1"),
        ]
    )  # fmt: skip


def binary(target: Target, who: str, chance: random.Random) -> str | bytes:
    """Bytes where text is due."""
    return chance.randbytes(chance.randint(1, 2_000))


def oversize(target: Target, who: str, chance: random.Random) -> str | bytes:
    """Beyond the limit, by a byte or by far."""
    size = chance.choice([FRAME_LIMIT + 1, 20_000, 60_000, 70_000])
    frame = json.dumps({"v": 1, "cmd": "chat", "id": _id(), "text": ""})
    return frame[:-2] + "x" * (size - len(frame)) + frame[-2:]


def replayed(target: Target, who: str, chance: random.Random) -> str | bytes:
    """What a player has sent before, from whoever it may be."""
    return json.dumps(chance.choice(target.acting.sent + target.waiting.sent))


def reordered(target: Target, who: str, chance: random.Random) -> str | bytes:
    """What was sent before, under a new id: made against a board of long ago."""
    frame = chance.choice(target.acting.sent + target.waiting.sent)
    return json.dumps({**frame, "id": _id()})


def stale(target: Target, who: str, chance: random.Random) -> str | bytes:
    """What could be done now, by who has not seen the last events; or who has seen what is to come."""
    at = chance.choice([0, 1, target.acting.version - 2, target.acting.version + 1_000])
    return json.dumps(
        {
            "v": 1,
            "cmd": chance.choice(["roll", "double", "play"]),
            "id": _id(),
            "at": at,
            "steps": [[24, 23]],
        }
    )


def forged(target: Target, who: str, chance: random.Random) -> str | bytes:
    """A command that brings its own board, dice, clock or result."""
    extra: dict[str, Any] = chance.choice(
        [{"board": {"light": [15] + [0] * 25}}, {"dice": [6, 6]}, {"clock": {"deadline": 0}}, {"winner": who}, {"money": 1_000},
         {"version": 1}, {"score": {"light": 99}}]
    )  # fmt: skip
    return json.dumps({"v": 1, "cmd": "roll", "id": _id(), "at": target.acting.version, **extra})


def in_anothers_name(target: Target, who: str, chance: random.Random) -> str | bytes:
    """The turn of the one who is to act, from everybody else, with or without saying whose it is."""
    name: dict[str, Any] = chance.choice(
        [
            {},
            {"by": target.acting.side},
            {"side": target.acting.side},
            {"you": target.acting.side},
            {"user": 1},
        ]
    )
    if who == target.acting.side:  # from there it would be legal: then the other one's acts
        return json.dumps({"v": 1, "cmd": chance.choice(["take", "drop", "claim", "answer"]), "id": _id(), "at": target.acting.version,
                           "accept": True})  # fmt: skip
    command = chance.choice(
        [
            "roll",
            "double",
            "play",
            "resign",
            "take",
            "drop",
            "beaver",
            "accept",
            "reveal",
            "leave",
            "claim",
        ]
    )
    return json.dumps(
        {
            "v": 1,
            "cmd": command,
            "id": _id(),
            "at": target.acting.version,
            **_fields(command),
            **name,
        }
    )


def _fields(command: str) -> dict[str, Any]:
    fields: dict[str, dict[str, Any]] = {
        "play": {"text": "24/23"},
        "resign": {"level": 1},
        "accept": {"commit": "0" * 64},
        "reveal": {"seed": "0" * 64},
    }
    return fields.get(command, {})


KINDS: list[Callable[[Target, str, random.Random], str | bytes]] = [
    malformed, binary, oversize, replayed, reordered, stale, forged, in_anothers_name,
]  # fmt: skip
