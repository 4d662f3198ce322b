"""axe-core on the pages, light and dark: nothing serious, nothing critical."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.journeys.conftest import Arrive
from tests.journeys.lines import RUN, dice_of
from tests.journeys.people import COMPUTER, PHONE
from tests.journeys.table import Table, start
from tests.run.site import ROOT, Site

pytestmark = pytest.mark.journey
Seated = Callable[..., tuple[Table, Table]]

AXE = Path(ROOT, "node_modules", "axe-core", "axe.min.js")
DEVICES: dict[str, dict[str, Any]] = {
    "light": {**COMPUTER, "color_scheme": "light"},
    "dark": {**COMPUTER, "color_scheme": "dark"},
    "phone": {**PHONE, "color_scheme": "light"},
}


def problems(page: Page) -> list[str]:
    """What axe calls serious or critical, as lines with the places where it is."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found: dict[str, Any] = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{page.url}: {one['id']} ({one['help']}) at {node['target']}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.fixture(params=DEVICES)
def device(request: pytest.FixtureRequest) -> dict[str, Any]:
    chosen: dict[str, Any] = DEVICES[request.param]
    return chosen


def test_pages(device: dict[str, Any], arrive: Arrive) -> None:
    stranger, player = arrive(device=device), arrive("Anna", cents=50_00, device=device)
    found: list[str] = []
    for path in (
        "/",
        "/accounts/signup/",
        "/accounts/login/",
        "/lobby/main/",
        "/fees/",
        "/fair-dice/",
    ):
        found += problems(stranger.go(path))
    for path in ("/lobby/main/?new=1", "/wallet/", "/wallet/?currency=PLAY", "/profile/"):
        found += problems(player.go(path))
    assert found == []


def test_the_sign_up_form_with_errors(device: dict[str, Any], arrive: Arrive) -> None:
    stranger = arrive(device=device)
    stranger.forgive("the server responded with a status of 400")
    page = stranger.go("/accounts/signup/")
    page.get_by_role("button", name="Sign up").click()
    page.get_by_text("There is a problem").wait_for()
    assert problems(page) == []


def test_the_table(
    device: dict[str, Any], arrive: Arrive, seated: Seated, live_processes: Site
) -> None:
    live_processes.set_dice(dice_of(*RUN))
    anna, boris = (arrive(name, cents=50_00, device=device) for name in ("Anna", "Boris"))
    light, dark = seated(anna, boris, currency="USD", stake=100)
    found = problems(light.page)
    start(light, dark)
    light.expect_turn("light").place(24).click()
    found += problems(light.page)
    light.place(13).click()
    light.press("done")
    dark.expect_turn("dark").press("double")
    light.expect_phase("cube_answer")
    found += problems(light.page)
    light.press("drop")
    found += problems(light.page)
    light.press("drop-yes")
    light.expect_phase("over")
    found += problems(light.page)
    assert found == []
