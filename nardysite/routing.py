"""Which socket goes to which consumer: the apps' own lists, and a polite end for the rest."""

import importlib
from importlib.util import find_spec
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from django.urls import re_path


class NoSuchSocket(AsyncWebsocketConsumer):
    """Turns away a socket to an address that nobody serves, without a traceback."""

    async def connect(self) -> None:
        await self.close()


def _sockets_of(module: str) -> list[Any]:
    # Until every app has its sockets; goes when they do.
    if find_spec(module) is None:
        return []
    patterns: list[Any] = importlib.import_module(module).websocket_urlpatterns
    return patterns


websocket_urlpatterns: list[Any] = [
    *_sockets_of("games.routing"),
    *_sockets_of("rooms.routing"),
    re_path(r"", NoSuchSocket.as_asgi()),
]
