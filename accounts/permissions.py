"""Who may play for money."""

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_lazy as lazy_text

from accounts import limits, links, residence, whereabouts
from accounts.age import age_on
from accounts.errors import Refused, gettext_noop
from accounts.geoip import UNITED_STATES
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


class LocationRestricted(Refused):
    code = "location_restricted"
    text = gettext_noop(
        "You seem to be in %(place)s, where money play is not offered. You can play for chips, and for money "
        "again when you are elsewhere."
    )


class LocationJumped(Refused):
    code = "location_jumped"
    text = gettext_noop(
        "You seem to have gone from %(before)s to %(now)s within hours. If you use a VPN, turn it off and load the "
        "page again; if you travel, money play opens again in %(hours)s hours. A match that runs goes on."
    )


class AddressUnverified(Refused):
    code = "address_unverified"
    text = gettext_noop(
        "We cannot see which US state you are in. Write to support to have your address verified; until then you "
        "can play for chips."
    )


class MoneyOnHold(Refused):
    code = "money_on_hold"
    text = gettext_noop(
        "Support looks at your account, because %(why)s. Until then you can play for chips. Nothing is needed of "
        "you, and you can write to support."
    )


def require_open(user: User) -> None:
    """Raises AccountClosed. Asks the database: the account may have been closed since it was read."""
    if not User.objects.filter(pk=user.pk, is_active=True).exists():
        raise AccountClosed


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
    _require_place(user)
    held = links.held_because(user)
    if held is not None:
        raise MoneyOnHold(why=lazy_text(held))
    limits.require_no_break(user.pk)


def _require_place(user: User) -> None:
    """Where they are seen to be, whatever they declare."""
    seen = residence.last_seen(user)
    country, us_state = (seen.country, seen.us_state) if seen else ("", "")
    if country and residence.is_listed(country, us_state):
        raise LocationRestricted(place=residence.name_of(country, us_state))
    if (country or user.country) == UNITED_STATES and not us_state and not user.address_verified_at:
        raise AddressUnverified
    if seen is not None and whereabouts.is_jumping(seen):
        raise LocationJumped(
            before=residence.name_of(seen.jumped_from, ""),
            now=residence.name_of(country, us_state),
            hours=whereabouts.JUMP_HOURS,
        )


def _require_age(user: User) -> None:
    if user.birth_date is None:
        raise AgeUnknown
    if age_on(timezone.localdate(), born=user.birth_date) < settings.MINIMUM_AGE_YEARS:
        raise TooYoung(years=settings.MINIMUM_AGE_YEARS)
