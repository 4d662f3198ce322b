"""The law of the turn, the same for every variant: as many dice as possible, then the larger one.

A roll is searched in layers, one a die played; equal positions of a layer are one node, so a
double costs hundreds of nodes and not thousands of sequences. What does not lie on a longest
line is pruned, and what is left is every legal turn in every order of its steps.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, NamedTuple, TypeAlias

from accounts.errors import gettext_noop
from games.rules.backgammon import BACKGAMMON
from games.rules.board import OFF, Position
from games.rules.dice import Roll
from games.rules.errors import IllegalTurn
from games.rules.packed import Packed, packed, unpacked
from games.rules.steps import Rules, Stepper


class Step(NamedTuple):
    """One checker moved by one die, in the mover's own numbering."""

    src: int
    dst: int
    die: int
    hit: bool


Turn: TypeAlias = tuple[Step, ...]


class Edge(NamedTuple):
    """A step in the graph; `to` is the number of the node it leads to."""

    src: int
    dst: int
    die: int
    hit: bool
    to: int


class Move(NamedTuple):
    """A checker's way as a person writes it: one step or several joined (13/7 with 4-2).

    `hit` True: it hits where it stops; False: it hits nowhere; None: nothing was said.
    """

    src: int
    dst: int
    hit: bool | None = None


class AmbiguousTurn(IllegalTurn):
    """What was written can be played in ways that hit different checkers."""

    code: ClassVar[str] = "ambiguous_turn"
    text: ClassVar[str] = gettext_noop(
        "This turn can be played in more than one way. Name each step, with * where it hits."
    )

    def __init__(self, readings: "Mapping[Position, Turn]") -> None:
        super().__init__()
        self.readings = readings


class _Node:
    """A position within a turn, with the steps that go on from it."""

    __slots__ = ("came_by", "came_from", "edges", "is_kept", "number", "position")

    def __init__(
        self, position: Packed, came_from: "_Node | None", came_by: tuple[int, int, int, bool]
    ) -> None:
        self.position = position
        self.came_from = came_from
        self.came_by = came_by
        self.edges: list[tuple[int, int, int, bool, _Node]] = []
        self.is_kept = False
        self.number = 0

    def line(self) -> Turn:
        """The steps by which the search first came here."""
        steps: list[Step] = []
        node = self
        while node.came_from is not None:
            steps.append(Step(*node.came_by))
            node = node.came_from
        return tuple(reversed(steps))


_Layer: TypeAlias = dict[tuple[int, ...], dict[Packed, _Node]]
"""Nodes after equally many steps, by the dice still to be played and by position."""


class TurnGraph:
    """All legal turns of one roll. Positions are the mover's view throughout."""

    def __init__(self, position: Position, roll: Roll, layers: Sequence[_Layer]) -> None:
        self.position = position
        self.roll = roll
        self.dice_used = len(layers) - 1
        self._layers = layers

    @cached_property
    def finals(self) -> dict[Position, Turn]:
        """Each position a legal turn can end in, with one turn that leads there.

        Empty if there is no legal step. The order depends on the position and the roll alone.
        """
        if not self.dice_used:
            return {}
        return {unpacked(node.position): node.line() for node in self._last_nodes()}

    @cached_property
    def nodes(self) -> tuple[tuple[Edge, ...], ...]:
        """The graph: node 0 is the start of the turn, a node without edges ends it."""
        numbered = [node for layer in self._layers for node in _nodes_of(layer)]
        for number, node in enumerate(numbered):
            node.number = number
        return tuple(
            tuple(
                Edge(src, dst, die, hit, child.number) for src, dst, die, hit, child in node.edges
            )
            for node in numbered
        )

    @property
    def is_forced(self) -> bool:
        """Whether all legal turns come to the same."""
        return len(self.finals) == 1

    def resolve(self, moves: Sequence[Move]) -> tuple[Turn, Position]:
        """The turn that `moves` describe, whatever their order, and the position it leads to.

        Every step on the way must be legal, die by die (Backgammon 3.5), and all dice that can
        be played must be. No moves at all are right only when there is no legal step.
        Raises IllegalTurn or AmbiguousTurn.
        """
        if not self.dice_used and not moves:
            return (), self.position
        readings: dict[Position, Turn] = {}
        if len(moves) <= self.dice_used:
            for last, turn in _readings(self._root(), tuple(moves)):
                readings.setdefault(unpacked(last), turn)
        if not readings:
            raise IllegalTurn
        if len(readings) > 1:
            raise AmbiguousTurn(readings)
        ((last, turn),) = readings.items()
        return turn, last

    def _root(self) -> _Node:
        (root,) = _nodes_of(self._layers[0])
        return root

    def _last_nodes(self) -> Iterator[_Node]:
        return _nodes_of(self._layers[-1])


