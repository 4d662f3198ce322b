"""The way in under attack, past nginx: forged addresses, known and unknown mailboxes, many at once, a closed account's return."""

import asyncio
import http.client
import re
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from statistics import median
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.chaos.bank import laws_broken
from tests.chaos.hands import Hands
from tests.chaos.report import Report
from tests.run.cluster import Cluster

SIGNUP = "/accounts/signup/"
LOGIN = "/accounts/login/"
MOST_TRIES = 30
SOON_S = 5
PATIENCE_S = 30
SAME_TIME = 1.5
CHANGING = ("csrfmiddlewaretoken", "nonce")
PROCESSES = ("web1", "web2")


@dataclass(frozen=True, slots=True)
class Size:
    """How many forged headers, pairs of sign-ups to compare, who sign up at once, and accounts closed during play."""

    headers: int
    compared: int
    at_once: int
    closed: int


FULL = Size(headers=1000, compared=15, at_once=12, closed=5)
SHORT = Size(headers=80, compared=3, at_once=6, closed=1)


class Answer(NamedTuple):
    status: int
    place: str
    body: str
    took_s: float


@dataclass
class Browser:
    """A visitor with a jar of cookies, at an address of this machine."""

    cluster: Cluster
    source: str = "127.0.0.1"
    claims: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str) -> Answer:
        """A page."""
        return self._ask("GET", path, None)

    def post(self, path: str, form: dict[str, str]) -> Answer:
        """A form, after its page."""
        if "csrftoken" not in self.cookies:
            self.get(path)
        token = {"csrfmiddlewaretoken": self.cookies.get("csrftoken", "")}
        return self._ask("POST", path, urlencode(form | token))

    def _ask(self, method: str, path: str, body: str | None) -> Answer:
        place = urlsplit(self.cluster.url)
        line = http.client.HTTPConnection(
            place.hostname or "", place.port, timeout=PATIENCE_S, source_address=(self.source, 0)
        )
        headers = {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items()), **self.claims}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        began = time.monotonic()
        try:
            line.request(method, path, body=body, headers=headers)
            answer = line.getresponse()
            told = answer.read().decode()
        finally:
            line.close()
        for given in answer.headers.get_all("Set-Cookie", []):
            for name, morsel in SimpleCookie(given).items():
                self.cookies[name] = morsel.value
        return Answer(
            answer.status, answer.headers.get("Location", ""), told, time.monotonic() - began
        )


def run(report: Report, size: Size, cluster: Cluster) -> None:
    """One after the other."""
    _one_bucket(report, size, cluster)
    report.progress("forged headers sent")
    with Hands(cluster.environment) as hands:
        _known_and_unknown(report, size, cluster, hands)
        report.progress("known and unknown mailboxes compared")
        _at_once(report, size, cluster, hands)
        asyncio.run(_closing(report, size, cluster, hands))
    report.none("laws broken (check_ledger)", laws_broken(cluster))


def person(name: str, **changes: str) -> dict[str, str]:
    """What a newcomer fills in."""
    facts = {
        "email": f"{name}@example.org",
        "password1": "korppi-lentaa-9",
        "screen_name": name,
        "full_name": f"{_letters(name)} Example",
        "birth_date_day": "27",
        "birth_date_month": "3",
        "birth_date_year": "1985",
        "country": "FI",
        "us_state": "",
        "street": f"{_letters(name)} street 7",
        "postcode": "00100",
        "city": "Helsinki",
    }
    return facts | changes


def _letters(name: str) -> str:
    return "".join(chr(ord("a") + int(c, 16)) for c in name.removeprefix("x"))


def _name() -> str:
    return f"x{secrets.token_hex(6)}"


def _one_bucket(report: Report, size: Size, cluster: Cluster) -> None:
    """Each try claims another address; all come from one."""
    browser = Browser(cluster, source="127.0.7.1")
    browser.get(LOGIN)
    let_through = 0
    for n in range(size.headers):
        forged = f"{n % 250}.{n // 250}.3.4"
        browser.claims = {
            "X-Forwarded-For": forged,
            "X-Real-IP": forged,
            "Forwarded": f"for={forged}",
        }
        form = {"login": f"{_name()}@example.org", "password": "wrong-wrong-1"}
        answer = browser.post(LOGIN, form)
        let_through += (
            answer.status != http.client.TOO_MANY_REQUESTS and "Too many" not in answer.body
        )
    report.figure("tries under forged addresses", size.headers)
    report.must(
        "of these let through",
        let_through,
        f"<= {MOST_TRIES} a minute",
        holds=let_through <= 4 * MOST_TRIES,
    )


