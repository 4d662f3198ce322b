"""Money that crosses the border of the site: deposits, withdrawals, what providers told us, tasks for staff."""

import uuid
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from wallet.money import MAX_AMOUNT

LONGEST_REFERENCE: Final = 255
KEY_LENGTH: Final = 64


class Deposit(models.Model):
    """A player is paying in, or has paid. The ledger moves when the provider says that it is paid."""

    class State(models.TextChoices):
        """Where it stands. Paid is paid, whatever was thought before."""

        OPEN = "open", _("not paid yet")
        PAID = "paid", _("paid")
        FAILED = "failed", _("not paid")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("who")
    )
    provider = models.SlugField(_("provider"), max_length=20)
    key = models.CharField(max_length=KEY_LENGTH, editable=False)
    amount = models.BigIntegerField(_("amount"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OPEN)
    # The provider's names: of what the player pays at, and of the payment itself.
    reference = models.CharField(max_length=LONGEST_REFERENCE, blank=True)
    payment = models.CharField(_("payment"), max_length=LONGEST_REFERENCE, blank=True)
    url = models.TextField(blank=True, editable=False)
    returned = models.BigIntegerField(_("gone back to the payer"), default=0)
    created_at = models.DateTimeField(_("begun"), auto_now_add=True)
    ends_at = models.DateTimeField(_("can be paid until"))
    paid_at = models.DateTimeField(_("paid"), null=True, blank=True)

    class Meta:
        verbose_name = _("deposit")
        verbose_name_plural = _("deposits")
        indexes = [models.Index(fields=["user", "-created_at"], name="wallet_deposit_of_user")]
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="wallet_deposit_once"),
            models.UniqueConstraint(
                fields=["provider", "reference"],
                condition=~Q(reference=""),
                name="wallet_deposit_reference_once",
            ),
            models.UniqueConstraint(
                fields=["provider", "payment"],
                condition=~Q(payment=""),
                name="wallet_deposit_payment_once",
            ),
            models.CheckConstraint(
                condition=Q(amount__gte=1, amount__lte=MAX_AMOUNT), name="wallet_deposit_positive"
            ),
            models.CheckConstraint(
                condition=Q(returned__gte=0, returned__lte=F("amount")),
                name="wallet_deposit_returned_in_range",
            ),
            models.CheckConstraint(
                condition=Q(state="paid", paid_at__isnull=False)
                | (~Q(state="paid") & Q(paid_at__isnull=True)),
                name="wallet_deposit_paid_has_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.id}"


class Withdrawal(models.Model):
    """A player wants money out. It is held from the request on, in an account of its own."""

    class State(models.TextChoices):
        """Where it stands; held in the first four, gone or back in the others."""

        ASKED = "asked", _("waits for approval")
        APPROVED = "approved", _("approved")
        PAYING = "paying", _("being paid")
        BY_HAND = "by_hand", _("approved, to be paid by hand")
        PAID = "paid", _("paid")
        REJECTED = "rejected", _("rejected, returned")
        CANCELLED = "cancelled", _("cancelled by the player, returned")
        FAILED = "failed", _("refused by the provider, returned")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("who")
    )
    provider = models.SlugField(_("provider"), max_length=20)
    key = models.CharField(max_length=KEY_LENGTH, editable=False)
    amount = models.BigIntegerField(_("amount"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.ASKED)
    first_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("first approval"),
    )
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("decided by"),
    )
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    why = models.CharField(_("reason"), max_length=300, blank=True)
    reference = models.CharField(_("reference"), max_length=LONGEST_REFERENCE, blank=True)
    # Which earlier payments it goes back to: [[payment, cents], …]; reserved there before the provider is asked.
    parts = models.JSONField(default=list, editable=False)
    created_at = models.DateTimeField(_("asked"), auto_now_add=True)
    paid_at = models.DateTimeField(_("paid"), null=True, blank=True)

    class Meta:
        verbose_name = _("withdrawal")
        verbose_name_plural = _("withdrawals")
        permissions = [("approve_withdrawal", _("Can approve and reject withdrawals"))]
        indexes = [
            models.Index(fields=["user", "-created_at"], name="wallet_withdrawal_of_user"),
            models.Index(
                fields=["created_at"],
                condition=Q(state__in=["asked", "approved", "paying", "by_hand"]),
                name="wallet_withdrawal_open",
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="wallet_withdrawal_once"),
            models.CheckConstraint(
                condition=Q(amount__gte=1, amount__lte=MAX_AMOUNT),
                name="wallet_withdrawal_positive",
            ),
            models.CheckConstraint(
                condition=Q(first_by__isnull=True)
                | Q(decided_by__isnull=True)
                | ~Q(first_by=F("decided_by")),
                name="wallet_withdrawal_two_people",
            ),
            models.CheckConstraint(
                condition=~Q(state="rejected") | ~Q(why=""), name="wallet_rejection_has_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.id}"


class ProviderEvent(models.Model):
    """Something a payment provider told us, once under its number. Only ever added and marked as applied."""

    class Outcome(models.TextChoices):
        """What became of it."""

        APPLIED = "applied", _("applied")
        IGNORED = "ignored", _("of no use to us")
        WAITING = "waiting", _("about a payment that we do not know yet")

    provider = models.SlugField(_("provider"), max_length=20)
    event_id = models.CharField(_("number"), max_length=LONGEST_REFERENCE)
    kind = models.CharField(_("kind"), max_length=100)
    payment = models.CharField(_("payment"), max_length=LONGEST_REFERENCE, blank=True)
    facts = models.JSONField(_("facts"), default=dict)
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome)
    received_at = models.DateTimeField(_("received"), auto_now_add=True)

    class Meta:
        verbose_name = _("event of a provider")
        verbose_name_plural = _("events of providers")
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "event_id"], name="wallet_provider_event_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["provider", "payment"],
                condition=Q(outcome="waiting"),
                name="wallet_provider_event_waiting",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.event_id}"


class PaymentTask(models.Model):
    """Something about a payment that a person must look at; while one is open its player is paid nothing out."""

    class Kind(models.TextChoices):
        """What has happened."""

        REFUND = "refund", _("a payment was refunded")
        DISPUTE = "dispute", _("a payment is disputed")
        MISMATCH = "mismatch", _("another amount was paid than asked")
        UNKNOWN = "unknown", _("a payment that nobody here has begun")

    kind = models.CharField(_("what"), max_length=10, choices=Kind)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("whom"),
    )
    deposit = models.ForeignKey(
        Deposit,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="tasks",
        verbose_name=_("deposit"),
    )
    key = models.CharField(max_length=LONGEST_REFERENCE, unique=True, editable=False)
    amount = models.BigIntegerField(_("amount"))
    says = models.CharField(_("what the provider says"), max_length=300, blank=True)
    opened_at = models.DateTimeField(_("opened"), auto_now_add=True)
    first_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("first agreement"),
    )
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("closed by"),
    )
    note = models.CharField(_("note"), max_length=300, blank=True)
    taken_back = models.BigIntegerField(_("taken from the player"), default=0)
    borne = models.BigIntegerField(_("borne by the house"), default=0)

    class Meta:
        verbose_name = _("task about a payment")
        verbose_name_plural = _("tasks about payments")
        permissions = [("close_paymenttask", _("Can close tasks about payments"))]
        indexes = [
            models.Index(
                fields=["user"], condition=Q(closed_at__isnull=True), name="wallet_open_tasks"
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True, closed_by__isnull=True)
                | (Q(closed_at__isnull=False, closed_by__isnull=False) & ~Q(note="")),
                name="wallet_task_closed_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
