"""What a run tells: progress while it goes on, figures at its end, and whether an invariant was broken."""

import os
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

Say = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Row:
    """One figure. `holds` is None where nothing is promised: the figure is only printed."""

    what: str
    figure: str
    goal: str = ""
    holds: bool | None = None


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


@dataclass
class Report:
    """The figures of one run. `chance` is made from the seed that is printed: the same seed, the same faults."""

    name: str
    seed: int
    tell: Say = say
    is_short: bool = False
    rows: list[Row] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = random.Random(f"{self.seed} {self.name}")
        self._began = time.monotonic()
        self.tell(f"== {self.name}, seed {self.seed}")

    def progress(self, text: str) -> None:
        """A line with the seconds since the start."""
        self.tell(f"{time.monotonic() - self._began:6.0f} s  {text}")

    def figure(self, what: str, figure: object, goal: str = "") -> None:
        """Only printed."""
        self.rows.append(Row(what, str(figure), goal))

    def must(self, what: str, figure: object, goal: str, *, holds: bool) -> None:
        """An invariant, and whether it held."""
        self.rows.append(Row(what, str(figure), goal, holds))

    def within(self, what: str, value: float, most: float, *, digits: int = 1) -> None:
        """A time. It is promised for a machine that does nothing else, so a short run only tells it."""
        told, goal = f"{value:.{digits}f}", f"at most {most:g}"
        if self.is_short:
            self.figure(what, told, goal)
        else:
            self.must(what, told, goal, holds=value <= most)

    def none(self, what: str, found: list[str]) -> None:
        """Nothing of this may have been found; the first few are told."""
        for line in found[:10]:
            self.progress(f"{what}: {line}")
        self.must(what, len(found), "0", holds=not found)

    @property
    def broken(self) -> list[str]:
        """The invariants that did not hold."""
        return [row.what for row in self.rows if row.holds is False]

    def table(self) -> str:
        """All rows, aligned; and what else the machine had to do, since times depend on it."""
        wide = max(len(row.what) for row in self.rows)
        verdict = {None: "", True: "holds", False: "BROKEN"}
        rows = [
            *self.rows,
            Row(
                "load of the machine's processors, 1 min",
                f"{os.getloadavg()[0]:.1f}",
                f"{os.cpu_count()} of them",
            ),
        ]
        return "\n".join(
            f"{row.what:<{wide}}  {row.figure:>14}  {row.goal:<22} {verdict[row.holds]}".rstrip()
            for row in rows
        )


def quantile(values: list[float], part: float) -> float:
    """The value that so much of them do not exceed; 0 of nothing."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0.0
