"""Matches played to their end in the shortest way: the loser of each game resigns it. No sockets."""

from uuid import UUID

from accounts.models import User
from games import course, house
from games.match import commands
from games.match.sides import Side
from games.match.state import MatchState, Phase
from games.rules.outcome import Win
from games.rules.turns import Move
from games.terms import TableTerms
from games.tests.abandoned import begin
from games.tests.players import open_table


def state_of(match_id: UUID) -> MatchState:
    """The match as it stands."""
    return course.load(match_id)[1]


def begun(light: User, dark: User, terms: TableTerms) -> UUID:
    """A match of these two whose first game has begun."""
    match_id = open_table(light, dark, terms)
    begin(match_id)
    return match_id


def lose_game(match_id: UUID, loser: Side, level: Win = Win.SINGLE) -> None:
    """This side resigns the running game as soon as it is its turn."""
    offer_to_lose(match_id, loser, level)
    house.advance(match_id, commands.AnswerResign(by=loser.other, accept=True))


def offer_to_lose(match_id: UUID, loser: Side, level: Win = Win.SINGLE) -> None:
    """The same without the answer."""
    _until_turn_of(match_id, loser)
    house.advance(match_id, commands.OfferResign(by=loser, level=level))


def lose(match_id: UUID, loser: Side, level: Win = Win.SINGLE) -> None:
    """This side resigns one game after the other until the match is over."""
    while state_of(match_id).phase is not Phase.OVER:
        lose_game(match_id, loser, level)


def lost(light: User, dark: User, terms: TableTerms, loser: Side = Side.DARK) -> UUID:
    """A whole match that this side has lost."""
    match_id = begun(light, dark, terms)
    lose(match_id, loser)
    return match_id


def _until_turn_of(match_id: UUID, side: Side) -> None:
    while (state := state_of(match_id)).on_roll is not side:
        other = side.other
        if state.phase is Phase.TO_ROLL:
            house.advance(match_id, commands.Roll(by=other))
            continue
        assert state.turns is not None, "there is a roll to play"
        turn = next(iter(state.turns.finals.values()))
        moves = tuple(Move(step.src, step.dst, None) for step in turn)
        house.advance(match_id, commands.PlayTurn(by=other, moves=moves))
