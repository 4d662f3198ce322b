"""Which socket goes to which consumer: the apps' own lists, and a polite end for the rest."""

from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from django.urls import re_path

from games.routing import websocket_urlpatterns as tables
from rooms.routing import websocket_urlpatterns as lobbies


class NoSuchSocket(AsyncWebsocketConsumer):
    """Turns away a socket to an address that nobody serves, without a traceback."""

    async def connect(self) -> None:
        await self.close()


websocket_urlpatterns: list[Any] = [
    *tables,
    *lobbies,
    re_path(r"", NoSuchSocket.as_asgi()),  # type: ignore[arg-type]
]
