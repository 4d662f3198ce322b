"""Two million dice against chance: faces, pairs, successive pairs.

    python tests/bench/bench_dice.py [--dice 2000000] [--seed WORD]

Without --seed the seeds are fresh, and the word that repeats the run is printed. Beside the site's
dice, the same bytes are turned into dice without passing over any, to show that the test has teeth.
Ends with 1 if the dice fail or the others pass.
"""

import argparse
import secrets
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from uuid import UUID

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from games.fairness import FACES, Thrown, dice_for
from games.tests.chi_square import Fit, fits

DICE = 2_000_000
ROLLS_OF_A_MATCH = 100
DOUBTFUL = 1e-4
ROW = "{:<32}{:<18}{:>10}{:>6}{:>12}{:>11}  {}\n"


def main() -> int:
    """Throws, judges, prints; the process's exit status."""
    options = _options()
    word = options.seed or secrets.token_hex(4)
    rolls = options.dice // 2
    sys.stdout.write(f"{options.dice:,} dice, --seed {word}\n")
    started = perf_counter()
    fair = list(_shown(_rolls(word, rolls), rolls))
    each_us = (perf_counter() - started) / rolls * 1e6
    sys.stdout.write(f"\r{each_us:.1f} us a roll{' ' * 20}\n\n")
    sys.stdout.write(ROW.format("", "test", "trials", "df", "chi-square", "p", ""))
    passed = _judge("dice of the site", fits(fair), should_pass=True)
    biased = _judge(
        "bytes mod 6, none passed over", fits(_biased(word, rolls))[:1], should_pass=False
    )
    return 0 if passed and biased else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--dice", type=int, default=DICE)
    parser.add_argument("--seed", help="a word; the same word throws the same dice")
    return parser.parse_args()


def _rolls(word: str, total: int) -> Iterator[Thrown]:
    for match in range(-(-total // ROLLS_OF_A_MATCH)):
        server, light, dark = (_bytes(word, match, who) for who in ("server", "light", "dark"))
        dice = dice_for(UUID(bytes=_bytes(word, match, "id")[:16]), server, light, dark)
        first = match * ROLLS_OF_A_MATCH
        yield from (dice(n) for n in range(1, min(ROLLS_OF_A_MATCH, total - first) + 1))


def _biased(word: str, total: int) -> Iterator[Thrown]:
    for n in range(total):
        first, second, *_ = _bytes(word, n, "biased")
        yield Thrown(first % FACES + 1, second % FACES + 1)


def _bytes(word: str, number: int, who: str) -> bytes:
    return sha256(f"{word} {number} {who}".encode()).digest()


def _shown(rolls: Iterator[Thrown], total: int) -> Iterator[Thrown]:
    for n, roll in enumerate(rolls, 1):
        if n % (total // 20 or 1) == 0:
            sys.stdout.write(f"\r{n / total:.0%} thrown")
            sys.stdout.flush()
        yield roll


def _judge(name: str, judged: list[Fit], *, should_pass: bool) -> bool:
    for fit in judged:
        verdict = "pass" if fit.p > DOUBTFUL else "fail"
        sys.stdout.write(
            ROW.format(
                name,
                fit.name,
                f"{fit.trials:,}",
                fit.degrees,
                f"{fit.statistic:.2f}",
                f"{fit.p:.4f}",
                verdict if should_pass else f"{verdict} (must fail)",
            )
        )
    return all((fit.p > DOUBTFUL) is should_pass for fit in judged)


if __name__ == "__main__":
    sys.exit(main())
