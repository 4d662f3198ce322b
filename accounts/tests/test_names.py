"""Screen names: what they are made of, and which of them look alike."""

# ruff: noqa: RUF001 - letters that can be confused are what this is about

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts import names
from accounts.errors import Refused


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Nuri ", "Nuri"),
        ("Ｎｕｒｉ", "Nuri"),
        ("Тодор_1", "Тодор_1"),
        ("José", "José"),
        ("van der Meer", "van der Meer"),
        ("हिन्दी", "हिन्दी"),
        ("王小明", "王小明"),
    ],
)
def test_a_name_is_kept_in_compatibility_form(typed, kept) -> None:
    assert names.checked(typed) == kept


@pytest.mark.parametrize(
    ("typed", "refusal"),
    [
        ("ab", names.NameLengthWrong),
        ("a" * 21, names.NameLengthWrong),
        ("   ", names.NameLengthWrong),
        ("ad\u200dmin", names.NameCharacterWrong),
        ("ad\u200bmin", names.NameCharacterWrong),
        ("\u202enimda", names.NameCharacterWrong),
        ("<b>bold", names.NameCharacterWrong),
        ("two  spaces", names.NameCharacterWrong),
        ("_Nuri", names.NameCharacterWrong),
        ("Nuri.", names.NameCharacterWrong),
        ("line\nbreak", names.NameCharacterWrong),
        ("12345", names.NameNeedsLetter),
        ("аdmin", names.NameMixesScripts),
        ("Ωmega", names.NameMixesScripts),
        ("x\u0336y\u0336z\u0336", names.NameMixesScripts),
    ],
)
def test_a_name_that_could_deceive_is_refused(typed, refusal) -> None:
    with pytest.raises(refusal):
        names.checked(typed)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Nuri", "nURI"),
        ("paypal", "раураӏ"),
        ("Hypa", "Нура"),
        ("МАМА", "MAMA"),
        ("мама", "Mama"),
        ("ADMIN", "ADMlN"),
        ("admin", "adm1n"),
        ("modern", "rnodern"),
        ("Bob", "B0b"),
        ("van der Meer", "vanderMeer"),
        ("Nuri", "Nu_ri"),
        ("STRASSE", "straße"),
    ],
)
def test_names_that_look_alike_share_a_look(one, other) -> None:
    first, second = names.looks(one), names.looks(other)
    assert first.shown == second.shown or first.small == second.small or first.large == second.large


@pytest.mark.parametrize(
    ("one", "other"), [("Nuri", "Nora"), ("Тодор", "Todor"), ("José", "Jose"), ("Ivan", "Иван")]
)
def test_names_that_differ_can_live_side_by_side(one, other) -> None:
    first, second = names.looks(one), names.looks(other)
    assert (first.shown, first.small, first.large) != (second.shown, second.small, second.large)
    assert first.shown != second.shown
    assert first.small != second.small
    assert first.large != second.large


@pytest.mark.parametrize("name", ["admin", "ADMlN", "Supp0rt", "Moderat0r", "nardy"])
def test_the_names_of_the_house_are_reserved(name) -> None:
    assert names.is_reserved(name)


@given(st.text(max_size=40))
def test_any_text_is_kept_or_refused(text) -> None:
    try:
        name = names.checked(text)
    except Refused:
        return
    assert names.checked(name) == name
    assert 0 < len(names.looks(name).small) <= names.LONGEST_KEY
