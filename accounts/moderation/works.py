"""The work about people that waits for staff, for the first page of the admin."""

from functools import partial

from django.utils.translation import gettext_lazy as _

from accounts import desk
from accounts.models import Case, Closure, MoneyHold
from accounts.moderation import closing

CASES = "admin:accounts_case_changelist?status__exact=open&kind__exact="


def register() -> None:
    """Called once, from the app's start."""
    desk.register_work(
        desk.Work(_("cases of conduct"), "accounts.decide_case", CASES + "conduct", _open(Case.Kind.CONDUCT)),
        desk.Work(_("same person?"), "accounts.verify_user", CASES + "link", _open(Case.Kind.LINK)),
        desk.Work(_("appeals"), "accounts.decide_case", CASES + "appeal", _open(Case.Kind.APPEAL)),
        desk.Work(
            _("players whose money play waits"),
            "accounts.verify_user",
            "admin:accounts_moneyhold_changelist?lifted_at__isempty=1",
            MoneyHold.objects.filter(lifted_at=None).count,
        ),
        desk.Work(
            _("money moves that need a second person"),
            closing.SECOND,
            "admin:accounts_closure_changelist?money_state__exact=second",
            Closure.objects.filter(money_state=Closure.State.SECOND).count,
        ),
    )  # fmt: skip


def _open(kind: str) -> "partial[int]":
    return partial(_count, kind)


def _count(kind: str) -> int:
    return Case.objects.filter(status=Case.Status.OPEN, kind=kind).count()
