"""What nginx lets through, and what it says."""

import gzip
import http.client
import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode, urljoin, urlsplit

import pytest

from tests.cluster.visitors import seat
from tests.run.cluster import Cluster

pytestmark = pytest.mark.cluster

FOR_STRANGERS = ("/", "/accounts/login/", "/accounts/signup/")
FOR_PLAYERS = ("/lobby/", "/fees/", "/fair-dice/", "/profile/", "/wallet/")
HASHED = re.compile(r"\.[0-9a-f]{12}\.\w+$")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: bytes


def _ask(
    cluster: Cluster,
    path: str,
    *,
    method: str = "GET",
    form: dict[str, str] | None = None,
    source: str = "127.0.0.1",
    **headers: str,
) -> Answer:
    place = urlsplit(cluster.url)
    line = http.client.HTTPConnection(
        place.hostname or "", place.port, timeout=30, source_address=(source, 0)
    )
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    body = None if form is None else urlencode(form)
    if body is not None:
        sent["Content-Type"] = "application/x-www-form-urlencoded"
    try:
        line.request(method, path, body=body, headers=sent)
        answer = line.getresponse()
        return Answer(answer.status, answer.headers, answer.read())
    finally:
        line.close()


def _lines_until(log: Path, wanted: str) -> list[str]:
    """The lines of ``log`` as soon as one holds ``wanted``; all of them after ten seconds without it."""
    for _ in range(100):
        if wanted in log.read_text():
            break
        time.sleep(0.1)
    return log.read_text().splitlines()


# --- pages and files ------------------------------------------------------------------------------


def _files_of(text: str, base: str) -> Iterator[str]:
    """Addresses of our static files in a page, a module or a style sheet."""
    found = re.findall(r"""["'(](/static/[^"')?#]+)""", text)
    imported = re.findall(r"""^(?:import|export|\}).*from "(\.[^"]+)";""", text, re.MULTILINE)
    yield from found
    yield from (urljoin(base, path) for path in imported)


def test_every_file_of_every_page_is_found_under_a_name_that_may_be_kept(
    cluster: Cluster,
) -> None:
    seen: dict[str, Answer] = {}
    waiting = []
    seats = seat(cluster, 1)[0]
    cookie = seats.cookies["light"]
    pages = {**dict.fromkeys(FOR_STRANGERS, ""), **dict.fromkeys(FOR_PLAYERS, cookie)}
    for page, sent in {**pages, f"/table/{seats.match}/": cookie}.items():
        answer = _ask(cluster, page, Cookie=sent)
        assert answer.status == 200, page
        waiting += list(_files_of(answer.body.decode(), page))
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen[path] = answer = _ask(cluster, path, Accept_Encoding="gzip")
        if path.endswith(".js"):
            waiting += list(_files_of(gzip.decompress(answer.body).decode(), path))
    assert len([path for path in seen if path.endswith(".js")]) > 30
    assert {answer.status for answer in seen.values()} == {200}
    assert [path for path in seen if not HASHED.search(path)] == []
    assert {"immutable" in answer.headers["Cache-Control"] for answer in seen.values()} == {True}
    module = next(answer for path, answer in seen.items() if path.endswith(".js"))
    assert module.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert module.headers["Content-Encoding"] == "gzip"


def test_a_browser_finds_nothing_to_complain_about(cluster: Cluster) -> None:
    """The modules load under their hashed names, and the content policy blocks none of them."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert browser, "no Chromium on this machine: apt-get install chromium"
    quiet = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    looked = subprocess.run(
        [browser, *quiet, "--enable-logging=stderr", "--virtual-time-budget=5000", "--dump-dom", cluster.url],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )  # fmt: skip
    assert "CONSOLE" not in looked.stderr, looked.stderr
    assert len(re.findall(r'class="[^"]*\bpoint\b', looked.stdout)) >= 24


def test_pages_are_compressed(cluster: Cluster) -> None:
    answer = _ask(cluster, "/fair-dice/", Accept_Encoding="gzip")
    assert answer.headers["Content-Encoding"] == "gzip"
    assert b"<!doctype html>" in gzip.decompress(answer.body)


# --- what is not let through ----------------------------------------------------------------------


def test_a_forged_forwarding_header_does_not_make_somebody_else_of_a_visitor(
    cluster: Cluster,
) -> None:
    """The limit on sign-ups counts by address: one bucket for all that is forged, another for another address."""
    statuses = [_signs_up(cluster, forged=f"203.0.113.{n}") for n in range(25)]
    assert statuses[0] != 429
    assert statuses[-1] == 429
    assert _signs_up(cluster, forged="203.0.113.200") == 429
    assert _signs_up(cluster, forged="127.0.0.1", source="127.0.0.2") != 429


def _signs_up(cluster: Cluster, *, forged: str, source: str = "127.0.0.1") -> int:
    path = "/accounts/signup/"
    form = _ask(cluster, path, source=source)
    given = "; ".join(form.headers.get_all("Set-Cookie", []))
    token = SimpleCookie(given)["csrftoken"].value
    claims = {
        "X_Forwarded_For": forged,
        "X_Real_IP": forged,
        "Forwarded": f"for={forged}",
        "X_Forwarded_Host": "elsewhere.example",
    }
    written = {"email": "nobody", "csrfmiddlewaretoken": token}
    return _ask(
        cluster,
        path,
        method="POST",
        form=written,
        source=source,
        Cookie=f"csrftoken={token}",
        **claims,
    ).status


@pytest.mark.parametrize("path", ["/metrics", "/metrics/", "/%6detrics", "//metrics"])
def test_figures_are_not_public(cluster: Cluster, path: str) -> None:
    assert _ask(cluster, path).status == 404
    assert "nardy_commands" in cluster.metrics("web1")


def test_whether_it_is_ready_is_asked_from_inside_only(cluster: Cluster) -> None:
    assert _ask(cluster, "/healthz").status == 200
    assert json.loads(_ask(cluster, "/readyz").body)["ready"]


def test_limits_hold_for_a_visitor_and_not_for_the_machine_itself(cluster: Cluster) -> None:
    assert _ask(cluster, "/healthz", method="POST", form={"x": "y" * 70_000}).status == 413
    assert _ask(cluster, "/healthz", Cookie="x" * 40_000).status == 400


def test_a_foreign_host_is_turned_away(cluster: Cluster) -> None:
    assert _ask(cluster, "/", Host="elsewhere.example").status == 400


# --- what is logged -------------------------------------------------------------------------------


def test_a_request_has_one_name_in_all_logs_and_no_secrets(cluster: Cluster) -> None:
    answer = _ask(cluster, "/healthz?token=secret-in-a-query", X_Request_ID="made-up-outside")
    named = answer.headers["X-Request-ID"]
    # nginx writes its line after it has answered, and others ask for /healthz too.
    lines = _lines_until(cluster.nginx.access_log, named)
    logged = next(line for line in map(json.loads, lines) if line["request"] == named)
    assert logged["path"] == "/healthz"
    assert logged["client"] == "127.0.0.1"
    assert not any("secret-in-a-query" in line for line in lines)
    for name in ("web1", "web2"):
        written = cluster.member(name).log.read_text().splitlines()
        assert written
        assert all(json.loads(line)["message"] for line in written)
