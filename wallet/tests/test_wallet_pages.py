"""The wallet's pages as a player sees them."""

import csv
import io
import re
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from wallet import captions, chart, ledger, selectors, services, tokens, words
from wallet.chart import Purpose
from wallet.errors import ChipsNotLow, SandboxClosed
from wallet.ledger import Move
from wallet.models import Transfer
from wallet.money import Currency

pytestmark = pytest.mark.django_db

USD, PLAY = Currency.USD, Currency.PLAY


def person(name: str, **fields: object) -> User:
    known = {"birth_date": date(1990, 1, 1), "country": "FI"}
    user = User.objects.create_user(f"{name}@example.org", screen_name=name, **(known | fields))
    user.confirm_email()
    return user


@pytest.fixture
def anna() -> User:
    return person("Anna")


@pytest.fixture
def page(client: Client, anna: User) -> Client:
    client.force_login(anna)
    return client


def body(response) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def token_of(response) -> str:
    found = re.search(r'name="token" value="([^"]+)"', response.content.decode())
    assert found
    return found[1]


def stakes(match_id: UUID, *players: User, amount: int = 1_000, currency=USD) -> None:
    ledger.move_many(
        [
            Move(
                key=f"match:{match_id}:stake:{one.pk}",
                source=chart.player(one.pk),
                target=chart.escrow(match_id),
                amount=amount,
                purpose=Purpose.STAKE,
                currency=currency,
            )
            for one in players
        ]
    )


def pay_out(match_id: UUID, parts: list[tuple[chart.AccountRef, int, Purpose]]) -> None:
    ledger.move_many(
        [
            Move(
                key=f"match:{match_id}:{n}",
                source=chart.escrow(match_id),
                target=target,
                amount=amount,
                purpose=purpose,
                currency=USD,
            )
            for n, (target, amount, purpose) in enumerate(parts)
        ]
    )


# --- balances and the chips -----------------------------------------------------------------------


def test_a_stranger_is_sent_to_sign_in(client: Client) -> None:
    for name in ("home", "statement_file"):
        response = client.get(reverse(f"wallet:{name}"))
        assert response.status_code == 302
        assert "login" in response["Location"]


def test_the_first_visit_brings_the_starting_chips_once(page: Client, anna: User) -> None:
    for _ in range(2):
        assert "1,000" in body(page.get("/wallet/"))
    assert selectors.balance_of(anna.pk, PLAY) == 1_000
    assert "No money has moved yet" in body(page.get("/wallet/"))
    assert "Chips to start with" in body(page.get("/wallet/?currency=PLAY"))


def test_chips_are_refilled_when_low_and_those_in_play_count(page: Client, anna: User) -> None:
    """Money: every player starts with 1,000 chips and can refill to 1,000 when below 100."""
    boris = person("Boris")
    services.open_wallet(boris.pk)
    page.get("/wallet/")
    assert "You have 1000" in body(page.post("/wallet/chips/", follow=True))
    first, second = uuid4(), uuid4()
    stakes(first, anna, boris, amount=850, currency=PLAY)
    stakes(second, anna, amount=60, currency=PLAY)
    assert "You have 1000" in body(page.post("/wallet/chips/", follow=True))
    ledger.move(
        key="lost",
        source=chart.escrow(first),
        target=chart.player(boris.pk),
        amount=1_700,
        purpose=Purpose.PRIZE,
        currency=PLAY,
    )
    assert selectors.held_of(anna.pk, PLAY) == 60
    ledger.move(
        key="spent",
        source=chart.player(anna.pk),
        target=chart.issuer(),
        amount=60,
        purpose=Purpose.CORRECTION,
        currency=PLAY,
        reason="test",
        by=boris,
    )
    assert "910 chips added" in body(page.post("/wallet/chips/", follow=True))
    assert selectors.balance_of(anna.pk, PLAY) == 940
    with pytest.raises(ChipsNotLow):
        services.refill_chips(anna.pk)


