"""manage.py verify_dice over matches that were really played, and over files."""

from io import StringIO
from pathlib import Path
from typing import NamedTuple
from uuid import UUID, uuid4

import pytest
from asgiref.sync import sync_to_async
from django.core.management import CommandError, call_command
from django.db import connection

from games import selectors
from games.models import MatchEvent
from games.tests.dice_records import honest, running
from games.tests.players import make_user, play_out, started

two_people = sync_to_async(lambda: (make_user(cents=10_000), make_user(cents=10_000)))


class Said(NamedTuple):
    text: str
    status: int


def verify_dice(*arguments: object) -> Said:
    out = StringIO()
    try:
        call_command("verify_dice", *[str(one) for one in arguments], stdout=out)
    except SystemExit as stop:
        return Said(out.getvalue(), int(stop.code or 0))
    return Said(out.getvalue(), 0)


async def a_finished_match() -> UUID:
    one, two = await started(*await two_people())
    await play_out(one, two)
    return one.match_id


def change_a_roll(match_id: UUID) -> int:
    """What somebody with the database's owner's rights could do: its triggers refuse everybody else."""
    event = MatchEvent.objects.filter(match_id=match_id, kind="rolled").order_by("version")[3]
    event.payload["high"] = event.payload["high"] % 6 + 1
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_matchevent DISABLE TRIGGER USER")
        MatchEvent.objects.filter(pk=event.pk).update(payload=event.payload)
        cursor.execute("ALTER TABLE games_matchevent ENABLE TRIGGER USER")
    return int(event.payload["roll_number"])


# --- matches ----------------------------------------------------------------------------------


@pytest.mark.usefixtures("hall")
@pytest.mark.django_db(transaction=True)
async def test_a_played_match_is_proven_and_a_changed_roll_in_the_database_is_found() -> None:
    match_id = await a_finished_match()
    drawn = (await sync_to_async(selectors.dice_record)(match_id)).drawn
    command = sync_to_async(verify_dice)
    line = f"{match_id}  ok  {drawn} rolls match\n"
    assert await command(match_id) == Said(line, 0)
    assert await command("--all-finished") == Said(line, 0)

    n = await sync_to_async(change_a_roll)(match_id)
    said = await command("--all-finished")
    assert said.status == 1
    assert said.text.startswith(f"{match_id}  BAD  1 findings in {drawn} rolls\n  wrong_roll {n}: ")


@pytest.mark.usefixtures("hall")
@pytest.mark.django_db(transaction=True)
async def test_a_running_match_is_not_among_the_finished_and_proves_nothing() -> None:
    one, _ = await started(*await two_people())
    command = sync_to_async(verify_dice)
    assert await command("--all-finished") == Said("0 matches checked, 0 with findings\n", 0)
    said = await command(one.match_id)
    assert said.status == 1
    assert "seed_missing" in said.text


@pytest.mark.django_db
def test_an_unknown_match_is_refused() -> None:
    with pytest.raises(CommandError, match="no such table"):
        verify_dice(uuid4())


# --- files ------------------------------------------------------------------------------------


def test_a_downloaded_record_is_proven(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(honest().to_json())
    assert verify_dice("--file", path) == Said(f"{honest().match_id}  ok  40 rolls match\n", 0)


def test_a_record_without_seeds_proves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(running().to_json())
    said = verify_dice("--file", path)
    assert said.status == 1
    assert said.text.endswith("BAD  1 findings in 40 rolls\n  seed_missing\n")


@pytest.mark.parametrize("content", [b"{}", b"\xff\xfe", None])
def test_a_file_that_is_no_record_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "record.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CommandError, match=r"record\.json"):
        verify_dice("--file", path)


@pytest.mark.parametrize("arguments", [[], ["--all-finished", "--file", "x"]])
def test_exactly_one_way_to_name_matches_is_needed(arguments: list[str]) -> None:
    with pytest.raises(CommandError, match="Give match ids"):
        verify_dice(*arguments)
