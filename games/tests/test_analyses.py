"""Analyses of finished matches: who may ask, how they are worked out bit by bit, what they come to."""

from datetime import timedelta
from random import Random
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games import analyses, services, tasks
from games.errors import FinishYourMatchFirst, MatchStillRunning, NothingWasPlayed, NotYourMatch
from games.finished import finished
from games.match import commands as c
from games.match.machine import may, whose
from games.match.state import MatchState
from games.models import Analysis
from games.tests import played_matches as played
from games.tests.players import make_user
from games.tests.whole_matches import command

pytestmark = pytest.mark.django_db
ROLLS = 3


def short(state: MatchState, chance: Random) -> c.PlayerCommand:
    """Plays on for a few rolls, then doubles; the other drops."""
    side = whose(state)
    assert side is not None
    open_to = may(state, side)
    if "drop" in open_to:
        return c.Drop(side)
    if "double" in open_to and state.rolls_drawn > ROLLS:
        return c.Double(side)
    if "roll" in open_to:
        return c.Roll(side)
    return command(state, chance)


@pytest.fixture
def ann() -> User:
    return make_user("Annabel")


@pytest.fixture
def bob() -> User:
    return make_user("Bobby")


@pytest.fixture
def match_id(ann: User, bob: User) -> UUID:
    found = played.opened(ann, bob)
    played.play_out(found, Random(2), short)
    return found


def worked_out(match_id: UUID) -> Analysis:
    while not analyses.work(match_id, slice_s=60):
        pass
    return Analysis.objects.get(match_id=match_id)


def test_a_player_asks_and_an_engine_answers(match_id: UUID, ann: User, bob: User) -> None:
    """Table 7: errors move by move, error rate and luck for both players."""
    assert analyses.of_match(match_id) is None
    row = analyses.request(match_id, user=ann)
    assert analyses.request(match_id, user=bob).pk == row.pk
    assert (row.done, row.finished) == (0, False)
    row = worked_out(match_id)
    assert row.done == row.total
    shown = analyses.of_match(match_id)
    assert shown is not None
    kinds = [record["kind"] for record in shown["records"]]
    assert kinds[-2:] == ["double", "drop"]
    plays = [record for record in shown["records"] if record["kind"] == "play"]
    turns = [step for step in finished(match_id).steps() if step.event.KIND == "turn_played"]
    assert [record["n"] for record in plays] == [step.record.version for step in turns]
    for record in shown["records"]:
        assert 0 <= record["chance"] <= 1_000_000
        assert record["lost"] >= 0
        if record["options"]:
            assert record["options"][0][1] == 0
            assert record["lost"] == dict(map(tuple, record["options"]))[record["chosen"]]
    for side, seat in (("light", 0), ("dark", 1)):
        counted = [r["lost"] for r in shown["records"] if r["seat"] == seat and r["counts"]]
        player = shown["players"][side]
        assert player["decisions"] == len(counted)
        assert player["pr_milli"] == round(sum(counted) * 500 / len(counted) / 1000)


def test_the_average_of_a_player_is_over_all_their_decisions(match_id: UUID, ann: User) -> None:
    assert analyses.averages(ann.pk) == []
    analyses.request(match_id, user=ann)
    row = worked_out(match_id)
    (average,) = analyses.averages(ann.pk)
    assert average["variant"] == "backgammon"
    assert average["matches"] == 1
    assert average["pr_milli"] == round(row.light_lost * 500 / row.light_decisions / 1000)


# who may ask


def test_nobody_analyses_the_match_of_others(match_id: UUID) -> None:
    stranger = make_user()
    with pytest.raises(NotYourMatch):
        analyses.request(match_id, user=stranger)
    with pytest.raises(NotYourMatch):
        analyses.request(uuid4(), user=stranger)
    client = Client()
    for _ in range(2):
        assert client.post(reverse("games:analyse", args=[match_id])).status_code == 404
        assert client.get(reverse("games:analysis_json", args=[match_id])).status_code == 404
        client.force_login(stranger)
    assert not Analysis.objects.exists()


