"""Changes to accounts."""

from datetime import date

from django.db import transaction

from accounts.models import User

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
    return user
