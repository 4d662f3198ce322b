"""The site's test settings with the table's socket served the usual way, for comparison only."""

from nardysite.settings.test import *

ASGI_APPLICATION = "tests.bench.plain.asgi.application"

INSTALLED_APPS = [*INSTALLED_APPS, "tests.bench.plain"]
