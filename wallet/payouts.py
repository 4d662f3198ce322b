"""Payouts are money that leaves the site; they stop when the checker finds anything, until a person lets them go."""

import logging
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail

from accounts import switches
from accounts.switches import Name
from wallet.chart import AccountRef, Kind
from wallet.errors import PayoutsFrozen

log = logging.getLogger(__name__)


def is_payout(source: AccountRef, target: AccountRef) -> bool:
    """Whether a player's money would go to the world outside."""
    return source.kind in (Kind.PLAYER, Kind.WITHDRAWAL) and target.kind is Kind.PROVIDER


def require_open() -> None:
    """Raises PayoutsFrozen."""
    if switches.is_on(Name.PAYOUTS_FROZEN):
        raise PayoutsFrozen


def freeze(why: str) -> None:
    """Stops all payouts from this moment and tells the people who are to be told; once is enough."""
    if switches.turn(Name.PAYOUTS_FROZEN, on=True, why=why):
        log.error("payouts are frozen: %s", why)
        _alert(why)


def _alert(why: str) -> None:
    """By mail. That it could not be sent must not keep the checker from its work."""
    if not settings.ALERT_EMAILS:
        return
    try:
        send_mail("Payouts are frozen", f"{why}\n", None, settings.ALERT_EMAILS)
    except (OSError, SMTPException):
        log.exception("nobody could be told that payouts are frozen")
