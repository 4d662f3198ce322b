"""How the benches print a figure."""

import sys
from collections.abc import Iterable
from typing import NamedTuple


class Row(NamedTuple):
    """One figure and, if there is one, what stands beside it with the ratio of the two."""

    label: str
    figure: float
    unit: str
    beside: str = ""
    ratio: float | None = None


def show(rows: Iterable[Row]) -> None:
    """Prints the rows, a line each."""
    for label, figure, unit, beside, ratio in rows:
        shown = "" if ratio is None else f"{ratio:6.2f}"
        sys.stdout.write(f"{label:<84}{figure:>10.1f} {unit:<7}{beside:<24}{shown}\n")
    sys.stdout.flush()
