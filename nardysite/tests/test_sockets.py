"""The door of every socket: where a handshake may come from, and where it may go."""

import pytest
from channels.testing import WebsocketCommunicator

from nardysite.asgi import application

pytestmark = [pytest.mark.embedded, pytest.mark.django_db(transaction=True)]


async def _is_let_in(path: str, *headers: tuple[bytes, bytes]) -> bool:
    socket = WebsocketCommunicator(application, path, headers=list(headers))
    connected, _ = await socket.connect(timeout=10)
    await socket.disconnect()
    return connected


@pytest.mark.parametrize(
    "origin",
    [
        b"https://elsewhere.example",
        b"http://127.0.0.1.elsewhere.example",
        b"http://[::1",
        b"null",
        b"\xff\xfe",
        b"",
    ],
)
async def test_other_sites_and_nonsense_are_turned_away(origin: bytes) -> None:
    assert not await _is_let_in("/ws/lobby/practice/", (b"origin", origin))


async def test_no_origin_is_turned_away() -> None:
    """Quality 3: only a browser on a page of ours has a session to lend."""
    assert not await _is_let_in("/ws/lobby/practice/")


@pytest.mark.parametrize("path", ["/", "/ws/", "/ws/table/no-such-id/", "/ws/lobby/"])
async def test_a_socket_that_nobody_serves_ends_without_a_traceback(path: str) -> None:
    assert not await _is_let_in(path, (b"origin", b"http://127.0.0.1"))


async def test_a_page_of_ours_may_open_the_lobby() -> None:
    assert await _is_let_in("/ws/lobby/practice/", (b"origin", b"http://127.0.0.1:8000"))
