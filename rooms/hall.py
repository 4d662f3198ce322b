"""The lobby's sockets in this process: hears hints, reads each list once for all, renews leases.

Nothing here decides anything. A hint that was lost is made good by a look every few seconds.
"""

import asyncio
import contextlib
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Collection
from functools import partial
from typing import Any, Protocol
from uuid import UUID
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.utils import translation

from games.presence import Signed, ended
from rooms import frames, presence, publish, selectors, words
from rooms.errors import UnknownRoom
from rooms.frames import Frame, Shown

log = logging.getLogger(__name__)
PAUSE_S = 0.5
LOOK_S = 5.0
RETRY_S = 1.0
SESSION_ENDED = 4010
SILENT = 4000
FEW = 100
"""With so many guests everybody is told of who comes; with more they read it at the next look."""

MOST_ASKED = 60
"""So many tables a browser may wait to hear about; a screen shows fewer."""

Place = tuple[str, str]
"""A room and a language."""


class Guest(Protocol):
    """A socket in the lobby, as far as the hall knows it.

    `quiet`: on a page that shows no lists. `number`: of the list that it has. `shown`: the last frame of each kind.
    """

    room: str
    language: str
    quiet: bool
    user_id: int | None
    session_key: str | None
    auth_hash: str
    beat_at: float
    number: int
    shown: dict[str, str]

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
        self._shown: dict[Place, Shown] = {}
        self._heads: dict[str, int] = {}
        self._asked: dict[Guest, set[str]] = defaultdict(set)
        self._invited: set[int] = set()
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
        """A browser comes: it gets the room's list, the heads, its invitations and, if its table was just joined, the way there.

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
            lease = {guest.user_id: room_ids[guest.room]}
            seated, invited = await _read(partial(_arrived, lease, guest.language))
            for match_id in seated:
                guest.push(frames.seated(match_id))
            if invited:
                _show(guest, "invitations", frames.invitations(invited))
        if not guest.quiet:
            await self._welcome(guest)

    async def leave(self, guest: Guest) -> None:
        """A browser goes. Its lease runs on: another tab, or the same one soon, may hold it."""
        self._guests.discard(guest)
        self._asked.pop(guest, None)
        if self._guests:
            return
        tasks, self._tasks = self._tasks, []
        self._shown.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def hear(self, message: Frame) -> None:
        """A hint came."""
        match message["type"]:
            case publish.CHANGED:
                self._stale.add(message["room"])
                self._rung.set()
            case publish.INVITED:
                self._invited.add(message["user"])
                self._rung.set()
            case publish.SEATED:
                frame = frames.seated(UUID(message["match"]))
                for guest in self._pages_of(message["user"]):
                    guest.push(frame)
            case publish.CLOSED:
                for guest in self._pages_of(message["user"]):
                    guest.close(SESSION_ENDED)
            case _:
                pass  # of a newer process: this one has no use for it

    def _pages_of(self, user_id: int) -> list[Guest]:
        return [guest for guest in self._guests if guest.user_id == user_id]

    def ask(self, guest: Guest, offers: Collection[str]) -> None:
        """A browser asks what these tables would bring its reader: visitors and empty questions get no answer."""
        if guest.user_id is None or not offers:
            return
        waiting = self._asked[guest]
        waiting.update(list(offers)[: MOST_ASKED - len(waiting)])
        self._rung.set()

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
        """Sends what has changed as soon as it has, and then rests: at most two a second."""
        while True:
            await self._rung.wait()
            self._rung.clear()
            stale, self._stale = self._stale, set()
            await self._try(self._refresh(stale))
            await self._try(self._answer())
            await self._try(self._invite())
            await asyncio.sleep(PAUSE_S)

    async def _look(self) -> None:
        """Every few seconds: leases, dead sockets, heads, and whatever no hint told of."""
        while True:
            await asyncio.sleep(LOOK_S)
            for guest in self.guests:
                guest.push(frames.BEAT)
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

    async def _welcome(self, guest: Guest) -> None:
        """The list that the others in the room see; it is read only if none of them is here, or it has changed."""
        place = guest.room, guest.language
        if place in self._shown:
            self._tell(guest, self._shown[place])
        else:
            await self._refresh({guest.room})
        if len(self._guests) <= FEW:
            await self._tell_heads()
        else:
            self._tell_heads_to(guest, {})

    async def _refresh(self, slugs: set[str]) -> None:
        """Reads the lists of these rooms once a language and tells their guests what has changed."""
        readers: dict[Place, list[Guest]] = defaultdict(list)
        for guest in self._guests:
            if guest.room in slugs and not guest.quiet:
                readers[guest.room, guest.language].append(guest)
        for place in [place for place in self._shown if place[0] in slugs and place not in readers]:
            del self._shown[place]
        for place, guests in readers.items():
            listing = await _read(partial(_listing, *place))
            before = self._shown.get(place)
            with translation.override(place[1]):
                shown = frames.following(before, listing) if before else frames.first(listing)
            self._shown[place] = shown
            for guest in guests:
                self._tell(guest, shown)

    @staticmethod
    def _tell(guest: Guest, shown: Shown) -> None:
        """What is mine goes first, so that no row of mine is ever shown with "Join"."""
        _show(guest, "mine", shown.mine(guest.user_id))
        if guest.number != shown.number:
            guest.push(shown.since(guest.number))
            guest.number = shown.number

    async def _answer(self) -> None:
        """What the tables that browsers asked about would bring their readers: fees and rating points depend on both players."""
        asked, self._asked = self._asked, defaultdict(set)
        by_place: dict[Place, dict[Guest, set[str]]] = defaultdict(dict)
        for guest, keys in asked.items():
            by_place[guest.room, guest.language][guest] = keys
        for (slug, language), waiting in by_place.items():
            wanted: dict[int, set[str]] = defaultdict(set)
            for guest, keys in waiting.items():
                wanted[guest.user_id or 0] |= keys
            found = await _read(partial(_prospects, slug, language, dict(wanted)))
            for guest, keys in waiting.items():
                rows = found[guest.user_id or 0]
                guest.push(frames.prospects({key: rows[key] for key in keys if key in rows}))

    async def _invite(self) -> None:
        invited, self._invited = self._invited, set()
        for guest in self.guests:
            if guest.user_id in invited:
                rows = await _read(partial(_invitations, guest.user_id, guest.language))
                _show(guest, "invitations", frames.invitations(rows))

    async def _tell_heads(self) -> None:
        self._heads = await _read(presence.heads)
        made: dict[str, str] = {}
        for guest in self._guests:
            if not guest.quiet:
                self._tell_heads_to(guest, made)

    def _tell_heads_to(self, guest: Guest, made: dict[str, str]) -> None:
        if guest.language not in made:
            with translation.override(guest.language):
                made[guest.language] = frames.heads(self._heads)
        _show(guest, "heads", made[guest.language])

    async def renew(self) -> None:
        """Renews the leases of whoever beats; lets the silent go, and everybody of a room that closed.

        Who looks at a room in one tab is there, whatever their quiet tabs say.
        """
        room_ids = await _read(_room_ids)
        alive = time.monotonic() - presence.LEASE_S
        rooms_of: dict[int, int] = {}
        for guest in sorted(self.guests, key=lambda each: not each.quiet):
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
    slug: str, language: str, asked: dict[int, set[str]]
) -> dict[int, dict[str, words.Prospect]]:
    with translation.override(language):
        return selectors.prospects(selectors.room_named(slug), asked)


def _arrived(lease: dict[int, int], language: str) -> tuple[list[UUID], list[words.InvitationRow]]:
    """Renews the lease of one player; the tables of theirs that were just joined, and their invitations."""
    presence.renew(lease)
    (user_id,) = lease
    return selectors.seated_lately(user_id), _invitations(user_id, language)


def _invitations(user_id: int, language: str) -> list[words.InvitationRow]:
    with translation.override(language):
        return selectors.invitations_of(user_id)


def _room_ids() -> dict[str, int]:
    return dict(selectors.open_rooms().values_list("slug", "pk"))


async def _read(query: Callable[[], Any]) -> Any:
    return await database_sync_to_async(query)()
