"""The mouse beyond the left click: dragging a checker, the right button, the second press."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.journeys.conftest import Arrive
from tests.journeys.table import Table, start
from tests.run.site import Site

pytestmark = pytest.mark.journey
Seated = Callable[..., tuple[Table, Table]]


@pytest.fixture
def light(arrive: Arrive, seated: Seated, live_processes: Site) -> Table:
    """Light is to play 3 and 1."""
    live_processes.set_dice([(3, 1)])
    mine, theirs = seated(arrive("Anna"), arrive("Boris"))
    start(mine, theirs)
    return mine.expect_turn("light", "to_move")


def test_checkers_are_dragged_to_where_they_may_go_and_nowhere_else(light: Table) -> None:
    before = light.position()
    drag(light, 8, 3)
    assert light.position() == before
    drag(light, 8, 5)
    light.expect_checkers(5, 1)
    drag(light, 6, 5)
    light.expect_checkers(5, 2)
    light.press("done").expect_turn("dark", "to_roll")


def test_the_right_button_plays_the_smaller_die_and_a_second_press_the_larger(
    light: Table,
) -> None:
    light.place(8).click(button="right")
    light.expect_checkers(7, 1).expect_checkers(8, 2)
    expect(light.say).to_have_text("Left to play: 3.")
    light.press("undo")
    light.place(8).click()
    light.place(8).click()
    light.expect_checkers(5, 1).expect_checkers(8, 2)
    expect(light.say).to_have_text("Left to play: 1.")


def drag(table: Table, source: int, target: int) -> None:
    """Where the checkers lie on their points: at the outer end."""
    mouse = table.page.mouse
    mouse.move(*_end(table.place(source)))
    mouse.down()
    x, y = _end(table.place(target))
    mouse.move(x, y, steps=5)
    mouse.up()


def _end(point: Locator) -> tuple[float, float]:
    box = point.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.8