def legal_turns(position: Position, roll: Roll, rules: Rules = BACKGAMMON) -> TurnGraph:
    """All legal turns of the player whose checkers are `mine` (Backgammon 3.4, Nardy 3.4)."""
    layers = _searched(position, roll, rules)
    _keep_larger_die(layers[-1], roll)
    _prune(layers)
    return TurnGraph(position, roll, layers)


def _searched(position: Position, roll: Roll, rules: Rules) -> list[_Layer]:
    steppers = {die: rules.stepper(position, die) for die in dict.fromkeys(roll.dice)}
    start = packed(position)
    layers: list[_Layer] = [{roll.dice: {start: _Node(start, None, (OFF, OFF, 0, False))}}]
    while True:
        following: _Layer = {}
        for left, nodes in layers[-1].items():
            for die in dict.fromkeys(left):
                reached = following.setdefault(_without(left, die), {})
                _spread(nodes.values(), reached, die, steppers[die])
        if not any(following.values()):
            return layers
        layers.append(following)


def _spread(nodes: Iterable[_Node], reached: dict[Packed, _Node], die: int, steps: Stepper) -> None:
    """Plays one die from each of the nodes; equal positions become one node of `reached`."""
    for node in nodes:
        for src, dst, hit, position in steps(node.position):
            child = reached.get(position)
            if child is None:
                child = reached[position] = _Node(position, node, (src, dst, die, hit))
            node.edges.append((src, dst, die, hit, child))


def _without(dice: tuple[int, ...], die: int) -> tuple[int, ...]:
    at = dice.index(die)
    return dice[:at] + dice[at + 1 :]


def _keep_larger_die(last: _Layer, roll: Roll) -> None:
    """If only one of two dice can be played, and either could, it is the larger one."""
    if not roll.is_double and last.get((roll.low,)):
        last.pop((roll.high,), None)


def _prune(layers: Sequence[_Layer]) -> None:
    """Leaves the nodes and edges from which the last layer can be reached."""
    for nodes in layers[-1].values():
        for node in nodes.values():
            node.is_kept = True
    for layer in reversed(layers[:-1]):
        for nodes in layer.values():
            for node in nodes.values():
                node.edges = [edge for edge in node.edges if edge[-1].is_kept]
                node.is_kept = bool(node.edges)


def _nodes_of(layer: _Layer) -> Iterator[_Node]:
    """The nodes of a layer that some legal turn passes."""
    return (node for nodes in layer.values() for node in nodes.values() if node.is_kept)


def _readings(
    node: _Node, moves: tuple[Move, ...], line: Turn = ()
) -> Iterator[tuple[Packed, Turn]]:
    """Every end of a line from `node` that plays exactly `moves`, written order first."""
    if not node.edges and not moves:
        yield node.position, line
    for at, move in enumerate(moves):
        for src, dst, die, hit, child in node.edges:
            if src == move.src and _may_pass(move, dst, hit=hit):
                rest = () if dst == move.dst else (move._replace(src=dst),)
                step = Step(src, dst, die, hit)
                yield from _readings(child, rest + moves[:at] + moves[at + 1 :], (*line, step))


def _may_pass(move: Move, dst: int, *, hit: bool) -> bool:
    """Whether a step to `dst` can be part of the way that `move` names."""
    if dst > move.dst:
        return not (hit and move.hit is False)
    return dst == move.dst and move.hit in (None, hit)
