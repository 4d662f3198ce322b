"""What providers tell us: each event once, in any order, whatever is forged or old refused before it gets here."""

from dataclasses import asdict
from typing import Any, assert_never
from uuid import UUID

from django.db import IntegrityError, transaction

from wallet import deposits, payment_tasks, providers
from wallet.models import Deposit, PaymentTask, ProviderEvent
from wallet.money import Currency
from wallet.providers.base import Disputed, Event, News, NotPaid, Paid, Refunded

Outcome = ProviderEvent.Outcome
Kind = PaymentTask.Kind


def receive(provider_name: str, payload: bytes, signature: str) -> ProviderEvent:
    """Verifies, records and applies, all in one transaction; an event that was here before changes nothing.

    Raises UnknownProvider, BadEvent, PaymentsClosed.
    """
    provider = providers.named(provider_name)
    provider.require_open()
    return apply(provider_name, provider.read_event(payload, signature))


def apply(provider: str, event: Event) -> ProviderEvent:
    """Once for each number, also when several come at the same moment."""
    try:
        with transaction.atomic():
            row = ProviderEvent.objects.create(
                provider=provider,
                event_id=event.id,
                kind=event.kind,
                payment=getattr(event.news, "payment", ""),
                facts=_facts(event.news),
                outcome=Outcome.IGNORED,
            )
            row.outcome = _apply(provider, event.news)
            row.save(update_fields=["outcome"])
    except IntegrityError:
        before = ProviderEvent.objects.filter(provider=provider, event_id=event.id).first()
        if before is None:
            raise
        return before
    return row


def catch_up() -> int:
    """Applies what came before its payment, where the two crossed each other; answers how much."""
    applied = 0
    for row in ProviderEvent.objects.filter(outcome=Outcome.WAITING):
        paid = Deposit.objects.filter(provider=row.provider, payment=row.payment)
        if paid.exists():
            with transaction.atomic():
                applied += _catch_up(row.provider, row.payment)
    return applied


def _apply(provider: str, news: News | None) -> Outcome:
    match news:
        case None:
            return Outcome.IGNORED
        case Paid():
            return _paid(provider, news)
        case NotPaid():
            return _not_paid(provider, news)
        case Refunded():
            return _refunded(provider, news)
        case Disputed():
            return _disputed(provider, news)
        case _:
            assert_never(news)


def _paid(provider: str, news: Paid) -> Outcome:
    deposit = _deposit(provider, news.deposit, news.reference)
    if deposit is None:
        payment_tasks.open_task(
            Kind.UNKNOWN, key=f"{provider}:{news.payment}", amount=news.amount, says=news.reference
        )
        return Outcome.APPLIED
    if (news.amount, news.currency) != (deposit.amount, Currency.USD):
        payment_tasks.open_task(
            Kind.MISMATCH,
            key=f"{provider}:{news.payment}",
            amount=news.amount,
            says=f"{news.amount} {news.currency}, {deposit.amount} USD asked",
            deposit=deposit,
        )
        return Outcome.APPLIED
    deposits.credit(deposit.id, reference=news.reference, payment=news.payment)
    _catch_up(provider, news.payment)
    return Outcome.APPLIED


def _not_paid(provider: str, news: NotPaid) -> Outcome:
    deposit = _deposit(provider, news.deposit, news.reference)
    if deposit is None:
        return Outcome.IGNORED
    deposits.give_up(deposit.id)
    return Outcome.APPLIED


def _refunded(provider: str, news: Refunded) -> Outcome:
    """More has gone back than we know of: by somebody at the provider's desk."""
    deposit = _paid_with(provider, news.payment)
    if deposit is None:
        return Outcome.WAITING
    more = min(news.in_all, deposit.amount) - deposit.returned
    if more <= 0:
        return Outcome.APPLIED
    deposit.returned += more
    deposit.save(update_fields=["returned"])
    payment_tasks.open_task(
        Kind.REFUND,
        key=f"{provider}:{news.payment}:refunded:{deposit.returned}",
        amount=more,
        says="refunded at the provider",
        deposit=deposit,
    )
    return Outcome.APPLIED


def _disputed(provider: str, news: Disputed) -> Outcome:
    """The task stays open when the dispute is decided: a person draws the consequence."""
    deposit = _paid_with(provider, news.payment)
    if deposit is None:
        return Outcome.WAITING
    key = f"{provider}:{news.dispute}"
    stands = {None: "open", True: "won", False: "lost"}[news.won]
    says = f"{news.reason}: {stands}"
    payment_tasks.open_task(Kind.DISPUTE, key=key, amount=news.amount, says=says, deposit=deposit)
    if news.won is not None:
        PaymentTask.objects.filter(key=key).update(says=says)
    return Outcome.APPLIED


def _catch_up(provider: str, payment: str) -> int:
    """Events that came before the payment they are about; answers how many."""
    waiting = ProviderEvent.objects.filter(
        provider=provider, payment=payment, outcome=Outcome.WAITING
    )
    rows = list(waiting.select_for_update().order_by("id"))
    for row in rows:
        row.outcome = _apply(provider, _remembered(row))
        row.save(update_fields=["outcome"])
    return len(rows)


def _facts(news: News | None) -> dict[str, Any]:
    if news is None:
        return {}
    told = {name: str(v) if isinstance(v, UUID) else v for name, v in asdict(news).items()}
    return {"news": type(news).__name__, **told}


def _remembered(row: ProviderEvent) -> News:
    facts = dict(row.facts)
    known: dict[str, type[Refunded] | type[Disputed]] = {
        "Refunded": Refunded,
        "Disputed": Disputed,
    }
    return known[facts.pop("news")](**facts)


def _deposit(provider: str, deposit_id: UUID | None, reference: str) -> Deposit | None:
    rows = Deposit.objects.filter(provider=provider)
    found = rows.filter(id=deposit_id).first() if deposit_id is not None else None
    return found or rows.filter(reference=reference).first()


def _paid_with(provider: str, payment: str) -> Deposit | None:
    rows = Deposit.objects.select_for_update(no_key=True)
    return rows.filter(provider=provider, payment=payment).first()
