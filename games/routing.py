"""Where the sockets of tables hang."""

from typing import Any, cast

from django.urls import path

from games.consumers import TableSocket

websocket_urlpatterns = [
    path("ws/table/<uuid:match_id>/", cast("Any", TableSocket.as_asgi())),
]