def test_a_running_match_is_not_analysed(ann: User, bob: User) -> None:
    """Table 7: never for a running match."""
    running = played.opened(ann, bob)
    with pytest.raises(MatchStillRunning):
        analyses.request(running, user=ann)
    played.begin(running)
    with pytest.raises(MatchStillRunning):
        analyses.request(running, user=ann)
    client = Client()
    client.force_login(ann)
    answer = client.post(reverse("games:analyse", args=[running]))
    assert answer.status_code == 409
    assert "still being played" in answer.content.decode()


def test_who_is_playing_asks_for_no_analysis(match_id: UUID, ann: User, bob: User) -> None:
    """Table 7: never from a running match."""
    running = played.opened(ann, make_user())
    played.begin(running)
    with pytest.raises(FinishYourMatchFirst):
        analyses.request(match_id, user=ann)
    assert not analyses.request(match_id, user=bob).finished
    services.void(running, reason="test")
    assert not analyses.request(match_id, user=ann).finished


def test_where_nothing_was_played_there_is_nothing_to_analyse(ann: User, bob: User) -> None:
    found = played.opened(ann, bob)
    services.void(found, reason="test")
    with pytest.raises(NothingWasPlayed):
        analyses.request(found, user=ann)


# bit by bit


def test_slices_come_to_the_same_as_one_piece(match_id: UUID, ann: User) -> None:
    analyses.request(match_id, user=ann)
    slices = 0
    while not analyses.work(match_id, slice_s=0):
        slices += 1
        row = Analysis.objects.get(match_id=match_id)
        assert row.done == slices
        assert row.touched_at is None
    row = Analysis.objects.get(match_id=match_id)
    assert row.finished
    Analysis.objects.all().delete()
    analyses.request(match_id, user=ann)
    assert worked_out(match_id).records == row.records


def test_what_a_dead_worker_held_is_asked_for_again(match_id: UUID, ann: User) -> None:
    analyses.request(match_id, user=ann)
    assert analyses.due() == [match_id]
    assert analyses.due() == []
    Analysis.objects.update(touched_at=timezone.now() - timedelta(seconds=31))
    assert analyses.due() == [match_id]
    worked_out(match_id)
    Analysis.objects.update(touched_at=None)
    assert analyses.due() == []


def test_two_workers_on_one_analysis_do_not_write_twice(
    match_id: UUID, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyses.request(match_id, user=ann)
    late = Analysis.objects.get(match_id=match_id)
    assert not analyses.work(match_id, slice_s=0)
    assert not analyses._write(late, 1, [{"n": 1}])
    row = worked_out(match_id)
    assert {"n": 1} not in row.records


def test_an_engine_that_fails_is_not_asked_for_ever(
    match_id: UUID, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyses.request(match_id, user=ann)

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(analyses, "_work_on", broken)
    with pytest.raises(ZeroDivisionError):
        tasks.analyse(str(match_id))
    assert "ZeroDivision" in Analysis.objects.get(match_id=match_id).trouble
    Analysis.objects.update(tries=analyses.MOST_TRIES, touched_at=None)
    assert analyses.due() == []
    shown = analyses.of_match(match_id)
    assert shown is not None
    assert shown["failed"]


# the page


def test_the_page_asks_waits_and_shows(match_id: UUID, ann: User) -> None:
    client = Client()
    client.force_login(ann)
    status = reverse("games:analysis_json", args=[match_id])
    assert client.get(status).json() == {"analysis": None}
    answer = client.post(reverse("games:analyse", args=[match_id]))
    assert answer.status_code == 302
    assert answer["Location"] == reverse("games:replay", args=[match_id])
    found = client.get(status).json()["analysis"]
    assert (found["done"], found["finished"]) == (0, False)
    assert "records" not in found
    worked_out(match_id)
    found = client.get(status).json()["analysis"]
    assert found["finished"]
    assert found["records"]
    assert client.get(reverse("games:analyse", args=[match_id])).status_code == 405
    profile = client.get(reverse("accounts:profile")).content.decode()
    assert "Error rate" in profile
