"""Withdrawals, deposits, events of providers and tasks in the admin: staff decide here, services do it."""

from typing import Any

from django.contrib import admin
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from wallet import payment_tasks, withdrawals
from wallet.admin.deeds import Deed, Deeds
from wallet.admin.reading import ReadOnly
from wallet.models import Deposit, PaymentTask, ProviderEvent, Withdrawal
from wallet.money import Currency, format_amount

State = Withdrawal.State


class Sums:
    """Amounts in dollars."""

    @admin.display(description=gettext_lazy("amount"), ordering="amount")
    def sum(self, obj: Any) -> str:
        return format_amount(obj.amount, Currency.USD)


@admin.register(Withdrawal)
class WithdrawalAdmin(Sums, Deeds, admin.ModelAdmin[Withdrawal]):
    """What players want paid out; those that wait come first."""

    deed_permission = "wallet.approve_withdrawal"
    about = "withdrawal"
    list_display = ("created_at", "user", "sum", "state", "first_by", "decided_by", "provider")
    list_filter = ("state", "provider")
    list_select_related = ("user", "first_by", "decided_by")
    search_fields = ("id", "user__screen_name", "user__email", "reference")
    ordering = ("-created_at",)
    fields = (
        "user", "sum", "state", "first_by", "decided_by", "decided_at", "why", "provider", "reference",
        "created_at", "paid_at",
    )  # fmt: skip

    def deeds(self, obj: Withdrawal) -> list[Deed]:
        approve = Deed("approve", _("Approve"), _("Note"), "main")
        reject = Deed(
            "reject", _("Reject and return"), _("Reason, which the player reads"), "danger"
        )
        paid = Deed("paid", _("Mark as paid"), _("How it was paid: the bank's reference"), "main")
        known = {State.ASKED: [approve, reject], State.APPROVED: [reject], State.BY_HAND: [paid]}
        return known.get(State(obj.state), [])

    def do(self, obj: Withdrawal, name: str, *, by: User, text: str) -> str:
        if name == "approve":
            row = withdrawals.approve(obj.pk, by=by, why=text)
            if row.state == State.ASKED:
                return _("You have agreed; a second person has to agree too.")
            return _("Approved. It is paid within seconds.")
        if name == "reject":
            withdrawals.reject(obj.pk, by=by, why=text)
            return _("Rejected; the money is the player's again.")
        withdrawals.mark_paid(obj.pk, by=by, reference=text)
        return _("Marked as paid.")


@admin.register(PaymentTask)
class PaymentTaskAdmin(Sums, Deeds, admin.ModelAdmin[PaymentTask]):
    """Refunds, disputes and payments that nobody knows; an open one holds its player's withdrawals."""

    deed_permission = "wallet.close_paymenttask"
    about = "payment_task"
    list_display = ("opened_at", "kind", "user", "sum", "says", "closed_at", "closed_by")
    list_filter = ("kind", ("closed_at", admin.EmptyFieldListFilter))
    list_select_related = ("user", "closed_by")
    search_fields = ("key", "user__screen_name", "user__email")
    ordering = ("closed_at", "opened_at")
    fields = (
        "kind", "user", "deposit", "sum", "says", "opened_at", "first_by", "closed_at", "closed_by", "note",
        "taken_back", "borne",
    )  # fmt: skip

    def deeds(self, obj: PaymentTask) -> list[Deed]:
        if obj.closed_at is not None:
            return []
        note = _("What you have found")
        close = Deed("close", _("Close; nothing is moved"), note)
        if obj.deposit_id is None:
            return [close]
        return [Deed("take_back", _("Take the amount back and close"), note, "danger"), close]

    def do(self, obj: PaymentTask, name: str, *, by: User, text: str) -> str:
        task = payment_tasks.close(obj.pk, by=by, note=text, take_back=name == "take_back")
        if task.closed_at is None:
            return _("You have agreed; a second person has to agree too.")
        return _("Closed.")


@admin.register(Deposit)
class DepositAdmin(Sums, ReadOnly, admin.ModelAdmin[Deposit]):
    """What players have paid in, or wanted to."""

    list_display = ("created_at", "user", "sum", "state", "provider", "payment", "returned")
    list_filter = ("state", "provider")
    list_select_related = ("user",)
    search_fields = ("id", "reference", "payment", "user__screen_name", "user__email")
    ordering = ("-created_at",)


@admin.register(ProviderEvent)
class ProviderEventAdmin(ReadOnly, admin.ModelAdmin[ProviderEvent]):
    """What providers told us."""

    list_display = ("received_at", "provider", "kind", "outcome", "payment", "event_id")
    list_filter = ("provider", "outcome", "kind")
    search_fields = ("event_id", "payment")
    ordering = ("-id",)
