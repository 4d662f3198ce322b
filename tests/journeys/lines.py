"""Dice for the journeys, and a whole game to go with them. Light always wins the opening throw."""

from typing import NamedTuple

from tests.journeys.table import Table

OPENING = (6, 5)
THEIR_OPENING = (5, 6)


class Exchange(NamedTuple):
    """A turn of light and the answer of dark, each counted by its mover."""

    roll: tuple[int, int]
    light: str
    dark: str = ""


SMALL = (2, 1)

# Ten turns of light against small steps of dark: a gammon without a single hit.
RUN = (
    Exchange(OPENING, "24/13", "13/11 24/23"),
    Exchange((6, 6), "13/7(4)", "24/22 23/22"),
    Exchange((6, 6), "13/7(2) 7/1(2)", "22/20 13/12"),
    Exchange((6, 6), "24/18 7/1(3)", "13/11 13/12"),
    Exchange((6, 6), "8/2(3) 7/1", "22/20 13/12"),
    Exchange((6, 6), "18/6 6/off(2)", "20/18 18/17"),
    Exchange((6, 6), "6/off(4)", "20/18 17/16"),
)
# From here on a race: light's switch bears off by itself.
RACE = (
    Exchange((3, 3), "", "16/14 18/17"),
    Exchange((3, 3), "", "17/15 12/11"),
    Exchange((6, 6), ""),
)


def dice_of(*exchanges: Exchange) -> list[tuple[int, int]]:
    """The rolls in the order of play; the first is the opening throw."""
    rolls: list[tuple[int, int]] = []
    for exchange in exchanges:
        rolls.append(exchange.roll)
        if exchange.dark:
            rolls.append(SMALL)
    return rolls


def play_run(light: Table, dark: Table, upto: int = len(RUN)) -> None:
    """The first exchanges of the game, every step pressed."""
    for number, exchange in enumerate(RUN[:upto]):
        light.expect_turn("light")
        if number:
            light.roll()
        light.play(exchange.light)
        dark.expect_turn("dark").roll().play(exchange.dark)


def race_home(light: Table, dark: Table) -> None:
    """The rest: light only rolls."""
    for exchange in RACE:
        light.expect_turn("light").press("roll")
        if exchange.dark:
            dark.expect_turn("dark").roll().play(exchange.dark)
