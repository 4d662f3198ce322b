"""The ASGI application: pages to Django, sockets past the Origin check to the consumers."""

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardysite.settings.dev")
# Django must be set up before the routing below imports models.
pages = get_asgi_application()

from django.conf import settings  # noqa: E402

from games.downtime import beat_forever  # noqa: E402
from nardysite.origin import SameSiteOnly  # noqa: E402
from nardysite.routing import websocket_urlpatterns  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": pages,
        "websocket": SameSiteOnly(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))),
    }
)
if settings.PULSE:
    beat_forever()
