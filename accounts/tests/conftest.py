"""What the tests of accounts share: an own corner of the cache, so that rate limits start from nothing."""

from uuid import uuid4

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def fresh_cache(settings):
    settings.CACHES = {"default": {**settings.CACHES["default"], "KEY_PREFIX": uuid4().hex}}
    yield
    cache.close()


@pytest.fixture
def answers():
    """What a newcomer from Finland fills in."""
    return {
        "email": "aino@example.com",
        "password1": "korppi-lentaa-9",
        "screen_name": "Aino",
        "birth_date_day": "27",
        "birth_date_month": "3",
        "birth_date_year": "1985",
        "country": "FI",
        "us_state": "",
        "full_name": "Aino Korhonen",
        "street": "Mannerheimintie 12 A 4",
        "postcode": "00100",
        "city": "Helsinki",
    }
