"""How the house bot thinks: one mind for each game, three levels of each.

A mind is asked by the machine's state and answers with a turn or a yes. Its mistakes are drawn from the
numbers it is handed, so the same question is always answered alike, by whatever process.
"""

from collections.abc import Callable, Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Final, Protocol, TypeAlias

from games.engine import sage
from games.engine.analysis import game_of
from games.engine.backgammon import outlook
from games.engine.nardy import player
from games.engine.nardy.rulesets import RULESETS
from games.match.situations import situation_of
from games.match.state import MatchState
from games.rules.outcome import Win
from games.rules.situation import Situation
from games.rules.turns import Turn


class Level(IntEnum):
    """How well it plays."""

    EASY = 1
    MEDIUM = 2
    STRONG = 3


Noise: TypeAlias = Callable[[str], float]
"""A number around 0, of spread 1, for a name; the same for the same name."""


class Mind(Protocol):
    """What a game needs for a bot. The state is one in which the bot has to decide."""

    def turn(self, state: MatchState, level: Level, noise: Noise) -> Turn:
        """The turn to play; there is at least one."""

    def doubles(self, state: MatchState, level: Level, noise: Noise) -> bool:
        """Whether to offer the cube, which is open to it."""

    def takes(self, state: MatchState, level: Level, noise: Noise) -> bool:
        """Whether to take the cube that is offered."""

    def accepts(self, state: MatchState, offered: Win) -> bool:
        """Whether to be content with a resignation at this level."""


SPREAD: Final[Mapping[Level, float]] = MappingProxyType(
    {Level.EASY: 0.12, Level.MEDIUM: 0.035, Level.STRONG: 0.0}
)
"""By how much of the cube's value it misjudges a position."""

SEARCHED: Final = 4
"""Plays that the strong one looks into, by their rank at a glance."""

CONTENT: Final = 0.02
"""A resignation may be worth so much less than playing on."""


class SageMind:
    """Backgammon by bgsage: at a glance and with noise, or searched."""

    def turn(self, state: MatchState, level: Level, noise: Noise) -> Turn:
        graph, situation = state.turns, situation_of(state)
        assert graph is not None, "there are dice to play"
        assert situation is not None, "somebody is to play"
        turns = {tuple(sage.to_board(end)): turn for end, turn in graph.finals.items()}
        if len(turns) == 1:
            return next(iter(turns.values()))
        game = game_of(situation)
        ranked = [
            (tuple(board), equity)
            for board, equity in sage.ranked(sage.to_board(state.position), graph.roll, game)
            if tuple(board) in turns
        ]
        if level is Level.STRONG:
            ranked = [(board, _searched(board, game)) for board, _ in ranked[:SEARCHED]]
        spread = SPREAD[level]
        best = max(ranked, key=lambda each: each[1] + spread * noise(",".join(map(str, each[0]))))
        return turns[best[0]]

    def doubles(self, state: MatchState, level: Level, noise: Noise) -> bool:
        if level is Level.EASY:
            return False
        situation = situation_of(state)
        assert situation is not None, "somebody is to roll"
        facts = _facts(situation)
        doubling = min(facts.double_take, facts.double_drop)
        return doubling > facts.no_double + SPREAD[level] * noise("double")

    def takes(self, state: MatchState, level: Level, noise: Noise) -> bool:
        situation = situation_of(state)
        assert situation is not None, "a double is offered"
        facts = _facts(situation)
        return facts.double_take + SPREAD[level] * noise("take") <= facts.double_drop

    def accepts(self, state: MatchState, offered: Win) -> bool:
        """The one who resigns is on roll, or has doubled."""
        assert state.resign is not None, "a resignation is offered"
        resigner = state.resign.side
        theirs = outlook(state.view_of(resigner))
        ours = 1 - theirs.win
        playing_on = ours + theirs.gammon_loss + theirs.backgammon_loss
        playing_on -= theirs.win + theirs.gammon_win + theirs.backgammon_win
        return int(offered) >= playing_on - CONTENT


def _searched(board: tuple[int, ...], game: sage.Game) -> float:
    after = list(board)
    win = sage.won_by_mover(after)
    return float(win) if win else sage.searched(after, game)


def _facts(situation: Situation) -> sage.CubeFacts:
    """Before the roll of the one who may double, or has."""
    return sage.cube_facts(sage.to_board(situation.position), game_of(situation))


class NardyMind:
    """Long nardy by its own network: at a glance and with noise, or two plies deep."""

    def __init__(self, ruleset: str) -> None:
        self._ruleset = ruleset

    def turn(self, state: MatchState, level: Level, noise: Noise) -> Turn:
        graph = state.turns
        assert graph is not None, "there are dice to play"
        plies = 2 if level is Level.STRONG else 1
        spread = SPREAD[level]
        best = max(
            player.ranked(graph, self._ruleset, plies),
            key=lambda each: (
                each.plies,
                each.chances.equity + spread * noise(",".join(map(str, each.final.mine))),
            ),
        )
        return best.turn

    def doubles(self, state: MatchState, level: Level, noise: Noise) -> bool:
        return False

    def takes(self, state: MatchState, level: Level, noise: Noise) -> bool:
        return False

    def accepts(self, state: MatchState, offered: Win) -> bool:
        """The one who resigns is on roll."""
        assert state.resign is not None, "a resignation is offered"
        theirs = player.outlook(state.view_of(state.resign.side), self._ruleset)
        return int(offered) >= -theirs.equity - CONTENT


MINDS: Final[Mapping[str, Mind]] = MappingProxyType(
    {"backgammon": SageMind(), **{ruleset: NardyMind(ruleset) for ruleset in RULESETS}}
)
"""By game. A game that is not here is not played by the house bot."""
