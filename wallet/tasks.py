"""Alarm clocks of the wallet."""

from celery import shared_task

from wallet import provider_events, rounds, withdrawals
from wallet.promotions import awarding, earning


@shared_task(ignore_result=True)
def check_ledger() -> bool:
    """Proves the laws of the ledger and of all matches. Harmless to ask for too often."""
    return rounds.check()


@shared_task(ignore_result=True)
def pay_withdrawals() -> int:
    """Pays what was approved. Harmless to ask for too often, or twice at once."""
    return withdrawals.pay_all()


@shared_task(ignore_result=True)
def catch_up_events() -> int:
    """Events of providers that crossed the payment they are about."""
    return provider_events.catch_up()


@shared_task(ignore_result=True)
def promote() -> int:
    """Counts settled matches for the campaigns and pays what is due."""
    counted = earning.count_settled()
    return counted + awarding.pay_due()
