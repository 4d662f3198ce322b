"""One function decides the client's address: forged headers are ignored."""

import pytest
from django.test import RequestFactory

from accounts.identity import UNKNOWN, client_ip

PEER = "198.51.100.7"


def request(forwarded: str | None = None, peer: str = PEER):
    headers = {} if forwarded is None else {"x-forwarded-for": forwarded}
    return RequestFactory().get("/", headers=headers, REMOTE_ADDR=peer)


def scope(*forwarded: str, peer: str | None = PEER):
    lines = [(b"x-forwarded-for", line.encode()) for line in forwarded]
    return {"type": "websocket", "client": peer and [peer, 5000], "headers": lines}


@pytest.mark.parametrize("source", [request("203.0.113.1"), scope("203.0.113.1"), scope()])
def test_without_proxies_of_ours_the_header_is_not_read(source, settings) -> None:
    settings.CLIENT_IP_TRUSTED_PROXIES = 0
    assert client_ip(source) == PEER


@pytest.mark.parametrize(
    ("proxies", "forwarded", "client"),
    [
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "10.0.0.1, 203.0.113.9", "203.0.113.9"),
        (1, "6.6.6.6, 7.7.7.7,203.0.113.9", "203.0.113.9"),
        (2, "6.6.6.6, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        (1, "203.0.113.9:4711", "203.0.113.9"),
        (1, "[2001:db8::1]:4711", "2001:db8::1"),
        (1, "2001:DB8:0::1", "2001:db8::1"),
        (1, "::ffff:203.0.113.9", "203.0.113.9"),
        (1, "not an address", PEER),
        (1, "", PEER),
        (3, "203.0.113.9", PEER),
    ],
)
def test_the_hop_before_our_proxies_is_the_client(proxies, forwarded, client, settings) -> None:
    settings.CLIENT_IP_TRUSTED_PROXIES = proxies
    assert client_ip(request(forwarded)) == client
    assert client_ip(scope(forwarded)) == client


def test_a_header_sent_in_several_lines_counts_as_one(settings) -> None:
    settings.CLIENT_IP_TRUSTED_PROXIES = 1
    assert client_ip(scope("6.6.6.6", "203.0.113.9")) == "203.0.113.9"


def test_a_proxy_behind_a_unix_socket_has_no_address_of_its_own(settings) -> None:
    settings.CLIENT_IP_TRUSTED_PROXIES = 1
    assert client_ip(scope("6.6.6.6, 203.0.113.9", peer=None)) == "203.0.113.9"
    assert client_ip(request("6.6.6.6, 203.0.113.9", peer="")) == "203.0.113.9"


def test_an_address_that_cannot_be_told_is_nobodys(settings) -> None:
    settings.CLIENT_IP_TRUSTED_PROXIES = 0
    assert client_ip(scope(peer=None)) == UNKNOWN
