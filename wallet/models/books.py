"""What keeps the books straight: the checker's runs, and moves of money that two people of the staff agree on."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from wallet.models.ledger import Account
from wallet.money import MAX_AMOUNT


class CheckRun(models.Model):
    """One round of the checker: what each law's check found. Old ones without a finding are let go."""

    at = models.DateTimeField(_("when"))
    took_ms = models.PositiveIntegerField(_("took, ms"))
    found = models.PositiveIntegerField(_("findings"))
    # [{"name", "law", "found", "took_ms", "lines": [the first findings]}, …]
    outcomes = models.JSONField(default=list)

    class Meta:
        verbose_name = _("run of the checker")
        verbose_name_plural = _("runs of the checker")
        ordering = ["-at"]
        indexes = [models.Index(fields=["-at"], name="wallet_check_run_recent")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S}"


class Correction(models.Model):
    """A move that one person of the staff proposes and another makes or refuses."""

    class State(models.TextChoices):
        """Where it stands."""

        PROPOSED = "proposed", _("waits for a second person")
        MADE = "made", _("made")
        REFUSED = "refused", _("refused")

    class What(models.TextChoices):
        """Why money moves."""

        CORRECTION = "correction", _("correction of a mistake")
        FUNDING = "funding", _("funding of promotions")

    what = models.CharField(_("what"), max_length=12, choices=What, default=What.CORRECTION)
    source = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="+", verbose_name=_("from")
    )
    target = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="+", verbose_name=_("to")
    )
    amount = models.BigIntegerField(_("amount"))
    reason = models.CharField(_("reason"), max_length=300)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.PROPOSED)
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("proposed by"),
    )
    proposed_at = models.DateTimeField(_("proposed"), auto_now_add=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("decided by"),
    )
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    note = models.CharField(_("note"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("correction")
        verbose_name_plural = _("corrections")
        permissions = [("decide_correction", _("Can make or refuse corrections"))]
        constraints = [
            models.CheckConstraint(
                condition=Q(amount__gte=1, amount__lte=MAX_AMOUNT),
                name="wallet_correction_positive",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="wallet_correction_has_a_reason"),
            models.CheckConstraint(
                condition=~Q(source=F("target")), name="wallet_correction_two_accounts"
            ),
            models.CheckConstraint(
                condition=Q(state="proposed", decided_by__isnull=True)
                | (
                    ~Q(state="proposed")
                    & Q(decided_by__isnull=False)
                    & ~Q(decided_by=F("proposed_by"))
                ),
                name="wallet_correction_two_people",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.what} {self.pk}"
