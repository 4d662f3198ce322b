"""From settled matches to stars and points: each match once, whoever counts, however often.

The ledger says which matches were settled for money, the app above what they were. Counters take turns by the
lock of one row; what they have looked at is remembered by match, so that nothing counts twice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, Sum
from django.utils import timezone

from wallet.chart import Purpose
from wallet.models import (
    Award,
    Campaign,
    Credit,
    PromotedMatch,
    PromotionCursor,
    Score,
    Transfer,
)
from wallet.money import Currency
from wallet.promotions import facts
from wallet.promotions.facts import Played

AT_ONCE: Final = 200
SETTLED: Final = timedelta(minutes=2)
"""Transfers get their numbers before they are committed; after so long none is missing below another."""

CENTS_OF_A_POINT: Final = 100
ALL_TIME: Final = date(2000, 1, 1)
"""The period of scores that do not begin anew each month."""


@dataclass(frozen=True, slots=True)
class Earned:
    """What somebody may get for a match in a campaign of this kind."""

    user_id: int
    amount: int


def count_settled() -> int:
    """Counts the next settled matches; answers how many were looked at."""
    PromotionCursor.objects.get_or_create(pk=1)
    with transaction.atomic():
        cursor = PromotionCursor.objects.select_for_update().get(pk=1)
        prizes = _uncounted(cursor.last_transfer)
        matches = [prize.match_id for prize in prizes if prize.match_id is not None]
        told = facts.of(matches)
        for match_id in matches:
            _count(match_id, told)
        passed = _passed(prizes)
        if passed > cursor.last_transfer:
            cursor.last_transfer = passed
            cursor.save()
    return len(matches)


def _uncounted(after: int) -> list[Transfer]:
    counted = PromotedMatch.objects.filter(match_id=OuterRef("match_id"))
    prizes = Transfer.objects.filter(
        ~Exists(counted),
        id__gt=after,
        purpose=Purpose.PRIZE,
        currency=Currency.USD,
        match_id__isnull=False,
    )
    return list(prizes.order_by("id")[:AT_ONCE])


def _passed(prizes: Sequence[Transfer]) -> int:
    """Up to which transfer nothing is left to count, and nothing can still appear; 0 if there is none such."""
    sure = timezone.now() - SETTLED
    if len(prizes) < AT_ONCE:
        old = Transfer.objects.filter(created_at__lt=sure).order_by("-id").first()
        return 0 if old is None else old.id
    return max((prize.id for prize in prizes if prize.created_at < sure), default=0)


def period_of(campaign: Campaign, day: date) -> date:
    """Stars are counted by calendar month (UTC), points as long as the campaign goes."""
    return day.replace(day=1) if campaign.kind == Campaign.Kind.STARS else ALL_TIME


def _count(match_id: UUID, told: Mapping[UUID, Played]) -> None:
    played = told.get(match_id)
    if played is None:
        return
    first, second = sorted((played.winner_id, played.loser_id))
    day = played.ended_at.date()
    row = PromotedMatch.objects.create(
        match_id=match_id, first_id=first, second_id=second, is_dark=played.is_dark, day=day
    )
    running = Campaign.objects.filter(
        Q(ends_at__isnull=True) | Q(ends_at__gt=played.ended_at), starts_at__lte=played.ended_at
    ).order_by("id")
    for campaign in running:
        if not _is_farmed(campaign, row):
            for earned in _earned(campaign, played):
                _credit(campaign, match_id, earned, day)


def _is_farmed(campaign: Campaign, row: PromotedMatch) -> bool:
    """Whether the same two have met in the Dark Room more often today than counts (Money 7)."""
    if not row.is_dark:
        return False
    met = PromotedMatch.objects.filter(
        first_id=row.first_id, second_id=row.second_id, day=row.day, is_dark=True
    )
    return bool(met.count() > campaign.dark_pair_a_day)


def _earned(campaign: Campaign, played: Played) -> list[Earned]:
    if campaign.kind == Campaign.Kind.STARS:
        return [Earned(played.winner_id, played.stars)]
    return [Earned(user_id, played.stake) for user_id in (played.winner_id, played.loser_id)]


def _credit(campaign: Campaign, match_id: UUID, earned: Earned, day: date) -> None:
    amount = _within_the_day(campaign, earned, day)
    if amount <= 0:
        return
    Credit.objects.create(
        campaign=campaign, match_id=match_id, user_id=earned.user_id, amount=amount, day=day
    )
    period = period_of(campaign, day)
    Score.objects.get_or_create(campaign=campaign, user_id=earned.user_id, period=period)
    score = Score.objects.filter(campaign=campaign, user_id=earned.user_id, period=period)
    score.update(earned=F("earned") + amount)
    if campaign.kind == Campaign.Kind.STARS:
        _reach_steps(campaign, score.get())


def _within_the_day(campaign: Campaign, earned: Earned, day: date) -> int:
    """As much of it as the campaign gives a player in a day."""
    if campaign.most_a_day is None:
        return earned.amount
    most = campaign.most_a_day
    if campaign.kind == Campaign.Kind.POINTS:
        most *= CENTS_OF_A_POINT
    today = Credit.objects.filter(campaign=campaign, user_id=earned.user_id, day=day)
    got: int = today.aggregate(total=Sum("amount"))["total"] or 0
    return min(earned.amount, most - got)


def _reach_steps(campaign: Campaign, score: Score) -> None:
    """Every step that the month's stars have come to is due, once."""
    for step in campaign.steps.filter(needed__lte=score.earned):
        Award.objects.get_or_create(
            campaign=campaign,
            user_id=score.user_id,
            key=f"{score.period:%Y-%m}:{step.needed}",
            defaults={"needed": step.needed, "reward": step.reward},
        )
