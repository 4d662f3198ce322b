"""Campaigns with their ladders, what players have earned in them, and what was awarded."""

import uuid
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

LONGEST_KEY: Final = 100
DARK_PAIR_A_DAY: Final = 5


class Campaign(models.Model):
    """What players can earn in a span of time, and the most that it may cost."""

    class Kind(models.TextChoices):
        """How it is earned and paid."""

        STARS = "stars", _("stars: for wins, paid as each step of the month is reached")
        POINTS = "points", _("bonus points: for stakes played, exchanged for cash")

    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    name = models.CharField(_("name"), max_length=60)
    starts_at = models.DateTimeField(_("from"))
    ends_at = models.DateTimeField(_("until"), null=True, blank=True)
    budget = models.BigIntegerField(_("budget"), help_text=_("In cents."))
    spent = models.BigIntegerField(_("spent"), default=0, editable=False)
    dark_pair_a_day = models.PositiveSmallIntegerField(
        _("matches of one pair in the Dark Room that count in a day"), default=DARK_PAIR_A_DAY
    )
    most_a_day = models.PositiveIntegerField(
        _("most that a player earns in a day"),
        null=True,
        blank=True,
        help_text=_("Stars or points; empty: no limit."),
    )

    class Meta:
        verbose_name = _("campaign")
        verbose_name_plural = _("campaigns")
        ordering = ["-starts_at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(spent__gte=0, spent__lte=F("budget")), name="wallet_campaign_in_budget"
            ),
            models.CheckConstraint(
                condition=Q(ends_at__isnull=True) | Q(ends_at__gt=F("starts_at")),
                name="wallet_campaign_has_length",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class CampaignStep(models.Model):
    """A rung of a ladder: for so many stars or points so many cents."""

    campaign = models.ForeignKey(
        Campaign, on_delete=models.PROTECT, related_name="steps", verbose_name=_("campaign")
    )
    needed = models.PositiveIntegerField(_("stars or points"))
    reward = models.BigIntegerField(_("reward"), help_text=_("In cents."))

    class Meta:
        verbose_name = _("step of a ladder")
        verbose_name_plural = _("steps of ladders")
        ordering = ["campaign", "needed"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "needed"], name="wallet_step_once"),
            models.CheckConstraint(
                condition=Q(needed__gte=1, reward__gte=1), name="wallet_step_positive"
            ),
        ]

    def __str__(self) -> str:
        return str(self.needed)


class PromotedMatch(models.Model):
    """A settled match that was counted, whether or not it earned anything. Once for each match."""

    match_id = models.UUIDField(primary_key=True)
    first_id = models.BigIntegerField()
    second_id = models.BigIntegerField()
    is_dark = models.BooleanField()
    day = models.DateField()

    class Meta:
        indexes = [
            models.Index(
                fields=["first_id", "second_id", "day"],
                condition=Q(is_dark=True),
                name="wallet_promoted_dark_pair",
            ),
        ]

    def __str__(self) -> str:
        return str(self.match_id)


class PromotionCursor(models.Model):
    """How far settled matches have been counted; one row, whose lock makes the counters take turns."""

    last_transfer = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.last_transfer)


class Credit(models.Model):
    """What a match has earned a player in a campaign: stars, or cents of stake for points."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="+")
    match_id = models.UUIDField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    amount = models.BigIntegerField()
    day = models.DateField()

    class Meta:
        indexes = [models.Index(fields=["campaign", "user", "day"], name="wallet_credit_of_day")]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "match_id", "user"], name="wallet_credit_once"
            ),
            models.CheckConstraint(condition=Q(amount__gte=1), name="wallet_credit_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.user_id}"


class Score(models.Model):
    """What a player has in a campaign: stars of a month, or cents of stake since it began and points exchanged."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    period = models.DateField()
    earned = models.BigIntegerField(default=0)
    exchanged = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "user", "period"], name="wallet_score_once"
            ),
            models.CheckConstraint(
                # A point is a dollar of stake; `earned` is cents there.
                condition=Q(exchanged__gte=0, exchanged__lte=F("earned") / 100),
                name="wallet_score_not_overdrawn",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id} {self.user_id} {self.period}"


class Award(models.Model):
    """A reward that a player has reached or exchanged; paid once, from house promotions."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(
        Campaign, on_delete=models.PROTECT, related_name="awards", verbose_name=_("campaign")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("who")
    )
    key = models.CharField(max_length=LONGEST_KEY, editable=False)
    needed = models.PositiveIntegerField(_("for"))
    reward = models.BigIntegerField(_("reward"))
    reached_at = models.DateTimeField(_("reached"), auto_now_add=True)
    paid_at = models.DateTimeField(_("paid"), null=True, blank=True)

    class Meta:
        verbose_name = _("award")
        verbose_name_plural = _("awards")
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user", "key"], name="wallet_award_once"),
        ]
        indexes = [
            models.Index(
                fields=["reached_at"], condition=Q(paid_at__isnull=True), name="wallet_awards_due"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id} {self.user_id} {self.key}"
