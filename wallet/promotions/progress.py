"""How far somebody has come in the campaigns that run. Writes nothing."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.utils import timezone

from wallet.models import Award, Campaign, Score
from wallet.promotions.earning import CENTS_OF_A_POINT, period_of


@dataclass(frozen=True, slots=True)
class StepProgress:
    """A rung: `share` of 100 towards it; `award` is the reached one, if it was."""

    needed: int
    reward: int
    share: int
    is_reached: bool
    is_paid: bool


@dataclass(frozen=True, slots=True)
class Progress:
    """A campaign for one player: what they have (stars of the month, or points that can be exchanged)."""

    id: int
    name: str
    is_stars: bool
    have: int
    fraction: int
    steps: tuple[StepProgress, ...]
    ends_at: datetime | None
    is_used_up: bool


def progress_of(user_id: int) -> list[Progress]:
    """Every campaign that runs now. `fraction`: cents of stake towards the next point."""
    now = timezone.now()
    running = Campaign.objects.filter(
        Q(ends_at__isnull=True) | Q(ends_at__gt=now), starts_at__lte=now
    )
    return [_progress(one, user_id, now) for one in running.prefetch_related("steps")]


def _progress(campaign: Campaign, user_id: int, now: datetime) -> Progress:
    period = period_of(campaign, now.date())
    score = Score.objects.filter(campaign=campaign, user_id=user_id, period=period).first()
    earned, exchanged = (0, 0) if score is None else (score.earned, score.exchanged)
    is_stars = campaign.kind == Campaign.Kind.STARS
    have, fraction = (earned, 0) if is_stars else divmod(earned, CENTS_OF_A_POINT)
    have -= exchanged
    awards = {
        award.key: award
        for award in Award.objects.filter(
            campaign=campaign, user_id=user_id, key__startswith=f"{period:%Y-%m}:"
        )
    }
    steps = tuple(
        StepProgress(
            needed=step.needed,
            reward=step.reward,
            share=min(100, 100 * have // step.needed),
            is_reached=have >= step.needed,
            is_paid=(award := awards.get(f"{period:%Y-%m}:{step.needed}")) is not None
            and award.paid_at is not None,
        )
        for step in sorted(campaign.steps.all(), key=lambda step: step.needed)
    )
    return Progress(
        id=campaign.pk,
        name=campaign.name,
        is_stars=is_stars,
        have=have,
        fraction=fraction,
        steps=steps,
        ends_at=campaign.ends_at,
        is_used_up=_is_used_up(campaign, [step.reward for step in steps]),
    )


def _is_used_up(campaign: Campaign, rewards: Collection[int]) -> bool:
    """Whether not even the smallest reward is covered any more."""
    return bool(rewards) and campaign.budget - campaign.spent < min(rewards)


def awards_of(user_id: int, at_most: int = 10) -> list[Award]:
    """The player's latest rewards, the newest first."""
    rows = Award.objects.filter(user_id=user_id).select_related("campaign")
    return list(rows.order_by("-reached_at")[:at_most])
