"""After the match anybody can check its dice in a browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import Arrive
from tests.journeys.table import Table, start
from tests.run.site import Site

pytestmark = pytest.mark.journey
Seated = Callable[..., tuple[Table, Table]]


def test_every_roll_of_a_finished_match_matches(
    arrive: Arrive, seated: Seated, live_processes: Site
) -> None:
    live_processes.set_fair_dice()
    page = dice_page_after(*seated(arrive("Anna"), arrive("Boris")), turns=3)
    rolls = page.locator("[data-roll]").count()
    assert rolls >= 3
    expect(page.locator("[data-verdict]")).to_have_attribute("data-state", "ok")
    expect(page.locator("[data-verdict]")).to_have_text(f"{rolls} of {rolls} rolls match.")
    expect(page.locator("[data-roll][data-state=ok]")).to_have_count(rolls)
    expect(page.locator("[data-seal][data-state=ok]")).to_have_count(3)
    expect(page.locator("[data-memory]")).to_contain_text("the number it chose itself")

    stranger = arrive().go(page.url)
    expect(stranger.locator("[data-verdict]")).to_have_text(f"{rolls} of {rolls} rolls match.")


def test_dice_that_do_not_come_from_the_seeds_are_found_out(
    arrive: Arrive, seated: Seated, live_processes: Site
) -> None:
    live_processes.set_dice([(6, 5), (2, 1)])
    page = dice_page_after(*seated(arrive("Anna"), arrive("Boris")), turns=2)
    expect(page.locator("[data-verdict]")).to_have_attribute("data-state", "wrong")


def dice_page_after(light: Table, dark: Table, *, turns: int) -> Page:
    """Plays so many turns, as they come; then light resigns and follows the link of the result."""
    start(light, dark)
    tables = {"light": light, "dark": dark}
    for _ in range(turns):
        light.expect_free()
        play_as_it_comes(tables[light.to_act])
    light.expect_free()
    loser, winner = light, dark
    if light.to_act == "dark":
        loser, winner = dark, light
    loser.press("resign").press("resign-1")
    winner.press("accept-resign")
    expect(loser.result).to_contain_text("You lost")
    loser.press("verify")
    loser.page.wait_for_url("**/dice/")
    return loser.page


def play_as_it_comes(table: Table) -> None:
    """Any legal turn: the first checker that can move to the first place, until all dice are played."""
    table.expect_free()
    if table.phase == "to_roll":
        table.press("roll").expect_free()
    done = table.button("done")
    while table.phase == "to_move" and table.to_act == table.side and not done.is_enabled():
        table.page.locator("[data-source]").first.click()
        table.page.locator("[data-to]").first.click()
    if done.is_enabled():
        table.press("done").expect_free()
