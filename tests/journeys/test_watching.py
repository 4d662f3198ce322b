"""Those who only watch: they see the table and cannot touch it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import Arrive
from tests.journeys.lines import RUN, dice_of
from tests.journeys.table import Table, start
from tests.run.site import Site

pytestmark = pytest.mark.journey
Seated = Callable[..., tuple[Table, Table]]


def test_spectators_see_the_table_and_cannot_act(
    arrive: Arrive, seated: Seated, live_processes: Site
) -> None:
    live_processes.set_dice(dice_of(*RUN))
    anna, boris = arrive("Anna"), arrive("Boris")
    light, dark = seated(anna, boris)
    start(light, dark)
    stranger, member = (person.sit(light.match_id) for person in (arrive(), arrive("Watcher")))
    for seen in (stranger, member):
        assert seen.side == ""
        expect(seen.fact("own", "name")).to_have_text(anna.name)
        expect(seen.fact("their", "name")).to_have_text(boris.name)
        expect(seen.page.locator("[data-source]")).to_have_count(0)
        seen.place(24).click(force=True)
        expect(seen.page.locator("[data-selected]")).to_have_count(0)
    light.play(RUN[0].light)
    for seen in (stranger, member):
        seen.expect_turn("dark").expect_pips(own=156, their=167)
        expect(seen.page.locator("[data-part=acts] button:enabled")).to_have_count(0)
        expect(seen.page.locator("[data-part=chat-form]")).to_be_hidden()
        for key in ("r", "d", "e"):
            seen.page.keyboard.press(key)
    dark.roll().play(RUN[0].dark)
    for seen in (stranger, member):
        seen.expect_turn("light", "to_roll").expect_pips(own=156, their=164)