def test_the_page_says_what_is_in_play(page: Client, anna: User) -> None:
    services.deposit_sandbox(anna.pk, 5_000, "1")
    stakes(uuid4(), anna, amount=1_250)
    said = body(page.get("/wallet/"))
    assert "Available $37.50 In play $12.50 Together $50.00" in said
    assert "$12.50 held" in said


# --- paying in ------------------------------------------------------------------------------------


def test_a_deposit_sent_twice_is_paid_once(page: Client, anna: User) -> None:
    token = token_of(page.get("/wallet/"))
    for _ in range(2):
        response = page.post("/wallet/deposit/", {"amount": "20,50", "token": token}, follow=True)
        assert "$20.50 of test money paid in" in body(response)
    assert selectors.balance_of(anna.pk, USD) == 2_050
    assert "Deposit test money +$20.50 $20.50" in body(page.get("/wallet/"))


def test_a_token_pays_one_amount(page: Client, anna: User) -> None:
    """Bug L03: another field does not get round the key."""
    token = token_of(page.get("/wallet/"))
    page.post("/wallet/deposit/", {"amount": "20", "token": token})
    response = page.post("/wallet/deposit/", {"amount": "30", "token": token})
    assert response.status_code == 422
    assert "already sent with another amount" in body(response)
    assert selectors.balance_of(anna.pk, USD) == 2_000
    assert token_of(response) != token


@pytest.mark.parametrize(
    ("amount", "says"),
    [
        ("", "Write an amount"),
        ("-5", "in figures"),
        ("1.005", "at most 2 digits"),
        ("0.99", "smallest amount here is $1.00"),
        ("1000.01", "largest amount here is $1,000.00"),
        ("1e2", "in figures"),
        ("<b>", "in figures"),
    ],
)
def test_a_bad_amount_is_refused_with_a_reason(page: Client, anna: User, amount, says) -> None:
    token = token_of(page.get("/wallet/"))
    response = page.post("/wallet/deposit/", {"amount": amount, "token": token})
    assert response.status_code == 422
    assert says in body(response)
    assert not Transfer.objects.filter(currency="USD").exists()


def test_only_our_own_fresh_token_pays(page: Client, anna: User) -> None:
    for token in ("", "mine", tokens.issue(anna.pk + 1), tokens.issue(anna.pk) + "x"):
        response = page.post("/wallet/deposit/", {"amount": "20", "token": token})
        assert response.status_code == 422
        assert "too old" in body(response)
    assert selectors.balance_of(anna.pk, USD) == 0


def test_test_money_is_refused_where_real_money_is_on(page: Client, anna: User, settings) -> None:
    token = token_of(page.get("/wallet/"))
    settings.REAL_MONEY = True
    response = page.post("/wallet/deposit/", {"amount": "20", "token": token})
    assert response.status_code == 422
    assert "Test money." not in body(response)
    assert selectors.balance_of(anna.pk, USD) == 0
    with pytest.raises(SandboxClosed):
        services.deposit_sandbox(anna.pk, 500, "1")


def test_who_may_not_play_for_money_may_not_pay_in(client: Client) -> None:
    """People 1: checked at deposit; the refusal says why."""
    for one in (
        person("Vera", country="US", us_state="AZ"),
        person("Kid", birth_date=date(2020, 1, 1)),
    ):
        client.force_login(one)
        page = client.get("/wallet/")
        assert 'name="amount"' not in page.content.decode()
        words = {"amount": "20", "token": tokens.issue(one.pk)}
        assert client.post("/wallet/deposit/", words).status_code == 422
        assert selectors.balance_of(one.pk, USD) == 0


