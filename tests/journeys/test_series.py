"""A series to five points by two people: score, Crawford, dead cube, one settlement, ratings, rematch."""

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import Arrive
from tests.journeys.console import console, frame
from tests.journeys.desk import Desk
from tests.journeys.errands import meet
from tests.journeys.lines import OPENING, SMALL
from tests.journeys.people import Person
from tests.journeys.table import MINUS, Table
from tests.run.site import Site

pytestmark = pytest.mark.journey

LIGHTS_FIRST, DARKS_FIRST = "24/13", "13/11 24/23"
# Light opens every game with 6-5. Where dark rolls, it is a 2-1.
DICE = [OPENING, OPENING, SMALL, OPENING, OPENING, SMALL, OPENING]
EVEN = "rating 1500, win +22.36, loss \N{MINUS SIGN}22.36"


@pytest.fixture
def players(arrive: Arrive, live_processes: Site) -> tuple[Person, Person]:
    live_processes.set_dice(DICE)
    return arrive("Anna", cents=50_00), arrive("Boris", cents=50_00)


def test_a_series_to_five_with_its_crawford_game(
    players: tuple[Person, Person], desk: Desk
) -> None:
    anna, boris = players
    house_before = desk.commission()
    light, dark = meet(anna, boris, stake="10", length=5)
    for table in (light, dark):
        shows_the_terms(table)
    light.accept()
    dark.accept()
    light.expect_turn("light", "to_move")
    assert desk.balance(anna.name) == desk.balance(boris.name) == 40_00
    shows_score(light, own="0/5", their="0/5")

    four_points_at_once(light, dark)
    the_crawford_game(light, dark)
    the_cube_is_back(light, dark)
    assert desk.balance(anna.name) == desk.balance(boris.name) == 40_00  # not between games
    nobody_needs_the_cube(light, dark)

    shows_the_result(light, dark)
    assert (desk.balance(anna.name), desk.balance(boris.name)) == (58_28, 40_00)
    assert desk.commission() == house_before + 172
    # 4 · 5 · √5 · ½, to the billionth.
    assert desk.rating(anna.name) == {"exact": "1522.360679775", "experience": 5}
    assert desk.rating(boris.name) == {"exact": "1477.639320225", "experience": 5}
    shows_the_sheet(light, anna.name, boris.name)
    rematch(light, dark)


def shows_the_terms(table: Table) -> None:
    """The ready check: the stake, the fee, the rating points."""
    expect(table.ready).to_contain_text("series to 5")
    expect(table.ready).to_contain_text("Stake$10.00")
    expect(table.ready).to_contain_text("OptionsCrawford")
    for seat in (0, 1):
        expect(table.ready.locator(".seats li").nth(seat)).to_contain_text(EVEN)
    # 4.9 % + 4 · 0.5 %, a quarter more because both are rated below 1620: 86.25 cents each.
    expect(table.ready).to_contain_text(f"the seriesfee $1.72, 8.625% each +$8.28{MINUS}$10.00")


def four_points_at_once(light: Table, dark: Table) -> None:
    """A gammon at cube 2."""
    light.play(LIGHTS_FIRST)
    dark.expect_turn("dark").press("double")
    light.press("take")
    dark.expect_turn("dark", "to_roll")
    give_up(dark, light, level=2)
    shows_score(light, own="4/5", their="0/5")


def the_crawford_game(light: Table, dark: Table) -> None:
    """One point from the target there is no cube, and both can see it."""
    light.expect_turn("light", "to_move")
    for table in (light, dark):
        expect(table.fact("own", "crawford")).to_have_text("Crawford")
        expect(table.page.locator("[data-part=score]")).to_contain_text("Crawford game")
    light.play(LIGHTS_FIRST)
    dark.expect_turn("dark", "to_roll")
    expect(dark.button("double")).to_be_disabled()
    expect(dark.say).to_contain_text("No doubling in the Crawford game")
    assert console(dark, [frame("double", dark.version)]) == ["crawford_game"]
    dark.roll().play(DARKS_FIRST)
    light.expect_turn("light", "to_roll")
    expect(light.button("double")).to_be_disabled()
    give_up(light, dark, level=1)
    shows_score(light, own="4/5", their="1/5")


