"""A person at a browser: a context of their own, one or more tabs, and everything the browser complained about."""

import shutil
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, expect

from tests.journeys.desk import Key
from tests.journeys.table import Table
from tests.run.site import Site

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = [
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
COMPUTER: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
PATIENCE_MS = 20_000
LOST_LINE = ("WebSocket connection to", "net::ERR_")


class Person:
    """One browser context. `complaints` are console errors (violations of the content policy are among them),
    scripts that failed, and pages that could not be had; a journey without any is a good one."""

    def __init__(self, browser: Browser, site: Site, key: Key | None = None, **device: Any) -> None:
        self.site = site
        self.name = key.name if key else ""
        self.context = browser.new_context(
            base_url=site.url, reduced_motion="reduce", locale="en-GB", **(device or COMPUTER)
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.complaints: list[str] = []
        self._forgiven: tuple[str, ...] = ()
        self.context.on("console", self._heard)
        self.context.on("weberror", lambda failure: self._complain(str(failure.error)))
        if key:
            self._sign_in(key)
        self.page = self.context.new_page()

    def forgive(self, *starts: str) -> None:
        """Complaints that begin so are expected from now on."""
        self._forgiven += starts

    def go(self, path: str) -> Page:
        """Opens an address in the first tab."""
        self.page.goto(path)
        return self.page

    def sit(self, match_id: str) -> Table:
        """Opens a table in the first tab, and waits until the line is up."""
        return Table(self.go(f"/table/{match_id}/")).connected()

    def another_tab(self) -> Page:
        """A further tab of the same browser."""
        return self.context.new_page()

    def new_table(self, page: Page) -> Table:
        """The table to which a page has gone, or goes soon."""
        page.wait_for_url("**/table/**")
        return Table(page).connected()

    def available(self) -> str:
        """What the wallet's page says can be spent."""
        self.go("/wallet/")
        return self.page.locator(".amount-big .money").inner_text()

    def leave(self) -> None:
        """Closes the browser."""
        self.context.close()

    def _sign_in(self, key: Key) -> None:
        host = urlsplit(self.site.url).hostname
        assert host is not None
        self.context.add_cookies(
            [{"name": "sessionid", "value": key.session, "domain": host, "path": "/"}]
        )

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._complain(f"{message.text} ({message.location.get('url', '')})")

    def _complain(self, text: str) -> None:
        if not any(start in text for start in self._forgiven):
            self.complaints.append(text)


def launched(playwright: Playwright) -> Browser:
    """The machine's own browser."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert found, "no Chromium on this machine: apt-get install chromium"
    return playwright.chromium.launch(executable_path=found, args=QUIET)


expect.set_options(timeout=PATIENCE_MS)
