"""Giving up: offered, refused, offered higher, accepted."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import Arrive
from tests.journeys.desk import Desk
from tests.journeys.lines import OPENING
from tests.journeys.table import MINUS, Table, start
from tests.run.site import Site

pytestmark = pytest.mark.journey
Seated = Callable[..., tuple[Table, Table]]


def test_a_refused_offer_can_be_raised_and_accepted(
    arrive: Arrive, seated: Seated, desk: Desk, live_processes: Site
) -> None:
    live_processes.set_dice([OPENING])
    anna, boris = arrive("Anna", cents=50_00), arrive("Boris", cents=50_00)
    light, dark = seated(anna, boris, currency="USD", stake=200)
    start(light, dark)
    light.play("24/13")
    dark.expect_turn("dark").press("resign").press("ask-back")  # thinks again
    dark.expect_phase("to_roll").press("resign")
    expect(dark.button("resign-1")).to_have_text("Single game, lose $2.00")
    dark.press("resign-1").expect_phase("resign_answer")
    expect(light.say).to_contain_text("resigns: single game. Accept, or play on?")
    light.press("refuse-resign")

    dark.expect_turn("dark", "to_roll").press("resign")
    expect(dark.button("resign-1")).to_have_count(0)  # what was refused cannot be offered again
    dark.press("resign-2")
    expect(light.say).to_contain_text("resigns: gammon. Accept, or play on?")
    light.press("accept-resign")

    # 4.9 % of $4.00, and a quarter more because both are rated below 1620: 24.5 cents each.
    expect(light.result).to_contain_text("gammon, cube 1, 2 points")
    expect(light.result).to_contain_text("You won+$3.50")
    expect(dark.result).to_contain_text(f"You lost{MINUS}$4.00")
    expect(light.result).to_contain_text("Balance$53.50")
    expect(dark.result).to_contain_text("Balance$46.00")
    assert (desk.balance(anna.name), desk.balance(boris.name)) == (53_50, 46_00)
