"""Who may play for money."""

from django.conf import settings
from django.utils import timezone

from accounts import limits, residence
from accounts.age import age_on
from accounts.errors import Refused, gettext_noop
from accounts.models import User


class AccountClosed(Refused):
    code = "account_closed"
    text = gettext_noop("This account is closed.")


class StaffNoMoney(Refused):
    code = "staff_no_money"
    text = gettext_noop(
        "People who work for the site cannot play for money. You can play for chips."
    )


class AgeUnknown(Refused):
    code = "age_unknown"
    text = gettext_noop("To play for money, we need your date of birth.")


class TooYoung(Refused):
    code = "too_young"
    text = gettext_noop("You must be %(years)s or older to play for money.")


class ResidenceUnknown(Refused):
    code = "residence_unknown"
    text = gettext_noop(
        "To play for money, we need to know where you live: your country, and in the United States your state."
    )


class ResidenceRestricted(Refused):
    code = "residence_restricted"
    text = gettext_noop(
        "Money play is not offered to residents of %(place)s. You can play for chips."
    )


def require_money_play(user: User) -> None:
    """Raises the first of the refusals above that applies, or that of a time-out the player has asked for."""
    if not user.is_active:
        raise AccountClosed
    if user.is_staff:
        raise StaffNoMoney
    _require_age(user)
    if not residence.is_known(user):
        raise ResidenceUnknown
    if residence.is_restricted(user):
        raise ResidenceRestricted(place=residence.place_name(user))
    limits.require_no_break(user.pk)


def _require_age(user: User) -> None:
    if user.birth_date is None:
        raise AgeUnknown
    if age_on(timezone.localdate(), born=user.birth_date) < settings.MINIMUM_AGE_YEARS:
        raise TooYoung(years=settings.MINIMUM_AGE_YEARS)
