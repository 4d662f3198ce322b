"""Staff at work: a moderator reads a case and mutes, support closes an account and opens it again."""

import base64
import hmac
import re
import struct
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import Arrive
from tests.journeys.desk import Desk
from tests.journeys.errands import fill_in
from tests.journeys.people import Person
from tests.journeys.table import Table, start
from tests.journeys.test_accessibility import problems
from tests.run.site import Site

pytestmark = pytest.mark.journey
Seated = Callable[..., tuple[Table, Table]]

STEP_S = 30
PASSWORD = "a quick brown fox"
SOON_MS = 5_000
SIGNED_OUT = re.compile("signed out", re.IGNORECASE)


def code_of(secret: str, *, steps: int = 0) -> str:
    """What an authenticator app shows now, or so many steps later (RFC 6238)."""
    counter = struct.pack(">Q", int(time.time()) // STEP_S + steps)
    digest = hmac.digest(base64.b32decode(secret), counter, "sha1")
    start_at = digest[-1] & 15
    (number,) = struct.unpack(">I", digest[start_at : start_at + 4])
    return f"{(number & 0x7FFFFFFF) % 1_000_000:06}"


def test_a_player_reports_and_a_moderator_mutes(arrive: Arrive, seated: Seated, desk: Desk) -> None:
    anna, boris, judge = arrive("Anna"), arrive("Boris"), arrive("Judge", role="Moderator")
    light, dark = seated(anna, boris)
    dark.write("you are a fool")
    light.open_panel("chat")
    with anna.context.expect_page() as opened:
        light.chat.get_by_role("link", name="Report").click()
    report(opened.value, boris.name)
    judge_it(judge.go("/admin/"), boris.name)

    dark.write("and again")
    expect(dark.page.locator("[data-part=toasts]")).to_contain_text("insults")
    expect(light.chat.locator("li")).to_have_count(1)
    expect(boris.go("/profile/").locator("main")).to_contain_text("insults")


def report(form: Page, name: str) -> None:
    """What was said is quoted; the reason is chosen."""
    expect(form.locator("blockquote")).to_have_text("you are a fool")
    expect(form.locator("main")).to_contain_text(name)
    assert problems(form) == []
    form.get_by_label("What have they done?").select_option(label="abuse of other players")
    form.get_by_role("button", name="Send the report").click()
    expect(form.get_by_role("status").last).to_contain_text("A person reads your report")


def judge_it(page: Page, name: str) -> None:
    """From the count on the first page to the mute and the decision."""
    page.get_by_role("link", name="cases of conduct").click()
    page.locator("#result_list").get_by_role("link", name=name).click()
    expect(page.locator(".desk")).to_contain_text("you are a fool")
    page.get_by_role("button", name="I work on this").click()
    page.get_by_text("Warn, mute or ban from tables").click()
    page.get_by_label("mute: may not write in chats").check()
    page.get_by_label("For how long").select_option(label="a day")
    page.get_by_label("Why? The player reads this.").fill("insults")
    page.get_by_role("button", name="Lay it on them").click()
    page.get_by_label("Decision, and why").fill("said so in the chat")
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".desk")).to_contain_text("confirmed")


def test_support_closes_an_account_during_play_and_opens_it_again(
    arrive: Arrive, seated: Seated, desk: Desk, live_processes: Site
) -> None:
    anna, villain = arrive("Anna", cents=50_00), arrive("Villain", cents=50_00)
    helper = arrive("Helper", role="Support", factor=False)
    for person in (anna, villain, helper):
        person.forgive("Failed to load resource", "WebSocket connection")
    light, dark = seated(anna, villain, currency="USD", stake=100)
    start(light, dark)
    lobby = villain.another_tab()
    lobby.goto("/lobby/main/")
    set_up_second_factor(helper)
    close_with_preview(helper.page, villain.name)

    light.expect_phase("void")
    expect(dark.page.locator("body")).to_contain_text(SIGNED_OUT, timeout=SOON_MS)
    assert "/accounts/login/" in villain.go("/profile/").url
    assert desk.balance(anna.name) == desk.balance(villain.name) == 50_00
    cannot_come_back(villain, arrive(), live_processes)

    appeal(villain, letter(live_processes, f"{villain.name.lower()}@example.com"))
    page = helper.go("/admin/")
    page.get_by_role("link", name="appeals").click()
    page.locator("#result_list").get_by_role("link", name=villain.name).click()
    expect(page.locator(".desk")).to_contain_text("It was my brother.")
    page.get_by_label("Decision, and why").fill("believed")
    page.get_by_role("button", name="Open the account again").click()
    expect(page.locator(".desk")).to_contain_text("confirmed")
    sign_in(villain.go("/accounts/login/"), f"{villain.name}@example.com")
    villain.page.wait_for_url("**/lobby/**")


