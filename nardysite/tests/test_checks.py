"""Settings that would be dangerous are found before the site serves anybody."""

import pytest
from django.core.checks import registry

from nardysite.checks import FIXED_DICE, MONEY_ON_SQLITE, findings, settings_are_safe

SAFE = {
    "settings_module": "nardysite.settings.prod",
    "dice_source": None,
    "real_money": True,
    "vendor": "postgresql",
}


def test_real_money_on_postgresql_with_fair_dice_is_safe() -> None:
    assert findings(**SAFE) == []


@pytest.mark.parametrize("module", ["nardysite.settings.prod", "nardysite.settings.dev", ""])
def test_dice_cannot_be_fixed_outside_the_tests(module: str) -> None:
    broken = {**SAFE, "dice_source": "dice.json", "settings_module": module}
    assert findings(**broken) == [FIXED_DICE]


def test_the_test_settings_may_fix_the_dice() -> None:
    fixed = {"dice_source": "dice.json", "settings_module": "nardysite.settings.test"}
    assert findings(**{**SAFE, **fixed}) == []


def test_real_money_is_refused_on_sqlite() -> None:
    assert findings(**{**SAFE, "vendor": "sqlite"}) == [MONEY_ON_SQLITE]
    assert findings(**{**SAFE, "vendor": "sqlite", "real_money": False}) == []


def test_django_asks() -> None:
    asked: list[object] = list(registry.registry.get_checks())
    assert settings_are_safe in asked
    assert settings_are_safe() == []
