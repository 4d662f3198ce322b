"""The usual wiring: session and user by the stock middleware, the plain consumer."""

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.bench.plain.settings")
pages = get_asgi_application()

from django.urls import path  # noqa: E402

from tests.bench.plain.consumer import PlainTable  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": pages,
        "websocket": AuthMiddlewareStack(
            URLRouter([path("ws/table/<uuid:match_id>/", PlainTable.as_asgi())])
        ),
    }
)
