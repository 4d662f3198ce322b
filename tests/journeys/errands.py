"""What people do on the pages around the tables: sign up, pay in, open a table, join one."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.journeys.people import Person
from tests.journeys.table import Table
from tests.run.site import Site

LOOKS = 60
LOOK_MS = 500


def sign_up(person: Person, name: str, country: str, us_state: str = "") -> None:
    """Fills in the form, reads the letter, types its code."""
    email = f"{name.lower()}@example.org"
    page = person.go("/accounts/signup/")
    fill_in(page, name, country, us_state, email=email)
    page.get_by_label("Code").fill(code_for(person.site, email))
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url("**/lobby/**")
    person.name = name


def fill_in(page: Page, name: str, country: str, us_state: str = "", *, email: str) -> None:
    """The sign-up form, until it asks for the code."""
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill("seven lucky horseshoes")
    page.get_by_label("Screen name").fill(name)
    for part, value in (("Day", "17"), ("Month", "5"), ("Year", "1990")):
        page.get_by_label(part, exact=True).fill(value)
    page.get_by_label("Full name").fill(f"{name} Example")
    page.get_by_label("Street, house number, apartment").fill(f"{sum(map(ord, name))} Long Street")
    page.get_by_label("Town").fill("Springfield")
    page.get_by_label("Country you live in").select_option(label=country)
    if us_state:
        page.get_by_label("State", exact=True).select_option(label=us_state)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading", name="Enter the code")).to_be_visible()


def code_for(site: Site, email: str) -> str:
    """The code in the newest letter."""
    found = re.search(r"^([A-Z0-9]{4}-[A-Z0-9]{4})$", site.letters_to(email)[-1], re.MULTILINE)
    assert found is not None
    return found[1]


def pay_in(person: Person, amount: str) -> None:
    """Test money, on the wallet's page."""
    page = person.go("/wallet/")
    page.get_by_label("Pay in test money").fill(amount)
    page.get_by_role("button", name="Deposit").click()
    expect(page.locator(".amount-big .money")).to_have_text(f"${amount}")


def reloaded_until(page: Page, place: Callable[[], Locator], text: str) -> None:
    """Looks at the page anew until a place on it says so: what runs by itself has then been done."""
    for _ in range(LOOKS):
        if text in place().inner_text():
            return
        page.wait_for_timeout(LOOK_MS)
        page.reload()
    expect(place()).to_contain_text(text)


def meet(
    host: Person, guest: Person, *, stake: str, length: int = 0, variant: str = ""
) -> tuple[Table, Table]:
    """One opens a table in the Main hall, the other joins it; the host is led there."""
    open_table(host.go("/lobby/main/"), stake, length, variant)
    hall = guest.go("/lobby/main/")
    hall.get_by_role("button", name=f"Join {host.name}").click()
    return host.new_table(host.page), guest.new_table(hall)


def open_table(page: Page, stake: str, length: int = 0, variant: str = "") -> None:
    """With the form of the lobby; a series if a length is given."""
    form = page.locator("[data-new-form]")
    if not form.is_visible():
        page.locator("[data-new]").first.click()
    if variant:
        form.locator("label", has=page.locator(f"[name=variant][value={variant}]")).click()
    if length:
        form.locator("label", has=page.locator("[name=kind][value=series]")).click()
        form.locator("[name=length]").fill(str(length))
    form.locator("[name=stake]").fill(stake)
    form.get_by_role("button", name="Open the table").click()
    expect(page.get_by_text("Your table is open.")).to_be_visible()
