"""What can be seen of a match once it is over: the replay, its link, the match file. And by whom."""

import json
from html import unescape
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.core.signing import Signer
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import replays, selectors, services
from games.errors import MatchIsAnonymous
from games.finished import finished
from games.models import ChatLine, MatchEvent
from games.rules.importing import import_match
from games.rules.xgid import parse_xgid
from games.tests import played_matches as played
from games.tests.players import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


def client_of(user: User | None = None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def told(page: str) -> dict[str, Any]:
    """What the browser reads."""
    text = page.split('<script id="replay" type="application/json">')[1].split("</script>")[0]
    found: dict[str, Any] = json.loads(unescape(text))
    return found


@pytest.fixture
def ann() -> User:
    return make_user("Annabel")


@pytest.fixture
def bob() -> User:
    return make_user("Bobby")


@pytest.fixture
def match_id(ann: User, bob: User) -> UUID:
    """A finished series to 3 points, with a few words in the chat."""
    found = played.opened(ann, bob, played.chips(kind="series", length=3))
    ChatLine.objects.create(match_id=found, user=ann, side="light", text="good luck")
    ChatLine.objects.create(match_id=found, user=make_user("Watcher"), side="", text="I watch")
    played.play_out(found, Random(3))
    return found


def replay_of(match_id: UUID) -> str:
    return reverse("games:replay", args=[match_id])


def file_of(match_id: UUID) -> str:
    return reverse("games:match_file", args=[match_id])


def test_a_player_sees_every_moment_with_dice_cube_clocks_and_chat(
    match_id: UUID, ann: User
) -> None:
    """Table 7: the replay move by move."""
    page = client_of(ann).get(replay_of(match_id))
    assert page.status_code == 200
    shown = told(page.content.decode())
    assert shown["you"] == "light"
    assert [line["text"] for line in shown["chat"]] == ["good luck"]
    events = {event["n"]: event for event in shown["events"]}
    assert list(events) == list(range(1, len(events) + 1))
    moments = shown["moments"]
    assert [m["n"] for m in moments] == sorted(m["n"] for m in moments)
    turns = [event for event in shown["events"] if event["kind"] == "turn_played"]
    assert {event["n"] for event in turns} <= {m["n"] for m in moments}
    for moment in moments:
        assert [sum(moment["board"][side]) for side in ("light", "dark")] == [15, 15]
        assert set(moment["reserve_ms"]) == {"light", "dark"}
    rolled = [m for m in moments if events[m["n"]]["kind"] == "rolled"]
    assert all(m["dice"] for m in rolled)
    assert moments[-1]["phase"] == "over"
    assert max(moments[-1]["score"].values()) == 3


def test_every_position_can_be_taken_elsewhere(match_id: UUID, ann: User) -> None:
    moments = told(client_of(ann).get(replay_of(match_id)).content.decode())["moments"]
    ids = [m for m in moments if m["xgid"]]
    assert len(ids) > len(moments) / 2
    for moment in ids:
        situation = parse_xgid(moment["xgid"])
        assert list(situation.position.mine) == moment["board"][moment["on_roll"]]
        assert situation.length == 3


def test_no_seed_is_in_a_replay(match_id: UUID, ann: User) -> None:
    page = client_of(ann).get(replay_of(match_id)).content.decode()
    seeds = MatchEvent.objects.filter(match_id=match_id, kind="seed_revealed")
    assert seeds.count() == 2
    for event in seeds:
        assert event.payload["seed"] not in page


def test_strangers_and_watchers_are_told_nothing(match_id: UUID) -> None:
    for client in (
        client_of(),
        client_of(make_user()),
        client_of(User.objects.get(screen_name="Watcher")),
    ):
        assert client.get(replay_of(match_id)).status_code == 404
        assert client.get(file_of(match_id)).status_code == 404
        assert client.get(replay_of(uuid4())).status_code == 404


def test_moderators_see_it_without_a_seat(match_id: UUID) -> None:
    staff = make_user("Moderator", is_staff=True)
    assert client_of(staff).get(replay_of(match_id)).status_code == 404
    staff.user_permissions.add(Permission.objects.get(codename="view_match"))
    page = client_of(staff).get(replay_of(match_id))
    assert page.status_code == 200
    assert told(page.content.decode())["chat"] == []


def test_a_running_match_has_neither_replay_nor_file(ann: User, bob: User) -> None:
    running = played.opened(ann, bob)
    for path in (replay_of(running), file_of(running)):
        page = client_of(ann).get(path)
        assert page.status_code == 409
        assert "still being played" in page.content.decode()
    played.begin(running)
    assert client_of(ann).get(replay_of(running)).status_code == 409


# the link for others


def test_a_link_opens_the_replay_to_everybody_without_the_chat(match_id: UUID, ann: User) -> None:
    page = client_of(ann).get(replay_of(match_id)).content.decode()
    path = reverse("games:shared_replay", args=[replays.token_of(finished(match_id))])
    assert f"http://testserver{path}" in page
    shared = client_of().get(path)
    assert shared.status_code == 200
    shown = told(shared.content.decode())
    assert (shown["you"], shown["chat"]) == (None, [])
    assert "good luck" not in shared.content.decode()
    assert len(shown["moments"]) == len(told(page)["moments"])


def test_a_link_cannot_be_guessed_or_changed(match_id: UUID, ann: User, bob: User) -> None:
    token = replays.token_of(finished(match_id))
    other = played.opened(ann, bob)
    played.play_out(other, Random(1))
    signature = token.split(".")[1]
    assert len(signature) >= 40
    for wrong in (f"{other.hex}.{signature}", token[:-1], match_id.hex, "x.y", f"{token}A"):
        path = reverse("games:shared_replay", args=[wrong])
        assert client_of().get(path).status_code == 404, wrong


def test_the_link_of_a_running_match_opens_nothing(
    match_id: UUID, ann: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = played.opened(ann, bob)
    path = reverse("games:shared_replay", args=["token"])
    monkeypatch.setattr(replays, "match_of", lambda token: running)
    assert client_of().get(path).status_code == 404


# anonymous tables


@pytest.fixture
def dark_match(ann: User, bob: User) -> UUID:
    found = played.opened(ann, bob, column="dark")
    ChatLine.objects.create(match_id=found, user=ann, side="light", text="good luck")
    played.play_out(found, Random(5))
    return found


def test_a_match_of_the_dark_room_names_nobody(dark_match: UUID, ann: User) -> None:
    """Rooms 1: identities never leave the server, not in payloads, page source, chat or .mat files."""
    page = client_of(ann).get(replay_of(dark_match)).content.decode()
    body = page.split("<main")[1]
    shown = told(page)
    assert shown["match"]["players"] == {
        "light": {"name": "Anonymous"},
        "dark": {"name": "Anonymous"},
    }
    assert shown["chat"][0]["name"] == "Anonymous"
    text = client_of(ann).get(file_of(dark_match)).content.decode()
    for hidden in ("Bobby", "bobby", "Annabel"):
        assert hidden not in body
        assert hidden not in text
    assert '[Player 1 "Anonymous"]' in text


def test_a_match_of_the_dark_room_has_no_link_for_others(dark_match: UUID, ann: User) -> None:
    match = finished(dark_match)
    with pytest.raises(MatchIsAnonymous):
        replays.token_of(match)
    page = client_of(ann).get(replay_of(dark_match)).content.decode()
    assert "Link for others" not in page
    forged = Signer(salt=replays._SALT, sep=".").sign(dark_match.hex)
    assert client_of().get(reverse("games:shared_replay", args=[forged])).status_code == 404


# the file


def test_a_player_takes_the_match_file_home(match_id: UUID, ann: User, bob: User) -> None:
    for player in (ann, bob):
        answer = client_of(player).get(file_of(match_id))
        assert answer.status_code == 200
        assert "attachment" in answer["Content-Disposition"]
        match = import_match(answer.content)
        assert match.players == ("Annabel", "Bobby")
        assert match.length == 3
        assert max(match.score) >= 3
        assert match.header("Match ID") == str(match_id)
        assert match.header("Stake")


def test_the_command_writes_the_same_file(match_id: UUID, ann: User, tmp_path: Any) -> None:
    target = tmp_path / "match.mat"
    call_command("export_mat", str(match_id), "--out", str(target))
    assert target.read_bytes() == client_of(ann).get(file_of(match_id)).content
    call_command("import_mat", str(target))


def test_the_commands_say_why_not(ann: User, bob: User, tmp_path: Any) -> None:
    with pytest.raises(CommandError, match="unknown_match"):
        call_command("export_mat", str(uuid4()))
    with pytest.raises(CommandError, match="match_running"):
        call_command("export_mat", str(played.opened(ann, bob)))
    wrong = {
        b"x" * 5_000_000: "bad_match_file",
        bytes(range(256)): "bad_match_file",
        " Game 1\n Анна : 0   Борис : 0\n".encode("cp1251"): "bad_match_file",
        " Game 1\n Ann : 0   Bob : 0\n".encode("utf-16"): "bad_match_file",
        b"": "bad_match_file",
        b" Game 1\n Ann : 0    Bob : 0\n  1) 31: 8/5 6/4\n": "match_refused",
        b" Game 1\n Ann : 0    Bob : 0\n  1) 31: 8/5 6/": "match_refused",
    }
    file = tmp_path / "wrong.mat"
    for content, code in wrong.items():
        file.write_bytes(content)
        with pytest.raises(CommandError, match=code):
            call_command("import_mat", str(file))
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_mat", str(tmp_path / "none.mat"))


def test_a_match_that_was_broken_off_is_exported_as_unfinished(ann: User, bob: User) -> None:
    match_id = played.opened(ann, bob)
    played.begin(match_id)
    services.void(match_id, reason="test")
    assert selectors.is_finished(match_id)
    text = client_of(ann).get(file_of(match_id)).content
    match = import_match(text)
    assert match.score == (0, 0)
    assert match.header("Unfinished") == "match_voided"
