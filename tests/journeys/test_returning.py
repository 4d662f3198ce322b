"""Coming back to a table: a reload, a second tab, a site that crashed."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import Arrive
from tests.journeys.desk import Desk
from tests.journeys.lines import RUN, SMALL, dice_of
from tests.journeys.people import LOST_LINE
from tests.journeys.table import Table, start
from tests.run.site import Site

pytestmark = pytest.mark.journey
Seated = Callable[..., tuple[Table, Table]]


@pytest.fixture(autouse=True)
def _dice(live_processes: Site) -> None:
    live_processes.set_dice(dice_of(*RUN))


def test_a_reload_in_the_middle_of_a_turn_keeps_the_position(
    arrive: Arrive, seated: Seated
) -> None:
    light, dark = seated(arrive("Anna"), arrive("Boris"))
    start(light, dark)
    before = light.position()
    light.move("24/18")
    assert light.position() != before  # a preview, which only this page knows
    version = light.version
    light.page.reload()
    light.connected().expect_turn("light", "to_move")
    assert light.position() == before
    assert light.version == version
    light.play(RUN[0].light)
    dark.expect_turn("dark", "to_roll").expect_pips(own=167, their=156)


def test_a_second_tab_of_the_same_player_works_too(arrive: Arrive, seated: Seated) -> None:
    anna = arrive("Anna")
    light, dark = seated(anna, arrive("Boris"))
    page = anna.another_tab()
    page.goto(f"/table/{light.match_id}/")
    second = Table(page).connected()
    assert second.side == "light"
    second.accept()
    dark.accept()
    for tab in (light, second):
        tab.expect_turn("light", "to_move")
    second.play(RUN[0].light)
    light.expect_turn("dark").expect_pips(own=156, their=167)
    dark.roll().play(RUN[0].dark)
    light.expect_turn("light").roll()
    second.expect_turn("light", "to_move").play(RUN[1].light)
    assert light.expect_turn("dark").position() == second.position()
    page.close()
    dark.roll()
    light.expect_phase("to_move")


def test_a_site_killed_in_mid_game_loses_nothing(
    arrive: Arrive, seated: Seated, desk: Desk, live_processes: Site
) -> None:
    anna, boris = arrive("Anna", cents=50_00), arrive("Boris", cents=50_00)
    for person in (anna, boris):
        person.forgive(*LOST_LINE)
    light, dark = seated(anna, boris, currency="USD", stake=100)
    start(light, dark)
    light.play(RUN[0].light)
    dark.expect_turn("dark").roll()
    light.expect_turn("dark", "to_move")
    position, events = light.position(), desk.events(light.match_id)
    dark.move(RUN[0].dark)
    live_processes.kill()
    for table in (light, dark):
        expect(table.main).to_have_attribute("data-lost", "")
        expect(table.say).to_contain_text("Connection lost, trying again.")
    live_processes.restart()

    for table in (light, dark):
        expect(table.main).not_to_have_attribute("data-lost", "")
    assert light.expect_turn("dark", "to_move").position() == position
    after = [event for event in desk.events(light.match_id) if event["kind"] != "credited"]
    assert after == events
    dark.press("done")  # the steps chosen before the crash are still there
    light.expect_turn("light").expect_pips(own=156, their=164).roll().play(RUN[1].light)
    dark.expect_turn("dark").roll().play(RUN[1].dark)
    rolls = [event for event in desk.events(light.match_id) if event["kind"] == "rolled"]
    assert [(roll["high"], roll["low"]) for roll in rolls] == [SMALL, (6, 6), SMALL]
    light.expect_turn("light").press("resign").press("resign-1")
    dark.press("accept-resign")
    expect(light.result).to_contain_text("Balance$49.00")
    expect(dark.result).to_contain_text("Balance$50.88")
    assert (desk.balance(anna.name), desk.balance(boris.name)) == (49_00, 50_88)
