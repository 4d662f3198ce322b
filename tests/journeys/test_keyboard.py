"""No mouse at all: everything at a table with Tab, arrows, Enter and the letters."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import Arrive
from tests.journeys.lines import RUN, dice_of
from tests.journeys.table import Keys, Table, start
from tests.run.site import Site

pytestmark = pytest.mark.journey
Seated = Callable[..., tuple[Table, Table]]


def test_ready_check_turns_and_cube_by_keys_alone(
    arrive: Arrive, seated: Seated, live_processes: Site
) -> None:
    live_processes.set_dice(dice_of(*RUN))
    light, dark = (table.held_by(Keys()) for table in seated(arrive("Anna"), arrive("Boris")))
    start(light, dark)
    light.expect_turn("light", "to_move").play(RUN[0].light)
    dark.expect_turn("dark", "to_roll").press("double")
    light.expect_turn("light", "cube_answer").press("take")
    dark.expect_turn("dark", "to_roll").roll().play(RUN[0].dark)
    light.expect_turn("light").press("double")
    dark.press("drop").press("drop-yes")
    expect(light.result).to_contain_text("You won")
    expect(light.page.locator("#result-title")).to_be_focused()


def test_the_letters_roll_double_undo_and_end_the_turn(
    arrive: Arrive, seated: Seated, live_processes: Site
) -> None:
    live_processes.set_dice(dice_of(*RUN))
    light, dark = (table.held_by(Keys()) for table in seated(arrive("Anna"), arrive("Boris")))
    start(light, dark)
    keys = light.page.keyboard
    light.expect_turn("light", "to_move").move("24/18")
    expect(light.button("undo")).to_be_enabled()
    keys.press("u")
    expect(light.button("undo")).to_be_disabled()
    light.move("24/13")
    expect(light.button("done")).to_be_enabled()
    keys.press("e")
    dark.expect_turn("dark", "to_roll").roll().play(RUN[0].dark)
    light.expect_turn("light", "to_roll")
    keys.press("d")
    dark.expect_turn("dark", "cube_answer").press("take")
    light.expect_turn("light", "to_roll")
    keys.press("r")
    light.expect_phase("to_move")
