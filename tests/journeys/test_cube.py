"""The doubling cube: dropped, taken, turned again."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import Arrive
from tests.journeys.desk import Desk
from tests.journeys.lines import RUN, dice_of
from tests.journeys.people import Person
from tests.journeys.table import MINUS, Table, start
from tests.run.site import Site

pytestmark = pytest.mark.journey
Seated = Callable[..., tuple[Table, Table]]


@pytest.fixture
def players(arrive: Arrive, live_processes: Site) -> tuple[Person, Person]:
    live_processes.set_dice(dice_of(*RUN))
    return arrive("Anna", cents=50_00), arrive("Boris", cents=50_00)


def test_who_drops_loses_what_was_at_stake(
    players: tuple[Person, Person], seated: Seated, desk: Desk
) -> None:
    anna, boris = players
    light, dark = seated(anna, boris, currency="USD", stake=100)
    start(light, dark)
    light.play(RUN[0].light)
    dark.expect_turn("dark").press("double")
    expect(light.offer).to_contain_text("Take: play on for $2.00 a point")
    expect(light.offer).to_contain_text("Drop: lose now $1.00")
    light.press("drop")
    expect(light.page.locator("[data-part=ask]")).to_contain_text("you lose $1.00")
    light.press("drop-yes")
    expect(light.result).to_contain_text(f"You lost{MINUS}$1.00")
    # 4.9 % of $1.00 and a quarter more: 6 cents each.
    expect(dark.result).to_contain_text("You won+$0.88")
    expect(light.result).to_contain_text("Balance$49.00")
    expect(dark.result).to_contain_text("Balance$50.88")
    assert (desk.balance(anna.name), desk.balance(boris.name)) == (49_00, 50_88)


def test_a_taken_cube_is_turned_again_and_counts(
    players: tuple[Person, Person], seated: Seated, desk: Desk
) -> None:
    anna, boris = players
    light, dark = seated(anna, boris, currency="USD", stake=100)
    start(light, dark)
    light.play(RUN[0].light)
    dark.expect_turn("dark").press("double")
    expect(light.button("roll")).to_be_disabled()  # nothing stands where Roll stood
    light.press("take")
    expect(light.fact("own", "cube")).to_have_text("2")
    expect(dark.fact("their", "cube")).to_have_text("2")
    dark.expect_turn("dark", "to_roll")
    expect(dark.button("double")).to_be_disabled()  # the cube is the other's
    dark.roll().play(RUN[0].dark)

    light.expect_turn("light").press("double")
    expect(dark.offer).to_contain_text("Take: play on for $4.00 a point")
    expect(dark.offer).to_contain_text("Drop: lose now $2.00")
    dark.press("take")
    expect(dark.fact("own", "cube")).to_have_text("4")
    light.expect_turn("light").roll().play(RUN[1].light)
    dark.expect_turn("dark").press("resign").press("resign-1")
    light.press("accept-resign")

    # 4.9 % of $4.00 and a quarter more: 24.5 cents each.
    expect(light.result).to_contain_text("single game, cube 4, 4 points")
    expect(light.result).to_contain_text("You won+$3.50")
    expect(dark.result).to_contain_text(f"You lost{MINUS}$4.00")
    expect(light.result).to_contain_text("Balance$53.50")
    assert (desk.balance(anna.name), desk.balance(boris.name)) == (53_50, 46_00)
