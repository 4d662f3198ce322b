"""What waits for staff in the wallet, with its count, for the first page of their site."""

from django.utils.translation import gettext_lazy as _

from accounts import desk
from wallet.models import Correction, PaymentTask, Withdrawal

State = Withdrawal.State


def register() -> None:
    """Called once, from the app's start."""
    desk.register_work(
        desk.Work(
            _("withdrawals to approve"),
            "wallet.approve_withdrawal",
            "admin:wallet_withdrawal_changelist?state__exact=asked",
            Withdrawal.objects.filter(state=State.ASKED).count,
        ),
        desk.Work(
            _("withdrawals to pay by hand"),
            "wallet.approve_withdrawal",
            "admin:wallet_withdrawal_changelist?state__exact=by_hand",
            Withdrawal.objects.filter(state=State.BY_HAND).count,
        ),
        desk.Work(
            _("payments to look at"),
            "wallet.close_paymenttask",
            "admin:wallet_paymenttask_changelist?closed_at__isempty=1",
            PaymentTask.objects.filter(closed_at__isnull=True).count,
        ),
        desk.Work(
            _("corrections that wait for a second person"),
            "wallet.decide_correction",
            "admin:wallet_correction_changelist?state__exact=proposed",
            Correction.objects.filter(state=Correction.State.PROPOSED).count,
        ),
    )
