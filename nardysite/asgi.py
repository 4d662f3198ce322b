"""The ASGI application: pages to Django, sockets past the Origin check to the consumers."""

import gc
import os
import sys

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardysite.settings.dev")
# Django must be set up before the routing below imports models.
pages = get_asgi_application()

from django.conf import settings  # noqa: E402

from accounts.sockets import KnownAddresses  # noqa: E402
from games.downtime import beat_forever  # noqa: E402
from nardysite.origin import SameSiteOnly  # noqa: E402
from nardysite.routing import websocket_urlpatterns  # noqa: E402
from nardysite.sockets import with_people  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": pages,
        "websocket": SameSiteOnly(with_people(KnownAddresses(URLRouter(websocket_urlpatterns)))),
    }
)
if settings.PULSE:
    beat_forever()

# The committer's thread asks for the interpreter once a commit: by default it may wait five milliseconds for it.
sys.setswitchinterval(0.001)
# Thousands of tables are long-lived: what was made at the start is never garbage, and looking for it is a pause.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 50)
