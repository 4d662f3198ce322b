"""Settings that would be dangerous are found before the site serves anybody."""

from pytest_django import Settings

from nardysite.checks import settings_are_safe


def _ids() -> list[str | None]:
    return [finding.id for finding in settings_are_safe()]


def test_the_test_settings_may_fix_the_dice(settings: Settings) -> None:
    settings.DICE_SOURCE = "/tmp/dice.json"
    assert _ids() == []


def test_no_other_settings_may_fix_the_dice(settings: Settings) -> None:
    settings.DICE_SOURCE = "/tmp/dice.json"
    settings.SETTINGS_MODULE = "nardysite.settings.prod"
    assert _ids() == ["nardysite.E001"]


def test_real_money_is_refused_on_sqlite(settings: Settings) -> None:
    settings.REAL_MONEY = True
    settings.DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3"}}
    assert _ids() == ["nardysite.E002"]


def test_real_money_is_allowed_on_postgresql(settings: Settings) -> None:
    settings.REAL_MONEY = True
    settings.DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql"}}
    assert _ids() == []
