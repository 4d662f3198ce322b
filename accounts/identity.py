"""Who is at the other end: the one function that decides the client's address, for pages and sockets alike."""

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Any

from django.conf import settings
from django.http import HttpRequest

UNKNOWN = "0.0.0.0"  # noqa: S104  an address that nobody has


def client_ip(source: HttpRequest | Mapping[str, Any]) -> str:
    """The address of the client of a request, or of an ASGI scope.

    With CLIENT_IP_TRUSTED_PROXIES = n the last n hops are ours, and the hop before them is the client: only
    what our own proxies wrote is believed. Whatever a client puts into the header stands further left.
    With 0 the header is not read at all.
    """
    peer, forwarded = _hops(source)
    hops = [*forwarded, peer]
    trusted: int = settings.CLIENT_IP_TRUSTED_PROXIES
    seen = hops[-1 - trusted] if trusted < len(hops) else peer
    return _address(seen) or _address(peer) or UNKNOWN


def _hops(source: HttpRequest | Mapping[str, Any]) -> tuple[str, list[str]]:
    """The peer of the connection, and what the forwarding header lists, nearest last."""
    if isinstance(source, HttpRequest):
        peer = source.META.get("REMOTE_ADDR") or ""
        header = source.headers.get(settings.CLIENT_IP_HEADER, "")
    else:
        peer = (source.get("client") or [""])[0]
        wanted = settings.CLIENT_IP_HEADER.lower().encode()
        lines = [value for name, value in source["headers"] if name == wanted]
        header = b",".join(lines).decode("latin-1")
    return peer, [hop.strip() for hop in header.split(",")] if header else []


def _address(hop: str) -> str:
    """The address without port or brackets, IPv4 where it is mapped into IPv6; empty if it is none."""
    if hop.startswith("["):
        hop = hop[1:].partition("]")[0]
    elif hop.count(":") == 1:
        hop = hop.partition(":")[0]
    try:
        address = ip_address(hop)
    except ValueError:
        return ""
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(address)
