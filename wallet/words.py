"""A statement in words: what each line says, in the reader's language."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from wallet import captions
from wallet.chart import BORDER_PURPOSES, MATCH_PURPOSES, PLAY_PURPOSES, Purpose
from wallet.money import Currency, format_amount, format_change
from wallet.selectors import Line

_CAUSES: Final = {
    Purpose.DEPOSIT: gettext_lazy("Deposit"),
    Purpose.DEPOSIT_BACK: gettext_lazy("Deposit gone back to its payer"),
    Purpose.WITHDRAWAL: gettext_lazy("Withdrawal"),
    Purpose.WITHDRAWAL_PAID: gettext_lazy("Withdrawal paid"),
    Purpose.WITHDRAWAL_BACK: gettext_lazy("Withdrawal returned"),
    Purpose.STARTING_CHIPS: gettext_lazy("Chips to start with"),
    Purpose.CHIPS_REFILL: gettext_lazy("Chips refilled"),
    Purpose.COMMISSION: gettext_lazy("Fee"),
    Purpose.ENTRY: gettext_lazy("Tournament entry"),
    Purpose.ENTRY_BACK: gettext_lazy("Tournament entry returned"),
    Purpose.TOURNAMENT_PRIZE: gettext_lazy("Tournament prize"),
    Purpose.FUNDING: gettext_lazy("Funding"),
    Purpose.PROMOTION: gettext_lazy("Promotion"),
    Purpose.CORRECTION: gettext_lazy("Correction by the site"),
}
_COLOURED: Final = {
    *MATCH_PURPOSES,
    Purpose.ENTRY,
    Purpose.TOURNAMENT_PRIZE,
    Purpose.PROMOTION,
}
"""Only results of play and gifts are gains and losses; deposits and corrections are neither."""


class Filter(StrEnum):
    """What a statement can be narrowed to."""

    ALL = "all"
    PLAY = "play"
    PAYMENTS = "payments"
    OTHER = "other"


FILTER_NAMES: Final = {
    Filter.ALL: gettext_lazy("Everything"),
    Filter.PLAY: gettext_lazy("Matches and tournaments"),
    Filter.PAYMENTS: gettext_lazy("Paid in and out"),
    Filter.OTHER: gettext_lazy("Promotions, chips, corrections"),
}
PURPOSES_OF: Final[dict[Filter, tuple[Purpose, ...]]] = {
    Filter.ALL: tuple(Purpose),
    Filter.PLAY: PLAY_PURPOSES,
    Filter.PAYMENTS: BORDER_PURPOSES,
    Filter.OTHER: tuple(
        purpose for purpose in Purpose if purpose not in (*PLAY_PURPOSES, *BORDER_PURPOSES)
    ),
}


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """A line as the page and the file show it. `sign` is "gain", "loss" or ""."""

    line: Line
    cause: str
    details: str
    amount: str
    balance: str
    sign: str


def written(user_id: int, currency: Currency, lines: Sequence[Line]) -> list[WrittenLine]:
    """The lines in words, with the matches called as the player may see them."""
    matches = {line.match_id for line in lines if line.match_id is not None}
    known = captions.of(user_id, matches)
    return [
        WrittenLine(
            line=line,
            cause=_cause(line, known.get(line.match_id, "") if line.match_id else ""),
            details=_details(line, currency),
            amount=_amount(line, currency),
            balance=format_amount(line.balance, currency),
            sign=_sign(line),
        )
        for line in lines
    ]


def _cause(line: Line, caption: str) -> str:
    if line.purpose not in MATCH_PURPOSES:
        return str(_CAUSES[line.purpose])
    result = _result(line)
    return _("%(result)s: %(match)s") % {"result": result, "match": caption} if caption else result


def _result(line: Line) -> str:
    if line.held:
        return _("Match in play")
    if line.prize:
        return _("Match won")
    return _("Match lost") if line.change < 0 else _("Match called off")


def _details(line: Line, currency: Currency) -> str:
    if line.purpose not in MATCH_PURPOSES:
        is_test = line.purpose is Purpose.DEPOSIT and not settings.REAL_MONEY
        return _("test money") if is_test else line.reason
    if line.held:
        return _("stake held until the match ends")
    if line.fees:
        return _("fee %(amount)s") % {"amount": format_amount(line.fees, currency)}
    return _("stake returned") if not line.change else ""


def _amount(line: Line, currency: Currency) -> str:
    if line.held:
        return _("%(amount)s held") % {"amount": format_amount(line.staked, currency)}
    return format_change(line.change, currency)


def _sign(line: Line) -> str:
    if line.held or line.purpose not in _COLOURED or not line.change:
        return ""
    return "gain" if line.change > 0 else "loss"
