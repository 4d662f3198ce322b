"""What dies is passed over, and comes back."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.cluster.visitors import Player, Seats, line_to, seat, server_of
from tests.run.cluster import Cluster

pytestmark = pytest.mark.cluster


@asynccontextmanager
async def _playing(cluster: Cluster, seats: Seats) -> AsyncIterator[tuple[Player, Player]]:
    light, dark = Player(cluster, seats, "light"), Player(cluster, seats, "dark")
    tasks = [asyncio.create_task(player.play()) for player in (light, dark)]
    try:
        yield light, dark
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _name_of(cluster: Cluster, server: str) -> str:
    port = int(server.rpartition(":")[2])
    return next(name for name in ("web1", "web2") if cluster.member(name).port == port)


async def test_a_game_goes_on_with_the_other_process_when_its_own_is_killed(
    cluster: Cluster,
) -> None:
    async with _playing(cluster, seat(cluster, 1)[0]) as players:
        for player in players:
            await player.until(lambda player=player: player.version >= 20)  # type: ignore[misc]
        first = {player.servers[-1] for player in players}
        assert len(first) == 1
        with cluster.held(_name_of(cluster, first.copy().pop())):
            reached = max(player.version for player in players)
            for player in players:
                await player.until(
                    lambda player=player: player.version >= reached + 20  # type: ignore[misc]
                )
            second = {player.servers[-1] for player in players}
        assert len(second) == 1
        assert second.isdisjoint(first)
    for player in players:
        assert sorted(player.events) == list(range(min(player.events), player.version + 1))
        assert set(player.acknowledged) <= set(player.events)


async def test_every_process_can_be_killed_at_once_and_the_game_goes_on(cluster: Cluster) -> None:
    async with _playing(cluster, seat(cluster, 1)[0]) as (light, dark):
        await light.until(lambda: light.version >= 20)
        cluster.kill(*cluster.members)
        reached = light.version
        await asyncio.to_thread(cluster.settle)
        await light.until(lambda: light.version >= reached + 10 or light.phase == "over")
        await dark.until(lambda: dark.version >= reached + 10 or dark.phase == "over")
    assert set(cluster.restarts) == set(cluster.members)
    assert ", nothing found." in cluster.manage("check_ledger")


async def test_both_players_of_a_match_are_served_by_one_process(cluster: Cluster) -> None:
    """Handshakes to matches that nobody plays: who serves them follows from the id alone."""
    served: dict[str, set[str]] = {}
    for n in range(40):
        match = f"{n:08x}-0000-4000-8000-{n * 7919:012x}"
        served[match] = set()
        for _ in range(2):
            async with line_to(cluster, match) as line:
                served[match].add(server_of(line))
                assert json.loads(await line.recv())["code"] == "unknown_match"
    assert {len(servers) for servers in served.values()} == {1}
    counts = [list(served.values()).count({server}) for server in set().union(*served.values())]
    assert len(counts) == 2
    assert min(counts) >= 4
