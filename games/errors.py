"""Refusals that the live table itself gives; those of the match machine are in games.match.errors."""

from accounts.errors import Refused, gettext_noop


class BadFrame(Refused):
    """A frame that does not follow the protocol."""

    code = "bad_frame"
    text = gettext_noop("The server did not understand this message.")


class UnknownMatch(Refused):
    """There is no such match."""

    code = "unknown_match"
    text = gettext_noop("There is no such table.")


class WatchersCannotPlay(Refused):
    """A command from somebody who has no seat at the table."""

    code = "not_seated"
    text = gettext_noop("You are watching this table; only its two players can act.")


class Busy(Refused):
    """The same match was changed by others again and again while this command waited."""

    code = "busy"
    text = gettext_noop("The table was busy. Nothing was changed; please try again.")


class TooFast(Refused):
    """More messages than a person can send."""

    code = "too_fast"
    text = gettext_noop("Too many messages. Please wait %(seconds)s seconds.")


class BadStake(Refused):
    """A stake that the room or the site does not allow."""

    code = "bad_stake"
    text = gettext_noop("The stake must be at least %(least)s.")


class BadLimit(Refused):
    """A limit that is not one of the offered multiples of the stake."""

    code = "bad_limit"
    text = gettext_noop("The limit must be 3, 6, 12, 24 or 192 times the stake.")


class BadLength(Refused):
    """A series to a number of points that is not played."""

    code = "bad_length"
    text = gettext_noop("A series is played to a whole number of points, from 1 to %(most)s.")


class UnknownVariant(Refused):
    """A game that is not played here."""

    code = "unknown_variant"
    text = gettext_noop("This game is not played here.")


class BadTerms(Refused):
    """Options that do not fit together."""

    code = "bad_terms"
    text = gettext_noop("These table options do not fit together.")


class BalanceTooLow(Refused):
    """The player cannot cover the most that this table can cost."""

    code = "insufficient_funds"
    text = gettext_noop("This table can cost %(needed)s and you have %(available)s.")


class Maintenance(Refused):
    """The site is about to be worked on: what runs may end, nothing new begins."""

    code = "maintenance"
    text = gettext_noop(
        "The site is about to be maintained: no new tables are opened now. Matches that are running go on."
    )


class AlreadyPlaying(Refused):
    """A second money match at the same time."""

    code = "already_playing"
    text = gettext_noop("You are already playing a match for money. Finish it first.")


class SameSeat(Refused):
    """One account in both seats."""

    code = "own_table"
    text = gettext_noop("You cannot play against yourself.")


class ChatTooLong(Refused):
    """A chat line that is empty or too long."""

    code = "bad_chat"
    text = gettext_noop("A message has 1 to 200 characters.")


class SignInFirst(Refused):
    """Something that only somebody with an account can do."""

    code = "sign_in_first"
    text = gettext_noop("Sign in to do this.")


class TooManySockets(Refused):
    """More tables open at once than a person can look at."""

    code = "too_many_sockets"
    text = gettext_noop(
        "You have too many tables open at once. Close some and load this one again."
    )


class NoRematch(Refused):
    """A match that was not played to its end, or is still being played."""

    code = "no_rematch"
    text = gettext_noop("Only a match that was played to its end can be played again.")


class OpponentCannotSit(Refused):
    """The other player wanted to play again and cannot any more."""

    code = "opponent_cannot_sit"
    text = gettext_noop("Your opponent cannot sit down at this table any more.")


class MatchStillRunning(Refused):
    """Something that is done with finished matches only."""

    code = "match_running"
    text = gettext_noop("This match is still being played.")


class NothingWasPlayed(Refused):
    """A match that ended before its first game."""

    code = "nothing_played"
    text = gettext_noop("This match ended before a game was played.")


class MatchIsAnonymous(Refused):
    """A link that everybody could open, to a match whose players are not named."""

    code = "match_anonymous"
    text = gettext_noop("Matches of anonymous players cannot be shared.")


class NotYourMatch(Refused):
    """Something that only the two players of a match may ask for."""

    code = "not_your_match"
    text = gettext_noop("You did not play this match.")


class FinishYourMatchFirst(Refused):
    """An analysis asked for by somebody who is playing (Table 7)."""

    code = "finish_first"
    text = gettext_noop("You are playing a match. Finish it first; then ask for an analysis.")


class NotAnalysable(Refused):
    """A game for which there is no engine to analyse it."""

    code = "not_analysable"
    text = gettext_noop("Matches of this game cannot be analysed yet.")


class BotsPlayForChips(Refused):
    """A house bot at a table for money."""

    code = "bots_play_for_chips"
    text = gettext_noop("The house bot plays for chips only.")


class NoBotForThisGame(Refused):
    """A game that the house bot does not know."""

    code = "no_bot"
    text = gettext_noop("The house bot does not play this game yet.")
