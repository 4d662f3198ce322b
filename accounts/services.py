"""Changes to accounts."""

from collections.abc import Mapping
from datetime import date

from django.db import transaction

from accounts import links
from accounts.models import Reason, User
from accounts.moderation import cases

DEMO_BIRTH_DATE = date(1990, 5, 17)


@transaction.atomic
def register_demo_player(
    *, email: str, screen_name: str, password: str, country: str, us_state: str = ""
) -> User:
    """A grown-up player with a confirmed address, for trying the site and for tests. Raises ValidationError."""
    user = User.objects.create_user(
        email,
        password,
        screen_name=screen_name,
        birth_date=DEMO_BIRTH_DATE,
        country=country,
        us_state=us_state,
    )
    user.confirm_email()
    links.claim(user)
    return user


def move_house(user_id: int, facts: Mapping[str, str]) -> None:
    """A new postal address. Who now declares another country or state waits for staff before they play for money.

    `facts`: country, us_state, street, postcode, city. Raises IntegrityError if the address makes another account's
    person of them.
    """
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user_id)
        before = (user.country, user.us_state)
        for name in ("country", "us_state", "street", "postcode", "city"):
            setattr(user, name, facts[name])
        user.address_verified_at = None
        user.save()
        links.claim(user)
        if before != (user.country, user.us_state) and before[0]:
            links.hold(user, links.MOVED)
            cases.feed(
                suspect=user,
                source=cases.Detector("moved"),
                reason=Reason.RESIDENCE,
                about=f"moved:{'-'.join(filter(None, before))}",
            )
    links.notice(user, links.own_keys(user))
