"""Paying rewards from house promotions: each once, never more than the campaign's budget or than the house has put there."""

import logging
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from accounts.models import User
from accounts.permissions import require_money_play
from wallet import chart, ledger, tokens
from wallet.chart import Purpose
from wallet.errors import (
    BudgetUsedUp,
    CampaignOver,
    InsufficientFunds,
    KeyReused,
    NoSuchStep,
    NotEnoughPoints,
)
from wallet.models import Award, Campaign, CampaignStep, Score
from wallet.money import Currency
from wallet.promotions.earning import ALL_TIME, CENTS_OF_A_POINT

log = logging.getLogger(__name__)
AT_ONCE: Final = 200


def pay_due() -> int:
    """Pays awards that are due, the oldest first; what a budget does not cover waits. Answers how many."""
    due = Award.objects.filter(paid_at__isnull=True, user__is_active=True)
    # A campaign whose budget is used up must not keep others waiting.
    payable = due.filter(campaign__spent__lte=F("campaign__budget") - F("reward"))
    paid = 0
    for award_id in payable.order_by("reached_at").values_list("id", flat=True)[:AT_ONCE]:
        try:
            paid += _pay(award_id)
        except (BudgetUsedUp, InsufficientFunds) as refusal:
            log.warning("award %s waits: %s", award_id, refusal.code)
            if isinstance(refusal, InsufficientFunds):
                break
    return paid


def exchange(user: User, campaign_id: int, needed: int, token: str) -> Award:
    """Points for cash; the same form again exchanges nothing more.

    Raises FormExpired, KeyReused, NoSuchStep, CampaignOver, NotEnoughPoints, BudgetUsedUp, what
    `require_money_play` raises.
    """
    key = tokens.read(user.pk, token)
    require_money_play(user)
    step = CampaignStep.objects.filter(
        campaign_id=campaign_id, needed=needed, campaign__kind=Campaign.Kind.POINTS
    ).first()
    if step is None:
        raise NoSuchStep
    with transaction.atomic():
        score = (
            Score.objects.select_for_update()
            .filter(campaign_id=campaign_id, user=user, period=ALL_TIME)
            .first()
        )
        before = Award.objects.filter(campaign_id=campaign_id, user=user, key=key).first()
        if before is not None:
            if before.needed != needed:
                raise KeyReused(key=key)
            return before
        _require_running(campaign_id)
        have = 0 if score is None else score.earned // CENTS_OF_A_POINT - score.exchanged
        if score is None or have < needed:
            raise NotEnoughPoints(have=have, needed=needed)
        score.exchanged += needed
        score.save(update_fields=["exchanged"])
        award = Award.objects.create(
            campaign_id=campaign_id, user=user, key=key, needed=needed, reward=step.reward
        )
        try:
            _move(award)
        except InsufficientFunds as error:
            raise BudgetUsedUp from error
    return award


def _pay(award_id: UUID) -> bool:
    with transaction.atomic():
        award = Award.objects.select_for_update().get(id=award_id)
        if award.paid_at is not None:
            return False
        _move(award)
    return True


def _move(award: Award) -> None:
    """Raises BudgetUsedUp, InsufficientFunds. The campaign's row is locked by the count of what it has spent."""
    campaign = Campaign.objects.filter(id=award.campaign_id)
    fits = campaign.filter(spent__lte=F("budget") - award.reward)
    if not fits.update(spent=F("spent") + award.reward):
        raise BudgetUsedUp
    ledger.move(
        key=f"award:{award.id}",
        source=chart.promotions(),
        target=chart.player(award.user_id),
        amount=award.reward,
        purpose=Purpose.PROMOTION,
        currency=Currency.USD,
        reason=campaign.get().name,
    )
    award.paid_at = timezone.now()
    award.save(update_fields=["paid_at"])


def _require_running(campaign_id: int) -> None:
    now = timezone.now()
    running = Campaign.objects.filter(Q(ends_at__isnull=True) | Q(ends_at__gt=now))
    if not running.filter(id=campaign_id, starts_at__lte=now).exists():
        raise CampaignOver
