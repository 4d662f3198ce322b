"""GNU Backgammon's opinion of a position, from a process of its own. Run as a module it is that process.

It prints tables to standard output as its shell does; we read them.
"""

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.engine.adjudicate import Question, Whose
from games.engine.met import chance_after
from games.rules.situation import Owner, Situation
from games.rules.xgid import xgid

PLIES: Final = (2, 3)
"""Its usual depth and one more: how far these two are apart tells how sure it is of itself."""

_SETTINGS: Final = (
    "set automatic roll off",
    "set automatic game off",
    "set player 0 human",
    "set player 1 human",
    "set threads 1",
    "new session",
)
_ASKED: Final = "## asked"
_NUMBER: Final = r"([-+][0-9.]+)"
_DECISION: Final = [
    re.compile(rf"^[1-3]\. {action} +{_NUMBER}", re.MULTILINE)
    for action in ("No (?:re)?double", "(?:Red|D)ouble, pass", "(?:Red|D)ouble, (?:take|beaver)")
]
"""In the order of their worth, which is not always this one."""
_PLY: Final = re.compile(rf"^ *[0-9] ply:.*?{_NUMBER} *$", re.MULTILINE)
_PLAY: Final = re.compile(rf"^ *1\. .*Eq\.: *{_NUMBER}", re.MULTILINE)


class Opinion(NamedTuple):
    """For the player on roll, as a verdict counts it, by plies of PLIES."""

    values: tuple[float, ...]

    @property
    def value(self) -> float:
        return self.values[-1]

    @property
    def low(self) -> float:
        return min(self.values)

    @property
    def high(self) -> float:
        return max(self.values)


def opinions(questions: Sequence[Question]) -> Iterator[Opinion]:
    """What it thinks of questions without offers, limits and beavers, asked by the player on roll."""
    with subprocess.Popen(
        [sys.executable, "-m", "games.tests.gnubg_peer", *map(str, PLIES)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        for question in questions:
            process.stdin.write(line(question) + "\n")
            process.stdin.flush()
            values = [_value(question, _answer(process.stdout)) for _ in PLIES]
            yield Opinion(tuple(values))
        process.stdin.close()


def line(question: Question) -> str:
    """The XGID of a question."""
    return xgid(_situation(question))


def _situation(question: Question) -> Situation:
    series = question.series
    owners = {None: Owner.NOBODY, Whose.MINE: Owner.MINE, Whose.THEIRS: Owner.THEIRS}
    return Situation(
        position=question.position,
        roll=question.roll,
        cube=question.cube_value,
        cube_owner=owners[question.cube_owner],
        score=(series.mine, series.theirs) if series else (0, 0),
        length=series.length if series else 0,
        is_crawford=bool(series and series.crawford),
    )


def _answer(lines: Iterator[str]) -> str:
    said: list[str] = []
    for text in lines:
        if text.startswith(_ASKED):
            return "".join(said)
        said.append(text)
    raise AssertionError("gnubg has gone:\n" + "".join(said))


def _value(question: Question, answer: str) -> float:
    equity = _equity(question, answer)
    series = question.series
    if series is None:
        return equity
    won = chance_after(series, question.cube_value)
    lost = 1 - chance_after(series.flipped(), question.cube_value)
    return lost + (equity + 1) / 2 * (won - lost)


def _equity(question: Question, answer: str) -> float:
    if question.roll is not None:
        play = _PLAY.search(answer)
        assert play, answer
        return float(play[1])
    decisions = [action.search(answer) for action in _DECISION]
    if all(decisions):
        no_double, dropped, taken = (float(found[1]) for found in decisions if found)
        return max(no_double, min(dropped, taken))
    assert not any(decisions), answer
    plies = _PLY.findall(answer)
    assert plies, answer
    return float(plies[-1])


def main() -> None:
    """Answers the XGIDs of standard input, each at every number of plies."""
    import gnubg  # type: ignore[import-untyped]

    for setting in _SETTINGS:
        gnubg.command(setting)
    for asked in sys.stdin:
        for plies in sys.argv[1:]:
            # With the dice known, one ply less goes as deep.
            gnubg.command(f"set evaluation cubedecision evaluation plies {plies}")
            gnubg.command(f"set evaluation chequerplay evaluation plies {int(plies) - 1}")
            gnubg.setgnubgid(asked.strip())
            gnubg.command("set jacoby off")
            gnubg.command("hint" if _has_dice(asked) else "eval")
            sys.stdout.write(f"\n{_ASKED}\n")
            sys.stdout.flush()


def _has_dice(asked: str) -> bool:
    return asked.split(":")[4] not in ("00", "D")


if __name__ == "__main__":
    main()
