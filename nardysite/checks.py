"""What the settings must never say, found before the site serves anybody."""

import os
from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.db import connection

TEST_SETTINGS = ("nardysite.settings.test", "nardysite.settings.test_embedded")

FIXED_DICE = Error(
    "DICE_SOURCE fixes the dice, and these are not the test settings.",
    hint="Remove DICE_SOURCE: dice come from the seeds of the two players.",
    id="nardysite.E001",
)
MONEY_ON_SQLITE = Error(
    "Real money is enabled on SQLite, which cannot lock rows.",
    hint="Use PostgreSQL, or set REAL_MONEY to False.",
    id="nardysite.E002",
)


def settings_are_safe(
    app_configs: Sequence[AppConfig] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Run by every management command; an Error keeps it from starting."""
    return findings(
        settings_module=os.environ.get("DJANGO_SETTINGS_MODULE", ""),
        dice_source=settings.DICE_SOURCE,
        real_money=settings.REAL_MONEY,
        vendor=connection.vendor,
    )


def findings(
    *, settings_module: str, dice_source: str | None, real_money: bool, vendor: str
) -> list[CheckMessage]:
    """The same on plain values. `vendor` is the database's, as Django names it."""
    laws = [
        (FIXED_DICE, dice_source is not None and settings_module not in TEST_SETTINGS),
        (MONEY_ON_SQLITE, real_money and vendor == "sqlite"),
    ]
    return [finding for finding, is_broken in laws if is_broken]
