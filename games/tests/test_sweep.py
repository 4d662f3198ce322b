"""Many deadlines in one transaction: all of them, each once, and one match's trouble is not the others' (live-table 4)."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from uuid import UUID

import pytest
from django.db import connections

from games import course, house, services, stakes
from games.match import commands
from games.match.sides import Side
from games.models import Match, MatchEvent, MatchHead
from games.terms import table_terms
from games.tests.conftest import Later
from games.tests.players import make_user, open_table
from wallet import reconcile

pytestmark = pytest.mark.django_db(transaction=True)
MATCHES = 5


@pytest.fixture
def due(later: Later) -> list[UUID]:
    """Games that run, and whose players' time is out."""
    found = []
    for _number in range(MATCHES):
        match_id = open_table(make_user(), make_user(), table_terms(currency="PLAY", stake=10))
        for command in _ready():
            house.advance(match_id, command)
        found.append(match_id)
    later.skip(192_001)
    return found


def _ready():
    seeds = {Side.LIGHT: b"1" * 32, Side.DARK: b"2" * 32}
    for side, seed in seeds.items():
        yield commands.Accept(side, sha256(seed).hexdigest())
    for side, seed in seeds.items():
        yield commands.RevealSeed(side, seed.hex())


def apart(deed, *arguments):
    """On a connection of its own."""
    try:
        return deed(*arguments)
    finally:
        connections.close_all()


def expired() -> Counter[UUID]:
    return Counter(
        MatchEvent.objects.filter(kind="time_expired").values_list("match_id", flat=True)
    )


def nothing_is_wrong() -> bool:
    return not any(outcome.findings for outcome in reconcile.run())


def test_all_that_is_due_ends_at_once_and_is_paid(due: list[UUID]) -> None:
    assert services.sweep() == MATCHES
    assert services.sweep() == 0
    assert expired() == dict.fromkeys(due, 1)
    assert set(Match.objects.values_list("reason", flat=True)) == {"time"}
    assert nothing_is_wrong()


def test_more_than_one_transaction_takes_is_done_in_several(
    due: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "SWEEP_AT_ONCE", 2)
    assert services.sweep() == MATCHES
    assert expired() == dict.fromkeys(due, 1)


def test_a_match_that_cannot_be_decided_holds_nobody_up(
    due: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, bad = course.expiry, due[2]

    def fails(state, repeaters):
        if state.server_commit == Match.objects.get(id=bad).server_commit:
            raise ZeroDivisionError
        return plain(state, repeaters)

    monkeypatch.setattr(course, "expiry", fails)
    assert services.sweep() == MATCHES - 1
    assert expired() == {match_id: 1 for match_id in due if match_id != bad}


def test_a_match_that_cannot_be_paid_holds_nobody_up(
    due: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, bad = stakes.pay, due[0]

    def fails(settled):
        if any(info.id == bad for info, _ in settled):
            raise ZeroDivisionError
        plain(settled)

    monkeypatch.setattr(stakes, "pay", fails)
    assert services.sweep() == MATCHES - 1
    assert services.sweep() == 0
    assert expired() == {match_id: 1 for match_id in due if match_id != bad}
    monkeypatch.setattr(stakes, "pay", plain)
    assert services.sweep() == 1
    assert nothing_is_wrong()


def test_who_crosses_with_a_command_goes_alone_and_the_others_end_too(
    due: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between reading and writing somebody else writes the next number of one of them."""
    plain = course.load_all

    def crossed(match_ids):
        found = plain(match_ids)
        monkeypatch.setattr(course, "load_all", plain)
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(apart, house.expire, due[0]).result()
        return found

    monkeypatch.setattr(course, "load_all", crossed)
    assert services.sweep() == MATCHES - 1
    assert expired() == dict.fromkeys(due, 1)
    assert nothing_is_wrong()


def test_sweeps_side_by_side_share_the_work(due: list[UUID]) -> None:
    with ThreadPoolExecutor(4) as pool:
        sweeps = [pool.submit(apart, services.sweep) for _ in range(4)]
        assert sum(sweep.result() for sweep in sweeps) == MATCHES
    assert expired() == dict.fromkeys(due, 1)
    assert not MatchHead.objects.filter(due_ms__isnull=False).exists()
    assert nothing_is_wrong()
