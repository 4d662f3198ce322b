"""Who may play for money: residence, age, staff."""

from datetime import date

import pytest
from django.utils import timezone
from django.utils.translation import gettext

from accounts import permissions, residence, selectors
from accounts.age import age_on
from accounts.models import Restriction
from accounts.services import register_demo_player

pytestmark = pytest.mark.django_db


def player(**changes):
    user = register_demo_player(
        email="nuri@example.com", screen_name="Nuri", password="long-enough-77", country="FI"
    )
    for name, value in changes.items():
        setattr(user, name, value)
    user.save()
    return user


def test_a_grown_up_from_an_open_place_may_play() -> None:
    assert selectors.money_refusal(player()) is None


def test_without_geoip_a_us_resident_needs_a_verified_address() -> None:
    user = player_of("Ohioan", "US", "OH")
    assert isinstance(selectors.money_refusal(user), permissions.AddressUnverified)
    user.address_verified_at = timezone.now()
    user.save()
    assert selectors.money_refusal(user) is None


def player_of(name, country, state=""):
    return register_demo_player(
        email=f"{name}@example.com",
        screen_name=name,
        password="long-enough-77",
        country=country,
        us_state=state,
    )


@pytest.mark.parametrize("state", ["AZ", "CT", "FL", "LA", "MT", "VT"])
def test_six_states_are_restricted_from_the_first_day(state) -> None:
    user = player_of("Somebody", "US", state)
    refusal = selectors.money_refusal(user)
    assert isinstance(refusal, permissions.ResidenceRestricted)
    assert refusal.code == "residence_restricted"
    said = gettext(str(refusal.text)) % refusal.params
    assert residence.place_name(user) in said
    assert "United States" in said


def test_administrators_change_the_list() -> None:
    user = player()
    Restriction.objects.create(country="FI")
    assert isinstance(selectors.money_refusal(user), permissions.ResidenceRestricted)
    Restriction.objects.all().delete()
    arizonan = player_of("Arizonan", "US", "AZ")
    assert isinstance(selectors.money_refusal(arizonan), permissions.AddressUnverified)


def test_a_restricted_country_includes_its_states() -> None:
    Restriction.objects.create(country="US")
    user = player_of("Ohioan", "US", "OH")
    assert isinstance(selectors.money_refusal(user), permissions.ResidenceRestricted)


def test_georgia_the_country_is_not_georgia_the_state() -> None:
    Restriction.objects.create(country="US", us_state="GA")
    assert selectors.money_refusal(player_of("Nino", "GE")) is None


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"country": "US", "us_state": ""}, permissions.ResidenceUnknown),
        ({"country": ""}, permissions.ResidenceUnknown),
        ({"birth_date": None}, permissions.AgeUnknown),
        ({"birth_date": date(2020, 1, 1)}, permissions.TooYoung),
        ({"is_staff": True}, permissions.StaffNoMoney),
        ({"is_active": False}, permissions.AccountClosed),
    ],
)
def test_others_are_refused_with_the_reason(changes, refusal) -> None:
    with pytest.raises(refusal) as raised:
        permissions.require_money_play(player(**changes))
    assert str(raised.value.text) % raised.value.params


@pytest.mark.parametrize(
    ("day", "born", "age"),
    [
        (date(2024, 3, 1), date(2006, 3, 1), 18),
        (date(2024, 2, 29), date(2006, 3, 1), 17),
        (date(2026, 2, 28), date(2008, 2, 29), 17),
        (date(2026, 3, 1), date(2008, 2, 29), 18),
    ],
)
def test_age_counts_whole_years(day, born, age) -> None:
    assert age_on(day, born) == age
