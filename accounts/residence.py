"""Where a person says they live, and whether money play is restricted there."""

from django_countries import countries

from accounts import us_states
from accounts.models import Restriction, User

UNITED_STATES = "US"


def is_known(user: User) -> bool:
    """Whether country, and in the US also the state, have been given."""
    return bool(user.country) and (user.country != UNITED_STATES or bool(user.us_state))


def is_restricted(user: User) -> bool:
    """Whether the declared country or US state is on the list that administrators keep."""
    places = {"", user.us_state}
    return Restriction.objects.filter(country=user.country, us_state__in=places).exists()


def place_name(user: User) -> str:
    """Their place as people say it, in the reader's language: "Arizona, United States of America"."""
    state = us_states.NAMES.get(user.us_state, "")
    return ", ".join(filter(None, (state, str(countries.name(user.country)))))
