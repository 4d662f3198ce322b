"""Maintenance lets matches finish: nothing new begins, whatever runs goes on (quality.md 5)."""

import pytest
from asgiref.sync import sync_to_async

from accounts import switches
from accounts.models import User
from games import seating
from games.errors import Maintenance
from games.tests.players import Tab, make_user, open_table, play_out, started, usd_terms

pytestmark = [pytest.mark.usefixtures("hall"), pytest.mark.django_db(transaction=True)]


@sync_to_async
def people() -> tuple[User, User]:
    return make_user(cents=10_000), make_user(cents=10_000)


@sync_to_async
def stop() -> None:
    switches.turn(switches.Name.MAINTENANCE, on=True, why="a release")


async def test_a_running_match_goes_on_to_its_end_and_no_table_is_opened() -> None:
    light, dark = await people()
    one, two = await started(light, dark)
    await stop()
    with pytest.raises(Maintenance):
        await sync_to_async(open_table)(*await people())
    await play_out(one, two)
    assert one.view["result"]["money"]["win"] > 0


async def test_a_ready_check_that_has_begun_may_be_answered() -> None:
    light, dark = await people()
    match_id = await sync_to_async(open_table)(light, dark)
    await stop()
    tab = await Tab(match_id, light).open()
    assert (await tab.accept())["kind"] == "ack"


async def test_nobody_sits_down_not_even_for_chips() -> None:
    light, _ = await people()
    await stop()
    with pytest.raises(Maintenance):
        await sync_to_async(seating.require_can_sit)(light, usd_terms(), "main")
