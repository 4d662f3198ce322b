"""A phone of 360 pixels: nothing scrolls sideways, everything is tapped."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import Arrive
from tests.journeys.lines import RUN, dice_of
from tests.journeys.people import PHONE
from tests.journeys.table import MINUS, Finger, Table, start
from tests.run.site import Site

pytestmark = pytest.mark.journey
Seated = Callable[..., tuple[Table, Table]]


def require_no_sideways_scroll(page: Page) -> None:
    width = page.evaluate("document.scrollingElement.scrollWidth")
    assert width <= PHONE["viewport"]["width"], f"{page.url} is {width} pixels wide"


def test_pages_do_not_scroll_sideways(arrive: Arrive) -> None:
    stranger, player = arrive(device=PHONE), arrive("Anna", cents=50_00, device=PHONE)
    for path in (
        "/",
        "/accounts/signup/",
        "/accounts/login/",
        "/lobby/main/",
        "/fees/",
        "/fair-dice/",
    ):
        require_no_sideways_scroll(stranger.go(path))
    for path in ("/lobby/main/", "/lobby/main/?new=1", "/wallet/", "/profile/"):
        require_no_sideways_scroll(player.go(path))


def test_a_game_is_played_by_tapping(arrive: Arrive, seated: Seated, live_processes: Site) -> None:
    live_processes.set_dice(dice_of(*RUN))
    anna, boris = (arrive(name, cents=50_00, device=PHONE) for name in ("Anna", "Boris"))
    both = seated(anna, boris, currency="USD", stake=100)
    light, dark = (table.held_by(Finger()) for table in both)
    require_no_sideways_scroll(light.page)
    start(light, dark)
    light.expect_turn("light", "to_move").play(RUN[0].light)
    require_no_sideways_scroll(light.page)
    dark.expect_turn("dark").roll().play(RUN[0].dark)
    light.expect_turn("light").press("double")
    require_no_sideways_scroll(dark.page)
    dark.press("take")
    light.expect_turn("light").roll().play(RUN[1].light)
    dark.expect_turn("dark").press("double")
    light.press("drop").press("drop-yes")
    expect(light.result).to_contain_text(f"You lost{MINUS}$2.00")
    for table in (light, dark):
        require_no_sideways_scroll(table.page)
