"""What a person can do with their wallet: open it, take chips. And test money for demo players."""

from typing import Final

from django.conf import settings
from django.db import transaction

from wallet import chart, ledger, selectors
from wallet.chart import Purpose
from wallet.deposits import require_amount
from wallet.errors import ChipsNotLow, SandboxClosed
from wallet.models import Transfer
from wallet.money import Currency

STARTING_CHIPS: Final = 1_000
REFILL_BELOW: Final = 100

SANDBOX: Final = "sandbox"


def open_wallet(user_id: int) -> None:
    """Makes sure that the player has had the chips everybody starts with. Cheap when they have."""
    if not Transfer.objects.filter(key=_starting_key(user_id)).exists():
        grant_starting_chips(user_id)


def grant_starting_chips(user_id: int) -> None:
    """1,000 chips, once in the life of an account."""
    with transaction.atomic():
        ledger.move(
            key=_starting_key(user_id),
            source=chart.issuer(),
            target=chart.player(user_id),
            amount=STARTING_CHIPS,
            purpose=Purpose.STARTING_CHIPS,
            currency=Currency.PLAY,
        )


def refill_chips(user_id: int) -> int:
    """Fills up to 1,000 chips, those at stake counted; returns how many were given.

    Raises ChipsNotLow while the player has 100 or more.
    """
    player, issuer = chart.player(user_id), chart.issuer()
    with transaction.atomic():
        free = ledger.locked_balances(Currency.PLAY, [player, issuer])[player]
        have = free + selectors.held_of(user_id, Currency.PLAY)
        if have >= REFILL_BELOW:
            raise ChipsNotLow(below=REFILL_BELOW, have=have)
        nth = Transfer.objects.filter(
            target__code=player.code, purpose=Purpose.CHIPS_REFILL
        ).count()
        ledger.move(
            key=f"chips:refill:{user_id}:{nth + 1}",
            source=issuer,
            target=player,
            amount=STARTING_CHIPS - have,
            purpose=Purpose.CHIPS_REFILL,
            currency=Currency.PLAY,
        )
    return STARTING_CHIPS - have


def stock_chips(user_id: int, *, below: int, to: int) -> int:
    """Fills an account of the house up to so many chips when it has fewer than `below`; returns how many were given."""
    player, issuer = chart.player(user_id), chart.issuer()
    with transaction.atomic():
        free = ledger.locked_balances(Currency.PLAY, [player, issuer])[player]
        if free >= below:
            return 0
        nth = Transfer.objects.filter(
            target__code=player.code, purpose=Purpose.CHIPS_REFILL
        ).count()
        ledger.move(
            key=f"chips:house:{user_id}:{nth + 1}",
            source=issuer,
            target=player,
            amount=to - free,
            purpose=Purpose.CHIPS_REFILL,
            currency=Currency.PLAY,
        )
    return to - free


def deposit_sandbox(user_id: int, amount: int, key: str) -> Transfer:
    """Test money in cents, at once, for demo players and tests; people pay in through `deposits`.

    The same key again pays nothing in and returns the first transfer. Raises SandboxClosed where
    real money is on, BadAmount outside what a deposit may be, KeyReused for the same key with another
    amount.
    """
    if settings.REAL_MONEY:
        raise SandboxClosed
    require_amount(amount)
    with transaction.atomic():
        return ledger.move(
            key=f"deposit:{SANDBOX}:{user_id}:{key}",
            source=chart.provider(SANDBOX),
            target=chart.player(user_id),
            amount=amount,
            purpose=Purpose.DEPOSIT,
            currency=Currency.USD,
        )


def fund_promotions_sandbox(amount: int, key: str) -> Transfer:
    """Test money in cents for the house to give away. Raises SandboxClosed where real money is on."""
    if settings.REAL_MONEY:
        raise SandboxClosed
    with transaction.atomic():
        return ledger.move(
            key=f"funding:{SANDBOX}:{key}",
            source=chart.provider(SANDBOX),
            target=chart.promotions(),
            amount=amount,
            purpose=Purpose.FUNDING,
            currency=Currency.USD,
        )


def _starting_key(user_id: int) -> str:
    return f"chips:start:{user_id}"
