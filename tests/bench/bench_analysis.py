"""How well and how fast finished matches are analysed, beside GNU Backgammon's own analysis.

    python -m tests.bench.bench_analysis [--matches m001.txt …]

Ten of the recorded matches. PR is equity lost for each decision, times 500; GNU Backgammon's is its error
rate for unforced moves and close or actual cube decisions, by 2 of its plies. Where the two are farther
apart than they should be, bgsage's own analyser is asked as well, at 3 of its plies for everything; that
takes minutes. Times are of the processor, of one core.
"""

import argparse
import shutil
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from time import thread_time

from games.engine.analysis import judged, totals
from games.engine.decisions import decisions_of
from games.rules.importing import import_match
from games.rules.scoresheet import LEFT, RIGHT
from games.tests import gnubg_program, rules_cases, sage_peer

TEN = (
    "m002.txt",
    "m003.txt",
    "m005.txt",
    "m007.txt",
    "m013.txt",
    "m014.txt",
    "m025.txt",
    "m045.mat",
    "m047.mat",
    "m048.mat",
)
WITHIN = 0.15
THOUSAND = 1_000


@dataclass(frozen=True, slots=True)
class Row:
    """One match: PR of both sides by both programs."""

    name: str
    rolls: int
    ours: tuple[float, float]
    theirs: tuple[float, float]
    seconds: float
    sages: tuple[float, float] | None = None

    @property
    def apart(self) -> float:
        """The larger relative difference of the two sides, beside the program that is nearer."""
        found = _apart(self.ours, self.theirs)
        return found if self.sages is None else min(found, _apart(self.ours, self.sages))


def _apart(ours: tuple[float, float], theirs: tuple[float, float]) -> float:
    return max(abs(a - b) / max(b, 1e-9) for a, b in zip(ours, theirs, strict=True))


def compared(name: str, folder: Path) -> Row:
    """Analyses one recorded match with both programs."""
    match = import_match((rules_cases.MATCHES / name).read_bytes())
    began = thread_time()
    decisions = decisions_of(match)
    records = [each.record() for decision in decisions for each in judged(decision)]
    seconds = thread_time() - began
    left, right = (totals(records, seat).pr_milli / THOUSAND for seat in (LEFT, RIGHT))
    file = folder / f"{Path(name).stem}.mat"
    shutil.copy(rules_cases.MATCHES / name, file)
    theirs = gnubg_program.error_rates(file)
    rolls = sum(ply.roll is not None for game in match.games for ply in game.plies)
    row = Row(name, rolls, (left, right), theirs, seconds)
    if row.apart <= WITHIN:
        return row
    return replace(row, sages=sage_peer.error_rates(decisions))


def _pair(rates: tuple[float, float] | None) -> str:
    return "" if rates is None else "{:6.2f} /{:6.2f}".format(*rates)


def main() -> int:
    """Prints the table; 1 if a match is farther apart than WITHIN."""
    parser = argparse.ArgumentParser(description="Analyses matches beside gnubg.")
    parser.add_argument("--matches", nargs="*", default=TEN)
    names = parser.parse_args().matches
    sys.stdout.write(
        f"{'match':10}{'rolls':>6}{'PR ours':>16}{'PR gnubg':>16}{'apart':>8}{'s':>7}\n"
    )
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            row = compared(name, Path(folder))
            rows.append(row)
            ours, theirs, sages = map(_pair, (row.ours, row.theirs, row.sages))
            sys.stdout.write(
                f"{row.name:10}{row.rolls:>6}{ours:>16}{theirs:>16}{sages:>16}"
                f"{row.apart:>8.1%}{row.seconds:>7.1f}\n"
            )
            sys.stdout.flush()
    rolls, seconds = sum(row.rolls for row in rows), sum(row.seconds for row in rows)
    sys.stdout.write(f"\n{THOUSAND * seconds / rolls:.0f} ms a roll\n")
    return int(any(row.apart > WITHIN for row in rows))


if __name__ == "__main__":
    sys.exit(main())
