"""Playing again (Table 7): both must want it, within two minutes; the terms stay, colours change in long nardy."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.db.models.functions import Now

from accounts.errors import Refused
from accounts.models import User
from games import house, rematches
from games.info import info_of, terms_of
from games.match import commands
from games.match.sides import Side
from games.models import Match, Rematch, Seat
from games.rematches import Sitting, Wishes
from games.terms import table_terms
from games.tests.decided import begun, lose, lost, state_of
from games.tests.players import Tab, make_user, open_table, started, usd_terms
from wallet.money import Currency
from wallet.selectors import balance_of

pytestmark = pytest.mark.django_db
LIGHT, DARK = Side.LIGHT, Side.DARK
CHIPS = table_terms(
    currency="PLAY", stake=1, kind="series", length=3, options=frozenset({"no_crawford"})
)
NOBODY = Wishes(frozenset(), None)


@pytest.fixture
def over() -> UUID:
    return lost(make_user(), make_user(), CHIPS)


def code_of(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


def agreed(match_id: UUID) -> UUID:
    rematches.ask(match_id, LIGHT, wants=True)
    found = rematches.ask(match_id, DARK, wants=True).next
    assert found is not None
    return found


@pytest.mark.embedded
def test_the_second_wish_opens_a_match_with_the_same_terms(over: UUID) -> None:
    assert rematches.wishes(over) == NOBODY
    assert rematches.ask(over, DARK, wants=True) == Wishes(frozenset({DARK}), None)
    assert rematches.wishes(over) == Wishes(frozenset({DARK}), None)
    again = rematches.ask(over, LIGHT, wants=True).next
    assert again is not None
    old, new = Match.objects.get(id=over), Match.objects.get(id=again)
    assert terms_of(new) == terms_of(old)
    assert (new.room, new.column, new.started_at) == (old.room, old.column, None)
    assert [info_of(again).people[side].user_id for side in Side] == [
        info_of(over).people[side].user_id for side in Side
    ]


def test_the_new_match_holds_stakes_anew_and_goes_by_the_ratings_of_now() -> None:
    ann, bob = make_user(cents=10_000), make_user(cents=10_000)
    again = agreed(lost(ann, bob, usd_terms(100)))
    assert balance_of(bob.pk, Currency.USD) == 9_900
    assert info_of(again).people[LIGHT].rating.shown == "1510"
    assert info_of(again).people[LIGHT].rating.experience == 1


def test_asking_again_changes_nothing(over: UUID) -> None:
    for _ in range(3):
        rematches.ask(over, LIGHT, wants=True)
    again = rematches.ask(over, DARK, wants=True).next
    for side in Side:
        assert rematches.ask(over, side, wants=True) == Wishes(frozenset(Side), again)
        assert rematches.ask(over, side, wants=False).next == again
    assert Match.objects.count() == 2


def test_a_wish_can_be_taken_back_or_declined(over: UUID) -> None:
    for side in Side:
        rematches.ask(over, LIGHT, wants=True)
        assert rematches.ask(over, side, wants=False) == NOBODY
        assert rematches.ask(over, DARK, wants=True).next is None
        rematches.ask(over, DARK, wants=False)
    assert Match.objects.count() == 1


def test_a_wish_lasts_two_minutes(over: UUID) -> None:
    rematches.ask(over, LIGHT, wants=True)
    Rematch.objects.update(light=Now() - timedelta(minutes=2, seconds=1))
    assert rematches.wishes(over) == NOBODY
    assert rematches.ask(over, DARK, wants=True) == Wishes(frozenset({DARK}), None)


@pytest.mark.parametrize("ending", ["running", "ready", "void", "cancelled"])
def test_only_a_match_that_was_played_to_its_end_is_played_again(ending: str) -> None:
    ann, bob = make_user(), make_user()
    match_id = (
        open_table(ann, bob, CHIPS) if ending in {"ready", "cancelled"} else begun(ann, bob, CHIPS)
    )
    if ending == "void":
        house.advance(match_id, commands.Void(reason="a test"))
    if ending == "cancelled":
        house.advance(match_id, commands.Leave(by=LIGHT))
    assert code_of(lambda: rematches.ask(match_id, LIGHT, wants=True)) == "no_rematch"
    assert code_of(lambda: rematches.ask(uuid4(), LIGHT, wants=True)) == "unknown_match"


def test_who_cannot_cover_the_table_is_told_and_the_other_wish_stands() -> None:
    ann, bob = make_user(cents=10_000), make_user(cents=1_000)
    match_id = lost(ann, bob, table_terms(currency="USD", stake=600, kind="series", length=1))
    rematches.ask(match_id, LIGHT, wants=True)
    assert code_of(lambda: rematches.ask(match_id, DARK, wants=True)) == "insufficient_funds"
    assert rematches.wishes(match_id) == Wishes(frozenset({LIGHT}), None)


def test_if_the_other_has_sat_down_elsewhere_their_wish_is_gone() -> None:
    ann, bob, carl = (make_user(cents=10_000) for _ in range(3))
    match_id = lost(ann, bob, usd_terms(100))
    rematches.ask(match_id, LIGHT, wants=True)
    open_table(ann, carl, usd_terms(100))
    assert code_of(lambda: rematches.ask(match_id, DARK, wants=True)) == "opponent_cannot_sit"
    assert rematches.wishes(match_id) == NOBODY


def test_colours_change_in_long_nardy() -> None:
    terms = table_terms(currency="PLAY", stake=1)
    assert not rematches._swaps_colours(terms)
    for variant in ("long-nardy", "long-nardy-fnr"):
        assert rematches._swaps_colours(replace(terms, variant=variant))


@pytest.fixture
def gates(monkeypatch: pytest.MonkeyPatch) -> list[Sitting]:
    """What a room is asked; refuses nobody."""
    asked: list[Sitting] = []
    monkeypatch.setattr(rematches, "_gates", [asked.append])
    monkeypatch.setattr(rematches, "_seated", [])
    return asked


def test_the_room_is_asked_for_both_and_told_of_the_match(
    over: UUID, gates: list[Sitting], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[UUID, tuple[int, int]]] = []
    monkeypatch.setattr(
        rematches, "_seated", [lambda match, players: told.append((match, players))]
    )
    again = agreed(over)
    people = info_of(over).people
    users = [people[side].user_id for side in Side]
    assert [(sitting.user.pk, sitting.room) for sitting in gates] == [
        (users[0], "practice"),
        (users[1], "practice"),
        (users[0], "practice"),
    ]
    assert told == [(again, tuple(users))]


@pytest.mark.django_db(transaction=True)
def test_wishes_of_both_at_the_same_moment_open_one_match(gates: list[Sitting]) -> None:
    for _ in range(5):
        match_id = lost(make_user(), make_user(), CHIPS)
        start = Barrier(4)

        def ask(side: Side, match_id: UUID = match_id, start: Barrier = start) -> UUID | None:
            start.wait()
            try:
                return rematches.ask(match_id, side, wants=True).next
            finally:
                connection.close()

        with ThreadPoolExecutor(4) as pool:
            found = set(pool.map(ask, [LIGHT, DARK, LIGHT, DARK])) - {None}
        assert len(found) == 1
        assert Rematch.objects.get(match_id=match_id).next_id in found


# --- at the table -----------------------------------------------------------------------------------


async def finished(ann: User, bob: User) -> tuple[Tab, Tab]:
    """Both at a table whose match is over."""
    light, dark = await started(ann, bob, CHIPS)
    await sync_to_async(lose)(light.match_id, DARK)
    for tab in (light, dark):
        await tab.reach("over")
    return light, dark


async def until_rematch(tab: Tab, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    return await tab.until(lambda frame: frame["kind"] == "rematch" and wanted(frame))


@pytest.mark.django_db(transaction=True)
async def test_both_tabs_hear_of_wishes_and_of_the_new_match(
    hall: None, gates: list[Sitting]
) -> None:
    ann, bob = await sync_to_async(make_user)(), await sync_to_async(make_user)()
    light, dark = await finished(ann, bob)
    assert (await light.order("rematch", want=True))["kind"] == "ack"
    asked = await until_rematch(dark, lambda frame: frame["light"])
    assert (asked["dark"], asked["next"]) == (False, None)
    assert (await dark.order("rematch", want=True))["kind"] == "ack"
    ready = await until_rematch(light, lambda frame: frame["next"] is not None)
    assert await sync_to_async(Match.objects.filter(id=ready["next"]).exists)()
    later = await Tab(light.match_id, ann).open()  # who comes back is shown the way
    assert (await until_rematch(later, lambda _: True))["next"] == ready["next"]


@pytest.mark.django_db(transaction=True)
async def test_refusals_of_a_rematch(hall: None) -> None:
    ann, bob = await sync_to_async(make_user)(), await sync_to_async(make_user)()
    light, dark = await started(ann, bob, CHIPS)
    watcher = await Tab(light.match_id, None).open()
    assert (await watcher.order("rematch", want=True))["code"] == "not_seated"
    assert (await light.order("rematch", want=True))["code"] == "no_rematch"
    for nonsense in ({}, {"want": 1}, {"want": "yes"}, {"want": True, "board": []}):
        assert (await dark.order("rematch", **nonsense))["code"] == "bad_frame"
    assert await sync_to_async(Seat.objects.count)() == 2
    assert (await sync_to_async(state_of)(light.match_id)).game == 1