def close_with_preview(page: Page, name: str) -> None:
    """Found by a twin of the address; the running match is void, the balance held."""
    page.get_by_role("searchbox").first.fill(f"{name.upper()}+x@example.com")
    page.get_by_role("button", name="Find").click()
    page.locator("#result_list").get_by_role("link", name=name).click()
    page.get_by_role("link", name="Close the account").click()
    page.get_by_label("Reason. The player is told.").select_option(label="abuse of other players")
    page.get_by_label("Note for staff").fill("threats in the chat")
    page.get_by_label("are void: both stakes go back").check()
    page.get_by_label("is held", exact=True).check()
    page.get_by_role("button", name="See what happens").click()
    expect(page.locator(".desk-box")).to_contain_text("$38.00")
    page.get_by_role("button", name="Close the account").click()
    expect(page.locator(".desk")).to_contain_text("Closed on")


def cannot_come_back(villain: Person, stranger: Person, site: Site) -> None:
    """Neither with the password nor under an alias from another browser."""
    sign_in(villain.page, f"{villain.name}@example.com")
    expect(villain.page.get_by_role("heading", name="This account is closed")).to_be_visible()
    alias = f"{villain.name.lower()}+2@example.com"
    fill_in(stranger.go("/accounts/signup/"), "Newcomer", "Finland", email=alias)
    assert "already" in letter(site, alias)


def appeal(person: Person, text: str) -> None:
    """By the link in the letter."""
    link = re.search(r"http://\S+?(/appeal/\S+/)", text)
    assert link is not None
    form = person.go(link[1])
    form.get_by_label("Why is it wrong?").fill("It was my brother.")
    form.get_by_role("button", name="Send the appeal").click()
    expect(form.get_by_role("status")).to_contain_text("We have your appeal")


def test_a_player_looks_after_their_account(arrive: Arrive, live_processes: Site) -> None:
    anna = arrive("Anna")
    anna.forgive("the server responded with a status of 400")
    page = anna.go("/profile/")
    page.get_by_role("link", name="Where you are signed in").click()
    expect(page.locator(".rows li")).to_have_count(1)
    assert problems(page) == []
    page.goto("/profile/address/")
    page.get_by_label("Country you live in").select_option(label="Finland")
    page.get_by_label("Street, house number, apartment").fill("Mannerheimintie 12 A 4")
    page.get_by_label("Postal code").fill("00100")
    page.get_by_label("Town").fill("Helsinki")
    page.get_by_role("button", name="Keep").click()
    expect(page.locator(".facts")).to_contain_text("Mannerheimintie 12 A 4, 00100 Helsinki")
    page.get_by_role("link", name="Close your account").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Your screen name, to be sure").fill(anna.name)
    assert problems(page) == []
    page.get_by_role("button", name="Close my account").click()
    expect(page.locator("body")).to_contain_text("Your account is closed")
    assert "as you wished" in letter(live_processes, f"{anna.name.lower()}@example.com")


def set_up_second_factor(person: Person) -> None:
    """Led there from the admin; afterwards the session has it."""
    page = person.go("/admin/")
    page.get_by_role("link", name="Set it up").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    secret = page.locator("[data-secret]").inner_text()
    page.get_by_label("Code").fill(code_of(secret))
    page.get_by_role("button", name="Turn it on").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.goto("/admin/")
    page.get_by_label("Code").fill(code_of(secret, steps=1))  # a code works once
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("searchbox").first).to_be_visible()


def sign_in(page: Page, email: str) -> None:
    """With the form."""
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).last.click()


def letter(site: Site, address: str) -> str:
    """The newest letter to an address, with its lines put together again."""
    return site.letters_to(address)[-1].replace("=\n", "")