def _known_and_unknown(report: Report, size: Size, cluster: Cluster, hands: Hands) -> None:
    """The same status, place, body and time for a mailbox that has an account, its twin, and one that has none.

    A mailbox of its own each time: how often one is written to has a limit, whoever it belongs to.
    """
    known = hands.do("known_mailboxes", count=2 * size.compared)
    took: dict[str, list[float]] = {"known": [], "twin": [], "new": []}
    told: dict[str, set[tuple[int, str, str]]] = {kind: set() for kind in took}
    for n in range(size.compared):
        emails = {
            "known": known[2 * n],
            "twin": known[2 * n + 1].replace("@", "+tag@").upper(),
            "new": f"{_name()}@example.org",
        }
        for number, (kind, email) in enumerate(emails.items()):
            browser = Browser(cluster, source=f"127.0.{10 + number}.{n + 1}")
            browser.get(SIGNUP)
            answer = browser.post(SIGNUP, person(_name(), email=email))
            took[kind].append(answer.took_s)
            page = browser.get(answer.place or SIGNUP)
            body = _plain(page.body.replace(email.lower(), "…"))
            told[kind].add((answer.status, answer.place, body))
    same = len(set.union(*told.values())) == 1
    report.must(
        "answers to known, twin and new mailboxes", len(set.union(*told.values())), "1", holds=same
    )
    times = {kind: median(seconds) for kind, seconds in took.items()}
    ratio = max(times.values()) / min(times.values())
    report.figure("their times, the longest by the shortest", f"{ratio:.2f}", f"about {SAME_TIME}")


def _plain(page: str) -> str:
    for word in CHANGING:
        page = re.sub(rf'{word}[^>]*value="[^"]*"|{word}="[^"]*"', "", page)
    return page


def _at_once(report: Report, size: Size, cluster: Cluster, hands: Hands) -> None:
    """One person, and one mailbox in many spellings, each many times in the same moment."""
    name = _name()
    same_person = [
        person(name, email=f"{_name()}@example.org", screen_name=_name())
        for _ in range(size.at_once)
    ]
    mailbox = _name()
    twins = [person(_name(), email=f"{mailbox}+{n}@example.org") for n in range(size.at_once)]
    for what, forms, net in (("of one person", same_person, 20), ("of one mailbox", twins, 21)):
        names = [form["screen_name"] for form in forms]
        browsers = [Browser(cluster, source=f"127.0.{net}.{n + 1}") for n in range(len(forms))]
        for browser in browsers:
            browser.get(SIGNUP)
        with ThreadPoolExecutor(len(forms)) as pool:
            answers = list(
                pool.map(
                    lambda pair: pair[0].post(SIGNUP, pair[1]), zip(browsers, forms, strict=True)
                )
            )
        made = hands.do("accounts_called", names=names)
        report.must(f"accounts made {what}, {len(forms)} at once", made, "1", holds=made == 1)
        report.none(
            f"errors among them, {what}",
            [str(a.status) for a in answers if a.status >= http.client.INTERNAL_SERVER_ERROR],
        )


async def _closing(report: Report, size: Size, cluster: Cluster, hands: Hands) -> None:
    """During play, in two tabs at two processes and in the lobby."""
    slowest, back = 0.0, list[str]()
    for _ in range(size.closed):
        villain, other = hands.do("people", count=2, cents=100_00)
        match = hands.do(
            "open_table", light=villain["id"], dark=other["id"], currency="USD", stake=100
        )
        hands.do("start", match=match)
        places = [(name, f"/ws/table/{match}/") for name in PROCESSES] + [
            ("web1", "/ws/lobby/main/")
        ]
        lines = [await _line(cluster, name, path, villain["cookie"]) for name, path in places]
        began = time.monotonic()
        told = hands.do("close_account", user=villain["id"])
        slowest = max(
            [slowest, *(await asyncio.gather(*(_dead_after(line, began) for line in lines)))]
        )
        back += _come_back(cluster, villain, hands, told)
    report.within("sockets of a closed account dead after, s", slowest, SOON_S)
    report.none("ways back in for a closed account", back)


async def _line(cluster: Cluster, process: str, path: str, cookie: str) -> ClientConnection:
    place = f"http://127.0.0.1:{cluster.member(process).port}"
    headers = {"Cookie": cookie}
    line = await connect(
        place.replace("http", "ws", 1) + path,
        origin=place,
        additional_headers=headers,
        ping_interval=None,
        close_timeout=1,
    )
    if "table" in path:
        await line.send('{"v": 1, "cmd": "hello", "have": 0}')
    return line


async def _dead_after(line: ClientConnection, began: float) -> float:
    try:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                await line.recv()
    except ConnectionClosed:
        return time.monotonic() - began
    except TimeoutError:
        return float("inf")


def _come_back(
    cluster: Cluster, villain: dict[str, str], hands: Hands, told: dict[str, str]
) -> list[str]:
    """The session, an alias of the mailbox, and the same device under another name."""
    found = []
    old = Browser(cluster, source="127.0.30.1")
    old.cookies["sessionid"] = villain["session"]
    if old.get("/profile/").status == http.client.OK:
        found.append("the session")
    name = _name()
    Browser(cluster, source="127.0.30.2").post(SIGNUP, person(name, email=told["alias"]))
    if hands.do("accounts_called", names=[name]):
        found.append("an alias")
    if not hands.do("is_held_by_device", closed=int(villain["id"])):
        found.append("the device")
    return found
