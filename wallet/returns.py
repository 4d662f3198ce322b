"""Which earlier payments a withdrawal goes back to: reserved first, so that the provider's news of it is no surprise."""

from collections.abc import Iterable

from django.db.models import F

from wallet.models import Deposit


def reserve(user_id: int, provider: str, amount: int) -> list[tuple[str, int]]:
    """[(payment, cents), …], the newest payment first; empty if all together are less than the amount.

    Runs in the caller's transaction and locks the player's deposits.
    """
    paid = Deposit.objects.select_for_update(no_key=True).filter(
        user_id=user_id, provider=provider, state=Deposit.State.PAID, returned__lt=F("amount")
    )
    parts, left = [], amount
    for deposit in paid.exclude(payment="").order_by("-paid_at", "id"):
        part = min(left, deposit.amount - deposit.returned)
        if part:
            parts.append((deposit, part))
            left -= part
    if left:
        return []
    for deposit, part in parts:
        deposit.returned += part
        deposit.save(update_fields=["returned"])
    return [(deposit.payment, part) for deposit, part in parts]


def release(provider: str, parts: Iterable[tuple[str, int]]) -> None:
    """The provider did not return these after all."""
    for payment, cents in parts:
        rows = Deposit.objects.filter(provider=provider, payment=payment)
        rows.update(returned=F("returned") - cents)
