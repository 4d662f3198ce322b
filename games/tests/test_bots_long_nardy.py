"""The house bot plays long nardy: legally, alike when asked again, better the stronger it is said to be."""

import pytest

from games.engine.bots import MINDS, Level
from games.match import commands as c
from games.match.state import Phase
from games.rules.board import Position, side
from games.rules.outcome import Win
from games.tests.match_table import DARK, LIGHT, MatchTable, single

NARDY = ["long-nardy", "long-nardy-fnr"]


def quiet(_: str) -> float:
    return 0.0


@pytest.mark.parametrize("variant", NARDY)
@pytest.mark.parametrize("level", list(Level))
def test_it_plays_a_legal_turn_and_the_same_again(variant: str, level: Level) -> None:
    table = MatchTable.started(single(variant=variant), throws=[(6, 1)])
    if table.state.phase is Phase.TO_ROLL:
        table.throws = [(4, 3)]
        table.do(c.Roll(LIGHT))
    turns = [MINDS[variant].turn(table.state, level, quiet) for _ in range(2)]
    assert turns[0] == turns[1]
    assert table.state.turns is not None
    assert turns[0] in table.state.turns.finals.values()


@pytest.mark.parametrize("variant", NARDY)
@pytest.mark.parametrize(("offered", "content"), [(Win.SINGLE, False), (Win.GAMMON, True)])
def test_it_knows_what_a_resignation_is_worth(variant: str, offered: Win, *, content: bool) -> None:
    table = MatchTable.started(single(variant=variant), throws=[(6, 1)])
    table.to_roll(DARK, Position(side({24: 15}), side({1: 2})))
    table.do(c.OfferResign(DARK, offered))
    assert MINDS[variant].accepts(table.state, offered) is content
