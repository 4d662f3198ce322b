"""What staff reads about one person, gathered from all apps for a page. Writes nothing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import Q

from accounts import audit, finding, residence, selectors
from accounts.keys import Kind
from accounts.models import (
    AccountLink,
    Case,
    Closure,
    IdentityKey,
    MoneyHold,
    Report,
    Sanction,
    User,
)
from accounts.moderation import closing, estates
from accounts.moderation.estates import Flow, Loss

LISTED: Final = 50
PAIRS: Final = 5


@dataclass(frozen=True, slots=True)
class NamedLoss:
    """What one player lost, with the name that staff knows them by; cents."""

    user_id: int
    name: str
    amount: int


@dataclass(frozen=True, slots=True)
class Pair:
    """The ledger of two people: `net` is what the first one gained from the other, in cents."""

    user_id: int
    name: str
    flows: Sequence[Flow]
    net: int


def person(whom: User, *, reader: User) -> dict[str, Any]:
    """For the template: everything about a person that does not depend on a case."""
    return {
        "place": residence.place_name(whom) if whom.country else "",
        "seen": residence.last_seen(whom),
        "money_refusal": selectors.money_refusal(whom),
        "balance": estates.money().balance(whom.pk),
        "closure": closing.of(whom),
        "hold": MoneyHold.objects.filter(user=whom, lifted_at=None).first(),
        "links": links_of(whom),
        "devices": [
            finding.device_of(key) for key in IdentityKey.objects.filter(user=whom, kind=Kind.DEVICE)[:LISTED]
        ],
        "sessions": UserSession.objects.filter(user=whom).order_by("-last_seen_at")[:LISTED],
        "cases": Case.objects.filter(suspect=whom).order_by("-id")[:LISTED],
        "reports_made": Report.objects.filter(reporter=whom).count(),
        "sanctions": Sanction.objects.filter(user=whom).select_related("by")[:LISTED],
        "running": estates.matches().running(whom.pk),
        "matches": estates.matches().recent(whom.pk),
        "incidents": estates.matches().incidents(whom.pk)[:LISTED],
        "chat": estates.matches().lines(whom.pk),
        "has_factor": Authenticator.objects.filter(user=whom).exists(),
        "roles": list(whom.groups.values_list("name", flat=True)),
        "actions": [
            (row, audit.in_words(row)) for row in audit.readable_by(reader).filter(whom=whom)[:LISTED]
        ],
    }  # fmt: skip


def case(row: Case) -> dict[str, Any]:
    """For the template: what the reports say, and the ledger with each of those who matter in it."""
    reports = list(row.reports.select_related("reporter"))
    others = [report.reporter_id for report in reports if report.reporter_id]
    others += [link["other"].pk for link in links_of(row.suspect)]
    others += [played.opponent_id for played in estates.matches().recent(row.suspect_id)]
    met = [pk for pk in dict.fromkeys(others) if pk and pk != row.suspect_id][:PAIRS]
    return {"reports": reports, "pairs": _pairs(row.suspect, met)}


def links_of(whom: User) -> list[dict[str, Any]]:
    """Every account linked to this one: `other`, and the links with their reasons."""
    rows = AccountLink.objects.filter(Q(first=whom) | Q(second=whom)).select_related(
        "first", "second", "cleared_by"
    )
    found: dict[int, dict[str, Any]] = {}
    for row in rows.order_by("-id")[: 2 * LISTED]:
        other = row.second if row.first_id == whom.pk else row.first
        found.setdefault(other.pk, {"other": other, "links": []})["links"].append(row)
    return list(found.values())


def named(losses: Iterable[Loss]) -> list[NamedLoss]:
    """With names."""
    losses = list(losses)
    names = dict(
        User.objects.filter(pk__in=[one.user_id for one in losses]).values_list("pk", "screen_name")
    )
    return [NamedLoss(one.user_id, names[one.user_id], one.amount) for one in losses]


def refunds_of(closure: Closure) -> list[NamedLoss]:
    """What victims get, or got, of a closed account."""
    return named(Loss(one["user"], one["amount"]) for one in closure.refunds)


def _pairs(whom: User, others: Sequence[int]) -> list[Pair]:
    names = dict(User.objects.filter(pk__in=others).values_list("pk", "screen_name"))
    pairs = []
    for pk in others:
        flows = estates.money().between(whom.pk, pk)
        if flows:
            pairs.append(Pair(pk, names[pk], flows, sum(flow.amount for flow in flows)))
    return pairs
