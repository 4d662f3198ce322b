"""What the match machine refuses: each a sentence for the player who asked, with a code."""

from typing import ClassVar

from accounts.errors import Refused, gettext_noop


class NotYourTurn(Refused):
    """The other player has to act."""

    code: ClassVar[str] = "not_your_turn"
    text: ClassVar[str] = gettext_noop("It is not your turn.")


class NothingToRoll(Refused):
    """No roll is due."""

    code: ClassVar[str] = "nothing_to_roll"
    text: ClassVar[str] = gettext_noop("There is nothing to roll now.")


class NothingToPlay(Refused):
    """No dice are to be played."""

    code: ClassVar[str] = "nothing_to_play"
    text: ClassVar[str] = gettext_noop("There are no dice to play now.")


class NothingToAnswer(Refused):
    """Nothing was offered to this player."""

    code: ClassVar[str] = "nothing_to_answer"
    text: ClassVar[str] = gettext_noop("There is no offer to answer.")


class NoCube(Refused):
    """The game is played without a cube."""

    code: ClassVar[str] = "no_cube"
    text: ClassVar[str] = gettext_noop("This game is played without the doubling cube.")


class DoubleBeforeRolling(Refused):
    """The dice are rolled, or an offer is open."""

    code: ClassVar[str] = "double_before_rolling"
    text: ClassVar[str] = gettext_noop("You can double only before you roll.")


class CubeNotYours(Refused):
    """The opponent owns the cube."""

    code: ClassVar[str] = "cube_not_yours"
    text: ClassVar[str] = gettext_noop("Your opponent has the cube; only your opponent can double.")


class CubeAtLimit(Refused):
    """The cube cannot go higher."""

    code: ClassVar[str] = "cube_at_limit"
    text: ClassVar[str] = gettext_noop("The cube cannot go above %(limit)s.")


class CrawfordGame(Refused):
    """The Crawford game is played without the cube."""

    code: ClassVar[str] = "crawford_game"
    text: ClassVar[str] = gettext_noop("This is the Crawford game; it is played without the cube.")


class DeadCube(Refused):
    """The cube already covers what both need."""

    code: ClassVar[str] = "dead_cube"
    text: ClassVar[str] = gettext_noop(
        "The cube already covers all the points that either of you needs; doubling would change nothing."
    )


class NoBeavers(Refused):
    """The table is played without beavers."""

    code: ClassVar[str] = "no_beavers"
    text: ClassVar[str] = gettext_noop("Beavers are not played at this table.")


class CannotResignNow(Refused):
    """Neither the player's own turn nor an offered double."""

    code: ClassVar[str] = "cannot_resign_now"
    text: ClassVar[str] = gettext_noop("You can resign on your own turn or when you are doubled.")


class ResignLevelImpossible(Refused):
    """More than can still be lost."""

    code: ClassVar[str] = "resign_level_impossible"
    text: ClassVar[str] = gettext_noop("You can no longer lose that much in this game.")


class ResignLevelRefused(Refused):
    """The opponent has already refused as much in this turn."""

    code: ClassVar[str] = "resign_level_refused"
    text: ClassVar[str] = gettext_noop(
        "Your opponent has refused that. Offer more, or go on with the game."
    )


class Stale(Refused):
    """The match has moved on since the player looked."""

    code: ClassVar[str] = "stale"
    text: ClassVar[str] = gettext_noop("The game has moved on. Look at the board again.")


class VersionAhead(Refused):
    """The player claims to have seen what has not happened."""

    code: ClassVar[str] = "version_ahead"
    text: ClassVar[str] = gettext_noop("Your board is ahead of the table. Please load it again.")


class TimeIsUp(Refused):
    """The deadline has passed; the caller lets it take effect with `Expire`."""

    code: ClassVar[str] = "time_is_up"
    text: ClassVar[str] = gettext_noop("The time is up.")


class NotDueYet(Refused):
    """There is time left."""

    code: ClassVar[str] = "not_due"
    text: ClassVar[str] = gettext_noop("There is still time left on the clock.")


class BeingAdjudicated(Refused):
    """The match was abandoned and waits for its result."""

    code: ClassVar[str] = "adjudicating"
    text: ClassVar[str] = gettext_noop("This match was abandoned; its result is being worked out.")


class NothingToMark(Refused):
    """The presence of this player is known already, or does not matter any more."""

    code: ClassVar[str] = "nothing_to_mark"
    text: ClassVar[str] = gettext_noop("Nothing has changed at the table.")


class NotAbandoned(Refused):
    """Only an abandoned match is adjudicated, and once."""

    code: ClassVar[str] = "not_abandoned"
    text: ClassVar[str] = gettext_noop("This match does not wait for a verdict.")


class GameOver(Refused):
    """The match has ended."""

    code: ClassVar[str] = "game_over"
    text: ClassVar[str] = gettext_noop("This match is over.")


class GameRunning(Refused):
    """Too late for what is done before a game."""

    code: ClassVar[str] = "game_running"
    text: ClassVar[str] = gettext_noop(
        "The game has started. You can resign it, but not leave it without a result."
    )


class NotStarted(Refused):
    """Too early for what is done in a game."""

    code: ClassVar[str] = "not_started"
    text: ClassVar[str] = gettext_noop("The game has not started yet.")


class AlreadyAccepted(Refused):
    """The player is ready already."""

    code: ClassVar[str] = "already_accepted"
    text: ClassVar[str] = gettext_noop("You have already accepted.")


class AlreadyRevealed(Refused):
    """The player's seed is known already."""

    code: ClassVar[str] = "already_revealed"
    text: ClassVar[str] = gettext_noop("Your part of the dice is already known.")


class NotAccepted(Refused):
    """Both must accept first."""

    code: ClassVar[str] = "not_accepted"
    text: ClassVar[str] = gettext_noop("Both players must accept first.")


class BadCommit(Refused):
    """Not a SHA-256 in 64 hexadecimal digits."""

    code: ClassVar[str] = "bad_commit"
    text: ClassVar[str] = gettext_noop("Your browser sent an unusable commitment to its dice seed.")


class BadSeed(Refused):
    """Not the seed that was committed to."""

    code: ClassVar[str] = "bad_seed"
    text: ClassVar[str] = gettext_noop(
        "The dice seed does not match what your browser committed to before."
    )
