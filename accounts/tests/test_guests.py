"""Guests: visitors who play for chips without an account."""

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.core.cache import cache
from django.test import RequestFactory

from accounts import guests
from accounts.models import User
from accounts.permissions import AgeUnknown, require_money_play

pytestmark = pytest.mark.django_db


def visit(address: str = "192.0.2.1") -> User:
    request = RequestFactory().get("/", REMOTE_ADDR=address)
    request.session = SessionStore()
    return guests.enter(request)


def test_a_guest_has_a_name_and_no_way_back_in() -> None:
    cache.clear()
    guest = visit()
    assert guests.is_guest(guest)
    assert guest.screen_name.startswith("Guest ")
    assert not guest.has_usable_password()
    with pytest.raises(AgeUnknown):
        require_money_play(guest)


def test_each_address_has_its_own_measure() -> None:
    cache.clear()
    for _ in range(guests.MOST_AN_HOUR):
        visit()
    with pytest.raises(guests.TooManyGuests):
        visit()
    assert visit("192.0.2.2").pk
    assert User.objects.count() == guests.MOST_AN_HOUR + 1
