"""The dice look like dice. The seeds are fixed, so this either always passes or never does.

The long version, two million dice, is tests/bench/bench_dice.py.
"""

import doctest
from collections.abc import Iterator
from hashlib import sha256
from uuid import UUID

import pytest

from games.fairness import Thrown, dice_for
from games.tests import chi_square
from games.tests.chi_square import fits

MATCHES, ROLLS_EACH = 200, 150
DOUBTFUL = 0.001


def rolls_of(label: str) -> Iterator[Thrown]:
    for match in range(MATCHES):
        server, light, dark = (
            sha256(f"{label} {match} {who}".encode()).digest()
            for who in ("server", "light", "dark")
        )
        dice = dice_for(UUID(int=match + 1), server, light, dark)
        yield from (dice(n) for n in range(1, ROLLS_EACH + 1))


@pytest.mark.parametrize("label", ["one", "two", "three"])
def test_sixty_thousand_dice_pass_on_faces_pairs_and_successive_pairs(label: str) -> None:
    """Live table 3."""
    for fit in fits(rolls_of(label)):
        assert fit.trials >= MATCHES * ROLLS_EACH - 1
        assert fit.p > DOUBTFUL, fit


def test_dice_that_favour_a_face_are_found_out() -> None:
    loaded = [
        Thrown(6, roll.second) if n % 25 == 0 else roll for n, roll in enumerate(rolls_of("one"))
    ]
    assert fits(loaded)[0].p < DOUBTFUL


def test_dice_that_repeat_are_found_out() -> None:
    """Bug F02: two rolls that came from the same moment."""
    repeating = [roll for roll in rolls_of("one") for _ in range(2)]
    assert fits(repeating)[2].p < DOUBTFUL


def test_a_second_die_that_leans_on_the_first_is_found_out() -> None:
    leaning = [
        Thrown(roll.first, roll.first) if n % 50 == 0 else roll
        for n, roll in enumerate(rolls_of("one"))
    ]
    assert fits(leaning)[1].p < DOUBTFUL


def test_the_tail_of_chi_square_agrees_with_printed_tables() -> None:
    assert doctest.testmod(chi_square).failed == 0
