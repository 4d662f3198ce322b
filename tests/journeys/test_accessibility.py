"""axe-core on the pages, light and dark, wide and narrow: nothing serious, nothing critical."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.journeys.conftest import Arrive
from tests.journeys.desk import Desk
from tests.journeys.lines import RUN, dice_of
from tests.journeys.people import COMPUTER, PHONE
from tests.journeys.table import Table, start
from tests.run.site import ROOT, Site

pytestmark = pytest.mark.journey
Seated = Callable[..., tuple[Table, Table]]

AXE = Path(ROOT, "node_modules", "axe-core", "axe.min.js")
ALL = "{ resultTypes: ['violations'] }"
COLOURS = "{ resultTypes: ['violations'], runOnly: ['color-contrast'] }"


def problems(page: Page, rules: str = ALL) -> list[str]:
    """What axe calls serious or critical, as lines with the places where it is."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found: dict[str, Any] = page.evaluate(f"axe.run(document, {rules})")
    return [
        f"{page.url}: {one['id']} ({one['help']}) at {node['target']}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


def problems_of_all_looks(page: Page) -> list[str]:
    """On a computer by day, by night, and on a phone."""
    wide, narrow = COMPUTER["viewport"], PHONE["viewport"]
    found = problems(page)
    page.emulate_media(color_scheme="dark")
    found += problems(page, COLOURS)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(narrow)
    found += problems(page)
    page.set_viewport_size(wide)
    return found


def test_pages(arrive: Arrive) -> None:
    stranger, player = arrive(), arrive("Anna", cents=50_00)
    found: list[str] = []
    for path in ("/", "/accounts/signup/", "/accounts/login/", "/lobby/main/", "/fees/"):
        found += problems_of_all_looks(stranger.go(path))
    for path in (
        "/lobby/main/?new=1",
        "/wallet/",
        "/wallet/limits/",
        "/promotions/",
        "/profile/",
        "/fair-dice/",
    ):
        found += problems_of_all_looks(player.go(path))
    assert found == []


def test_the_rules_and_pages_about_players(arrive: Arrive, desk: Desk) -> None:
    stranger = arrive()
    found: list[str] = []
    for path in ("/rules/", "/rules/backgammon/", "/rules/long-nardy/", "/leaderboards/"):
        found += problems_of_all_looks(stranger.go(path))
    anna, boris, carla = arrive("Anna"), arrive("Boris"), arrive("Carla")
    desk.befriend(anna.name, boris.name)
    for path in ("/friends/", "/tables/", f"/players/{carla.name}/"):
        found += problems_of_all_looks(anna.go(path))
    assert found == []


def test_the_sign_up_form_with_errors(arrive: Arrive) -> None:
    stranger = arrive()
    stranger.forgive("the server responded with a status of 400")
    page = stranger.go("/accounts/signup/")
    page.get_by_role("button", name="Sign up").click()
    page.get_by_text("There is a problem").wait_for()
    assert problems_of_all_looks(page) == []


def test_the_table(arrive: Arrive, seated: Seated, live_processes: Site) -> None:
    live_processes.set_dice(dice_of(*RUN))
    anna, boris = arrive("Anna", cents=50_00), arrive("Boris", cents=50_00)
    light, dark = seated(anna, boris, currency="USD", stake=100)
    found = problems_of_all_looks(light.page)  # the ready check
    start(light, dark)
    light.expect_turn("light").place(24).click()
    found += problems_of_all_looks(light.page)  # a checker is chosen
    light.place(13).click()
    light.press("done")
    dark.expect_turn("dark").press("double")
    light.expect_phase("cube_answer")
    found += problems_of_all_looks(light.page)
    light.press("drop")
    found += problems(light.page)  # asked once more
    light.press("drop-yes")
    light.expect_phase("over")
    found += problems_of_all_looks(light.page)  # the result
    assert found == []
