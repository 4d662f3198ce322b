"""Who may pay in and who may have money paid out."""

from django.apps import apps

from accounts import second_factor
from accounts.models import User
from accounts.permissions import require_money_play, require_open
from wallet import payment_tasks
from wallet.errors import (
    EmailUnverified,
    IdentityUnverified,
    SecondFactorMissing,
    WithdrawalsHeld,
)


def require_may_pay_in(user: User) -> None:
    """Raises what keeps the player from money play, or EmailUnverified."""
    require_money_play(user)
    addresses = apps.get_model("account", "EmailAddress")._default_manager
    if not addresses.filter(user_id=user.pk, email__iexact=user.email, verified=True).exists():
        raise EmailUnverified


def require_may_withdraw(user: User) -> None:
    """Raises AccountClosed, IdentityUnverified, SecondFactorMissing, WithdrawalsHeld.

    A time-out does not hold money back.
    """
    require_open(user)
    if user.identity_verified_at is None:
        raise IdentityUnverified
    if not second_factor.has_one(user):
        raise SecondFactorMissing
    if payment_tasks.are_open(user.pk):
        raise WithdrawalsHeld
