"""The channel layer of the embedded way: groups and channels inside one process.

The one thing it does beyond the ordinary: any thread may send. A receiver waits in its own event
loop, and a sender in another thread or loop (Celery's worker, a synchronous view) wakes it there.
"""

import asyncio
import threading
import time
import uuid
from collections import deque
from copy import deepcopy
from re import Pattern
from typing import Any

from channels.exceptions import ChannelFull
from channels.layers import BaseChannelLayer

Message = dict[str, Any]


class LocalLayer(BaseChannelLayer):
    """Delivers at most once, in order for each channel, and forgets what nobody fetches.

    expiry: seconds until an unread message, and with it an abandoned channel, is dropped.
    capacity: unread messages a channel; ``send`` then raises ``ChannelFull``, a group skips it.
    """

    extensions = ["groups", "flush"]

    def __init__(
        self,
        expiry: int = 60,
        capacity: int = 100,
        channel_capacity: dict[Pattern[str] | str, int] | None = None,
    ) -> None:
        super().__init__(expiry=expiry, capacity=capacity)
        self._capacities = self.compile_capacities(channel_capacity or {})
        self._lock = threading.Lock()
        self._mailboxes: dict[str, _Mailbox] = {}
        self._groups: dict[str, set[str]] = {}
        self._next_sweep = time.monotonic() + expiry

    async def new_channel(self, prefix: str = "specific") -> str:
        """A name nobody else has; the channel itself is made by its first use."""
        with self._lock:
            self._sweep_now_and_then()
        return f"{prefix}.local!{uuid.uuid4().hex}"

    async def send(self, channel: str, message: Message) -> None:
        """Raises ``ChannelFull`` when the receiver has left too much unread."""
        self.require_valid_channel_name(channel)
        assert isinstance(message, dict), "a message is a dict"
        with self._lock:
            if not self._post(channel, message):
                raise ChannelFull(channel)

    async def receive(self, channel: str) -> Message:
        """Waits, in the caller's event loop, for the channel's next message."""
        self.require_valid_channel_name(channel)
        while True:
            with self._lock:
                mailbox = self._mailbox(channel)
                message = mailbox.take()
                if message is not None:
                    self._drop_if_idle(channel)
                    return message
                waiter = mailbox.wait()
            try:
                await waiter.future
            except asyncio.CancelledError:
                with self._lock:
                    self._stop_waiting(channel, waiter)
                raise

    async def group_add(self, group: str, channel: str) -> None:
        """From now on what is sent to the group reaches the channel."""
        self.require_valid_group_name(group)
        self.require_valid_channel_name(channel)
        with self._lock:
            self._groups.setdefault(group, set()).add(channel)
            self._mailbox(channel).groups.add(group)

    async def group_discard(self, group: str, channel: str) -> None:
        """The group no longer reaches the channel; no matter if it never did."""
        self.require_valid_group_name(group)
        self.require_valid_channel_name(channel)
        with self._lock:
            self._leave(group, channel)
            self._drop_if_idle(channel)

    async def group_send(self, group: str, message: Message) -> None:
        """Every member gets its own copy; members that are full miss it."""
        self.require_valid_group_name(group)
        assert isinstance(message, dict), "a message is a dict"
        with self._lock:
            for channel in self._groups.get(group, ()):
                self._post(channel, message)

    async def flush(self) -> None:
        """Empties every channel and group; whoever waits goes on waiting."""
        with self._lock:
            self._groups.clear()
            for channel, mailbox in list(self._mailboxes.items()):
                mailbox.groups.clear()
                mailbox.messages.clear()
                self._drop_if_idle(channel)

    async def close(self) -> None:
        """Nothing to close: there are no connections."""

    def get_capacity(self, channel: str) -> int:
        """The first pattern that fits decides, otherwise the common capacity."""
        fitting = (limit for pattern, limit in self._capacities if pattern.match(channel))
        return next(fitting, self.capacity)

    # Everything below is called with the lock held.

    def _mailbox(self, channel: str) -> "_Mailbox":
        return self._mailboxes.setdefault(channel, _Mailbox())

    def _post(self, channel: str, message: Message) -> bool:
        mailbox = self._mailbox(channel)
        mailbox.drop_expired()
        if len(mailbox.messages) >= self.get_capacity(channel):
            return False
        mailbox.messages.append((time.monotonic() + self.expiry, deepcopy(message)))
        mailbox.wake()
        return True

    def _stop_waiting(self, channel: str, waiter: "_Waiter") -> None:
        mailbox = self._mailbox(channel)
        if waiter in mailbox.waiters:
            mailbox.waiters.remove(waiter)
        elif mailbox.messages:
            mailbox.wake()  # it had been woken and will not come: somebody else should
        self._drop_if_idle(channel)

    def _leave(self, group: str, channel: str) -> None:
        members = self._groups.get(group, set())
        members.discard(channel)
        if not members:
            self._groups.pop(group, None)
        if channel in self._mailboxes:
            self._mailboxes[channel].groups.discard(group)

    def _drop_if_idle(self, channel: str) -> None:
        mailbox = self._mailboxes.get(channel)
        if mailbox is not None and mailbox.is_idle:
            del self._mailboxes[channel]

    def _sweep_now_and_then(self) -> None:
        """A socket that died without a word leaves its groups once a message to it expires."""
        if time.monotonic() < self._next_sweep:
            return
        self._next_sweep = time.monotonic() + self.expiry
        for channel, mailbox in list(self._mailboxes.items()):
            if mailbox.drop_expired() and not mailbox.waiters:
                for group in list(mailbox.groups):
                    self._leave(group, channel)
            self._drop_if_idle(channel)


class _Waiter:
    """A receiver asleep in its event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.future: asyncio.Future[None] = self._loop.create_future()

    def wake(self) -> bool:
        """Thread-safe. False when its loop is closed and nobody will ever wake."""
        try:
            self._loop.call_soon_threadsafe(self._rouse)
        except RuntimeError:
            return False
        return True

    def _rouse(self) -> None:
        if not self.future.done():
            self.future.set_result(None)


class _Mailbox:
    """A channel's unread messages, who waits for one, and which groups reach it."""

    def __init__(self) -> None:
        self.messages: deque[tuple[float, Message]] = deque()
        self.waiters: deque[_Waiter] = deque()
        self.groups: set[str] = set()

    @property
    def is_idle(self) -> bool:
        return not (self.messages or self.waiters or self.groups)

    def take(self) -> Message | None:
        self.drop_expired()
        return self.messages.popleft()[1] if self.messages else None

    def wait(self) -> _Waiter:
        waiter = _Waiter()
        self.waiters.append(waiter)
        return waiter

    def wake(self) -> None:
        while self.waiters and not self.waiters.popleft().wake():
            continue

    def drop_expired(self) -> bool:
        """True when something had been left unread for too long."""
        dropped = False
        while self.messages and self.messages[0][0] <= time.monotonic():
            self.messages.popleft()
            dropped = True
        return dropped
