"""GNU Backgammon itself, Debian's program: which score it finds in a match file, and which errors."""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

PROGRAM = "/usr/games/gnubg"
_ASKED = "## asked"
_BOARD = re.compile(
    r" O: (?P<left>.*?)\s*\n.*?(?P<left_points>\d+) points?\s*\n"
    r".*?(?P<right_points>\d+) points?\s*\n.*? X: (?P<right>.*?)\s*\n",
    re.DOTALL,
)
_COMPLAINTS = ("WARNING", "Unrecognised", "not a valid", "doesn't follow")


class Seen(NamedTuple):
    """What the program makes of a file: its last score, and what it complains about."""

    score: tuple[int, int]
    games: int
    complaints: tuple[str, ...]


def seen(files: Sequence[Path]) -> list[Seen]:
    """The program's view of each file."""
    return [_seen(file) for file in files]


def _run(file: Path, *commands: str) -> str:
    """What the program says to a file and some commands. It starts anew: some state outlives a file."""
    script = file.with_suffix(".py")
    asked = ["set confirm new off", "set threads 1", f'import mat "{file}"', *commands]
    script.write_text(
        "import gnubg\n"
        + "".join(f"gnubg.command({command!r})\n" for command in asked)
        + f'print("{_ASKED}", len(gnubg.match(analysis=0, boards=0)["games"]), flush=True)\n'
    )
    found = subprocess.run(
        [PROGRAM, "--tty", "--quiet", "--no-rc", "--python", str(script)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        cwd=file.parent,
        env={"HOME": str(file.parent), "LC_ALL": "C.UTF-8"},
    )
    return found.stdout + found.stderr


def _seen(file: Path) -> Seen:
    said = _run(file)
    boards = list(_BOARD.finditer(said))
    assert boards, said
    games = re.search(rf"{_ASKED} (\d+)", said)
    assert games, said
    complaints = tuple(
        line for line in said.splitlines() if any(word in line for word in _COMPLAINTS)
    )
    last = boards[-1]
    return Seen((int(last["left_points"]), int(last["right_points"])), int(games[1]), complaints)


_RATE = re.compile(r"Error rate mEMG \(MWC\) +([-+][0-9.]+).*?\) +([-+][0-9.]+)")
PER_MILLE_TO_PR = 0.5


def error_rates(file: Path, plies: int = 2) -> tuple[float, float]:
    """PR of both players by the program's own analysis: thousandths of equity for a decision, halved."""
    said = _run(
        file,
        f"set analysis chequerplay evaluation plies {plies}",
        f"set analysis cubedecision evaluation plies {plies}",
        "analyse match",
        "show statistics match",
    )
    overall = said.rpartition("Overall statistics")[2]
    found = _RATE.search(overall)
    assert found, said
    left, right = (abs(float(rate)) * PER_MILLE_TO_PR for rate in found.groups())
    return left, right
