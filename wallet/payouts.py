"""Payouts are money that leaves the site; they stop when the checker finds anything, until a person lets them go."""

import logging

from accounts import switches
from accounts.switches import Name
from wallet.chart import AccountRef, Kind
from wallet.errors import PayoutsFrozen

log = logging.getLogger(__name__)


def is_payout(source: AccountRef, target: AccountRef) -> bool:
    """Whether a player's money would go to the world outside."""
    return source.kind is Kind.PLAYER and target.kind is Kind.PROVIDER


def require_open() -> None:
    """Raises PayoutsFrozen."""
    if switches.is_on(Name.PAYOUTS_FROZEN):
        raise PayoutsFrozen


def freeze(why: str) -> None:
    """Stops all payouts from this moment; once is enough."""
    if switches.turn(Name.PAYOUTS_FROZEN, on=True, why=why):
        log.error("payouts are frozen: %s", why)
