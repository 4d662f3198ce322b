"""Finds what a roll allows: layer by layer, a die at a time, then the law of the turn.

Equal positions of a stage are one node, so a double costs hundreds of nodes and not thousands of
sequences. Positions are packed integers here; turns.py makes turns of them.
"""

from collections.abc import Sequence
from itertools import count
from typing import NamedTuple, TypeAlias

from games.rules.board import Position
from games.rules.dice import Roll
from games.rules.packed import Packed, packed
from games.rules.steps import Leap, Rules, Step, Stepper, Turn

Dice: TypeAlias = tuple[int, ...]


Edge: TypeAlias = tuple[int, int, int, int, int]
"""A step in the graph of a turn: from, to, die, 1 if it hits, the number of the node it leads to.

Plain numbers, because a double has tens of thousands of them and all go to the browser.
"""


class Stage:
    """The positions in which the same dice are still to be played."""

    __slots__ = ("left", "numbers", "origins", "ways")

    def __init__(self, left: Dice) -> None:
        self.left = left
        self.origins: dict[Packed, _Origin | None] = {}
        """Every position, in the order found; None for the start of the turn."""
        self.ways: list[_Way] = []
        self.numbers: dict[Packed, int] = {}
        """Of the positions on a longest line; see `graph`."""


Layer: TypeAlias = dict[Dice, Stage]
"""The stages after equally many steps, by the dice left."""


_Origin: TypeAlias = tuple[Dice, Packed, Step]
"""How the search first came to a position: the dice then left, from which one, by which step."""


class _Way(NamedTuple):
    """One die played from each position of a stage."""

    leaps: dict[Packed, list[Leap]]
    target: Stage


def first_layer(position: Position, roll: Roll) -> list[Layer]:
    """The start of the turn alone."""
    start = Stage(roll.dice)
    start.origins[packed(position)] = None
    return [{start.left: start}]


def longest_lines(position: Position, roll: Roll, rules: Rules) -> list[Layer]:
    """The layers of the search; the last holds the positions in which a legal turn may end.

    There is only the first layer if there is no legal step.
    """
    steppers = {die: rules.stepper(position, die) for die in set(roll.dice)}
    layers = first_layer(position, roll)
    while following := _following(layers[-1], steppers):
        layers.append(following)
    _keep_larger_die(layers[-1], roll)
    return layers


def ends(layers: Sequence[Layer]) -> dict[Packed, Turn]:
    """The positions of the last layer, each with the turn by which the search first came there."""
    turns: dict[Dice, dict[Packed, Turn]] = {
        left: dict.fromkeys(stage.origins, ()) for left, stage in layers[0].items()
    }
    for layer in layers[1:]:
        turns = {
            left: {
                position: (*turns[origin[0]][origin[1]], origin[2])
                for position, origin in stage.origins.items()
                if origin is not None
            }
            for left, stage in layer.items()
        }
    (last,) = turns.values()
    return last


def graph(layers: Sequence[Layer]) -> tuple[tuple[Edge, ...], ...]:
    """The edges of each node; only nodes and edges that lie on a longest line are in it.

    Node 0 is the start of the turn; the last nodes are the `ends`, in their order.
    """
    _number(layers)
    return tuple(
        _edges(stage, position)
        for layer in layers
        for stage in layer.values()
        for position in stage.numbers
    )


def _edges(stage: Stage, position: Packed) -> tuple[Edge, ...]:
    edges: list[Edge] = []
    for way in stage.ways:
        numbers = way.target.numbers
        edges += [
            (src, dst, die, +hit, numbers[after])
            for (src, dst, die, hit), after in way.leaps[position]
            if after in numbers
        ]
    return tuple(edges)


def _following(layer: Layer, steppers: dict[int, Stepper]) -> Layer:
    """The next layer: each die left played from each position."""
    following: Layer = {}
    for stage in layer.values():
        for die in dict.fromkeys(stage.left):
            left = _without(stage.left, die)
            target = following.get(left) or Stage(left)
            _play(stage, steppers[die], target)
            if target.origins:
                following[left] = target
    return following


def _play(stage: Stage, steps: Stepper, target: Stage) -> None:
    leaps: dict[Packed, list[Leap]] = {}
    origins = target.origins
    left = stage.left
    for position in stage.origins:
        leaps[position] = found = steps(position)
        for step, after in found:
            if after not in origins:
                origins[after] = (left, position, step)
    stage.ways.append(_Way(leaps, target))


def _without(dice: Dice, die: int) -> Dice:
    at = dice.index(die)
    return dice[:at] + dice[at + 1 :]


def _keep_larger_die(last: Layer, roll: Roll) -> None:
    """If only one of two dice can be played, and either could, it is the larger one."""
    if not roll.is_double and (roll.low,) in last:
        last.pop((roll.high,), None)


def _number(layers: Sequence[Layer]) -> None:
    """Numbers the positions from which the last layer can be reached, layer after layer."""
    for stage in layers[-1].values():
        stage.numbers = dict.fromkeys(stage.origins, 0)
    for layer in reversed(layers[:-1]):
        for stage in layer.values():
            stage.numbers = dict.fromkeys(_leading_on(stage), 0)
    numbers = count()
    for layer in layers:
        for stage in layer.values():
            for position in stage.numbers:
                stage.numbers[position] = next(numbers)


def _leading_on(stage: Stage) -> list[Packed]:
    """The positions from which some step goes to a numbered one."""
    found: dict[Packed, None] = {}
    for way in stage.ways:
        numbers = way.target.numbers
        is_whole = len(numbers) == len(way.target.origins)
        for position, leaps in way.leaps.items():
            if leaps and (is_whole or any(after in numbers for _, after in leaps)):
                found[position] = None
    return [position for position in stage.origins if position in found]
