"""Money in, a limit that holds, money out by way of the staff, a reminder and a time-out."""

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import Arrive
from tests.journeys.desk import Desk
from tests.journeys.errands import open_table, pay_in, reloaded_until
from tests.journeys.people import Person
from tests.journeys.test_accessibility import problems

pytestmark = pytest.mark.journey
QUARTER = "15:01"


def test_money_in_and_out(arrive: Arrive, desk: Desk) -> None:
    anna, helper = arrive("Anna"), arrive("Helper", role="Support")
    anna.forgive("Failed to load resource")  # 422 for a form that was not accepted
    desk.identify(anna.name)
    pay_in(anna, "50.00")
    limit_deposits(anna, "60")
    page = anna.go("/wallet/")
    deposit(page, "10.01")
    expect(page.get_by_role("alert")).to_contain_text("$10.00 of it is left")
    deposit(page, "1e1")
    expect(page.locator(".error")).to_contain_text("in figures")
    deposit(page, "10,00")
    expect(page.locator(".amount-big .money")).to_have_text("$60.00")

    withdraw(page, "45.50")
    expect(page.locator(".amount-big .money")).to_have_text("$14.50")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".amount-big .money")).to_have_text("$60.00")
    withdraw(page, "30")
    approve(helper.go("/admin/"), anna.name)

    reloaded_until(page, lambda: page.locator(".wallet-outs li").first, "paid")
    page.get_by_label("Show").select_option(label="Paid in and out")
    page.get_by_role("button", name="Apply").click()
    lines = page.locator(".lines tbody tr")
    expect(lines.first).to_contain_text("Withdrawal")
    expect(lines.first).to_contain_text("$30.00")
    expect(lines).to_have_count(5)
    assert desk.balance(anna.name) == 30_00


def test_a_reminder_and_a_time_out(arrive: Arrive) -> None:
    anna, boris = arrive("Anna", cents=50_00), arrive("Boris", cents=50_00)
    page = anna.go("/wallet/limits/")
    page.get_by_label("Remind me every").select_option(label="15 minutes")
    page.get_by_role("button", name="Set the reminder").click()
    page.clock.install()
    anna.go("/profile/")
    reminder = page.locator("[data-reminder]")
    expect(reminder).to_be_hidden()
    page.clock.fast_forward(QUARTER)
    expect(reminder).to_contain_text("Playing for money: $0.00.")
    assert problems(page) == []
    reminder.get_by_role("link", name="Take a break").click()

    break_form = page.locator("section", has=page.get_by_role("heading", name="Time-out")).last
    break_form.get_by_label("24 hours").check()
    break_form.get_by_label("I know that this cannot be ended").check()
    break_form.get_by_role("button", name="Begin the time-out").click()
    expect(page.locator("main")).to_contain_text("You are on a break (time-out)")
    expect(anna.go("/wallet/").get_by_role("button", name="Deposit")).to_have_count(0)

    open_table(boris.go("/lobby/main/"), "1.00")
    anna.go("/lobby/main/").get_by_role("button", name=f"Join {boris.name}").click()
    expect(page.locator(".note[data-kind=warn]:visible")).to_contain_text("taking a time-out")
    boris.page.get_by_role("button", name="Close").click()


def limit_deposits(person: Person, amount: str) -> None:
    """In 24 hours, on the page of limits."""
    page = person.go("/wallet/limits/")
    page.get_by_label("Deposits in 24 hours").fill(amount)
    page.get_by_role("button", name="Set Deposits in 24 hours").click()
    expect(page.get_by_role("status").first).to_contain_text("from now on")


def deposit(page: Page, amount: str) -> None:
    """On the wallet's page, whatever comes of it."""
    page.get_by_label("Pay in test money").fill(amount)
    page.get_by_role("button", name="Deposit").click()


def withdraw(page: Page, amount: str) -> None:
    """On the wallet's page; it waits for approval then."""
    field = page.get_by_label("Pay out test money")
    if not field.is_visible():
        page.locator(".wallet-out > summary").click()
    field.fill(amount)
    page.get_by_role("button", name="Withdraw").click()
    expect(page.locator(".wallet-outs li").first).to_contain_text("waits for approval")


def approve(page: Page, name: str) -> None:
    """From the count on the staff's first page to the deed."""
    page.get_by_role("link", name="withdrawals to approve").click()
    row = page.locator("#result_list tr", has=page.get_by_text(name))
    row.get_by_role("link").first.click()
    page.get_by_label("Note").fill("known customer")
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("It is paid within seconds.")).to_be_visible()
