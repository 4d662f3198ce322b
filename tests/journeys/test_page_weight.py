"""How much the table weighs on the wire, and that nothing on it jumps while it loads."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.journeys.conftest import Arrive
from tests.journeys.lines import RUN, dice_of
from tests.journeys.people import COMPUTER, PHONE
from tests.journeys.table import Table, start
from tests.run.site import Site

pytestmark = pytest.mark.journey
Seated = Callable[..., tuple[Table, Table]]

MOST_BYTES = 200 * 1024
MOST_SHIFT = 0.01
WATCH_SHIFTS = """
  globalThis.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifts += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
"""
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def shifts(page: Page) -> float:
    """All that has jumped so far, after what is drawn now has been painted."""
    page.evaluate(TWO_FRAMES)
    return float(page.evaluate("shifts"))


def test_the_table_page_is_light(arrive: Arrive, seated: Seated, desk: object) -> None:
    anna, boris = arrive("Anna"), arrive("Boris")
    sizes: dict[str, int] = {}
    anna.page.on(
        "requestfinished",
        lambda request: sizes.update({request.url: request.sizes()["responseBodySize"]}),
    )
    light, _ = seated(anna, boris)
    light.page.wait_for_load_state("networkidle")
    heaviest = sorted(sizes.items(), key=lambda item: -item[1])[:8]
    assert len(sizes) > 20, sizes  # the page, its styles, its modules
    assert sum(sizes.values()) <= MOST_BYTES, heaviest


@pytest.mark.parametrize("device", [COMPUTER, PHONE], ids=["computer", "phone"])
def test_nothing_jumps(
    device: dict[str, object], arrive: Arrive, seated: Seated, live_processes: Site
) -> None:
    live_processes.set_dice(dice_of(*RUN))
    anna, boris = arrive("Anna", device=device), arrive("Boris", device=device)
    for person in (anna, boris):
        person.context.add_init_script(WATCH_SHIFTS)
    light, dark = seated(anna, boris)
    assert shifts(light.page) < MOST_SHIFT  # at the ready check
    start(light, dark)
    light.expect_turn("light", "to_move")
    assert shifts(dark.page) < MOST_SHIFT  # the game appears without a press of one's own
    light.page.reload()
    light.connected().expect_turn("light", "to_move")
    assert shifts(light.page) < MOST_SHIFT  # in the middle of a turn
