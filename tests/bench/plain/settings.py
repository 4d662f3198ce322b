"""The site's test settings with the table's socket served the usual way, for comparison only."""

from nardysite.settings import test
from nardysite.settings.test import *  # noqa: F403

ASGI_APPLICATION = "tests.bench.plain.asgi.application"

INSTALLED_APPS = [*test.INSTALLED_APPS, "tests.bench.plain"]
