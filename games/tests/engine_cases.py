"""Positions of recorded matches, of every phase of the game, as questions to an engine."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from random import Random
from typing import Final

from games.engine.adjudicate import Question, Series, Whose
from games.rules.board import BAR, OFF, Position, has_contact, is_bearing_off, pips
from games.rules.dice import Roll
from games.rules.matfile import BadMatchFile, read_match
from games.rules.outcome import is_over
from games.rules.replay import PlyKind
from games.tests.rules_cases import MATCHES

Phase = Callable[[Position], bool]
OPENING_PIPS: Final = 25
BEHIND_PIPS: Final = 60


def _is_race(position: Position) -> bool:
    return not has_contact(position)


def _is_bear_off(position: Position) -> bool:
    return _is_race(position) and all(map(is_bearing_off, position))


def _is_bar(position: Position) -> bool:
    return bool(position.mine[BAR] or position.theirs[BAR])


def _is_anchored(position: Position) -> bool:
    """One side bears in or off against an anchor or a straggler in its home."""
    sides = (position, position.flipped())
    return any(is_bearing_off(side.mine) and has_contact(side) for side in sides)


def _is_prime(position: Position) -> bool:
    return any(_longest_wall(side) > 4 for side in position)


def _longest_wall(side: tuple[int, ...]) -> int:
    longest = run = 0
    for count in side[OFF + 1 : BAR]:
        run = run + 1 if count > 1 else 0
        longest = max(longest, run)
    return longest


def _is_back_game(position: Position) -> bool:
    return abs(pips(position.mine) - pips(position.theirs)) >= BEHIND_PIPS


def _is_opening(position: Position) -> bool:
    return min(map(pips, position)) >= 167 - OPENING_PIPS


PHASES: Final[Mapping[str, Phase]] = {
    "bear-off": _is_bear_off,
    "race": _is_race,
    "against an anchor": _is_anchored,
    "back game": _is_back_game,
    "bar": _is_bar,
    "prime": _is_prime,
    "opening": _is_opening,
    "middle": lambda _: True,
}
"""A position is of the first phase that it fits."""


def phase_of(position: Position) -> str:
    return next(name for name, fits in PHASES.items() if fits(position))


@lru_cache(maxsize=1)
def recorded() -> dict[str, list[tuple[Position, Roll]]]:
    """Every legal play of the recorded matches once, by phase: the position before it and its roll."""
    found: dict[str, dict[Position, Roll]] = {name: {} for name in PHASES}
    for path in sorted(MATCHES.iterdir()):
        if path.suffix == ".tsv":
            continue
        try:
            match = read_match(path.read_bytes())
        except BadMatchFile:
            continue
        for game in match.games:
            for ply in game.plies:
                if ply.kind is PlyKind.PLAY and ply.roll and not is_over(ply.position):
                    found[phase_of(ply.position)].setdefault(ply.position, ply.roll)
    return {name: list(plays.items()) for name, plays in found.items()}


def questions(seed: int, count: int) -> Iterator[tuple[str, Question]]:
    """Questions about money games of all phases in turn, with every state of the cube; a fourth have dice."""
    chance = Random(seed)
    pools = {name: chance.sample(plays, len(plays)) for name, plays in recorded().items()}
    for number in range(count):
        name = list(PHASES)[number % len(PHASES)]
        position, roll = pools[name].pop()
        cube, owner = chance.choice(
            [(1, None), (1, None), (2, Whose.MINE), (2, Whose.THEIRS), (4, Whose.MINE)]
        )
        yield (
            name,
            Question(
                position,
                roll=roll if chance.random() < 0.25 else None,
                cube_value=cube,
                cube_owner=owner,
            ),
        )


def series_questions(seed: int, count: int) -> Iterator[tuple[str, Question]]:
    """The same at scores of series of 3 to 11 points."""
    chance = Random(seed)
    for name, question in questions(seed, count):
        length = chance.choice([3, 5, 7, 11])
        mine, theirs = chance.randrange(length), chance.randrange(length)
        crawford = length - 1 in (mine, theirs) and question.cube_owner is None
        crawford = crawford and chance.random() < 0.5 and (mine, theirs) != (length - 1, length - 1)
        yield (
            name,
            Question(
                question.position,
                roll=question.roll,
                cube_value=question.cube_value,
                cube_owner=question.cube_owner,
                series=Series(length, mine, theirs, crawford),
            ),
        )
