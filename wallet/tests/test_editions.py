"""Tariffs by date: an administrator makes a new edition, old matches keep theirs (Money 4)."""

from datetime import date, timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import StaffAction, User
from wallet import editions, tariff_text
from wallet.errors import EditionInThePast
from wallet.models import TariffEdition
from wallet.tariff_text import BadTariff, editions_in_file
from wallet.tariffs import UnknownTariff, quote

RU = editions_in_file("play65-ru")[-1]
TEXT = tariff_text.write(RU)
DEARER = TEXT.replace("percent = 4.9 }", "percent = 5.9 }")


@pytest.fixture(autouse=True)
def _forgotten():
    editions.forget()
    yield
    editions.forget()


@pytest.fixture
def root() -> User:
    return User.objects.create_user(
        "root@example.org", screen_name="Root", is_staff=True, is_superuser=True
    )


def today() -> date:
    return timezone.now().date()


def fee(name: str) -> int:
    words = {"room": "main", "kind": "single", "length": 1, "ratings": (1_700, 1_700)}
    return quote(editions.load(name), stake=1_000, win=1_000, **words).fee_each


@pytest.mark.parametrize("name", tariff_text.names())
def test_what_is_written_is_read_back(name: str) -> None:
    for tariff in editions_in_file(name):
        assert tariff_text.read(name, tariff.since, 1, tariff_text.write(tariff)) == tariff


@pytest.mark.django_db
def test_a_new_edition_is_in_force_and_the_old_one_stays(
    root: User, django_capture_on_commit_callbacks
) -> None:
    before = editions.current("play65-ru").edition
    assert before == "play65-ru@2026-01-01"
    with django_capture_on_commit_callbacks(execute=True):
        made = editions.publish(
            name="play65-ru", since=today(), text=DEARER, why="costs rose", by=root
        )
    assert made.edition == f"play65-ru@{today()}"
    assert (fee(before), fee(made.edition), fee("play65-ru")) == (49, 59, 59)
    with django_capture_on_commit_callbacks(execute=True):
        again = editions.publish(
            name="play65-ru", since=today(), text=TEXT, why="they fell", by=root
        )
    assert again.edition == f"{made.edition}.2"
    assert (fee(made.edition), fee(again.edition), fee("play65-ru")) == (59, 49, 49)
    kept = StaffAction.objects.filter(action="tariff").first()
    assert kept is not None
    assert (kept.before, kept.after) == ({"edition": made.edition}, {"edition": again.edition})


@pytest.mark.django_db
def test_an_edition_waits_for_its_day(root: User) -> None:
    later = today() + timedelta(days=3)
    editions.publish(name="play65-ru", since=later, text=DEARER, why="told in time", by=root)
    editions.forget()
    assert editions.current("play65-ru") == RU
    with pytest.raises(EditionInThePast):
        editions.publish(
            name="play65-ru", since=today() - timedelta(days=1), text=TEXT, why="x", by=root
        )


@pytest.mark.django_db
def test_an_edition_is_never_changed_or_deleted(root: User) -> None:
    editions.publish(name="play65-ru", since=today(), text=TEXT, why="as it is", by=root)
    for change in (lambda rows: rows.update(text=DEARER), lambda rows: rows.delete()):
        with pytest.raises(IntegrityError), transaction.atomic():
            change(TariffEdition.objects.all())


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name",
    ["play65", "", "../tariffs/play65-ru", "play65-ru@1999-01-01", "play65-ru.toml", "@", "a@b"],
)
def test_an_unknown_tariff(name: str) -> None:
    with pytest.raises(UnknownTariff):
        editions.load(name)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("percent = 4.9 }", "percent = 50.1 }"),
        ("percent = 4.9 }", "percent = -4.9 }"),
        ("percent = 4.9 }", "percent = 4e9 }"),
        ("percent = 4.9 }", "percent = 1e999999999 }"),
        ("percent = 4.9 }", "percent = nan }"),
        ("percent = 4.9 }", "percent = inf }"),
        ("percent = 4.9 }", 'percent = "4.9" }'),
        ("percent = 4.9 }", "percent = true }"),
        ("percent = 4.9 }", "percent = 4.9, bonus = 1 }"),
        ("from = 5000, percent = 3.9", "from = 0, percent = 3.9"),
        ("from = 5000, percent = 3.9", "from = 20000, percent = 3.9"),
        ('on = "win"', 'on = "luck"'),
        ('on = "win"', "on = []"),
        ("smallest_stake = 10", "smallest_stake = 10.5"),
        ("smallest_stake = 10", "smallest_stake = 0"),
        ("smallest_stake = 10", ""),
        ("come_back = 180", "come_back = 180\nsurprise = 1"),
        ("[fixed]", "[fixed]\n[fixed]"),
        ("[fixed]", "[fixed"),
        ("step = 0.5, at_most = 9.9", "step = 0.5"),
        ("at_most = 2000", "at_most = -1"),
        ("from = 0, factor = 0.9 }", "from = 1, factor = 0.9 }"),
        ("[dark.series]", "[dark.seriez]"),
        ("factor = 1.25", "factor = 11"),
        ("from = 200, factor = 2", "from = 50, factor = 2"),
    ],
)
def test_a_text_without_sense_is_refused(old: str, new: str) -> None:
    assert old in TEXT
    with pytest.raises(BadTariff):
        tariff_text.read("x", "2026-01-01", 1, TEXT.replace(old, new, 1))


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    with pytest.raises(BadTariff):
        tariff_text.read("x", "2026-01-01", 1, text)


