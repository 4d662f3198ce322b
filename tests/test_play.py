"""The embedded way as a visitor starts it: one command, one process, a clean end."""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.run.services import Service

ROOT = Path(__file__).resolve().parent.parent


class Play(Service):
    """`manage.py play` on a database of its own."""

    name = "play"

    def _command(self) -> list[str]:
        return [sys.executable, "manage.py", "play", "--port", str(self.port)]

    def _surroundings(self) -> dict[str, object]:
        return {"cwd": ROOT, "env": _environment(self.folder)}

    def _answers(self) -> bool:
        return self._says("Ctrl-C stops it.")


def _environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "nardysite.settings.dev",
        "NARDY_VAR": str(folder / "var"),
    }


class Visitor:
    """A browser without a screen: keeps cookies, sends forms."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._cookies: SimpleCookie = SimpleCookie()

    def get(self, path: str) -> tuple[int, str]:
        return self._ask("GET", path, None)

    def post(self, path: str, **fields: str) -> tuple[int, str]:
        _, page = self.get(path)
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert found is not None
        return self._ask("POST", path, {**fields, "csrfmiddlewaretoken": found[1]})

    def _ask(self, method: str, path: str, fields: dict[str, str] | None) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
        headers = {"Cookie": "; ".join(f"{k}={v.value}" for k, v in self._cookies.items())}
        if fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, urlencode(fields) if fields else None, headers)
        answer = connection.getresponse()
        for cookie in answer.msg.get_all("Set-Cookie") or []:
            self._cookies.load(cookie)
        page = answer.read().decode()
        connection.close()
        return answer.status, page


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_it_seats_demo_players_and_ends_cleanly(ending: signal.Signals) -> None:
    play = Play()
    try:
        play.start()
        told = play.log.read_text()
        assert f"http://127.0.0.1:{play.port}/" in told
        assert "refuses real money" in told
        password = re.search(r"password  (\S+)", told)
        players = re.findall(r"^ +(\S+@\S+)$", told, re.MULTILINE)
        assert password is not None
        assert len(players) == 6

        visitor = Visitor(play.port)
        assert visitor.get("/")[0] == 200
        status, _ = visitor.post("/accounts/login/", login=players[0], password=password[1])
        assert status == 302
        status, wallet = visitor.get("/wallet/")
        assert status == 200
        assert "200.00" in wallet
        assert visitor.get("/lobby/practice/")[0] == 200
        assert visitor.get("/static/css/base.css")[0] == 200

        assert play.process is not None
        play.process.send_signal(ending)
        assert play.process.wait(60) == 0
        assert "Traceback" not in play.log.read_text()
    finally:
        play.stop()


def test_a_second_start_keeps_what_the_first_one_made() -> None:
    play = Play()
    try:
        play.start()
        play.restart()
        assert play.log.read_text().count("anna@example.com") == 2
        assert "Traceback" not in play.log.read_text()
    finally:
        play.stop()


def _make_run(port: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/bash", "ops/run.sh"],
        cwd=ROOT,
        env={**os.environ, "PORT": port},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_a_taken_port_is_said_plainly_before_anything_else() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        started = _make_run(str(port))
    assert started.returncode != 0
    assert started.stdout == ""
    assert started.stderr.startswith(f"Port {port} cannot be used: ")
    assert "Traceback" not in started.stderr


@pytest.mark.parametrize("port", ["eight", "0", "70000", "-1"])
def test_a_port_that_is_none_is_said_plainly(port: str) -> None:
    started = _make_run(port)
    assert started.returncode != 0
    assert started.stderr.strip() == f"PORT must be a number from 1 to 65535, not {port!r}."


def test_it_refuses_settings_that_are_not_the_embedded_ones(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "play"],
        cwd=ROOT,
        env={**_environment(tmp_path), "DJANGO_SETTINGS_MODULE": "nardysite.settings.test"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "refuses real money" in done.stderr
