"""The checker finds what is broken between matches and money, and nothing where all is well."""

import pytest
from asgiref.sync import sync_to_async
from django.db import connection

from games import selectors, services
from games.models import Match, MatchHead
from games.tests.players import make_user, open_table, play_out, started, step
from wallet import reconcile

pytestmark = [pytest.mark.usefixtures("hall"), pytest.mark.django_db(transaction=True)]
people = sync_to_async(lambda: (make_user(cents=20_000), make_user(cents=20_000)))


@sync_to_async
def findings() -> dict[str, tuple[str, ...]]:
    return {o.name: o.findings for o in reconcile.run() if o.findings}


@sync_to_async
def sql(statement: str, *values: object) -> None:
    """What only somebody with the database's password can do."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_matchevent DISABLE TRIGGER USER")
        cursor.execute(statement, values)
        cursor.execute("ALTER TABLE games_matchevent ENABLE TRIGGER USER")


async def test_a_site_with_open_running_and_ended_matches_has_no_findings() -> None:
    await play_out(*await started(*await people()))
    one, two = await started(*await people())
    await step(one, two)
    await sync_to_async(open_table)(*await people())
    assert await findings() == {}


async def test_a_lost_event_a_changed_roll_and_a_changed_position_are_found() -> None:
    one, two = await started(*await people())
    await play_out(one, two)
    match_id = one.match_id.hex
    await sql(
        "UPDATE games_matchevent SET payload = jsonb_set(payload, '{high}', '6', true)"
        " || '{\"low\": 6}' WHERE match_id = %s AND kind = 'rolled'",
        match_id,
    )
    found = await findings()
    assert "dice_of_recent_matches_verify" in found
    await MatchHead.objects.filter(match_id=one.match_id).aupdate(position="elsewhere")
    assert "replay_equals_the_stored_position" in await findings()
    await sql(
        "DELETE FROM games_matchevent WHERE match_id = %s AND kind = 'match_settled'", match_id
    )
    found = await findings()
    assert "events_are_contiguous" in found
    assert "matches_are_settled_once" in found


async def test_history_cannot_be_changed_by_the_site() -> None:
    from django.db import IntegrityError

    from games.models import MatchEvent, MatchSeed

    one, _two = await started(*await people())
    for rows in (MatchEvent.objects.filter(match_id=one.match_id), MatchSeed.objects.all()):
        with pytest.raises(IntegrityError):
            await sync_to_async(rows._raw_delete)("default")
    with pytest.raises(IntegrityError):
        await MatchEvent.objects.filter(match_id=one.match_id).aupdate(kind="other")


async def test_the_job_verifies_each_ended_match_once() -> None:
    one, two = await started(*await people())
    await play_out(one, two)
    assert await sync_to_async(services.verify_dice)() == 0
    assert (await Match.objects.aget(id=one.match_id)).dice_verified is True
    assert await sync_to_async(selectors.unverified_matches)(10) == []


async def test_strangers_see_the_dice_of_a_running_money_match_one_move_late() -> None:
    one, two = await started(*await people())
    for _ in range(4):
        await step(one, two)
    own = await sync_to_async(selectors.dice_record)(one.match_id)
    late = await sync_to_async(selectors.dice_record)(one.match_id, late=True)
    await step(one, two)
    assert late.rolls == own.rolls[: late.drawn]
    assert late.server_seed is None


async def test_a_statement_names_the_opponent() -> None:
    light, dark = await people()
    one, _two = await started(light, dark)
    found = await sync_to_async(selectors.captions)(light.pk, [one.match_id])
    assert found == {one.match_id: f"against {dark.screen_name}"}
