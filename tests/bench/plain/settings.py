"""The site's test settings with the table's socket served the usual way, for comparison only."""

from nardysite.settings import test
from nardysite.settings.test import *  # noqa: F403

# Its one thread keeps its connection, as far as the usual way goes.
DATABASES = {"default": {**test.DATABASES["default"], "CONN_MAX_AGE": 60}}

ASGI_APPLICATION = "tests.bench.plain.asgi.application"

INSTALLED_APPS = [*test.INSTALLED_APPS, "tests.bench.plain"]
