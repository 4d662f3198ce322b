"""Two people at the same open table at the same moment: PostgreSQL lets one of them sit down (rooms.md 2)."""

import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection

from accounts.errors import Refused
from accounts.models import User
from games.selectors import my_running
from rooms import services
from rooms.models import Offer
from rooms.tests.people import gone_for, offered, player, room, terms

pytestmark = pytest.mark.usefixtures("committed_lobby")
ROUNDS = 5


def at_once(*acts: Callable[[], Any]) -> list[str]:
    """How each act ended when all began together: "done" or the refusal's code."""
    start = threading.Barrier(len(acts))
    ends = [""] * len(acts)

    def run(place: int, act: Callable[[], Any]) -> None:
        try:
            start.wait()
            act()
            ends[place] = "done"
        except Refused as refusal:
            ends[place] = refusal.code
        except Exception as error:  # noqa: BLE001  a deadlock must fail the test, not its thread
            ends[place] = repr(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=each) for each in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return ends


def joining(user: User, offer: Offer) -> Callable[[], Any]:
    return partial(services.accept_offer, user=user, offer_id=offer.pk)


def test_of_many_who_join_at_once_one_sits_down() -> None:
    for _ in range(ROUNDS):
        offer = offered(player(cents=10_000))
        joiners = [player(cents=10_000) for _ in range(4)]
        ends = at_once(*(joining(user, offer) for user in joiners))
        assert Counter(ends) == {"done": 1, "offer_taken": 3}
        assert sum(len(my_running(user)) for user in joiners) == 1


def test_a_table_is_joined_or_taken_back_never_both() -> None:
    for _ in range(ROUNDS):
        ann, bob = player(cents=10_000), player(cents=10_000)
        offer = offered(ann)
        ends = at_once(
            joining(bob, offer),
            partial(services.withdraw_offer, user=ann, offer_id=offer.pk),
        )
        assert ends in (["done", "offer_taken"], ["offer_withdrawn", "done"])
        assert len(my_running(bob)) == (ends[0] == "done")


def test_two_who_join_each_other_sit_at_one_table() -> None:
    for _ in range(ROUNDS):
        ann, bob = player(cents=20_000), player(cents=20_000)
        of_ann, of_bob = offered(ann), offered(bob)
        ends = at_once(
            joining(bob, of_ann),
            joining(ann, of_bob),
        )
        assert sorted(ends) == ["done", "offer_withdrawn"]
        assert my_running(ann) == my_running(bob)
        assert len(my_running(ann)) == 1


def test_a_player_who_joins_two_tables_at_once_sits_at_one() -> None:
    for _ in range(ROUNDS):
        bob = player(cents=100_000)
        offers = [offered(player(cents=10_000)) for _ in range(3)]
        ends = at_once(*(joining(bob, offer) for offer in offers))
        assert Counter(ends) == {"done": 1, "already_playing": 2}
        assert Offer.objects.filter(pk__in=[o.pk for o in offers], status="open").count() == 2


def test_a_double_click_on_open_and_on_join_is_one_table_and_one_match() -> None:
    """T23."""
    for nth in range(ROUNDS):
        ann, bob = player(cents=10_000), player(cents=10_000)
        opening = partial(
            services.create_offer,
            user=ann,
            room=room(),
            terms=terms(),
            token=f"double-click-number-{nth}",
        )
        ends = at_once(*[opening] * 3)
        assert ends == ["done"] * 3
        offer = Offer.objects.get(creator=ann)
        ends = at_once(*[joining(bob, offer)] * 3)
        assert ends == ["done"] * 3
        assert len(my_running(bob)) == 1


def test_the_sweep_and_a_joiner_do_not_both_have_the_table() -> None:
    for _ in range(ROUNDS):
        ann, bob = player(cents=10_000), player(cents=10_000)
        offer = offered(ann)
        gone_for(ann, 60)
        ends = at_once(
            joining(bob, offer),
            services.expire_abandoned,
            services.expire_abandoned,
        )
        assert ends[1:] == ["done", "done"]
        status = Offer.objects.get(pk=offer.pk).status
        assert (ends[0], status) in (("done", "taken"), ("offer_withdrawn", "expired"))
