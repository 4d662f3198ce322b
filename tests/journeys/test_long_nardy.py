"""Long nardy for money by two people: the draw of colours, the head, the board's way round, a mars to the cent."""

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import Arrive
from tests.journeys.desk import Desk
from tests.journeys.errands import meet
from tests.journeys.table import MINUS, Table
from tests.run.site import Site

pytestmark = pytest.mark.journey

# The draw: a tie, then dark is white. White's 6-6 moves two from the head; light answers with 3-1 and has one.
DICE = [(2, 2), (3, 5), (6, 6), (3, 1), (2, 1)]


def test_a_game_with_a_mars(arrive: Arrive, desk: Desk, live_processes: Site) -> None:
    live_processes.set_dice(DICE)
    anna, boris = arrive("Anna", cents=50_00), arrive("Boris", cents=50_00)
    house_before = desk.commission()
    light, dark = meet(anna, boris, stake="5.00", variant="long-nardy")
    for table in (light, dark):
        shows_the_terms(table)
    light.accept()
    dark.accept()

    for table in (light, dark):
        shows_the_start(table)
    assert desk.balance(anna.name) == desk.balance(boris.name) == 50_00 - 15_00

    dark.roll().play("24/18 24/18")  # the other head stands on 12
    dark.expect_checkers(24, 13).expect_checkers(18, 2)
    light.expect_turn("light", "to_roll").roll()
    light.move("24/23")
    expect(light.place(24)).to_have_attribute("aria-disabled", "true")  # one from the head a turn
    light.move("23/20").press("done")
    dark.expect_turn("dark", "to_roll")

    dark.press("resign")
    expect(dark.button("resign-3")).to_have_count(0)
    expect(dark.button("resign-2")).to_have_text("Mars, lose $10.00")
    dark.press("resign-2")
    light.expect_phase("resign_answer").press("accept-resign")

    # 4.9 % of $10.00, and a quarter more because both are rated below 1620: 61.25 cents each.
    expect(light.result).to_contain_text("mars")
    expect(light.result).to_contain_text("You won+$8.78")
    expect(dark.result).to_contain_text(f"You lost{MINUS}$10.00")
    assert (desk.balance(anna.name), desk.balance(boris.name)) == (58_78, 40_00)
    assert desk.commission() == house_before + 1_22


def shows_the_terms(table: Table) -> None:
    """The ready check: no third kind of win, and no more held than can be lost."""
    expect(table.ready).to_contain_text("Long nardy")
    expect(table.ready).to_contain_text("Most you can lose$15.00")
    expect(table.ready).to_contain_text(f"marsfee $1.22, 6.125% each +$8.78{MINUS}$10.00")
    expect(table.ready).not_to_contain_text("backgammon")


def shows_the_start(table: Table) -> None:
    """Dark has drawn white; each has its own head at the top right; nothing speaks of a cube."""
    table.expect_turn("dark", "to_roll")
    expect(table.main).to_have_attribute("data-white", "dark")
    table.expect_checkers(24, 15).expect_pips(own=360, their=360)
    expect(table.button("double")).to_have_count(0)
