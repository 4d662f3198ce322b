"""How long somebody has been here in one sitting, and what it has brought: for the reminder they asked for."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from django.http import HttpRequest
from django.utils import timezone

from accounts import limits
from accounts.limits import LimitKind
from accounts.models import User
from wallet import selectors
from wallet.money import Currency, format_change

KEY: Final = "sitting"
PAUSE: Final = timedelta(minutes=30)
"""Who looks at no page for so long has been away; the next look begins a new sitting."""

MINUTE_S: Final = 60


@dataclass(frozen=True, slots=True)
class Sitting:
    """Since when; kept in the session, written at most once a minute."""

    began: datetime

    @property
    def minutes(self) -> int:
        """Whole minutes until now."""
        return int((timezone.now() - self.began).total_seconds()) // MINUTE_S


def sitting_of(request: HttpRequest) -> Sitting:
    """The sitting that this request belongs to."""
    now = timezone.now().timestamp()
    began, seen = request.session.get(KEY, (now, 0.0))
    if now - seen > PAUSE.total_seconds():
        began = now
    if now - seen > MINUTE_S:
        request.session[KEY] = (began, now)
    return Sitting(datetime.fromtimestamp(began, UTC))


def every_minutes(request: HttpRequest) -> int | None:
    """How often this person wants to be reminded; counts this request to their sitting. None: never."""
    if not isinstance(request.user, User):
        return None
    wanted = limits.limits_of(request.user.pk)[LimitKind.REMINDER].amount
    if wanted is not None:
        sitting_of(request)
    return wanted


def result_of(user_id: int, since: datetime) -> str:
    """What playing for money has brought since then, in words."""
    return format_change(selectors.result_since(user_id, since), Currency.USD)
