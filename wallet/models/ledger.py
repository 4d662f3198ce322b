"""The ledger's two tables and the laws that the database keeps. Only wallet.ledger writes them."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from wallet.chart import UNBOUNDED, Kind, Purpose
from wallet.money import MAX_AMOUNT, Currency

MAX_BALANCE: Final = 10**18
"""No balance goes further from zero, so no sum of two leaves a bigint."""

CURRENCIES: Final = [(currency.value, currency.value) for currency in Currency]
KINDS: Final = [(kind.value, kind.value) for kind in Kind]
PURPOSES: Final = [(purpose.value, purpose.value) for purpose in Purpose]
OUTSIDE: Final = [kind.value for kind in UNBOUNDED]
INSIDE: Final = [kind.value for kind in Kind if kind not in UNBOUNDED]

NO_OVERDRAFT: Final = "wallet_no_overdraft"
BALANCE_IN_RANGE: Final = "wallet_balance_in_range"
ACCOUNT_ONCE: Final = "wallet_account_once"
KEY_ONCE: Final = "wallet_key_once"


class Account(models.Model):
    """One holder of one currency. The balance always equals the sum of its transfers."""

    code = models.CharField(_("code"), max_length=64)
    kind = models.CharField(_("kind"), max_length=16, choices=KINDS)
    currency = models.CharField(_("currency"), max_length=4, choices=CURRENCIES)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("player"),
    )
    balance = models.BigIntegerField(_("balance"), default=0)
    may_go_negative = models.BooleanField(_("may go below zero"), default=False)

    class Meta:
        verbose_name = _("ledger account")
        verbose_name_plural = _("ledger accounts")
        constraints = [
            models.UniqueConstraint(fields=["code", "currency"], name=ACCOUNT_ONCE),
            # Redundant as a key; the transfers' composite foreign keys point at it.
            models.UniqueConstraint(fields=["id", "currency"], name="wallet_account_currency"),
            models.CheckConstraint(
                condition=Q(balance__gte=0) | Q(may_go_negative=True), name=NO_OVERDRAFT
            ),
            models.CheckConstraint(
                condition=Q(balance__gte=-MAX_BALANCE, balance__lte=MAX_BALANCE),
                name=BALANCE_IN_RANGE,
            ),
            models.CheckConstraint(
                condition=Q(may_go_negative=False, kind__in=INSIDE)
                | Q(may_go_negative=True, kind__in=OUTSIDE),
                name="wallet_only_outside_unbounded",
            ),
            models.CheckConstraint(
                condition=Q(kind=Kind.PLAYER.value, user__isnull=False)
                | (~Q(kind=Kind.PLAYER.value) & Q(user__isnull=True)),
                name="wallet_player_has_user",
            ),
            models.CheckConstraint(
                condition=Q(currency__in=[name for name, _ in CURRENCIES]),
                name="wallet_account_known_currency",
            ),
        ]
        indexes = [
            # Running matches: few rows, whatever the history.
            models.Index(
                fields=["id"],
                condition=Q(kind=Kind.ESCROW.value, balance__gt=0),
                name="wallet_open_escrows",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.currency}"


class Transfer(models.Model):
    """One positive amount from one account to another, once. Never edited, never deleted."""

    key = models.CharField(_("key"), max_length=200)
    source = models.ForeignKey(
        Account,
        on_delete=models.PROTECT,
        related_name="paid",
        db_index=False,
        verbose_name=_("from"),
    )
    target = models.ForeignKey(
        Account,
        on_delete=models.PROTECT,
        related_name="received",
        db_index=False,
        verbose_name=_("to"),
    )
    currency = models.CharField(_("currency"), max_length=4, choices=CURRENCIES)
    amount = models.BigIntegerField(_("amount"))
    purpose = models.CharField(_("purpose"), max_length=24, choices=PURPOSES)
    reason = models.CharField(_("reason"), max_length=300, blank=True, default="")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("staff member"),
    )
    match_id = models.UUIDField(_("match"), null=True, blank=True)
    created_at = models.DateTimeField(_("time"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("ledger transfer")
        verbose_name_plural = _("ledger transfers")
        constraints = [
            models.UniqueConstraint(fields=["key"], name=KEY_ONCE),
            models.CheckConstraint(
                condition=Q(amount__gte=1, amount__lte=MAX_AMOUNT), name="wallet_amount_positive"
            ),
            models.CheckConstraint(condition=~Q(source=F("target")), name="wallet_two_accounts"),
            models.CheckConstraint(condition=~Q(key=""), name="wallet_key_given"),
            models.CheckConstraint(
                condition=Q(purpose__in=[name for name, _ in PURPOSES]), name="wallet_known_purpose"
            ),
            models.CheckConstraint(
                condition=~Q(purpose=Purpose.CORRECTION.value)
                | (~Q(reason="") & Q(by__isnull=False)),
                name="wallet_correction_explained",
            ),
        ]
        indexes = [
            models.Index(fields=["source", "id"], name="wallet_transfer_paid"),
            models.Index(fields=["target", "id"], name="wallet_transfer_received"),
            models.Index(
                fields=["match_id"],
                condition=Q(match_id__isnull=False),
                name="wallet_transfer_match",
            ),
        ]

    def __str__(self) -> str:
        return self.key