@pytest.mark.django_db
def test_the_admin_makes_a_new_edition_and_changes_none(client: Client, root: User) -> None:
    client.force_login(root)
    at = "/admin/wallet/tariffedition/"
    page = client.get(f"{at}add/").content.decode()
    assert "percent = 4.9, step = 0.5, at_most = 9.9" in page
    words = {"name": "play65-ru", "since": str(today()), "text": DEARER, "why": "costs rose"}
    wrong = client.post(f"{at}add/", words | {"text": DEARER.replace("5.9 }", "59 }")})
    assert "must be a number from 0 to 50" in wrong.content.decode()
    assert (
        "not earlier" in client.post(f"{at}add/", words | {"since": "2020-01-01"}).content.decode()
    )
    assert not TariffEdition.objects.exists()
    assert client.post(f"{at}add/", words).status_code == 302
    row = TariffEdition.objects.get()
    assert (row.by, row.number, row.why) == (root, 1, "costs rose")
    assert "$5.00: $0.60" in client.get(f"{at}{row.pk}/change/").content.decode()
    assert client.post(f"{at}{row.pk}/change/", words).status_code == 403
    assert client.post(f"{at}{row.pk}/delete/", {"post": "yes"}).status_code == 403


@pytest.mark.django_db
def test_the_calculator(client: Client) -> None:
    words = {
        "room": "main",
        "kind": "single",
        "length": "5",
        "rating_a": "1640",
        "rating_b": "1760",
    }
    page = client.get("/fees/", words | {"stake": "5"})
    said = " ".join(page.content.decode().split())
    assert page.status_code == 200
    for cell in ("7.35%", "<td>$0.74</td>", "<td>$1.48</td>", "<td>+$8.52</td>", "<td>$10.00</td>"):
        assert cell in said
    fixed = client.get("/fees/", words | {"stake": "0.25"}).content.decode()
    assert "fixed" in fixed
    series = client.get("/fees/", words | {"stake": "10", "kind": "series", "length": "3"})
    assert "8.85%" in series.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong",
    [
        {"stake": ""}, {"stake": "1.005"}, {"stake": "-1"}, {"stake": "1e9"}, {"stake": "\N{ARABIC-INDIC DIGIT FIVE}"},
        {"stake": "1 000"}, {"stake": "0.09"}, {"stake": "100000.01"}, {"room": "attic"},
        {"kind": "double"}, {"length": "26"}, {"length": "x"}, {"rating_a": "-1"}, {"rating_b": ""},
    ],
)  # fmt: skip
def test_the_calculator_refuses_with_a_reason(client: Client, wrong: dict[str, str]) -> None:
    sound = {
        "stake": "5", "room": "main", "kind": "single", "length": "5", "rating_a": "1", "rating_b": "2",
    }  # fmt: skip
    page = client.get("/fees/", sound | wrong)
    assert page.status_code == 422
    assert 'class="error"' in page.content.decode()
    assert "Fee, each player" not in page.content.decode()
