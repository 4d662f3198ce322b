"""The lobby with four people in it (rooms.md 2): what one does the others see without a reload."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import Arrive
from tests.journeys.desk import Desk
from tests.journeys.errands import open_table
from tests.journeys.people import Person

pytestmark = pytest.mark.journey
ROWS = "[data-offers] tbody tr:visible"


def rows_of(page: Page, host: Person) -> int:
    return page.locator(ROWS, has_text=host.name).count()


def test_of_two_who_join_at_once_one_sits_down_and_everybody_sees_it(arrive: Arrive) -> None:
    anna, boris, carla = (arrive(name, cents=100_00) for name in ("Anna", "Boris", "Carla"))
    stranger = arrive()
    halls = [person.go("/lobby/main/") for person in (boris, carla, stranger)]
    hall = anna.go("/lobby/main/")
    for stake in ("1", "2"):
        open_table(hall, stake)
    for page in halls:
        expect(page.locator(ROWS, has_text=anna.name)).to_have_count(2)
    row = halls[0].locator(ROWS, has_text="$2.00").filter(has_text=anna.name)
    expect(row.locator("[data-own=points]")).to_contain_text("rating +")  # asked for when seen
    for page in halls[:2]:
        page.locator(ROWS, has_text="$2.00").filter(has_text=anna.name).get_by_role(
            "button", name="Join"
        ).click(no_wait_after=True)
    for page in halls[:2]:
        page.wait_for_load_state()
        expect(page.locator("main")).to_contain_text(
            re.compile("Accept|has just joined|no longer open")
        )
    seated = [page for page in halls[:2] if "/table/" in page.url]
    assert len(seated) == 1
    hall.wait_for_url("**/table/**")  # led there
    expect(halls[2].locator(ROWS, has_text=anna.name)).to_have_count(0)  # the other one too
    for page in (hall, seated[0]):
        page.get_by_role("button", name="Accept").click()
    expect(halls[2].locator("[data-running] li", has_text=anna.name)).to_be_visible()
    left = next(person for person in (boris, carla) if "/table/" not in person.page.url)
    left.go("/tables/")
    expect(left.page.locator("main")).to_contain_text("No match of yours is running")
    anna.another_tab().goto("/tables/")
    expect(anna.context.pages[-1].locator("main")).to_contain_text("Back to the table")


def test_a_friend_is_invited_wherever_they_are(arrive: Arrive, desk: Desk) -> None:
    anna, boris = arrive("Anna", cents=100_00), arrive("Boris", cents=100_00)
    desk.befriend(anna.name, boris.name)
    wallet = boris.go("/wallet/")
    hall = anna.go("/lobby/main/?new=1")
    hall.get_by_label("Who may join").select_option(label=f"My friend {boris.name}")
    hall.locator("[data-new-form] [name=stake]").fill("1")
    hall.get_by_role("button", name="Open the table").click()
    expect(hall.locator("main")).to_contain_text(f"{boris.name} sees the invitation")
    expect(wallet.locator("[data-invitations]")).to_contain_text(anna.name)
    wallet.locator("[data-invitations]").get_by_role("link", name="Look at it").click()
    expect(wallet.locator("main")).to_contain_text("+$0.")
    wallet.get_by_role("button", name="Join").click()
    wallet.wait_for_url("**/table/**")
    expect(hall.get_by_role("link", name="Go to the table")).to_be_visible()


def test_in_the_dark_room_nobody_has_a_name(arrive: Arrive) -> None:
    anna, boris = arrive("Anna", cents=100_00), arrive("Boris", cents=100_00)
    open_table(anna.go("/lobby/dark/"), "1")
    hall = boris.go("/lobby/dark/")
    expect(hall.locator(ROWS).first).to_contain_text("Anonymous")
    open_table_and_be_paired(hall)
    for person, other in ((anna, boris), (boris, anna)):
        person.page.wait_for_url("**/table/**")
        ready = person.page.locator("[data-part=ready]")
        expect(ready).to_contain_text("Anonymous")
        assert other.name not in person.page.content()
        expect(ready).to_contain_text("does not count for ratings")


def open_table_and_be_paired(page: Page) -> None:
    """The same terms as somebody who waits: the form leads to the table."""
    form = page.locator("[data-new-form]")
    if not form.is_visible():
        page.locator("[data-new]").first.click()
    form.locator("[name=stake]").fill("1")
    form.get_by_role("button", name="Open the table").click()
