"""The chart of accounts: who can hold money, why it moves, and which kind may pay which. Pure."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from uuid import UUID

from wallet.money import Currency


class Kind(StrEnum):
    """What an account stands for."""

    PLAYER = "player"
    ESCROW = "escrow"
    COMMISSION = "commission"
    PROMOTIONS = "promotions"
    TOURNAMENT = "tournament"
    WITHDRAWAL = "withdrawal"
    PROVIDER = "provider"
    ISSUER = "issuer"


UNBOUNDED: Final = (Kind.PROVIDER, Kind.ISSUER)
"""The world outside and the source of chips: the only accounts that may go below zero."""


class Purpose(StrEnum):
    """Why an amount moves."""

    DEPOSIT = "deposit"
    DEPOSIT_BACK = "deposit_back"
    WITHDRAWAL = "withdrawal"
    WITHDRAWAL_PAID = "withdrawal_paid"
    WITHDRAWAL_BACK = "withdrawal_back"
    STARTING_CHIPS = "starting_chips"
    CHIPS_REFILL = "chips_refill"
    STAKE = "stake"
    PRIZE = "prize"
    STAKE_BACK = "stake_back"
    COMMISSION = "commission"
    ENTRY = "entry"
    ENTRY_BACK = "entry_back"
    TOURNAMENT_PRIZE = "tournament_prize"
    FUNDING = "funding"
    PROMOTION = "promotion"
    CORRECTION = "correction"


_PAYS: Final = {
    Purpose.DEPOSIT: {(Kind.PROVIDER, Kind.PLAYER)},
    # A payment that went back to its payer: from what the player has, the rest borne by the house.
    Purpose.DEPOSIT_BACK: {(Kind.PLAYER, Kind.PROVIDER), (Kind.COMMISSION, Kind.PROVIDER)},
    Purpose.WITHDRAWAL: {(Kind.PLAYER, Kind.WITHDRAWAL)},
    Purpose.WITHDRAWAL_PAID: {(Kind.WITHDRAWAL, Kind.PROVIDER)},
    Purpose.WITHDRAWAL_BACK: {(Kind.WITHDRAWAL, Kind.PLAYER)},
    Purpose.STARTING_CHIPS: {(Kind.ISSUER, Kind.PLAYER)},
    Purpose.CHIPS_REFILL: {(Kind.ISSUER, Kind.PLAYER)},
    Purpose.STAKE: {(Kind.PLAYER, Kind.ESCROW)},
    Purpose.PRIZE: {(Kind.ESCROW, Kind.PLAYER)},
    Purpose.STAKE_BACK: {(Kind.ESCROW, Kind.PLAYER)},
    Purpose.COMMISSION: {(Kind.ESCROW, Kind.COMMISSION), (Kind.TOURNAMENT, Kind.COMMISSION)},
    Purpose.ENTRY: {(Kind.PLAYER, Kind.TOURNAMENT)},
    Purpose.ENTRY_BACK: {(Kind.TOURNAMENT, Kind.PLAYER)},
    Purpose.TOURNAMENT_PRIZE: {(Kind.TOURNAMENT, Kind.PLAYER)},
    Purpose.FUNDING: {(Kind.COMMISSION, Kind.PROMOTIONS), (Kind.PROVIDER, Kind.PROMOTIONS)},
    Purpose.PROMOTION: {(Kind.PROMOTIONS, Kind.PLAYER), (Kind.PROMOTIONS, Kind.TOURNAMENT)},
    Purpose.CORRECTION: {(source, target) for source in Kind for target in Kind},
}

_ONLY_CURRENCY: Final = {
    Kind.ISSUER: Currency.PLAY,
    Kind.PROVIDER: Currency.USD,
    Kind.WITHDRAWAL: Currency.USD,
}

MATCH_PURPOSES: Final = (Purpose.STAKE, Purpose.PRIZE, Purpose.STAKE_BACK)
"""What a match moves in and out of a player's account."""


PLAY_PURPOSES: Final = (
    *MATCH_PURPOSES,
    Purpose.ENTRY,
    Purpose.ENTRY_BACK,
    Purpose.TOURNAMENT_PRIZE,
)
"""What playing moves in and out of a player's account, tournaments included."""


BORDER_PURPOSES: Final = (
    Purpose.DEPOSIT,
    Purpose.DEPOSIT_BACK,
    Purpose.WITHDRAWAL,
    Purpose.WITHDRAWAL_BACK,
)
"""What a player pays in and has paid out."""


@dataclass(frozen=True, slots=True)
class AccountRef:
    """Names an account, whether or not its row exists yet; with a currency it is one row."""

    kind: Kind
    code: str
    user_id: int | None = None
    match_id: UUID | None = None


class WrongAccounts(ValueError):
    """The programme asked for a payment that the chart does not know."""


def player(user_id: int) -> AccountRef:
    """What a player has and can spend."""
    return AccountRef(Kind.PLAYER, f"player:{user_id}", user_id=user_id)


def escrow(match_id: UUID) -> AccountRef:
    """The stakes of one match."""
    return AccountRef(Kind.ESCROW, f"escrow:{match_id}", match_id=match_id)


def escrow_of_code(code: str) -> AccountRef:
    """The escrow that has this code."""
    return escrow(UUID(code.partition(":")[2]))


def commission() -> AccountRef:
    """What the house has earned."""
    return AccountRef(Kind.COMMISSION, "commission")


def promotions() -> AccountRef:
    """What the house gives away."""
    return AccountRef(Kind.PROMOTIONS, "promotions")


def tournament(tournament_id: UUID) -> AccountRef:
    """The pool of one tournament."""
    return AccountRef(Kind.TOURNAMENT, f"tournament:{tournament_id}")


def provider(name: str) -> AccountRef:
    """The world outside, as one payment provider sees it; below zero by what was paid in."""
    return AccountRef(Kind.PROVIDER, f"provider:{name}")


def withdrawal(withdrawal_id: UUID) -> AccountRef:
    """What a player has asked to be paid out, until it is paid or returned."""
    return AccountRef(Kind.WITHDRAWAL, f"withdrawal:{withdrawal_id}")


def issuer() -> AccountRef:
    """Where chips come from; below zero by the chips in circulation."""
    return AccountRef(Kind.ISSUER, "issuer")


def require_payable(
    purpose: Purpose, source: AccountRef, target: AccountRef, currency: Currency
) -> None:
    """Raises WrongAccounts unless `source` may pay `target` for this purpose in this currency."""
    if (source.kind, target.kind) not in _PAYS[purpose]:
        raise WrongAccounts(f"{purpose}: {source.kind} does not pay {target.kind}")
    for ref in (source, target):
        if _ONLY_CURRENCY.get(ref.kind, currency) is not currency:
            raise WrongAccounts(f"{ref.code} has no account in {currency}")
