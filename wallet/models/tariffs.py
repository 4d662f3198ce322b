"""Dated editions of a tariff that administrators made; the first ones are files. Never changed."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

LONGEST_NAME: Final = 20


class TariffEdition(models.Model):
    """One edition, in force from the start of a day (UTC). Matches opened before keep theirs."""

    name = models.CharField(_("tariff"), max_length=LONGEST_NAME)
    since = models.DateField(_("in force from"))
    number = models.PositiveSmallIntegerField(_("number of that day"))
    text = models.TextField(_("rates"))
    why = models.CharField(_("reason"), max_length=300)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("who")
    )
    created_at = models.DateTimeField(_("made"), auto_now_add=True)

    class Meta:
        verbose_name = _("tariff edition")
        verbose_name_plural = _("tariff editions")
        ordering = ["-since", "-number"]
        constraints = [
            models.UniqueConstraint(
                fields=["name", "since", "number"], name="wallet_tariff_edition_once"
            ),
            models.CheckConstraint(condition=~Q(why=""), name="wallet_tariff_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.name}@{self.since}.{self.number}"
