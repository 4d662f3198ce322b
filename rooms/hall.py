"""The lobby's sockets in this process: hears hints, reads each list once for all, renews leases.

Nothing here decides anything. A hint that was lost is made good by a look every few seconds.
"""

import asyncio
import contextlib
import json
import logging
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol
from uuid import UUID
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.urls import reverse
from django.utils import translation

from games.presence import Signed, ended
from rooms import presence, publish, selectors, words
from rooms.errors import UnknownRoom

log = logging.getLogger(__name__)
PAUSE_S = 0.5
LOOK_S = 5.0
RETRY_S = 1.0
SESSION_ENDED = 4010
SILENT = 4000
BEAT = '{"kind":"beat"}'
Frame = dict[str, Any]


class Guest(Protocol):
    """A socket in the lobby, as far as the hall knows it."""

    room: str
    language: str
    user_id: int | None
    session_key: str | None
    auth_hash: str
    beat_at: float
    shown: dict[str, str]
    told: set[str]

    def push(self, frame: str) -> None:
        """Queues a frame; never blocks, never raises."""

    def close(self, code: int) -> None:
        """Ends the connection."""


class Hall:
    """The guests of one event loop and the three tasks that serve them while there are any.

    The hall beats and a page answers: timers of a hidden tab may sleep for a minute, its socket does not.
    """

    def __init__(self) -> None:
        self._guests: set[Guest] = set()
        self._stale: set[str] = set()
        self._rung = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def guests(self) -> tuple[Guest, ...]:
        """Who is here."""
        return tuple(self._guests)

    @property
    def is_idle(self) -> bool:
        """Whether nothing runs for anybody."""
        return not self._tasks

    async def enter(self, guest: Guest) -> None:
        """A browser comes: it gets the room's list, the heads and, if its table was just joined, the way there.

        Raises UnknownRoom.
        """
        room_ids = await _read(_room_ids)
        if guest.room not in room_ids:
            raise UnknownRoom
        self._guests.add(guest)
        if not self._tasks:
            self._tasks = [
                asyncio.create_task(task()) for task in (self._listen, self._serve, self._look)
            ]
        if guest.user_id is not None:
            user_id = guest.user_id
            await _read(lambda: presence.renew({user_id: room_ids[guest.room]}))
            for match_id in await _read(lambda: selectors.seated_lately(user_id)):
                guest.push(seated_frame(match_id))
        await self._refresh({guest.room}, only=guest)
        await self._tell_heads()

    async def leave(self, guest: Guest) -> None:
        """A browser goes. Its lease runs on: another tab, or the same one soon, may hold it."""
        self._guests.discard(guest)
        if self._guests:
            return
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def hear(self, message: Frame) -> None:
        """A hint came."""
        if message["type"] == publish.CHANGED:
            self._stale.add(message["room"])
            self._rung.set()
        if message["type"] == publish.CLOSED:
            for guest in self._guests:
                if guest.user_id == message["user"]:
                    guest.close(SESSION_ENDED)
        if message["type"] == publish.SEATED:
            frame = seated_frame(UUID(message["match"]))
            for guest in self._guests:
                if guest.user_id == message["user"]:
                    guest.push(frame)

    # --- the tasks ----------------------------------------------------------------------------------

    async def _listen(self) -> None:
        while True:
            try:
                await self._listen_once()
            except Exception:  # noqa: BLE001  whatever the layer's transport raises
                log.warning("lobby hints stopped: the channel layer is away, trying again")
                await asyncio.sleep(RETRY_S)

    async def _listen_once(self) -> None:
        layer: Any = get_channel_layer()
        channel = await layer.new_channel("lobby")
        await layer.group_add(publish.GROUP, channel)
        try:
            while True:
                self.hear(await layer.receive(channel))
        finally:
            with contextlib.suppress(Exception):
                await layer.group_discard(publish.GROUP, channel)

    async def _serve(self) -> None:
        """Sends lists as soon as they change, and then rests: at most two a second."""
        while True:
            await self._rung.wait()
            self._rung.clear()
            stale, self._stale = self._stale, set()
            await self._try(self._refresh(stale))
            await asyncio.sleep(PAUSE_S)

    async def _look(self) -> None:
        """Every few seconds: leases, dead sockets, heads, and whatever no hint told of."""
        while True:
            await asyncio.sleep(LOOK_S)
            for guest in self.guests:
                guest.push(BEAT)
            await self._try(self.renew())
            await self._try(self.end_sessions())
            await self._try(self._refresh({guest.room for guest in self._guests}))
            await self._try(self._tell_heads())

    @staticmethod
    async def _try(work: Any) -> None:
        try:
            await work
        except Exception:
            log.exception("the lobby could not be served; it will be tried again")

    # --- what they do ---------------------------------------------------------------------------------

    async def _refresh(self, slugs: set[str], *, only: Guest | None = None) -> None:
        """Shows the lists of these rooms to their guests, each list read once a language."""
        guests = [only] if only is not None else list(self.guests)
        asking: dict[tuple[str, str], list[Guest]] = defaultdict(list)
        for guest in guests:
            if guest.room in slugs:
                asking[guest.room, guest.language].append(guest)
        for (slug, language), readers in asking.items():
            listing = await _read(partial(_listing, slug, language))
            frame = list_frame(listing)
            for guest in readers:
                # What is mine goes first, so that no row of mine is ever shown with "Join".
                mine = [key for key, owner in listing.owners.items() if owner == guest.user_id]
                _show(guest, "mine", _text({"kind": "mine", "offers": mine}))
                _show(guest, "list", frame)
            await self._tell_prospects(slug, readers, listing)

    async def _tell_prospects(
        self, slug: str, readers: list[Guest], listing: selectors.Listing
    ) -> None:
        """What an open table would bring a reader, once each: fees and rating points depend on both players."""
        asking: list[tuple[int, Guest]] = []
        for guest in readers:
            guest.told &= listing.owners.keys()
            theirs = {key for key, owner in listing.owners.items() if owner != guest.user_id}
            if guest.user_id is not None and theirs - guest.told:
                asking.append((guest.user_id, guest))
        if not asking:
            return
        known: dict[int, set[str]] = {}
        for user_id, guest in asking:
            known[user_id] = guest.told & known.get(user_id, guest.told)
        found = await _read(partial(_prospects, slug, asking[0][1].language, known))
        for user_id, guest in asking:
            guest.told |= found[user_id].keys()
            rows = {key: words.as_json(row) for key, row in found[user_id].items()}
            guest.push(_text({"kind": "prospects", "offers": rows}))

    async def _tell_heads(self) -> None:
        heads = await _read(presence.heads)
        frames: dict[str, str] = {}
        for guest in self._guests:
            if guest.language not in frames:
                with translation.override(guest.language):
                    frames[guest.language] = heads_frame(heads)
            _show(guest, "heads", frames[guest.language])

    async def renew(self) -> None:
        """Renews the leases of whoever beats; lets the silent go, and everybody of a room that closed."""
        room_ids = await _read(_room_ids)
        alive = time.monotonic() - presence.LEASE_S
        rooms_of: dict[int, int] = {}
        for guest in self.guests:
            if guest.beat_at < alive or guest.room not in room_ids:
                guest.close(SILENT)
            elif guest.user_id is not None:
                rooms_of[guest.user_id] = room_ids[guest.room]
        await _read(lambda: presence.renew(rooms_of))

    async def end_sessions(self) -> None:
        """Ends the sockets whose session or account has ended."""
        held: dict[Signed, list[Guest]] = defaultdict(list)
        for guest in self._guests:
            if guest.session_key is not None and guest.user_id is not None:
                held[Signed(guest.session_key, guest.user_id, guest.auth_hash)].append(guest)
        if not held:
            return
        for signed in await _read(lambda: ended(held)):
            for guest in held[signed]:
                guest.close(SESSION_ENDED)


