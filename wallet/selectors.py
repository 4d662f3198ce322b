"""Questions about money: what a player has, what is held, what a statement shows. Writes nothing."""

from django.db.models import Sum

from wallet import chart
from wallet.chart import Kind, Purpose
from wallet.models import Account, Transfer
from wallet.money import Currency


def balance_of(user_id: int, currency: Currency) -> int:
    """What the player can spend now, in minor units; stakes in running matches are not in it."""
    row = Account.objects.filter(code=chart.player(user_id).code, currency=currency)
    return row.values_list("balance", flat=True).first() or 0


def held_of(user_id: int, currency: Currency = Currency.USD) -> int:
    """What the player has at stake in running matches, in minor units."""
    stakes = Transfer.objects.filter(
        source__code=chart.player(user_id).code,
        source__currency=currency,
        purpose=Purpose.STAKE,
        target__kind=Kind.ESCROW,
        target__balance__gt=0,
    )
    return stakes.aggregate(held=Sum("amount"))["held"] or 0
