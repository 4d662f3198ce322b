"""Before the first roll: leaving is free, also after one has accepted."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import Arrive
from tests.journeys.desk import Desk
from tests.journeys.table import Table

pytestmark = pytest.mark.journey
Seated = Callable[..., tuple[Table, Table]]


def test_leaving_before_both_accepted_costs_nothing(
    arrive: Arrive, seated: Seated, desk: Desk
) -> None:
    anna, boris = arrive("Anna", cents=50_00), arrive("Boris", cents=50_00)
    light, dark = seated(anna, boris, currency="USD", stake=100)
    light.press("leave")
    nothing_was_charged(light, dark)

    light, dark = seated(anna, boris, currency="USD", stake=100)  # nobody is bound any more
    dark.accept()
    expect(dark.button("accept")).to_have_text("Accepted")
    light.press("leave")
    nothing_was_charged(light, dark)
    assert anna.available() == boris.available() == "$50.00"
    expect(anna.page.locator(".lines tbody tr")).to_have_count(1)  # the deposit


def nothing_was_charged(*tables: Table) -> None:
    for table in tables:
        expect(table.result).to_contain_text("The match did not start")
        expect(table.result).to_contain_text("Nothing was charged.")
