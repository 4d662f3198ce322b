"""Which keys the stored seeds need: docs/fairness.md, Changing the keys."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import IntegrityError
from pytest_django import Settings

from games.models import MatchSeed
from games.sealing import key_names
from games.tests.players import make_user, open_table

pytestmark = pytest.mark.django_db
OLD, NEW = "the old key of this test, long enough", "the new key of this test, long enough"


def seed_keys() -> tuple[list[str], int]:
    out = StringIO()
    try:
        call_command("seed_keys", stdout=out)
    except SystemExit as stop:
        return out.getvalue().splitlines(), int(stop.code or 0)
    return out.getvalue().splitlines(), 0


def open_tables(count: int) -> None:
    for _ in range(count):
        open_table(make_user(cents=10_000), make_user(cents=10_000))


def test_each_key_is_told_with_the_matches_that_need_it(settings: Settings) -> None:
    settings.SEED_KEYS = [OLD]
    open_tables(2)
    settings.SEED_KEYS = [NEW, OLD]
    open_tables(1)
    new, old = key_names()
    assert seed_keys() == ([f"{new}  1 matches, seals new ones", f"{old}  2 matches"], 0)

    settings.SEED_KEYS = [NEW]
    assert seed_keys() == (
        [f"{new}  1 matches, seals new ones", f"{old}  2 matches, MISSING in SEED_KEYS"],
        1,
    )


def test_a_key_that_nothing_needs_may_go(settings: Settings) -> None:
    settings.SEED_KEYS = [NEW, OLD]
    lines, status = seed_keys()
    assert [line.split("  ")[1] for line in lines] == ["0 matches, seals new ones", "0 matches"]
    assert status == 0


def test_a_stored_seed_cannot_be_changed() -> None:
    open_tables(1)
    with pytest.raises(IntegrityError):
        MatchSeed.objects.update(sealed="1.00000000.AAAA")
