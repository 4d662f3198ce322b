"""Refusals that the lobby itself gives; those about terms and money are in games.errors."""

from accounts.errors import Refused, gettext_noop


class UnknownRoom(Refused):
    """There is no such room."""

    code = "unknown_room"
    text = gettext_noop("There is no such room.")


class RoomClosed(Refused):
    """The room takes no new tables at present."""

    code = "room_closed"
    text = gettext_noop("This room is closed at the moment. Tables that are running go on.")


class StakeOutsideRoom(Refused):
    """The stake is allowed on the site but not in this room."""

    code = "bad_stake"
    text = gettext_noop("In this room the stake is from %(least)s to %(most)s.")


class StakeNotOffered(Refused):
    """A room that has a list of stakes."""

    code = "bad_stake"
    text = gettext_noop("In this room the stake is one of: %(stakes)s.")


class VariantOutsideRoom(Refused):
    """A game that this room does not play."""

    code = "unknown_variant"
    text = gettext_noop("This game is not played in this room.")


class BadLength(Refused):
    """A series that this room does not play."""

    code = "bad_length"
    text = gettext_noop(
        "In this room a series is played to a whole number of points, from 1 to %(most)s."
    )


class RatingOutsideRoom(Refused):
    """The player's rating in the game played is not within the room's range."""

    code = "rating_outside_room"
    text = gettext_noop("Your rating in this game is %(rating)s; this room is for %(range)s.")


class NotTogether(Refused):
    """One has blocked the other, or both may be one person; which it is, and who did it, is not said."""

    code = "not_together"
    text = gettext_noop(
        "You cannot sit down with this player. Choose another table or open your own."
    )


class MetOften(Refused):
    """A pair that chance has brought together as often as it may."""

    code = "met_often"
    text = gettext_noop("You two have met as often today as this room allows.")


class DrawnByChance(Refused):
    """In an anonymous room nobody chooses whom to play, so nobody plays the same one again on purpose."""

    code = "drawn_by_chance"
    text = gettext_noop(
        "In this room chance decides whom you play. Ask for another table in the lobby."
    )


class CloseOthersFirst(Refused):
    """A table with a name and one without, both of the same player."""

    code = "close_others_first"
    text = gettext_noop(
        "Close your other tables first. If one with your name disappeared just when a match without names begins, everybody could guess who you are."
    )


class PrivateNotHere(Refused):
    """A private table in an anonymous room."""

    code = "private_not_here"
    text = gettext_noop("In this room there are no private tables: chance decides whom you play.")


class NotYourFriend(Refused):
    """An invitation to somebody who is no friend."""

    code = "not_your_friend"
    text = gettext_noop("You can invite only players who are your friends.")


class UnknownOffer(Refused):
    """There is no such open table."""

    code = "unknown_offer"
    text = gettext_noop("There is no such open table.")


class OfferTaken(Refused):
    """Somebody else has sat down first."""

    code = "offer_taken"
    text = gettext_noop(
        "Somebody else has just joined this table. Choose another or open your own."
    )


class OfferWithdrawn(Refused):
    """The creator has taken it back or has left."""

    code = "offer_withdrawn"
    text = gettext_noop("This table is no longer open. Choose another or open your own.")


class OwnOffer(Refused):
    """One account on both sides."""

    code = "own_offer"
    text = gettext_noop("This is your own table. Somebody else has to join it.")


class CreatorCannotSit(Refused):
    """The one who opened the table cannot play it any more."""

    code = "creator_cannot_sit"
    text = gettext_noop("The player who opened this table cannot play it any more. It was closed.")


class TooManyOffers(Refused):
    """More open tables than one player may keep."""

    code = "too_many_offers"
    text = gettext_noop("You already have %(most)s open tables. Close one of them first.")


class TooManyTries(Refused):
    """More tables opened or joined than a person can."""

    code = "too_fast"
    text = gettext_noop("That was too fast. Wait %(seconds)s s and try again.")


class BadFrame(Refused):
    """A frame that does not follow the protocol."""

    code = "bad_frame"
    text = gettext_noop("The server did not understand this message.")


class TooFast(Refused):
    """More messages than a person can send."""

    code = "too_fast"
    text = gettext_noop("Too many messages. The page will connect again by itself.")


class SessionEnded(Refused):
    """The session of this socket is no longer valid."""

    code = "session_ended"
    text = gettext_noop("You have been signed out. Sign in again to go on.")
