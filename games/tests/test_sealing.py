"""Unrevealed seeds are encrypted at rest, and appear in no log, page, admin or payload (live table 3)."""

from uuid import UUID, uuid4

import pytest
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from games import sealing
from games.fairness import Seed, new_seed
from games.sealing import SealBroken, key_name_of, key_names, seal, unseal
from games.tests.dice_records import seeds, some

MATCH = UUID(int=1)
OLD, NEW, OTHER = (
    "the old key of this test, long enough",
    "n" * 32,
    "another key, also long enough....",
)


@some
@given(seeds, st.uuids())
def test_what_was_sealed_opens_for_its_match(seed: bytes, match_id: UUID) -> None:
    assert unseal(seal(seed, match_id), match_id) == seed


def test_the_seed_cannot_be_read_from_the_sealed_text() -> None:
    seed = new_seed()
    sealed = seal(seed, MATCH)
    assert seed.hex() not in sealed
    assert sealed.isascii()
    assert sealed.isprintable()


def test_the_same_seed_never_looks_the_same_twice() -> None:
    seed = new_seed()
    assert len({seal(seed, MATCH) for _ in range(100)}) == 100


def test_an_opened_seed_hides_itself_from_logs() -> None:
    opened = unseal(seal(new_seed(), MATCH), MATCH)
    assert isinstance(opened, Seed)
    assert repr(opened) == "<hidden seed>"


def test_a_sealed_seed_moved_to_another_match_does_not_open() -> None:
    sealed = seal(new_seed(), MATCH)
    with pytest.raises(SealBroken):
        unseal(sealed, uuid4())


@some
@given(st.data())
def test_a_sealed_seed_that_was_changed_anywhere_does_not_open(data: st.DataObject) -> None:
    sealed = seal(bytes(32), MATCH)
    at = data.draw(st.integers(0, len(sealed) - 1))
    letter = data.draw(st.sampled_from("1Aa-_.= é\n"))
    # Sealing is random: what is drawn must not depend on the sealed text.
    other = letter if letter != sealed[at] else "?"
    changed = {
        "replaced": sealed[:at] + other + sealed[at + 1 :],
        "cut": sealed[:at],
        "inserted": sealed[:at] + other + sealed[at:],
    }[data.draw(st.sampled_from(["replaced", "cut", "inserted"]))]
    with pytest.raises(SealBroken):
        unseal(changed, MATCH)


@pytest.mark.parametrize("text", ["", "1", "1..", "....", "2.aaaaaaaa.AAAA", "seed"])
def test_a_text_that_is_no_sealed_seed_does_not_open(text: str) -> None:
    with pytest.raises(SealBroken):
        unseal(text, MATCH)


def test_a_broken_seal_tells_nothing_of_the_seed() -> None:
    sealed = seal(new_seed(), MATCH)
    with pytest.raises(SealBroken) as broken:
        unseal(sealed[:-1] + ("A" if sealed[-1] != "A" else "B"), MATCH)
    assert broken.value.__cause__ is None
    assert sealed not in str(broken.value)


def test_only_a_whole_seed_is_sealed() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        seal(b"short", MATCH)


def test_keys_change_by_putting_the_new_one_first(settings: Settings) -> None:
    """docs/fairness.md, Changing the keys."""
    settings.SEED_KEYS = [OLD]
    seed = new_seed()
    sealed_before = seal(seed, MATCH)
    settings.SEED_KEYS = [NEW, OLD]
    sealed_after = seal(seed, MATCH)
    assert unseal(sealed_before, MATCH) == unseal(sealed_after, MATCH) == seed
    assert key_names() == [key_name_of(sealed_after), key_name_of(sealed_before)]
    settings.SEED_KEYS = [NEW]
    assert unseal(sealed_after, MATCH) == seed
    with pytest.raises(SealBroken, match="no key named"):
        unseal(sealed_before, MATCH)


def test_another_sites_key_does_not_open(settings: Settings) -> None:
    settings.SEED_KEYS = [OLD]
    sealed = seal(new_seed(), MATCH)
    settings.SEED_KEYS = [OTHER]
    with pytest.raises(SealBroken):
        unseal(sealed, MATCH)
    forged = sealed.replace(sealed.split(".")[1], seal(bytes(32), MATCH).split(".")[1])
    with pytest.raises(SealBroken):
        unseal(forged, MATCH)


@pytest.mark.parametrize("keys", [[], [""], ["too short"], [OLD, "too short"]])
def test_weak_or_missing_keys_stop_the_site(settings: Settings, keys: list[str]) -> None:
    settings.SEED_KEYS = keys
    with pytest.raises(ImproperlyConfigured) as refused:
        seal(bytes(32), MATCH)
    assert all(key not in str(refused.value) for key in keys if key)


def test_a_key_hides_itself_from_logs(settings: Settings) -> None:
    settings.SEED_KEYS = [OLD]
    key = sealing._keys()[0]
    assert repr(key) == f"<key {key.name}>"
    assert repr([key]) == f"[<key {key.name}>]"
