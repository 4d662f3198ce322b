"""Sockets out: sends frames to the browsers at this process's tables, and hints to the other processes.

A socket in this process gets its events directly. The channel layer carries hints only, `[[match, version], …]`:
whoever holds such a match and sees a gap reads the log.
"""

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, NamedTuple, Protocol
from uuid import UUID, uuid4

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from games.match.sides import Side

log = logging.getLogger(__name__)
GROUP = "tables"
RETRY_S = 1.0
CLOSE_SILENT = 4000
PROCESS = uuid4().hex
Hint = tuple[UUID, int]


class Hints(NamedTuple):
    """What another process has written: new versions of matches, lines of chat by their id, wishes to play again."""

    versions: list[Hint]
    chat: list[Hint]
    rematches: list[UUID]


class Socket(Protocol):
    """What publish knows of a connected browser."""

    side: Side | None
    user_id: int | None

    def push(self, frame: str) -> None:
        """Queues a frame; never blocks, never raises."""


class Hub:
    """The sockets of this process, by match."""

    def __init__(self) -> None:
        self._by_match: dict[UUID, set[Socket]] = defaultdict(set)

    def join(self, match_id: UUID, socket: Socket) -> None:
        """A browser came."""
        self._by_match[match_id].add(socket)

    def leave(self, match_id: UUID, socket: Socket) -> None:
        """A browser went."""
        sockets = self._by_match.get(match_id)
        if sockets is None:
            return
        sockets.discard(socket)
        if not sockets:
            del self._by_match[match_id]

    def sockets(self, match_id: UUID) -> tuple[Socket, ...]:
        """The browsers at a table."""
        return tuple(self._by_match.get(match_id, ()))

    def matches(self) -> tuple[UUID, ...]:
        """Matches that somebody here looks at."""
        return tuple(self._by_match)

    def counts(self) -> tuple[int, int]:
        """Tables that somebody here looks at, and sockets."""
        return len(self._by_match), sum(map(len, self._by_match.values()))

    def watchers(self, match_id: UUID) -> int:
        """How many look on here."""
        return sum(socket.side is None for socket in self._by_match.get(match_id, ()))


def message(
    hints: Iterable[Hint], *, origin: str = PROCESS, chat: Iterable[Hint] = ()
) -> dict[str, object]:
    """A hint; the tables of `origin` know it already."""
    return {
        "type": "table.hint",
        "from": origin,
        "hints": [[match_id.hex, version] for match_id, version in hints],
        "chat": [[match_id.hex, line] for match_id, line in chat],
    }


async def hint(hints: list[Hint], *, origin: str = PROCESS, chat: list[Hint] | None = None) -> None:
    """Tells the other processes. A lost hint is made good by polling, so failures are only logged."""
    if hints or chat:
        await _send(message(hints, origin=origin, chat=chat or ()))


async def hint_rematch(match_id: UUID) -> None:
    """Tells the other processes that somebody at this table wants to play again, or not any more."""
    await _send({**message([]), "rematches": [match_id.hex]})


def hint_rematch_now(match_id: UUID) -> None:
    """The same from a task."""
    async_to_sync(hint_rematch)(match_id)


async def _send(told: dict[str, object]) -> None:
    layer = get_channel_layer()
    assert layer is not None, "a channel layer is configured"
    try:
        await layer.group_send(GROUP, told)
    except Exception:  # noqa: BLE001  whatever the layer's transport raises
        _layer_is(away=True)
    else:
        _layer_is(away=False)


_away: set[str] = set()


def _layer_is(*, away: bool) -> None:
    """Logs when the channel layer goes and when it is back, not each of thousands of hints."""
    if away and not _away:
        _away.add(GROUP)
        log.warning("hints are not sent: the channel layer is away")
    elif not away and _away:
        _away.clear()
        log.warning("hints are sent again: the channel layer is back")


class Outbox:
    """Hints on their way: gathered while the one before is being sent, so that nobody waits for the layer."""

    def __init__(self) -> None:
        self._newest: dict[UUID, int] = {}
        self._sending: asyncio.Task[None] | None = None

    def add(self, match_id: UUID, version: int) -> None:
        """Tells the other processes soon."""
        self._newest[match_id] = version
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send())

    async def _send(self) -> None:
        while self._newest:
            hints, self._newest = list(self._newest.items()), {}
            await hint(hints)

    async def close(self) -> None:
        """Waits until everything is sent."""
        if self._sending is not None:
            await asyncio.gather(self._sending, return_exceptions=True)


def hint_now(hints: list[Hint]) -> None:
    """The same from a task or a view, which wrote past the tables of this process, if it has any."""
    async_to_sync(hint)(hints, origin="")


async def listen(on_hints: Callable[[Hints], Awaitable[None]]) -> None:
    """Receives the hints of other processes until cancelled; comes back by itself when the layer was away."""
    while True:
        try:
            await _listen_once(on_hints)
        except asyncio.CancelledError:
            raise
        except Exception:  # noqa: BLE001  whatever the layer's transport raises
            log.warning("hints stopped: the channel layer is away, trying again")
            await asyncio.sleep(RETRY_S)


async def _listen_once(on_hints: Callable[[Hints], Awaitable[None]]) -> None:
    layer = get_channel_layer()
    assert layer is not None, "a channel layer is configured"
    channel = await layer.new_channel()
    await layer.group_add(GROUP, channel)
    try:
        while True:
            received = await layer.receive(channel)
            if received.get("from") != PROCESS:
                await on_hints(_hints(received))
    finally:
        with contextlib.suppress(Exception):
            await layer.group_discard(GROUP, channel)


def _hints(received: dict[str, Any]) -> Hints:
    rematches = [UUID(hex_id) for hex_id in received.get("rematches", [])]
    return Hints(_read(received["hints"]), _read(received.get("chat", [])), rematches)


def _read(pairs: list[list[Any]]) -> list[Hint]:
    return [(UUID(hex_id), number) for hex_id, number in pairs]
