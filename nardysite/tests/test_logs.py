"""Log lines: one JSON object each, and nothing in them that was not meant to be."""

import json
import logging
import sys

import pytest
from django.test import AsyncClient, Client

from nardysite.logs import JsonLines, request_id

pytestmark = pytest.mark.embedded


def _line(message: str, *arguments: object, **extra: object) -> dict[str, str]:
    record = logging.getLogger("games.live").makeRecord(
        "games.live", logging.WARNING, __file__, 1, message, arguments, None, extra=extra
    )
    line: dict[str, str] = json.loads(JsonLines().format(record))
    return line


def test_a_line_says_when_where_and_what() -> None:
    line = _line("%d commands refused", 3)
    assert line.keys() == {"at", "level", "logger", "message"}
    assert line["message"] == "3 commands refused"
    assert line["level"] == "WARNING"
    assert line["at"].endswith("+00:00")


def test_a_line_names_its_match_and_its_request() -> None:
    token = request_id.set("abcdefgh")
    try:
        line = _line("late", match="m-1")
    finally:
        request_id.reset(token)
    assert (line["match"], line["request"]) == ("m-1", "abcdefgh")


def test_what_is_not_listed_is_not_written() -> None:
    """Quality 3: never seeds or personal data."""
    assert "s3cret" not in json.dumps(_line("dealt", seed="s3cret", email="s3cret@example.com"))


def test_a_line_break_cannot_forge_a_second_line() -> None:
    record = logging.LogRecord("x", logging.INFO, __file__, 1, "one\ntwo", (), None)
    assert "\n" not in JsonLines().format(record)


def test_a_traceback_stays_in_its_line() -> None:
    try:
        raise ValueError("broken")
    except ValueError:
        caught = sys.exc_info()
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "failed", (), caught)
    line = JsonLines().format(record)
    assert "\n" not in line
    assert "ValueError: broken" in json.loads(line)["trace"]


def test_the_proxys_id_comes_back(client: Client) -> None:
    answer = client.get("/healthz", headers={"X-Request-ID": "from-nginx-0001"})
    assert answer["X-Request-ID"] == "from-nginx-0001"
    assert request_id.get() is None


@pytest.mark.parametrize("offered", ["", "short", "has spaces in it", "x" * 65, "<script>alert"])
def test_an_unsound_id_is_replaced(client: Client, offered: str) -> None:
    answer = client.get("/healthz", headers={"X-Request-ID": offered})
    assert answer["X-Request-ID"] != offered
    assert len(answer["X-Request-ID"]) == 32


async def test_it_works_in_the_event_loop_too(async_client: AsyncClient) -> None:
    answer = await async_client.get("/healthz", headers={"X-Request-ID": "from-nginx-0002"})
    assert answer["X-Request-ID"] == "from-nginx-0002"
