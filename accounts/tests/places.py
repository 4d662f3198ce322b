"""A small database of places in MaxMind's format, made by the tests themselves."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mmdb_writer import MMDBWriter
from netaddr import IPSet

FINLAND = "81.175.128.7"
GERMANY = "5.9.10.11"
FLORIDA = "23.81.0.10"
OHIO = "65.60.0.10"
SOMEWHERE_IN_THE_US = "8.8.8.8"
NOT_IN_THE_FILE = "200.1.2.3"
PLACES: Mapping[str, dict[str, Any]] = {
    "81.175.128.0/24": {"country": {"iso_code": "FI"}},
    "5.9.10.0/24": {"country": {"iso_code": "DE"}},
    "23.81.0.0/24": {"country": {"iso_code": "US"}, "subdivisions": [{"iso_code": "FL"}]},
    "65.60.0.0/24": {"country": {"iso_code": "US"}, "subdivisions": [{"iso_code": "OH"}]},
    "8.8.8.0/24": {"country": {"iso_code": "US"}},
}


def write(path: Path, places: Mapping[str, dict[str, Any]] = PLACES) -> str:
    """Writes the file; answers its path as the setting wants it."""
    writer = MMDBWriter(ip_version=6, ipv4_compatible=True, database_type="Test-City")
    for network, record in places.items():
        writer.insert_network(IPSet([network]), record)
    writer.to_db_file(str(path))
    return str(path)
