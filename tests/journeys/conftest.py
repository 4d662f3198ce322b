"""Fixtures of the journeys: one browser for all, a desk, and people who come with contexts of their own."""

from collections.abc import Callable, Generator, Iterator
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.journeys.desk import Desk
from tests.journeys.people import Person, launched
from tests.journeys.table import Table
from tests.run.site import ROOT, Site

SHOTS = ROOT / "var" / "journeys"
PEOPLE = pytest.StashKey[list[Person]]()
_numbers = count(1)

Arrive = Callable[..., Person]


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The machine's own browser. Ends with this package: asynchronous tests cannot run beside it."""
    with sync_playwright() as playwright:
        browser = launched(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def _desk(_site: Site) -> Iterator[Desk]:
    with Desk(_site) as desk:
        yield desk


@pytest.fixture
def desk(_desk: Desk, live_processes: Site) -> Iterator[Desk]:
    """The staff's desk; afterwards the books must still be in order."""
    yield _desk
    assert _desk.findings() == []


@pytest.fixture
def arrive(
    request: pytest.FixtureRequest, chromium: Browser, desk: Desk, live_processes: Site
) -> Iterator[Arrive]:
    """Brings people with names of their own: `arrive("Anna", cents=100_00)`, `arrive()` for a stranger.

    Nobody's browser may have complained about anything when the journey ends.
    """
    people = request.node.stash[PEOPLE] = list[Person]()

    def arrival(name: str = "", *, device: dict[str, Any] | None = None, **facts: Any) -> Person:
        register = desk.hire if "role" in facts else desk.register
        key = register(f"{name}{next(_numbers)}", **facts) if name else None
        people.append(Person(chromium, live_processes, key, **(device or {})))
        return people[-1]

    yield arrival
    complaints = {person.name: person.complaints for person in people if person.complaints}
    for person in people:
        person.leave()
    assert complaints == {}


@pytest.fixture
def seated(desk: Desk) -> Callable[..., tuple[Table, Table]]:
    """Two people at a table of their own, at its ready check; `seated(anna, boris, stake=100)`."""

    def seat(
        light: Person, dark: Person, *, currency: str = "PLAY", stake: int = 10, **terms: Any
    ) -> tuple[Table, Table]:
        place = {"currency": currency, "stake": stake, "clock": "slow", **terms}
        match_id = desk.open_table(light.name, dark.name, **place)
        return light.sit(match_id), dark.sit(match_id)

    return seat


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failed journey leaves what every browser showed at that moment, in var/journeys."""
    report = yield
    if report.failed and report.when == "call":
        SHOTS.mkdir(parents=True, exist_ok=True)
        for number, person in enumerate(item.stash.get(PEOPLE, [])):
            person.page.screenshot(path=SHOTS / f"{item.name}-{number}.png")
            report.sections.append((f"browser {number}", f"{person.name} at {person.page.url}"))
    return report
