"""What each victim gets of a balance. Pure arithmetic on whole cents."""

from collections.abc import Sequence

from accounts.moderation.estates import Loss


def refunds(balance: int, losses: Sequence[Loss]) -> list[Loss]:
    """All that each has lost; if the balance is short, in proportion, and then to the last cent of it.

    The cents that rounding leaves go to the largest remainders, of equal ones to the larger loss first.
    """
    total = sum(loss.amount for loss in losses)
    if total <= balance:
        return [loss for loss in losses if loss.amount > 0]
    if balance <= 0:
        return []
    whole = {loss.user_id: balance * loss.amount // total for loss in losses}
    by_remainder = sorted(
        losses, key=lambda loss: (-(balance * loss.amount % total), -loss.amount, loss.user_id)
    )
    for loss in by_remainder[: balance - sum(whole.values())]:
        whole[loss.user_id] += 1
    return [Loss(loss.user_id, whole[loss.user_id]) for loss in losses if whole[loss.user_id]]
