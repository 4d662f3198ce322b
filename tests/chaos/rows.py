"""The rows of the table of faults: each module has `run`, and its sizes `FULL` and `SHORT`."""

from types import ModuleType

from tests.chaos import (
    adjudication,
    bank,
    deadlines,
    ends,
    entrance,
    frames,
    lines,
    purse,
    sanity,
    tables,
    twice,
)

ROWS: dict[str, ModuleType] = {
    "bank": bank,
    "purse": purse,
    "chaos": tables,
    "deadlines": deadlines,
    "twice": twice,
    "frames": frames,
    "lines": lines,
    "ends": ends,
    "entrance": entrance,
    "adjudication": adjudication,
    "sanity": sanity,
}
