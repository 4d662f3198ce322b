"""What the rules refuse: impossible boards, dice and turns. Each is a sentence with a code."""

from typing import ClassVar

from accounts.errors import Refused, gettext_noop


class IllegalPosition(Refused):
    """A board that no game can reach; the subclasses say why."""

    code: ClassVar[str] = "illegal_position"
    text: ClassVar[str] = gettext_noop("This position is not possible.")


class WrongCheckerCount(IllegalPosition):
    """A side has more or fewer checkers than it started with, or less than none somewhere."""

    text: ClassVar[str] = gettext_noop(
        "Each side has %(expected)s checkers on the points, the bar and off the board together."
    )


class SharedPoint(IllegalPosition):
    """Both sides stand on one point."""

    text: ClassVar[str] = gettext_noop("Both sides stand on point %(point)s.")


class BothFinished(IllegalPosition):
    """Both sides have borne off everything."""

    text: ClassVar[str] = gettext_noop("Only one side can have borne off all its checkers.")


class MovedBeforeFirstTurn(IllegalPosition):
    """A first turn in long nardy, and yet some checkers have left the head."""

    text: ClassVar[str] = gettext_noop(
        "Before a side's first turn all its checkers are on the head."
    )


class BadDice(Refused):
    """Something that two dice cannot show."""

    code: ClassVar[str] = "bad_dice"
    text: ClassVar[str] = gettext_noop("Dice show two whole numbers from 1 to 6.")


class IllegalTurn(Refused):
    """The steps do not make a complete legal turn with these dice."""

    code: ClassVar[str] = "illegal_turn"
    text: ClassVar[str] = gettext_noop("This turn is not legal with these dice.")
