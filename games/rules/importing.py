"""Which match files are taken: those whose games replay by the rules, to the points written in them.

Others are refused with the place where they go wrong. Small things that change no game are let pass:
a star too many, words nobody can place, dice that were thrown last and never played.
"""

from typing import ClassVar, Final

from accounts.errors import gettext_noop
from games.rules.matfile import BadMatchFile, Match, read_match
from games.rules.outcome import Win
from games.rules.replay import Game, Oddity, OddityKind, PlyKind

UNFINISHED: Final = "Unfinished"
"""The header of a match that was broken off: its last game has no result."""


class RefusedMatch(BadMatchFile):
    """A match that does not follow the rules. `game` and `ply` count from 1."""

    code: ClassVar[str] = "match_refused"
    text: ClassVar[str] = gettext_noop("Game %(game)s, entry %(ply)s is not possible.")


class IllegalPlayWritten(RefusedMatch):
    text: ClassVar[str] = gettext_noop(
        "Game %(game)s, entry %(ply)s: %(text)s is not a legal play of %(dice)s."
    )


class UnreadablePlayWritten(RefusedMatch):
    text: ClassVar[str] = gettext_noop(
        "Game %(game)s, entry %(ply)s: %(text)s cannot be read as a play."
    )


class NoPlayWritten(RefusedMatch):
    text: ClassVar[str] = gettext_noop(
        "Game %(game)s, entry %(ply)s: no play is written for %(dice)s, which can be played."
    )


class OutOfTurn(RefusedMatch):
    text: ClassVar[str] = gettext_noop(
        "Game %(game)s, entry %(ply)s: the other player was to roll here."
    )


class CubeOutOfPlace(RefusedMatch):
    text: ClassVar[str] = gettext_noop(
        "Game %(game)s, entry %(ply)s: the cube cannot be used like this here (%(text)s)."
    )


class GoesOnAfterEnd(RefusedMatch):
    text: ClassVar[str] = gettext_noop(
        "Game %(game)s, entry %(ply)s: the game had already been won."
    )


class WrongWinner(RefusedMatch):
    text: ClassVar[str] = gettext_noop(
        "Game %(game)s, entry %(ply)s: the other player has won this game."
    )


class ImpossiblePoints(RefusedMatch):
    text: ClassVar[str] = gettext_noop(
        "Game %(game)s, entry %(ply)s: this game cannot be worth %(text)s points."
    )


class WrongScore(RefusedMatch):
    text: ClassVar[str] = gettext_noop(
        "Game %(game)s, entry %(ply)s: the score before this game cannot be %(text)s."
    )


class NoResult(RefusedMatch):
    text: ClassVar[str] = gettext_noop(
        "Game %(game)s, entry %(ply)s: the file ends here, and this game has no result."
    )


_REFUSALS: Final[dict[OddityKind, type[RefusedMatch]]] = {
    OddityKind.ILLEGAL_PLAY: IllegalPlayWritten,
    OddityKind.UNREADABLE_PLAY: UnreadablePlayWritten,
    OddityKind.NO_PLAY_WRITTEN: NoPlayWritten,
    OddityKind.OUT_OF_TURN: OutOfTurn,
    OddityKind.BAD_CUBE: CubeOutOfPlace,
    OddityKind.AFTER_END: GoesOnAfterEnd,
    OddityKind.NOT_REPLAYED: RefusedMatch,
    OddityKind.WRONG_WINNER: WrongWinner,
    OddityKind.WRONG_POINTS: ImpossiblePoints,
    OddityKind.WRONG_SCORE: WrongScore,
    OddityKind.NO_RESULT: NoResult,
}
"""Kinds that are not here are let pass."""


def import_match(raw: bytes) -> Match:
    """The match in a file. Raises a BadMatchFile; a RefusedMatch says in which game and at which entry."""
    return accepted(read_match(raw))


def accepted(match: Match) -> Match:
    """The match itself if it can have been played. Raises RefusedMatch at the first place where not."""
    by_number = {game.number: game for game in match.games}
    for oddity in match.oddities:
        refusal = _REFUSALS.get(oddity.kind)
        if refusal is None or not oddity.game:
            continue
        game = by_number[oddity.game]
        if not _is_harmless(match, game, oddity):
            raise refusal(
                game=game.number,
                ply=oddity.ply or len(game.plies),
                text=oddity.text,
                dice="-".join(map(str, oddity.roll)) if oddity.roll else "",
            )
    return match


def _is_harmless(match: Match, game: Game, oddity: Oddity) -> bool:
    match oddity.kind:
        case OddityKind.NO_PLAY_WRITTEN | OddityKind.UNREADABLE_PLAY:
            return _is_last_roll(game, oddity)
        case OddityKind.WRONG_POINTS:
            return _is_within_reach(match, game)
        case OddityKind.NO_RESULT:
            return game is match.games[-1] and match.header(UNFINISHED) is not None
        case _:
            return False


def _is_last_roll(game: Game, oddity: Oddity) -> bool:
    """Somebody has thrown, then resigned or run out of time: servers write `????` or nothing."""
    assert oddity.ply is not None, "a play has its entry"
    after = game.plies[oddity.ply :]
    is_mark = set(oddity.text) <= {"?", " "} or oddity.kind is OddityKind.NO_PLAY_WRITTEN
    return is_mark and all(ply.roll is None for ply in after) and game.winner is not None


def _is_within_reach(match: Match, game: Game) -> bool:
    """Servers write the length of the match for a last game, and give all of it to who is left alone."""
    assert game.winner is not None, "points have a winner"
    if any(ply.kind is PlyKind.DROP for ply in game.plies):
        return 0 < game.points <= game.cube
    needed = (match.length or 0) - game.score[game.winner]
    is_last = bool(match.length) and game.points in (needed, match.length)
    return is_last or 0 < game.points <= game.cube * Win.BACKGAMMON
