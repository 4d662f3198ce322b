"""Sockets of the lobby."""

from typing import Any

from django.urls import path

from rooms.consumers import LobbySocket

lobby: Any = LobbySocket.as_asgi()
websocket_urlpatterns = [path("ws/lobby/<slug:room>/", lobby)]
