"""Where the sockets of tables hang."""

from django.urls import path

from games.consumers import TableSocket

websocket_urlpatterns = [
    path("ws/table/<uuid:match_id>/", TableSocket.as_asgi()),
]
