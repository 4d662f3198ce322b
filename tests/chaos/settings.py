"""Production's settings for a site whose parts can be told to be faulty: CHAOS_FAULTS names the faults."""

from nardysite.settings import prod
from nardysite.settings.prod import *  # noqa: F403

INSTALLED_APPS = [*prod.INSTALLED_APPS, "tests.chaos.faults.FaultsConfig"]
