"""People in the lobby, as one process with a lean client: each answers beats and asks about every new table it is shown.

    python -m tests.bench.lobby_guests PLAN.json      {"port", "cookies", "ready": path, "seconds"}; prints JSON

`seen`: when each new table had reached the first and the last of them; `lists`: the most list frames that one got in a second.
"""

import asyncio
import json
import re
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.bench.load import Wire

PATH = "/ws/lobby/practice/?lang=en"
AT_ONCE = 16
NEW = re.compile(rb'"id":"([0-9a-f-]{36})"')
CHANGES = b'{"kind":"changes"'


class Guest:
    """One tab."""

    def __init__(self, party: "Party", cookie: str) -> None:
        self.party = party
        self.wire = Wire(PATH, cookie, party.port, self.heard)
        self.lists: Counter[int] = Counter()
        self.bytes = 0

    def heard(self, payload: bytes) -> None:
        """Answers a beat; notes a list and asks about what is new in it."""
        self.bytes += len(payload)
        if payload.startswith(b'{"kind":"beat"'):
            self.wire.say({"cmd": "beat"})
        elif payload.startswith(CHANGES):
            now = time.time()
            self.lists[int(now)] += 1
            self.ask(NEW.findall(payload.split(b'"running"')[0]), now)

    def ask(self, found: list[bytes], now: float) -> None:
        """What would the new ones bring me?"""
        offers = [key.decode() for key in found]
        for key in offers:
            first, _last, count = self.party.seen.get(key, (now, now, 0))
            self.party.seen[key] = (first, now, count + 1)
        if offers:
            self.wire.say({"cmd": "prospects", "offers": offers[:60]})


class Party:
    """All of them."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.seen: dict[str, tuple[float, float, int]] = {}

    async def run(self, cookies: list[str], ready: Path, seconds: float) -> dict[str, Any]:
        """They come, stay for so long, and go."""
        guests = [Guest(self, cookie) for cookie in cookies]
        came = time.perf_counter()
        for start in range(0, len(guests), AT_ONCE):
            await asyncio.gather(*(self.enter(guest) for guest in guests[start : start + AT_ONCE]))
        entered_s = time.perf_counter() - came
        ready.write_text("ready")
        await asyncio.sleep(seconds)
        open_still = sum(not guest.wire.transport.is_closing() for guest in guests)
        return {
            "entered_s": entered_s,
            "open": open_still,
            "seen": self.seen,
            "lists": max((count for guest in guests for count in guest.lists.values()), default=0),
            "kib": sum(guest.bytes for guest in guests) / 1024 / len(guests),
            "busy_s": time.process_time(),
        }

    @staticmethod
    async def enter(guest: Guest) -> None:
        """Connects."""
        await asyncio.get_running_loop().create_connection(
            lambda: guest.wire, "127.0.0.1", guest.party.port
        )
        await guest.wire.open


if __name__ == "__main__":
    plan = json.loads(Path(sys.argv[1]).read_text())
    party = Party(plan["port"])

    async def main() -> dict[str, Any]:
        """One run."""
        return await party.run(plan["cookies"], Path(plan["ready"]), plan["seconds"])

    sys.stdout.write(json.dumps(asyncio.run(main())))
