"""Fixed dice are for tests, and never for money."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from games import fairness
from games.dice_source import dice_for
from games.tests.dice_records import MATCH

SEEDS = [sha256(who).digest() for who in (b"server", b"light", b"dark")]


@pytest.fixture
def fixed(tmp_path: Path, settings: Settings) -> Path:
    path = tmp_path / "dice.json"
    path.write_text(json.dumps({"rolls": [[6, 1], [3, 3], [2, 5]]}))
    settings.DICE_SOURCE = str(path)
    return path


def test_without_a_source_the_seeds_decide(settings: Settings) -> None:
    settings.DICE_SOURCE = None
    dice, true = dice_for(MATCH, *SEEDS), fairness.dice_for(MATCH, *SEEDS)
    assert [dice(n) for n in range(1, 9)] == [true(n) for n in range(1, 9)]


def test_while_there_is_no_such_file_the_seeds_decide(fixed: Path) -> None:
    fixed.unlink()
    dice, true = dice_for(MATCH, *SEEDS), fairness.dice_for(MATCH, *SEEDS)
    assert [dice(n) for n in range(1, 9)] == [true(n) for n in range(1, 9)]


@pytest.mark.usefixtures("fixed")
def test_a_file_fixes_the_first_rolls() -> None:
    dice = dice_for(MATCH, *SEEDS)
    assert [dice(1), dice(2), dice(3)] == [(6, 1), (3, 3), (2, 5)]


def test_after_the_file_the_rolls_go_on_and_repeat_with_the_file(fixed: Path) -> None:
    first, again = dice_for(MATCH, *SEEDS), dice_for(MATCH, *SEEDS)
    assert [first(n) for n in range(1, 200)] == [again(n) for n in range(1, 200)]
    fixed.write_text(json.dumps({"rolls": [[6, 1]]}))
    other = dice_for(MATCH, *SEEDS)
    assert [first(n) for n in range(4, 40)] != [other(n) for n in range(4, 40)]


@pytest.mark.usefixtures("fixed")
def test_fixed_dice_are_refused_where_real_money_is_played(settings: Settings) -> None:
    settings.REAL_MONEY = True
    with pytest.raises(ImproperlyConfigured):
        dice_for(MATCH, *SEEDS)
