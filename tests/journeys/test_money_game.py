"""From signing up to the last cent: two strangers, test money, a whole game in the Main hall."""

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import Arrive
from tests.journeys.desk import Desk
from tests.journeys.errands import meet, pay_in, reloaded_until, sign_up
from tests.journeys.lines import RACE, RUN, dice_of, play_run, race_home
from tests.journeys.table import MINUS, Table
from tests.run.site import Site

pytestmark = pytest.mark.journey


def test_from_sign_up_to_the_last_cent(arrive: Arrive, desk: Desk, live_processes: Site) -> None:
    live_processes.set_dice(dice_of(*RUN, *RACE))
    house_before = desk.commission()
    anna, boris = arrive(), arrive()
    sign_up(anna, "Antonia", "Finland")
    sign_up(boris, "Bertram", "Georgia")
    for person in (anna, boris):
        pay_in(person, "50.00")
    light, dark = meet(anna, boris, stake="1.35")

    for table, rival in ((light, "Bertram"), (dark, "Antonia")):
        shows_the_terms(table, rival)
    assert desk.balance("Antonia") == 50_00  # nothing is held before both accept
    light.accept()
    expect(dark.ready.locator(".seats")).to_contain_text("accepted")
    dark.accept()
    light.expect_turn("light", "to_move")
    assert desk.balance("Antonia") == desk.balance("Bertram") == 50_00 - 16_20

    play_run(light, dark)
    light.expect_turn("light").switch_on("auto_bear_off")
    race_home(light, dark)

    shows_the_result(light, dark)
    assert anna.available() == "$52.36"
    assert boris.available() == "$47.30"
    expect(anna.page.locator(".lines")).to_contain_text("+$2.36")
    expect(anna.page.locator(".lines")).to_contain_text("against Bertram")
    expect(boris.page.locator(".lines")).to_contain_text(f"{MINUS}$2.70")
    assert desk.commission() == house_before + 34
    stars = anna.go("/promotions/").locator("section", has_text="stars this month").first
    reloaded_until(anna.page, lambda: stars, "2 stars this month")  # a gammon


def shows_the_terms(table: Table, rival: str) -> None:
    """The ready check: who, for how much, and what the house takes."""
    expect(table.ready).to_contain_text(rival)
    expect(table.ready).to_contain_text("Stake a point$1.35")
    expect(table.ready).to_contain_text("Most you can lose$16.20")
    # 4.9 % of the win, and a quarter more because both are rated below 1620; twice.
    expect(table.ready).to_contain_text(f"single gamefee $0.16, 6.125% each +$1.19{MINUS}$1.35")
    expect(table.ready).to_contain_text(f"gammonfee $0.34, 6.125% each +$2.36{MINUS}$2.70")
    expect(table.ready).to_contain_text(f"backgammonfee $0.50, 6.125% each +$3.55{MINUS}$4.05")


def shows_the_result(won: Table, lost: Table) -> None:
    """The sheets of both, to the cent."""
    expect(won.result).to_contain_text("You won")
    expect(won.result).to_contain_text("gammon, cube 1, 2 points")
    expect(won.result).to_contain_text("Won from your opponent+$2.70")
    expect(won.result).to_contain_text(f"Fee, both players{MINUS}$0.34")
    expect(won.result).to_contain_text("You won+$2.36")
    expect(won.result).to_contain_text("Balance$52.36")
    expect(lost.result).to_contain_text(f"You lost{MINUS}$2.70")
    expect(lost.result).to_contain_text("Balance$47.30")
