"""Somebody alone: a visitor plays the house bot at once, then goes through the match again and has it analysed."""

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import Arrive
from tests.journeys.table import Table
from tests.run.site import Site

pytestmark = pytest.mark.journey
GAME_MS = 30_000
ENGINE_MS = 90_000


def test_a_visitor_plays_the_bot_sees_the_replay_and_has_it_analysed(
    arrive: Arrive, live_processes: Site
) -> None:
    """Table 7 and 8. No account, a few clicks; the bot and the analysis come from the workers."""
    live_processes.set_dice([(6, 1), (5, 2)])
    visitor = arrive()
    page = visitor.go("/lobby/practice/")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/table/**")
    table = Table(page).connected()
    expect(table.fact("their", "name")).to_have_text("House bot easy")
    table.accept()
    expect(table.main).to_have_attribute("data-phase", "to_move", timeout=GAME_MS)
    table.play("13/7 8/7")
    expect(page.locator("[data-part=moves]")).to_contain_text("52", timeout=GAME_MS)
    expect(table.main).to_have_attribute("data-phase", "to_roll", timeout=GAME_MS)
    table.expect_turn("light", "to_roll").press("resign").press("resign-3")
    expect(table.main).to_have_attribute("data-phase", "over", timeout=GAME_MS)

    page.get_by_role("link", name="Replay").click()
    page.wait_for_url("**/replay/**")
    replayed(page)
    shared = page.locator("#share").input_value()

    page.get_by_role("button", name="Analyse this match").click()
    expect(page.locator("[data-part=rates] tr").first).to_be_visible(timeout=ENGINE_MS)
    expect(page.locator("[data-part=chart] svg")).to_be_visible()

    stranger = arrive().go(shared)
    expect(stranger.locator("main.replay [data-fact=caption]")).to_be_visible()
    expect(stranger.locator("[data-part=analysis]")).to_have_count(0)


def replayed(page: Page) -> None:
    """Arrows, Home, End and the address lead through the moments."""
    caption = page.locator("[data-fact=caption]")
    page.locator("body").press("Home")
    expect(caption).to_have_text("Game 1 begins.")
    page.locator("body").press("ArrowRight")
    expect(caption).to_contain_text("Opening roll")
    page.locator("body").press("ArrowRight")
    expect(caption).to_contain_text("13/7 8/7")
    expect(page.locator(".replay-moves a[aria-current]")).to_contain_text("13/7 8/7")
    page.locator("body").press("ArrowLeft")
    expect(caption).to_contain_text("Opening roll")
    page.locator("body").press("End")
    expect(caption).to_contain_text("The match is over")
    last = page.url.partition("#")[2]
    page.goto(page.url.partition("#")[0] + "#1")
    expect(caption).to_have_text("Game 1 begins.")
    assert int(last) > 1