def list_frame(listing: selectors.Listing) -> str:
    """A room's list for the wire; the same for every guest of one language."""
    return _text(
        {
            "kind": "list",
            "offers": [words.as_json(row) for row in listing.offers],
            "running": [words.as_json(row) for row in listing.running],
            "tables": words.tables_text(len(listing.running)),
        }
    )


def heads_frame(heads: dict[str, int]) -> str:
    """How many are in each room, for the wire."""
    return _text({"kind": "heads", "rooms": heads, "players": words.heads_text(heads)})


def seated_frame(match_id: UUID) -> str:
    """The way to a table that was just joined."""
    url = reverse("games:table", args=[match_id])
    return _text({"kind": "seated", "match": str(match_id), "url": url})


_halls: WeakKeyDictionary[asyncio.AbstractEventLoop, Hall] = WeakKeyDictionary()


def hall() -> Hall:
    """The hall of the running event loop."""
    return _halls.setdefault(asyncio.get_running_loop(), Hall())


def _show(guest: Guest, what: str, frame: str) -> None:
    """Pushes a frame unless the guest has seen exactly this before."""
    if guest.shown.get(what) != frame:
        guest.shown[what] = frame
        guest.push(frame)


def _listing(slug: str, language: str) -> selectors.Listing:
    with translation.override(language):
        return selectors.listing(selectors.room_named(slug))


def _prospects(
    slug: str, language: str, known: dict[int, set[str]]
) -> dict[int, dict[str, words.Prospect]]:
    with translation.override(language):
        return selectors.prospects(selectors.room_named(slug), known.keys(), known=known)


def _room_ids() -> dict[str, int]:
    return dict(selectors.open_rooms().values_list("slug", "pk"))


async def _read(query: Callable[[], Any]) -> Any:
    return await database_sync_to_async(query)()


def _text(frame: Frame) -> str:
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":"))
