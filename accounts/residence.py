"""Where a person says they live and where they were last seen, and whether money play is restricted there."""

from django_countries import countries

from accounts import us_states
from accounts.geoip import UNITED_STATES
from accounts.models import Restriction, User, Whereabouts


def is_known(user: User) -> bool:
    """Whether country, and in the US also the state, have been given."""
    return bool(user.country) and (user.country != UNITED_STATES or bool(user.us_state))


def is_restricted(user: User) -> bool:
    """Whether the declared country or US state is on the list that administrators keep."""
    return is_listed(user.country, user.us_state)


def is_listed(country: str, us_state: str) -> bool:
    """Whether this place is on the list: the country whole, or this state of it."""
    return Restriction.objects.filter(country=country, us_state__in={"", us_state}).exists()


def last_seen(user: User) -> Whereabouts | None:
    """Where they were when they last loaded a page or opened a table."""
    return Whereabouts.objects.filter(user_id=user.pk).first()


def place_name(user: User) -> str:
    """Their place as people say it, in the reader's language: "Arizona, United States of America"."""
    return name_of(user.country, user.us_state)


def name_of(country: str, us_state: str) -> str:
    """A place as people say it, in the reader's language."""
    state = us_states.NAMES.get(us_state, "")
    return ", ".join(filter(None, (state, str(countries.name(country)))))
