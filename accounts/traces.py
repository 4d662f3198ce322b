"""Tables of what links accounts: the keys they were seen with, the links found, holds on money play, where they are.

Imported by accounts.models. Written by accounts.links and accounts.whereabouts.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.keys import HARD, Kind

KINDS = [
    (Kind.EMAIL.value, _("e-mail")),
    (Kind.PERSON.value, _("name, birth date and address")),
    (Kind.NAME.value, _("name and birth date")),
    (Kind.ADDRESS.value, _("postal address")),
    (Kind.DEVICE.value, _("device")),
    (Kind.BROWSER.value, _("browser in one network")),
    (Kind.IP.value, _("IP address")),
]


class IdentityKey(models.Model):
    """A key that an account has been seen with. Kept for ever, also of closed accounts."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="keys"
    )
    kind = models.CharField(_("kind"), max_length=8, choices=KINDS)
    digest = models.CharField(max_length=64)
    first_seen = models.DateTimeField(_("first seen"), auto_now_add=True)
    last_seen = models.DateTimeField(_("last seen"), auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "digest"],
                name="accounts_hard_key_once",
                condition=Q(kind__in=[kind.value for kind in HARD]),
            ),
            models.UniqueConstraint(
                fields=["user", "kind", "digest"], name="accounts_key_once_each"
            ),
        ]
        indexes = [
            models.Index(fields=["kind", "digest", "-last_seen"], name="accounts_key_holders"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind}"


class AccountLink(models.Model):
    """Two accounts that share a soft key; `first` is the older one. Cleared when staff says that they are two people."""

    first = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="links_to_younger"
    )
    second = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="links_to_older"
    )
    kind = models.CharField(_("kind"), max_length=8, choices=KINDS)
    found_at = models.DateTimeField(_("found"), auto_now_add=True)
    cleared_at = models.DateTimeField(_("cleared"), null=True, blank=True)
    cleared_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name = _("link between accounts")
        verbose_name_plural = _("links between accounts")
        constraints = [
            models.UniqueConstraint(fields=["first", "second", "kind"], name="accounts_link_once"),
            models.CheckConstraint(
                name="accounts_link_in_order", condition=Q(first__lt=F("second"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first_id} {self.second_id} {self.kind}"


class MoneyHold(models.Model):
    """Money play is closed to an account until staff decides. At most one is in force for each account."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="money_holds"
    )
    why = models.CharField(_("why"), max_length=200)
    placed_at = models.DateTimeField(_("since"), auto_now_add=True)
    lifted_at = models.DateTimeField(_("lifted"), null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name = _("hold on money play")
        verbose_name_plural = _("holds on money play")
        constraints = [
            models.UniqueConstraint(
                fields=["user"], name="accounts_one_hold", condition=Q(lifted_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.why}"


class Whereabouts(models.Model):
    """Where an account was last seen: its address of the internet, and the place that GeoIP makes of it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="whereabouts",
    )
    ip = models.GenericIPAddressField(_("IP address"))
    country = models.CharField(_("country"), max_length=2, blank=True)
    us_state = models.CharField(_("US state"), max_length=3, blank=True)
    seen_at = models.DateTimeField(_("seen"))
    checked_at = models.DateTimeField(_("checked"))
    # The country before the last change, where it changed within hours: a tunnel, or a very fast aeroplane.
    jumped_from = models.CharField(_("came from"), max_length=2, blank=True)
    jumped_at = models.DateTimeField(_("changed country"), null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["seen_at"], name="accounts_seen_lately")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.country}"
