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
  globalThis.shifts = [];
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      const jumped = sources.map(({ node, previousRect, currentRect }) =>
        `${(node?.parentElement ?? node)?.outerHTML.slice(0, 80)}: ${place(previousRect)} to ${place(currentRect)}`);
      globalThis.shifts.push({ value, jumped });
    }
  }).observe({ type: "layout-shift", buffered: true });
"""
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def require_calm(page: Page) -> None:
    """Nothing has jumped so far, what is drawn now included."""
    page.evaluate(TWO_FRAMES)
    shifts = page.evaluate("shifts")
    assert sum(shift["value"] for shift in shifts) < MOST_SHIFT, shifts


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


@pytest.mark.parametrize("path", ["/rules/backgammon/", "/rules/long-nardy/", "/lobby/main/"])
def test_pages_to_read_are_light_and_do_not_jump(arrive: Arrive, path: str) -> None:
    stranger = arrive()
    sizes: dict[str, int] = {}
    stranger.page.on(
        "requestfinished",
        lambda request: sizes.update({request.url: request.sizes()["responseBodySize"]}),
    )
    stranger.context.add_init_script(WATCH_SHIFTS)
    page = stranger.go(path)
    page.wait_for_load_state("networkidle")
    require_calm(page)
    assert sum(sizes.values()) <= MOST_BYTES, sorted(sizes.items(), key=lambda item: -item[1])[:8]


@pytest.mark.parametrize("device", [COMPUTER, PHONE], ids=["computer", "phone"])
def test_nothing_jumps(
    device: dict[str, object], arrive: Arrive, seated: Seated, live_processes: Site
) -> None:
    live_processes.set_dice(dice_of(*RUN))
    anna, boris = arrive("Anna", device=device), arrive("Boris", device=device)
    for person in (anna, boris):
        person.context.add_init_script(WATCH_SHIFTS)
    light, dark = seated(anna, boris)
    require_calm(light.page)  # at the ready check
    start(light, dark)
    light.expect_turn("light", "to_move")
    require_calm(dark.page)  # the game appears without a press of one's own
    light.page.reload()
    light.connected().expect_turn("light", "to_move")
    require_calm(light.page)  # in the middle of a turn
