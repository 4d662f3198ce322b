"""python -m tests.journeys.pictures: takes the pictures of docs/img anew, from a real game on the real site."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.journeys.desk import Desk, Key
from tests.journeys.lines import Exchange
from tests.journeys.people import COMPUTER, PHONE, Person, launched
from tests.journeys.table import Table, start
from tests.run.services import Postgres, Redis
from tests.run.site import ROOT, Site

FOLDER = ROOT / "docs" / "img"
OPENING_MOVES = (
    ((3, 1), "8/5 6/5"),
    ((4, 3), "13/9 13/10"),
    ((6, 5), "24/13"),
    ((6, 1), "13/7 8/7"),
    ((4, 2), "8/4 6/4"),
    ((5, 3), "10/5 8/5"),
    ((6, 3), ""),
)
RESIGNED = Exchange((6, 5), "24/13")
PEOPLE = {
    "Anna": "FI",
    "Boris": "GE",
    "Carmen": "ES",
    "David": "GB",
    "Elena": "KZ",
    "Farid": "AZ",
    "Giulia": "IT",
    "Henrik": "DK",
}


class Studio:
    """Everybody who is in the pictures, on a site of their own."""

    def __init__(self, browser: Browser, site: Site, desk: Desk) -> None:
        self.browser = browser
        self.site = site
        self.desk = desk
        self.keys = {
            name: desk.register(name, cents=500_00, country=country)
            for name, country in PEOPLE.items()
        }

    def person(self, name: str, device: dict[str, Any] = COMPUTER) -> Person:
        look = {**device, "color_scheme": "light"}
        return Person(self.browser, self.site, self.keys.get(name, Key("", "")), **look)

    def table(self, light: str, dark: str, stake: int) -> tuple[Table, Table]:
        place = {"currency": "USD", "stake": stake, "clock": "slow"}
        match_id = self.desk.open_table(light, dark, **place)
        return self.person(light).sit(match_id), self.person(dark).sit(match_id)


def main() -> None:
    """Takes all of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with _site() as site, Desk(site) as desk, sync_playwright() as playwright:
        browser = launched(playwright)
        studio = Studio(browser, site, desk)
        _past_matches(studio)
        light, dark = _mid_game(studio)
        _lobby(studio)
        _result(light, dark)
        wallet = studio.person("Anna").go("/wallet/")
        _take(wallet, "wallet")
        browser.close()


@contextmanager
def _site() -> Iterator[Site]:
    postgres, redis = Postgres(), Redis()
    try:
        postgres.start()
        postgres.create_database()
        redis.start()
        with tempfile.TemporaryDirectory() as folder:
            site = Site(database_url=postgres.url, redis_url=redis.url, folder=Path(folder))
            site.start()
            yield site
            site.stop()
    finally:
        redis.stop()
        postgres.stop()


def _past_matches(studio: Studio) -> None:
    """Something for the statement: won, lost, won."""
    studio.site.set_dice([RESIGNED.roll])
    for rival, stake, level, winner in (
        ("Elena", 500, 2, "light"),
        ("David", 250, 1, "dark"),
        ("Farid", 1000, 1, "light"),
    ):
        light, dark = studio.table("Anna", rival, stake)
        start(light, dark)
        loser, other = (dark, light) if winner == "light" else (light, dark)
        if winner == "light":
            light.play(RESIGNED.light)
        loser.press("resign").press(f"resign-{level}")
        other.press("accept-resign")
        loser.expect_phase("over")


def _mid_game(studio: Studio) -> tuple[Table, Table]:
    studio.site.set_dice([roll for roll, _ in OPENING_MOVES])
    light, dark = studio.table("Anna", "Boris", 500)
    start(light, dark)
    light.write("Good luck!")
    dark.write("Thanks, you too")
    light.open_panel("moves")
    turns = [(light, "light"), (dark, "dark")] * len(OPENING_MOVES)
    for number, ((table, side), (_, steps)) in enumerate(zip(turns, OPENING_MOVES, strict=False)):
        table.expect_turn(side)
        if number == len(OPENING_MOVES) - 3:
            table.press("double")
            dark.press("take")
        if number:
            table.roll()
        if steps:
            table.play(steps)
    light.place(13).click()
    _take(light.page, "table")
    phone = Table(studio.person("Anna", PHONE).go(f"/table/{light.match_id}/")).connected()
    phone.expect_turn("light", "to_move").place(13).click()
    _take(phone.page, "table-phone")
    light.place(4).click()
    light.press("done")
    return light, dark


def _lobby(studio: Studio) -> None:
    start(*studio.table("Giulia", "Henrik", 2000))
    studio.desk.offer("Carmen", "main", stake=100)
    studio.desk.offer("David", "main", stake=500, limit_factor=6, clock="slow")
    studio.desk.offer("Elena", "main", stake=1000, options=["jacoby", "beavers"])
    page = studio.person("Farid").go("/lobby/main/?new=1")
    page.locator("[data-new-form] [name=stake]").fill("2.50")
    expect(page.locator("[data-quote]")).to_contain_text("$30.00")
    _take(page, "lobby")


def _result(light: Table, dark: Table) -> None:
    dark.expect_turn("dark").press("resign").press("resign-2")
    light.press("accept-resign")
    light.result.get_by_text("Balance").wait_for()
    _take(light.page, "result")


def _take(page: Page, name: str) -> None:
    page.mouse.move(0, 0)
    page.screenshot(path=FOLDER / f"{name}.png")


if __name__ == "__main__":
    main()
