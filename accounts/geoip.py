"""Which country, and in the US which state, an address of the internet is in: from a file in MaxMind's format."""

from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final

import maxminddb
from django.conf import settings

UNITED_STATES: Final = "US"


@dataclass(frozen=True, slots=True)
class Place:
    """ISO codes; empty where the file does not say. A state only in the US."""

    country: str = ""
    us_state: str = ""


NOWHERE: Final = Place()


def locate(ip: str) -> Place:
    """NOWHERE without a file, and for an address that it does not know."""
    path = settings.GEOIP_DATABASE
    if not path:
        return NOWHERE
    try:
        found: Any = _reader(path, Path(path).stat().st_mtime_ns).get(ip_address(ip))
    except (OSError, ValueError):
        return NOWHERE
    if not isinstance(found, dict):
        return NOWHERE
    country = str(found.get("country", {}).get("iso_code", ""))
    parts = found.get("subdivisions") or [{}]
    state = str(parts[0].get("iso_code", "")) if country == UNITED_STATES else ""
    return Place(country=country, us_state=state)


@lru_cache(maxsize=2)
def _reader(path: str, changed_ns: int) -> maxminddb.Reader:
    """Opened again when the file was replaced."""
    return maxminddb.open_database(path)
