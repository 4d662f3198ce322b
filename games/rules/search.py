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
from games.rules.steps import Leap, Rules, Stepper

Dice: TypeAlias = tuple[int, ...]


class Edge(NamedTuple):
    """A step in the graph of a turn; `to` is the number of the node it leads to."""

    src: int
    dst: int
    die: int
    hit: bool
    to: int


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


class _Origin(NamedTuple):
    """How the search first came to a position: from which one, in which stage, by which die."""

    left: Dice
    position: Packed
    die: int
    leap: Leap


class _Way(NamedTuple):
    """One die played from each position of a stage."""

    die: int
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


def ends(layers: Sequence[Layer]) -> list[Packed]:
    """The positions of the last layer."""
    return [position for stage in layers[-1].values() for position in stage.origins]


def line(layers: Sequence[Layer], end: Packed) -> list[tuple[int, Leap]]:
    """The dice and leaps by which the search first came to a position of the last layer."""
    steps: list[tuple[int, Leap]] = []
    (stage,) = layers[-1].values()
    for layer in reversed(layers[:-1]):
        origin = stage.origins[end]
        assert origin is not None, "only the first layer has no origin"
        steps.append((origin.die, origin.leap))
        stage, end = layer[origin.left], origin.position
    steps.reverse()
    return steps


def graph(layers: Sequence[Layer]) -> tuple[tuple[Edge, ...], ...]:
    """The edges of each node; only nodes and edges that lie on a longest line are in it.

    Node 0 is the start of the turn; the last nodes are the `ends`, in their order.
    """
    _number(layers)
    return tuple(
        tuple(
            Edge(src, dst, way.die, hit, way.target.numbers[after])
            for way in stage.ways
            for src, dst, hit, after in way.leaps[position]
            if after in way.target.numbers
        )
        for layer in layers
        for stage in layer.values()
        for position in stage.numbers
    )


def _following(layer: Layer, steppers: dict[int, Stepper]) -> Layer:
    """The next layer: each die left played from each position."""
    following: Layer = {}
    for stage in layer.values():
        for die in dict.fromkeys(stage.left):
            left = _without(stage.left, die)
            target = following.get(left) or Stage(left)
            _play(stage, die, steppers[die], target)
            if target.origins:
                following[left] = target
    return following


def _play(stage: Stage, die: int, steps: Stepper, target: Stage) -> None:
    leaps: dict[Packed, list[Leap]] = {}
    origins = target.origins
    left = stage.left
    for position in stage.origins:
        leaps[position] = found = steps(position)
        for leap in found:
            after = leap[-1]
            if after not in origins:
                origins[after] = _Origin(left, position, die, leap)
    stage.ways.append(_Way(die, leaps, target))


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
    return [
        position
        for position in stage.origins
        if any(leap[-1] in way.target.numbers for way in stage.ways for leap in way.leaps[position])
    ]
