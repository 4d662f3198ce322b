"""How well and how fast interrupted games are judged, beside GNU Backgammon.

    python -m tests.bench.bench_engine [--positions 200] [--series 40] [--seed 20260901]

Positions of the recorded matches, of eight phases in turn, with all states of the cube, a fourth with
dice on the board; then some at scores of series. gnubg searches 3 plies deep with its own cube; its
interval is what lies between its 2 and 3 plies. Times are of the processor, of one core.
"""

import argparse
import resource
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from time import thread_time

from games.engine.adjudicate import Question, Verdict, evaluate
from games.tests import gnubg_peer
from games.tests.engine_cases import questions, series_questions
from games.tests.test_engine_peers import contradict

SEED = 20_260_901
POSITIONS = 200
SERIES = 40
POINTS_LIMIT = 0.03
SECONDS_LIMIT = 20
MEGABYTES_LIMIT = 512
KB = 1024
WORST_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Case:
    """A question with what both programs say about it."""

    phase: str
    question: Question
    ours: Verdict
    theirs: gnubg_peer.Opinion
    seconds: float

    @property
    def apart(self) -> float:
        return abs(self.ours.value - self.theirs.value)


def cases(asked: Sequence[tuple[str, Question]], seed: int, title: str) -> list[Case]:
    """Asks both programs, and says how far it has come."""
    found: list[Case] = []
    opinions = gnubg_peer.opinions([question for _, question in asked])
    for (phase, question), theirs in zip(asked, opinions, strict=True):
        began = thread_time()
        ours = evaluate(question, seed=seed)
        found.append(Case(phase, question, ours, theirs, thread_time() - began))
        sys.stderr.write(
            f"\r{title}: {len(found)} of {len(asked)}, apart by {fmean(c.apart for c in found):.4f} "
        )
        sys.stderr.flush()
    sys.stderr.write("\n")
    return found


def _by_phase(found: Iterable[Case]) -> dict[str, list[Case]]:
    phases: dict[str, list[Case]] = defaultdict(list)
    for case in found:
        phases[case.phase].append(case)
    return phases


def _show(title: str, found: Sequence[Case]) -> None:
    sys.stdout.write(
        f"\n{title:20}{'asked':>6}{'apart':>9}{'most':>9}{'interval':>10}{'s':>7}{'most':>7}\n"
    )
    for phase, some in [*_by_phase(found).items(), ("all", list(found))]:
        apart = [case.apart for case in some]
        wide = [(case.ours.high - case.ours.low) / 2 for case in some]
        seconds = [case.seconds for case in some]
        sys.stdout.write(
            f"{phase:20}{len(some):>6}{fmean(apart):>9.4f}{max(apart):>9.4f}"
            f"{median(wide):>10.4f}{median(seconds):>7.1f}{max(seconds):>7.1f}\n"
        )


def _show_worst(found: Iterable[Case]) -> None:
    sys.stdout.write("\nFarthest apart\n")
    for case in sorted(found, key=lambda case: -case.apart)[:WORST_SHOWN]:
        ours = case.ours
        line = gnubg_peer.line(case.question)
        sys.stdout.write(
            f"{ours.value:+.3f} [{ours.low:+.3f} {ours.high:+.3f}]  "
            f"gnubg {' '.join(f'{value:+.3f}' for value in case.theirs.values)}  {line}\n"
        )


def main() -> int:
    """Prints the tables; 1 if a figure is not reached."""
    parser = argparse.ArgumentParser(description="Judges positions beside gnubg.")
    parser.add_argument("--positions", type=int, default=POSITIONS)
    parser.add_argument("--series", type=int, default=SERIES)
    parser.add_argument("--seed", type=int, default=SEED)
    chosen = parser.parse_args()
    sys.stdout.write(f"seed {chosen.seed}\n")
    single = cases(list(questions(chosen.seed, chosen.positions)), chosen.seed, "single games")
    series = cases(list(series_questions(chosen.seed, chosen.series)), chosen.seed, "series")
    for title, found in (("Single games, points", single), ("Series, chances", series)):
        if found:
            _show(title, found)
            _show_worst(found)
    return _judged(single, single + series)


def _judged(single: Sequence[Case], found: Sequence[Case]) -> int:
    apart = fmean(case.apart for case in single)
    signs = sum(contradict(case.ours, case.theirs) for case in single)
    slowest = max(case.seconds for case in found)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KB
    figures = [
        ("mean difference of equities", apart, POINTS_LIMIT),
        ("signs that contradict", signs, 0),
        ("slowest, s of one core", slowest, SECONDS_LIMIT),
        ("memory at most, MB", megabytes, MEGABYTES_LIMIT),
    ]
    sys.stdout.write("\n")
    for label, figure, limit in figures:
        verdict = "reached" if figure <= limit else "MISSED"
        sys.stdout.write(f"{label:36}{figure:>9.3f}  limit {limit}  {verdict}\n")
    return int(any(figure > limit for _, figure, limit in figures))


if __name__ == "__main__":
    sys.exit(main())
