"""A player from a state where money play is not offered: told why, and welcome to play for chips."""

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import Arrive
from tests.journeys.errands import open_table, sign_up
from tests.journeys.lines import OPENING
from tests.journeys.table import start
from tests.run.site import Site

pytestmark = pytest.mark.journey

WHY = "Money play is not offered to residents of Florida, United States of America. You can play for chips."


def test_florida_plays_for_chips(arrive: Arrive, live_processes: Site) -> None:
    live_processes.set_dice([OPENING])
    guest, host = arrive(), arrive("Boris", cents=50_00)
    sign_up(guest, "Miamian", "United States of America", us_state="Florida")

    expect(guest.go("/profile/").locator("main")).to_contain_text(WHY)
    wallet = guest.go("/wallet/")
    expect(wallet.locator("main")).to_contain_text(WHY)
    expect(wallet.get_by_role("button", name="Deposit")).to_have_count(0)

    open_table(host.go("/lobby/main/"), "1.00")
    guest.go("/lobby/main/").get_by_role("button", name=f"Join {host.name}").click()
    expect(guest.page.locator(".note[data-kind=warn]:visible")).to_have_text(WHY)
    host.page.get_by_role("button", name="Close").click()

    open_table(host.go("/lobby/practice/"), "10")
    guest.go("/lobby/practice/").get_by_role("button", name=f"Join {host.name}").click()
    dark, light = guest.new_table(guest.page), host.new_table(host.page)
    start(light, dark)
    light.expect_turn("light").play("24/13")
    dark.expect_turn("dark", "to_roll").expect_pips(own=167, their=156)