def test_the_deposit_needs_a_post_with_the_csrf_token(anna: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(anna)
    words = {"amount": "20", "token": tokens.issue(anna.pk)}
    assert client.post("/wallet/deposit/", words).status_code == 403
    assert client.get("/wallet/deposit/").status_code == 405


# --- the statement --------------------------------------------------------------------------------


@pytest.fixture
def told() -> Iterator[None]:
    captions.register(lambda user_id, ids: dict.fromkeys(ids, "series to 3 against Gor"))
    yield
    captions.register(captions._nothing)


def a_month(anna: User, boris: User) -> list[UUID]:
    """Anna: +50, won 8.82, lost 10, a match called off, and one in play."""
    matches = [uuid4() for _ in range(4)]
    for one in (anna, boris):
        services.deposit_sandbox(one.pk, 5_000, "1")
    stakes(matches[0], anna, boris)
    pay_out(
        matches[0],
        [
            (chart.player(anna.pk), 1_882, Purpose.PRIZE),
            (chart.commission(), 118, Purpose.COMMISSION),
        ],
    )
    stakes(matches[1], anna, boris)
    pay_out(
        matches[1],
        [
            (chart.player(boris.pk), 1_382, Purpose.PRIZE),
            (chart.commission(), 118, Purpose.COMMISSION),
            (chart.player(anna.pk), 500, Purpose.STAKE_BACK),
        ],
    )
    stakes(matches[3], anna, boris, amount=300)
    stakes(matches[2], anna, boris)
    pay_out(
        matches[2],
        [(chart.player(one.pk), 1_000, Purpose.STAKE_BACK) for one in (anna, boris)],
    )
    return matches


def test_each_match_is_one_line_and_the_balance_runs(anna: User, told: None) -> None:
    boris = person("Boris")
    won, lost, void, running = a_month(anna, boris)
    lines = selectors.statement(anna.pk, USD).lines
    assert [(one.match_id, one.change, one.balance, one.fees, one.held) for one in lines] == [
        (void, 0, 5_382, 0, False),
        (running, -300, 5_382, 0, True),
        (lost, -500, 5_382, 0, False),
        (won, 882, 5_882, 118, False),
        (None, 5_000, 5_000, 0, False),
    ]
    together = selectors.balance_of(anna.pk, USD) + selectors.held_of(anna.pk)
    assert lines[0].balance == together


def test_the_statement_in_words_links_to_the_match(page: Client, anna: User, told: None) -> None:
    boris = person("Boris")
    won, *_ = a_month(anna, boris)
    response = page.get("/wallet/")
    said = body(response)
    assert "Match called off: series to 3 against Gor stake returned $0.00 $53.82" in said
    assert "Match in play: series to 3 against Gor stake held until the match ends" in said
    assert "Match lost: series to 3 against Gor \u2212$5.00 $53.82" in said
    assert "Match won: series to 3 against Gor fee $1.18 +$8.82 $58.82" in said
    assert f'href="/table/{won}/"' in response.content.decode()


def test_a_statement_is_nobody_elses(page: Client, anna: User) -> None:
    boris = person("Boris")
    a_month(anna, boris)
    vera = person("Vera")
    assert selectors.statement(vera.pk, USD).lines == ()
    page.force_login(vera)
    assert "$58.82" not in body(page.get("/wallet/"))


def test_long_statements_come_in_pages(page: Client, anna: User) -> None:
    for n in range(1, 31):
        services.deposit_sandbox(anna.pk, 100 * n, str(n))
    first, second = (selectors.statement(anna.pk, USD, page=n) for n in (1, 2))
    assert (len(first.lines), first.has_older) == (25, True)
    assert (len(second.lines), second.has_older) == (5, False)
    assert first.lines[0].balance == 46_500
    assert second.lines[0].balance == 1_500
    assert second.lines[-1].balance == second.lines[-1].change == 100
    assert "Older" in body(page.get("/wallet/"))
    assert "Newer" in body(page.get("/wallet/?page=2"))
    assert "no older lines" in body(page.get("/wallet/?page=99"))


@pytest.mark.parametrize(
    "query", ["currency=EUR", "page=x", "page=-1", "page=²", "page=" + "9" * 40]
)
def test_an_address_without_sense_is_not_found(page: Client, query: str) -> None:
    assert page.get(f"/wallet/?{query}").status_code == 404


def test_the_file_holds_every_line(page: Client, anna: User) -> None:
    captions.register(lambda user_id, ids: dict.fromkeys(ids, '=HYPERLINK("x")'))
    boris = person("Boris")
    won, *_ = a_month(anna, boris)
    captions.register(captions._nothing)
    response = page.get("/wallet/statement.csv?currency=USD")
    assert response["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert len(rows) == 5
    assert rows[3]["match"] == str(won)
    assert Decimal(rows[3]["change"]) == Decimal("8.82")
    assert rows[1]["held"] == "3.00"
    assert Decimal(rows[0]["balance"]) == sum(Decimal(row["change"]) for row in rows)
    assert not any(cell.startswith("=") for row in rows for cell in row.values())


# --- fees and the admin ---------------------------------------------------------------------------


def test_fees_are_public_and_come_from_the_tariff(client: Client, settings) -> None:
    said = body(client.get("/fees/"))
    for expected in (
        "4.9% plus 0.5% for each point over 1, at most 9.9%",
        "$50.00 \u2013 $99.99 3.9%",
        "from $100.00 2.9%",
        "A stake under $0.50 costs $0.03",
        "ratings 200 or more apart: the rate times 2",
        "stakes from $500.00: 2.45%",
        "Main hall, Blitz",
        "$5.00 $0.50 +$4.50 $0.98 +$9.02",
    ):
        assert expected in said
    settings.TARIFF = "play65-fi"
    said = body(client.get("/fees/"))
    assert "6.5%" in said
    assert "4.9%" not in said
    assert "Main hall, Blitz, Giants, Dark Room" in said


def test_staff_read_the_ledger_and_change_nothing(client: Client, anna: User) -> None:
    services.deposit_sandbox(anna.pk, 100, "1")
    staff = person("Root", is_staff=True, is_superuser=True)
    client.force_login(staff)
    transfer = Transfer.objects.get()
    for model, pk in (("transfer", transfer.pk), ("account", transfer.source_id)):
        at = f"/admin/wallet/{model}/"
        assert client.get(at).status_code == 200
        assert client.get(f"{at}?q=anna").status_code == 200
        assert client.get(f"{at}{pk}/change/").status_code == 200
        assert client.get(f"{at}add/").status_code == 403
        assert client.post(f"{at}{pk}/change/", {"amount": 1}).status_code == 403
        assert client.post(f"{at}{pk}/delete/", {"post": "yes"}).status_code == 403


# --- filters --------------------------------------------------------------------------------------


def test_a_filter_leaves_lines_out_and_no_balance_changes(page: Client, anna: User) -> None:
    boris = person("Boris")
    won, lost, void, running = a_month(anna, boris)
    services.deposit_sandbox(anna.pk, 700, "2")
    everything = selectors.statement(anna.pk, USD).lines
    for kind, purposes in words.PURPOSES_OF.items():
        wanted = selectors.Wanted(purposes)
        found = selectors.statement(anna.pk, USD, only=wanted).lines
        assert found == tuple(one for one in everything if one.purpose in purposes)
        assert page.get(f"/wallet/?kind={kind}").status_code == 200
    matches = selectors.statement(anna.pk, USD, only=selectors.Wanted(chart.PLAY_PURPOSES)).lines
    assert [one.match_id for one in matches] == [void, running, lost, won]
    said = body(page.get("/wallet/?kind=payments"))
    assert "Match won" not in said
    assert "+$7.00 $60.82" in said
    rows = page.get("/wallet/statement.csv?kind=payments").content.decode().splitlines()
    assert len(rows) == 3


def test_three_months_are_shown_and_all_on_request(page: Client, anna: User, monkeypatch) -> None:
    services.deposit_sandbox(anna.pk, 500, "1")
    page.get("/wallet/")
    later = timezone.now() + timedelta(days=91)
    monkeypatch.setattr(timezone, "now", lambda: later)
    page.force_login(anna)
    assert "+$5.00" not in body(page.get("/wallet/"))
    assert "Show everything" in body(page.get("/wallet/"))
    assert "+$5.00 $5.00" in body(page.get("/wallet/?all=1"))
    assert "5.00" in page.get("/wallet/statement.csv").content.decode()
    assert "$0.00 in 90 days" in body(page.get("/wallet/"))


def test_an_unknown_filter_is_not_found(page: Client) -> None:
    assert page.get("/wallet/?kind=gold").status_code == 404
    assert page.get("/wallet/statement.csv?kind=gold").status_code == 404
