"""The lobby: its page with hundreds of open tables in a real browser, and thousands of people on one process.

    DATABASE_URL=… REDIS_URL=… python -m tests.bench.bench_lobby [--tables 500] [--people 2000] [--seconds 20] [--rounds 5]

Beside the full page stands an empty room in the same run. Tables are opened and closed at a steady pace; a change counts from its
commit until the last of all people has it. Everybody asks what each new table would bring them.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.bench.report import Row, show
from tests.bench.servers import Environment, python, stage
from tests.journeys.people import COMPUTER, launched
from tests.run.site import ROOT, Daphne

PAGE_GOAL_MS = 1_000
LISTS_GOAL = 2
MS = 1_000
A_SECOND = 4
SETTINGS = "nardysite.settings.test"
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
TICKS = os.sysconf("SC_CLK_TCK")


def paints(browser: Browser, port: int, cookie: str, path: str, rounds: int) -> float:
    """Median of the first contentful paint, each in a browser context of its own, in ms."""
    times = []
    for _ in range(rounds):
        context = browser.new_context(base_url=f"http://127.0.0.1:{port}", **COMPUTER)
        name, _, value = cookie.partition("=")
        context.add_cookies([{"name": name, "value": value, "domain": "127.0.0.1", "path": "/"}])
        page = context.new_page()
        page.goto(path)
        page.wait_for_function(f"({PAINT}) !== null")
        times.append(float(page.evaluate(PAINT)))
        context.close()
    return median(times)


def page_rows(port: int, cookie: str, tables: int, rounds: int) -> list[Row]:
    """The page with all its tables, beside an empty room's."""
    with sync_playwright() as playwright:
        browser = launched(playwright)
        paints(browser, port, cookie, "/lobby/practice/", 1)  # the first visit of all warms up
        full = paints(browser, port, cookie, "/lobby/practice/", rounds)
        empty = paints(browser, port, cookie, "/lobby/main/", rounds)
        browser.close()
    label = f"lobby page with {tables} open tables, first paint in Chromium"
    return [
        Row(label, full, "ms", f"goal {PAGE_GOAL_MS} ms", full / PAGE_GOAL_MS),
        Row(label, full, "ms", f"empty room {empty:.0f} ms", full / empty),
    ]


def crowd(environment: Environment, server: Daphne, cookies: list[str], seconds: int) -> Any:
    """People come; while they are there tables open and close."""
    with tempfile.TemporaryDirectory() as folder:
        ready, plan = Path(folder, "ready"), Path(folder, "plan.json")
        stays = {"seconds": seconds + 5, "ready": str(ready)}
        plan.write_text(json.dumps({"port": server.port, "cookies": cookies, **stays}))
        guests = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.lobby_guests", str(plan)],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            text=True,
        )
        while not ready.exists() and guests.poll() is None:
            time.sleep(0.1)
        spent, began = cpu_s(server), time.perf_counter()
        told = python(
            environment, "-m", "tests.bench.lobby_stage", "changes", str(seconds), str(A_SECOND)
        )
        busy = (cpu_s(server) - spent) / (time.perf_counter() - began)
        answer, _ = guests.communicate()
    return {**json.loads(answer), "opened": json.loads(told), "busy": busy}


def crowd_rows(found: Any, people: int) -> list[Row]:
    """How long a change takes to the last of them, and what it costs."""
    lags = []
    for key, committed in found["opened"]:
        _first, last, count = found["seen"].get(key, (0.0, float("inf"), 0))
        lags.append(MS * (last - committed) if count == people else float("inf"))
    label = f"{people} people, {A_SECOND} changes a second, one daphne: "
    shares = quantiles(lags, n=100, method="inclusive") if all(x < 1e9 for x in lags) else None
    lists = found["lists"]
    return [
        Row(label + "a new table at the last of them, median", median(lags), "ms"),
        Row(label + "the same, p99", shares[98] if shares else float("inf"), "ms"),
        Row(
            label + "most lists to one in a second",
            lists,
            "",
            f"goal {LISTS_GOAL}",
            lists / LISTS_GOAL,
        ),
        Row(label + "connections left", found["open"], ""),
        Row(label + "server's core busy", 100 * found["busy"], "%"),
        Row(label + "sent to each", found["kib"], "KiB"),
        Row(label + "all of them came in", found["entered_s"], "s"),
    ]


def cpu_s(server: Daphne) -> float:
    """Processor time that the server has used so far."""
    assert server.process is not None
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def main() -> None:
    """Prints the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--people", type=int, default=2_000)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with stage(SETTINGS) as environment:
        setting = ("people", str(options.tables), str(options.people))
        told = json.loads(python(environment, "-m", "tests.bench.lobby_stage", *setting))
        server = Daphne(environment)
        server.start()
        try:
            cookies = told["cookies"]
            show(page_rows(server.port, cookies[0], options.tables, options.rounds))
            found = crowd(environment, server, cookies, options.seconds)
            show(crowd_rows(found, options.people))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
