"""What can be stopped on the whole site, by whom, and that it is recorded."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts import switches
from accounts.models import SiteSwitch, StaffAction, User
from accounts.switches import Name

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin() -> User:
    return User.objects.create_superuser(
        "admin@example.org", "a long pass phrase", screen_name="Admin"
    )


def test_nothing_is_stopped_at_first_and_each_by_itself(admin: User) -> None:
    assert not any(switches.is_on(name) for name in Name)
    assert switches.turn(Name.MAINTENANCE, on=True, why="a release", by=admin)
    assert [name for name in Name if switches.is_on(name)] == [Name.MAINTENANCE]


def test_the_same_again_changes_nothing(admin: User) -> None:
    assert [switches.turn(Name.MAINTENANCE, on=True, why="x", by=admin) for _ in range(2)] == [
        True,
        False,
    ]
    assert StaffAction.objects.count() == 1


def test_a_person_leaves_a_record_with_the_reason(admin: User) -> None:
    switches.turn(Name.PAYOUTS_FROZEN, on=True, why="the checker found something")
    switches.turn(Name.PAYOUTS_FROZEN, on=False, why="a wrong alarm", by=admin)
    (deed,) = StaffAction.objects.all()
    assert (deed.by, deed.why, deed.before["on"], deed.after["on"]) == (
        admin,
        "a wrong alarm",
        True,
        False,
    )


def test_without_a_reason_nothing_is_changed(admin: User) -> None:
    with pytest.raises(switches.ReasonMissing):
        switches.turn(Name.MAINTENANCE, on=True, why=" ", by=admin)
    assert not switches.is_on(Name.MAINTENANCE)


def test_the_site_lets_nothing_go_by_itself() -> None:
    switches.turn(Name.PAYOUTS_FROZEN, on=True, why="found")
    with pytest.raises(AssertionError):
        switches.turn(Name.PAYOUTS_FROZEN, on=False, why="better now")


def form(**fields: Any) -> dict[str, Any]:
    return {"name": "maintenance", "why": "a release", **fields}


def test_staff_turn_it_on_and_off_in_the_admin(admin: User, client: Client) -> None:
    client.force_login(admin)
    client.post(reverse("admin:accounts_siteswitch_add"), form(on="on"))
    assert switches.is_on(Name.MAINTENANCE)
    assert "data-maintenance" in client.get("/lobby/").content.decode()
    client.post(reverse("admin:accounts_siteswitch_change", args=["maintenance"]), form(why="done"))
    assert not switches.is_on(Name.MAINTENANCE)
    assert "data-maintenance" not in client.get("/lobby/").content.decode()
    assert [deed.why for deed in StaffAction.objects.order_by("id")] == ["a release", "done"]
    assert SiteSwitch.objects.get().by == admin
