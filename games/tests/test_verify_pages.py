"""The dice page of a match and the page about fair dice."""

import hashlib
import json
from html import unescape
from pathlib import Path
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from games.fairness import DiceRecord, verify
from games.models import MatchSeed
from games.sealing import unseal
from games.tests.dice_records import honest, running
from games.tests.players import Tab, make_user, play_out, started
from games.tests.worked_example import example

EXAMPLE = Path(settings.BASE_DIR) / "static" / "verify" / "example.json"
two_people = sync_to_async(lambda: (make_user(cents=10_000), make_user(cents=10_000)))


def page_of(record: DiceRecord, *, ended: bool) -> str:
    return render_to_string(
        "games/verify.html",
        {
            "match_id": record.match_id,
            "record": record.as_dict(),
            "ended": ended,
            "table_url": "/table/",
            "record_url": "/record.json",
        },
    )


def embedded(page: str) -> DiceRecord:
    """The record that the browser's check reads."""
    text = page.split('<script id="dice-record" type="application/json">')[1].split("</script>")[0]
    return DiceRecord.from_json(unescape(text))


# --- the dice page ----------------------------------------------------------------------------


@pytest.mark.usefixtures("hall")
@pytest.mark.django_db(transaction=True)
async def test_no_seed_leaves_the_site_before_the_match_has_ended() -> None:
    """Live table 3: unrevealed seeds appear in no page and no payload."""
    one, two = await started(*await two_people())
    secrets = await seeds_of(one, two)
    for address in ("verify", "dice_json", "table"):
        answer = await sync_to_async(Client().get)(reverse(f"games:{address}", args=[one.match_id]))
        assert answer.status_code == 200
        assert not [seed for seed in secrets if seed in answer.text]
    frames = json.dumps([*one.frames, *two.frames])
    assert not [seed for seed in secrets if seed in frames]


@pytest.mark.usefixtures("hall")
@pytest.mark.django_db(transaction=True)
async def test_a_finished_match_shows_its_seeds_and_a_record_that_verifies() -> None:
    one, two = await started(*await two_people())
    await play_out(one, two)
    page = (await get("verify", one)).text
    for seed in await seeds_of(one, two):
        assert seed in page
    downloaded = DiceRecord.from_json((await get("dice_json", one)).text)
    assert embedded(page) == downloaded
    assert verify(downloaded) == []
    assert {downloaded.light_seed, downloaded.dark_seed} == {one.seed, two.seed}
    assert page.count("data-roll>") == downloaded.drawn


@pytest.mark.django_db
def test_an_unknown_match_has_no_dice_page(client: Client) -> None:
    for address in ("verify", "dice_json"):
        assert client.get(reverse(f"games:{address}", args=[uuid4()])).status_code == 404


def test_a_running_match_shows_seals_rolls_and_no_verdict() -> None:
    page = page_of(running(), ended=False)
    for commit in (running().server_commit, running().light_commit, running().dark_commit):
        assert commit is not None
        assert commit in page
    assert 'data-dice-page="closed"' in page
    assert "data-verdict" not in page
    assert "verify_dice.py" not in page
    assert page.count("data-roll>") == 40


def test_an_ended_match_is_checked_in_the_browser_from_the_embedded_record() -> None:
    page = page_of(honest(), ended=True)
    assert 'data-dice-page="open"' in page
    assert "data-verdict" in page
    assert embedded(page) == honest()
    assert "Roll 1, opening throw: light 3, dark 5." in page


def test_a_match_that_was_called_off_says_so() -> None:
    page = page_of(
        DiceRecord.from_json(json.dumps(running().as_dict() | {"drawn": 0, "rolls": []})),
        ended=True,
    )
    assert "called off" in page
    assert 'data-dice-page="closed"' in page


# --- the page about fair dice -----------------------------------------------------------------


def test_the_example_record_is_what_the_seeds_give() -> None:
    """If this fails: python -m games.tests.worked_example > static/verify/example.json"""
    assert EXAMPLE.read_text() == example().to_json()
    assert verify(example()) == []


@pytest.mark.django_db
def test_the_worked_example_is_true(client: Client) -> None:
    page = unescape(client.get(reverse("games:fairness")).text)
    for truth in truths_of(example()):
        assert truth in page, truth


def truths_of(record: DiceRecord) -> list[str]:
    """Every number of the worked example, worked out here with hashlib alone."""
    assert record.server_seed is not None
    assert record.light_seed is not None
    assert record.dark_seed is not None
    players = record.light_seed + record.dark_seed + record.match_id.bytes
    first, second = (
        hashlib_hmac(record.server_seed, players + n.to_bytes(4, "big")) for n in (1, 2)
    )
    assert second[0] >= 252, "the second roll shows how a byte is passed over"
    seeds = [record.server_seed.hex(), record.light_seed.hex(), record.dark_seed.hex()]
    return [
        *seeds,
        str(record.match_id),
        record.match_id.hex,
        record.server_commit,
        first.hex(),
        second.hex(),
        *(sum_of(byte) for byte in (first[0], first[1], second[1], second[2])),
        f"<code>{second[0]:02x}</code> = {second[0]} ",
        f"All {record.drawn} rolls match.",
    ]


def sum_of(byte: int) -> str:
    times, rest = divmod(byte, 6)
    return (
        f"<code>{byte:02x}</code> = {byte} = {times} × 6 + <b>{rest}</b> "  # noqa: RUF001
        f'<span class="dice-die">{rest + 1}</span>'
    )


def hashlib_hmac(key: bytes, message: bytes) -> bytes:
    """HMAC as RFC 2104 defines it."""
    block = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in block) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in block) + inner).digest()


# --- what the tests ask -----------------------------------------------------------------------


@sync_to_async
def seeds_of(one: Tab, two: Tab) -> list[str]:
    sealed = MatchSeed.objects.get(match_id=one.match_id).sealed
    return [unseal(sealed, one.match_id).hex(), one.seed.hex(), two.seed.hex()]


@sync_to_async
def get(address: str, tab: Tab):
    return Client().get(reverse(f"games:{address}", args=[tab.match_id]))
