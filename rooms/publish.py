"""Sockets out: hints to every process that serves the lobby. A hint says that something changed, never what.

A lost hint is made good: each process looks for itself every few seconds.
"""

import logging
from functools import partial
from uuid import UUID

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

log = logging.getLogger(__name__)
GROUP = "lobby"
CHANGED = "lobby.changed"
SEATED = "lobby.seated"
CLOSED = "lobby.closed"
INVITED = "lobby.invited"
Message = dict[str, str | int]


def room_changed(slug: str) -> None:
    """After the commit: the list of this room is not what it was."""
    _after_commit({"type": CHANGED, "room": slug})


def seated(*, user_id: int, match_id: UUID) -> None:
    """After the commit: this player's open table was joined, their pages go there."""
    _after_commit({"type": SEATED, "user": user_id, "match": match_id.hex})


def account_closed(user_id: int) -> None:
    """After the commit: this account's sockets have no business here any more."""
    _after_commit({"type": CLOSED, "user": user_id})


def invitations_changed(user_id: int) -> None:
    """After the commit: the tables that friends have opened for this player are not what they were."""
    _after_commit({"type": INVITED, "user": user_id})


def _after_commit(message: Message) -> None:
    transaction.on_commit(partial(_send, message))


def _send(message: Message) -> None:
    layer = get_channel_layer()
    if layer is None:
        return
    try:
        async_to_sync(layer.group_send)(GROUP, message)
    except Exception:  # noqa: BLE001  whatever the layer's transport raises
        log.warning("lobby hint not sent: the channel layer is away")
