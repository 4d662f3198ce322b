"""GNU Backgammon itself, Debian's program: which score it finds in a match file."""

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
    """The program's view of each file, each read by a program of its own.

    It keeps some state from one file to the next, so they must not share one.
    """
    return [_seen(file) for file in files]


def _seen(file: Path) -> Seen:
    script = file.with_suffix(".py")
    script.write_text(
        "import gnubg\n"
        'gnubg.command("set confirm new off")\n'
        f"gnubg.command('import mat \"{file}\"')\n"
        f'print("{_ASKED}", len(gnubg.match(analysis=0, boards=0)["games"]), flush=True)\n'
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
    said = found.stdout + found.stderr
    boards = list(_BOARD.finditer(said))
    assert boards, said
    games = re.search(rf"{_ASKED} (\d+)", said)
    assert games, said
    complaints = tuple(
        line for line in said.splitlines() if any(word in line for word in _COMPLAINTS)
    )
    last = boards[-1]
    return Seen((int(last["left_points"]), int(last["right_points"])), int(games[1]), complaints)