def the_cube_is_back(light: Table, dark: Table) -> None:
    """Afterwards doubles are offered, dropped and taken again."""
    light.expect_turn("light", "to_move")
    expect(light.page.locator("[data-row=crawford]:visible")).to_have_count(0)
    light.play(LIGHTS_FIRST)
    dark.expect_turn("dark").press("double")
    light.press("drop").press("drop-yes")
    shows_score(light, own="4/5", their="2/5")

    light.expect_turn("light", "to_move").play(LIGHTS_FIRST)
    dark.expect_turn("dark").press("double")
    light.press("take")
    dark.expect_turn("dark").roll().play(DARKS_FIRST)
    light.expect_turn("light", "to_roll")
    give_up(light, dark, level=1)
    shows_score(light, own="4/5", their="4/5")


def nobody_needs_the_cube(light: Table, dark: Table) -> None:
    """Both need one point: a double could change nothing."""
    light.expect_turn("light", "to_move").play(LIGHTS_FIRST)
    dark.expect_turn("dark", "to_roll")
    expect(dark.button("double")).to_be_disabled()
    expect(dark.say).to_contain_text("already covers what both of you need")
    assert console(dark, [frame("double", dark.version)]) == ["dead_cube"]
    give_up(dark, light, level=1)


def give_up(loser: Table, winner: Table, *, level: int) -> None:
    """A game is lost by resigning it; the next one begins by itself."""
    loser.expect_free().press("resign").press(f"resign-{level}")
    winner.expect_phase("resign_answer").press("accept-resign")


def shows_score(light: Table, *, own: str, their: str) -> None:
    expect(light.fact("own", "score")).to_have_text(own)
    expect(light.fact("their", "score")).to_have_text(their)


def shows_the_result(won: Table, lost: Table) -> None:
    """The sheets of both, to the cent and to the hundredth of a rating point."""
    expect(won.result).to_contain_text("You won 5\N{EN DASH}4")
    expect(lost.result).to_contain_text("You lost 4\N{EN DASH}5")
    expect(won.result).to_contain_text("Won from your opponent+$10.00")
    expect(won.result).to_contain_text(f"Fee, both players{MINUS}$1.72")
    expect(won.result).to_contain_text("You won+$8.28")
    expect(won.result).to_contain_text("Balance$58.28")
    expect(lost.result).to_contain_text(f"You lost{MINUS}$10.00")
    expect(lost.result).to_contain_text("Balance$40.00")
    expect(won.result).to_contain_text("Rating series to 5, won against 1500+22.36 now 1522")
    expect(lost.result).to_contain_text(f"Rating series to 5, lost to 1500{MINUS}22.36 now 1478")


def shows_the_sheet(light: Table, anna: str, boris: str) -> None:
    """Every game with its winner, how, and the score after it; and the moves of each."""
    light.press("look")
    sheet = light.page.locator(".sheet")
    sheet.locator("summary").click()
    rows = sheet.locator("tbody tr")
    expect(rows).to_have_text(
        [
            f"1{anna}gammon, cube 2, 4 points0\N{EN DASH}4",
            f"2{boris}resigned, 1 point1\N{EN DASH}4",
            f"3{boris}double dropped, 1 point2\N{EN DASH}4",
            f"4{boris}resigned, cube 2, 2 points4\N{EN DASH}4",
            f"5{anna}resigned, 1 point4\N{EN DASH}5",
        ]
    )
    light.open_panel("moves")
    light.page.locator("[data-part=moves-game]").select_option("2")
    expect(light.page.locator("[data-part=moves]")).to_contain_text("24/23 13/11")
    light.page.locator("[data-act=show-result]").click()


def rematch(light: Table, dark: Table) -> None:
    """One asks, the other accepts; both are at a new ready check with the ratings of now."""
    light.press("rematch")
    expect(light.result).to_contain_text("Waiting for")
    expect(dark.result).to_contain_text("wants to play again")
    before = light.match_id
    dark.press("rematch")
    for table in (light, dark):
        table.page.wait_for_url(lambda url: before not in url)
        table.connected().expect_phase("ready")
        expect(table.ready).to_contain_text("series to 5")
    assert light.match_id == dark.match_id != before
    expect(light.ready.locator(".seats li").last).to_contain_text("rating 1522, win ")
    expect(light.ready.locator(".seats li").first).to_contain_text("rating 1478, win ")
    light.press("leave")
    expect(dark.result).to_contain_text("The match did not start")
