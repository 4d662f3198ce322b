"""What the settings must never say, found before the site serves anybody."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error

TEST_SETTINGS = ("nardysite.settings.test", "nardysite.settings.test_embedded")


def settings_are_safe(
    app_configs: Sequence[AppConfig] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Run by every management command; an Error keeps the site from starting."""
    findings: list[CheckMessage] = []
    if settings.DICE_SOURCE is not None and settings.SETTINGS_MODULE not in TEST_SETTINGS:
        findings.append(
            Error(
                "DICE_SOURCE fixes the dice, and these are not the test settings.",
                hint="Remove DICE_SOURCE: dice come from the seeds of the two players.",
                id="nardysite.E001",
            )
        )
    if settings.REAL_MONEY and _runs_on_sqlite():
        findings.append(
            Error(
                "Real money is enabled on SQLite, which cannot lock rows.",
                hint="Use PostgreSQL, or set REAL_MONEY to False.",
                id="nardysite.E002",
            )
        )
    return findings


def _runs_on_sqlite() -> bool:
    engines = [database["ENGINE"] for database in settings.DATABASES.values()]
    return any(engine.endswith(".sqlite3") for engine in engines)
