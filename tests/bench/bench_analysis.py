"""How well and how fast finished matches are analysed, beside GNU Backgammon's own analysis.

    python -m tests.bench.bench_analysis [--matches m001.txt …]

Ten of the recorded matches. PR is equity lost for each decision, times 500; GNU Backgammon's is its error
rate for unforced moves and close or actual cube decisions, by 2 of its plies. Times are of the processor,
of one core.
"""

import argparse
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import thread_time

from games.engine.analysis import judged, totals
from games.engine.decisions import decisions_of
from games.rules.importing import import_match
from games.rules.scoresheet import LEFT, RIGHT
from games.tests import gnubg_program, rules_cases

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

    @property
    def apart(self) -> float:
        """The larger relative difference of the two sides."""
        return max(abs(a - b) / max(b, 1e-9) for a, b in zip(self.ours, self.theirs, strict=True))


def compared(name: str, folder: Path) -> Row:
    """Analyses one recorded match with both programs."""
    match = import_match((rules_cases.MATCHES / name).read_bytes())
    began = thread_time()
    records = [each.record() for decision in decisions_of(match) for each in judged(decision)]
    seconds = thread_time() - began
    left, right = (totals(records, seat).pr_milli / THOUSAND for seat in (LEFT, RIGHT))
    file = folder / f"{Path(name).stem}.mat"
    shutil.copy(rules_cases.MATCHES / name, file)
    theirs = gnubg_program.error_rates(file)
    rolls = sum(ply.roll is not None for game in match.games for ply in game.plies)
    return Row(name, rolls, (left, right), theirs, seconds)


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
            ours, theirs = (f"{a:6.2f} /{b:6.2f}" for a, b in (row.ours, row.theirs))
            sys.stdout.write(
                f"{row.name:10}{row.rolls:>6}{ours:>16}{theirs:>16}{row.apart:>8.1%}{row.seconds:>7.1f}\n"
            )
            sys.stdout.flush()
    rolls, seconds = sum(row.rolls for row in rows), sum(row.seconds for row in rows)
    sys.stdout.write(f"\n{THOUSAND * seconds / rolls:.0f} ms a roll\n")
    return int(any(row.apart > WITHIN for row in rows))


if __name__ == "__main__":
    sys.exit(main())
