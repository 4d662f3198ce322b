"""The keys of a person: what is the same however it is written, and what is not."""

# ruff: noqa: RUF001 - Cyrillic addresses are a part of it

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts import keys, postal

BORN = date(1985, 3, 27)


@pytest.mark.parametrize(
    "twin",
    [
        "Anna.Smith@gmail.com",
        "annasmith@GMAIL.com",
        "a.n.n.a.smith+poker@gmail.com",
        "annasmith+@googlemail.com",
        " annasmith@gmail.com. ",
        "ａｎｎａｓｍｉｔｈ@gmail.com",
    ],
)
def test_twins_of_a_mailbox_have_one_key(twin) -> None:
    assert keys.email(twin) == keys.email("annasmith@gmail.com")


@pytest.mark.parametrize("other", ["annasmyth@gmail.com", "annasmith@gmail.co", "anna@smith.com"])
def test_other_mailboxes_have_other_keys(other) -> None:
    assert keys.email(other) != keys.email("annasmith@gmail.com")


@pytest.mark.parametrize(
    "spelled",
    [
        "12 Main Street, Apartment 4B",
        "12 main st., apt. 4-B",
        "Apt 4B, 12 MAIN STR",
        "12, Main  St #4 b",
        "１２ Main Street Flat 4B",
    ],
)
def test_an_address_spelled_five_ways_is_one(spelled) -> None:
    assert postal.street_address(spelled) == postal.street_address("12 Main Street, Apt 4B")


def test_a_russian_address_spelled_four_ways_is_one() -> None:
    ways = (
        "ул. Ленина, д. 5, кв. 17",
        "улица Ленина дом 5 квартира 17",
        "Ленина 5, 17",
        "УЛ ЛЕНИНА, 5 - 17",
    )
    assert len({postal.street_address(way) for way in ways}) == 1


@pytest.mark.parametrize(
    "other",
    ["12 Main Street, Apt 5B", "13 Main Street, Apt 4B", "12 Maine Street, Apt 4B", "12 Main Avenue, Apt 4B"],
)  # fmt: skip
def test_neighbours_live_elsewhere(other) -> None:
    assert postal.street_address(other) != postal.street_address("12 Main Street, Apt 4B")


@pytest.mark.parametrize(
    "spelled", ["Сергей Хрущёв", "Khrushchev Sergey", "Sergej Hruschev", "SERGEI HRUSHCHEV"]
)
def test_a_name_in_two_alphabets_is_one(spelled) -> None:
    assert postal.person_name(spelled) == postal.person_name("Sergei Khrushchev")


def test_an_address_in_two_alphabets_is_one() -> None:
    assert postal.street_address("ул. Ленина, д. 5, кв. 17") == postal.street_address(
        "Lenina st. 5-17"
    )


def test_a_person_is_name_birth_date_and_address() -> None:
    home = postal.address(street="12 Main St", city="Springfield", code="12345-6789", country="US")
    same = postal.address(street="Main Street 12", city="", code="12345", country="us")
    assert home == same
    one = keys.person(name="Iván Petrov", born=BORN, home=home)
    assert one == keys.person(name="PETROV, Ivan", born=BORN, home=home)
    assert one != keys.person(name="Ivan Petrova", born=BORN, home=home)
    assert one != keys.person(name="Ivan Petrov", born=date(1985, 3, 28), home=home)
    assert one != keys.person(name="Ivan Petrov", born=BORN, home=home + "x")


@given(st.text(max_size=60))
def test_the_form_of_an_address_is_a_fixed_point(text) -> None:
    once = postal.street_address(text)
    assert postal.street_address(once) == once


def test_a_key_depends_on_the_secret_and_on_what_it_is_made_of(settings) -> None:
    ours = keys.device("abc")
    assert ours.digest != keys.home("abc").digest
    settings.IDENTITY_SECRET = "another secret of another site....."
    assert keys.device("abc") != ours


@pytest.mark.parametrize("ip", ["127.0.0.1", "10.1.2.3", "192.168.0.9", "::1", "fe80::1", ""])
def test_addresses_that_are_not_public_are_no_key(ip) -> None:
    assert keys.network(ip) is None
    assert keys.browser("f" * 64, ip) is None


def test_a_household_has_one_key_in_ipv6_and_each_its_own_in_ipv4() -> None:
    assert keys.network("2a00:1450:4001:81b::1") == keys.network("2a00:1450:4001:81b:ffff::9")
    assert keys.network("2a00:1450:4001:81b::1") != keys.network("2a00:1450:4001:81c::1")
    assert keys.network("81.2.69.142") != keys.network("81.2.69.143")


def test_the_same_kind_of_browser_counts_within_a_network_only() -> None:
    print_ = "a" * 64
    assert keys.browser(print_, "81.2.69.142") == keys.browser(print_, "81.2.69.9")
    assert keys.browser(print_, "81.2.69.142") != keys.browser(print_, "81.2.70.142")
