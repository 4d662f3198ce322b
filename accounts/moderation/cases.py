"""Cases: what speaks against an account, collected from reports and detectors, and decided by a person once."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Sum
from django.utils import timezone

from accounts import audit
from accounts.guests import DOMAIN
from accounts.models import Case, Closure, Reason, Report, Sanction, User
from accounts.moderation.errors import (
    CaseDecided,
    NotAllowed,
    OwnAccount,
    OwnDeed,
    ReasonMissing,
    ReportsTooFast,
    ReportYourself,
    UnknownReason,
)

DECIDE: Final = "accounts.decide_case"
LONGEST_REASON: Final = 1_000
LONGEST_TEXT: Final = 1_000
LONGEST_QUOTE: Final = 400
MOST_REPORTS_A_DAY: Final = 20
TRIES: Final = 3


@dataclass(frozen=True, slots=True)
class Detector:
    """A job of the site that speaks in a case, and how much its voice counts."""

    name: str
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Witness:
    """A player who reports another."""

    user: User


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a player saw it: the page, the match, and the line that was said. `about` is one report of a person."""

    place: str
    about: str
    match_id: UUID | None = None
    quote: str = ""


def report(*, by: User, suspect: User, reason: str, scene: Scene, text: str) -> Report:
    """A player reports another; the same report again changes nothing.

    Raises ReportYourself, UnknownReason, ReportsTooFast.
    """
    if by.pk == suspect.pk:
        raise ReportYourself
    text = text.strip()
    if reason not in Reason.values or len(text) > LONGEST_TEXT:
        raise UnknownReason(most=LONGEST_TEXT)
    since = timezone.now() - timedelta(days=1)
    if Report.objects.filter(reporter=by, at__gt=since).count() >= MOST_REPORTS_A_DAY:
        raise ReportsTooFast
    return feed(
        suspect=suspect,
        source=Witness(by),
        reason=reason,
        about=scene.about,
        text=text,
        scene=scene,
    )


def feed(  # noqa: PLR0913  a report is made of this much
    *,
    suspect: User,
    source: Detector | Witness,
    reason: str,
    about: str,
    kind: str = Case.Kind.CONDUCT,
    text: str = "",
    scene: Scene | None = None,
) -> Report:
    """Adds a voice to the open case of an account, or opens one. The same voice about the same thing is one report."""
    reporter = source.user if isinstance(source, Witness) else None
    detector = source.name if isinstance(source, Detector) else ""
    with transaction.atomic():
        case = _open_case(suspect, kind)
        found, is_new = Report.objects.get_or_create(
            case=case,
            reporter=reporter,
            detector=detector,
            about=about,
            **({"reason": reason} if reporter else {}),
            defaults={
                "reason": reason,
                "place": scene.place if scene else Report.Place.DETECTOR,
                "match_id": scene.match_id if scene else None,
                "quote": scene.quote[:LONGEST_QUOTE] if scene else "",
                "text": text,
                "weight": source.weight if isinstance(source, Detector) else 1,
            },
        )
        if is_new:
            _score(case)
    return found


def take(case_id: int, *, by: User) -> None:
    """Says who works on it, so that two do not; taking it over from somebody is allowed, and recorded."""
    with transaction.atomic():
        case = _undecided(case_id, by)
        before = case.taken_by.screen_name if case.taken_by else ""
        Case.objects.filter(pk=case.pk).update(taken_by=by)
        audit.record(
            by=by,
            action="take_case",
            why="-",
            whom=case.suspect,
            about=f"case:{case.pk}",
            change=audit.Change(before={"with": before}, after={"with": by.screen_name}),
        )


def decide(case_id: int, *, by: User, confirmed: bool, decision: str) -> None:
    """Confirms or dismisses, once. An appeal is decided by somebody else than the one whose deed it is about.

    Raises NotAllowed, OwnAccount, OwnDeed, ReasonMissing; CaseDecided if somebody was faster.
    """
    with transaction.atomic():
        case = _undecided(case_id, by)
        if case.kind == Case.Kind.APPEAL and by.pk in _appealed_against(case):
            raise OwnDeed
        require_reason(decision)
        _decide(case, by=by, confirmed=confirmed, decision=decision)


def close(suspect: User, kind: str, *, by: User, confirmed: bool, decision: str) -> bool:
    """Decides the open case of an account as part of another deed. False if there is none."""
    case = (
        Case.objects.select_for_update().filter(suspect=suspect, kind=kind, status="open").first()
    )
    if case is None:
        return False
    _decide(case, by=by, confirmed=confirmed, decision=decision)
    return True


def require_deed(*, by: User, whom: User, why: str) -> None:
    """What every deed of staff on a person needs. Raises OwnAccount, ReasonMissing."""
    if by.pk == whom.pk:
        raise OwnAccount
    require_reason(why)


def require_reason(why: str) -> None:
    """Raises ReasonMissing."""
    if not 0 < len(why.strip()) <= LONGEST_REASON:
        raise ReasonMissing(most=LONGEST_REASON)


def _open_case(suspect: User, kind: str) -> Case:
    """The one open case, locked: two who report at once merge into it."""
    for _ in range(TRIES):
        case = (
            Case.objects.select_for_update()
            .filter(suspect=suspect, kind=kind, status="open")
            .first()
        )
        if case is not None:
            return case
        try:
            with transaction.atomic():
                return Case.objects.create(suspect=suspect, kind=kind)
        except IntegrityError:
            continue
    raise RuntimeError("cases are opened and decided faster than they are read")


def _score(case: Case) -> None:
    """The weights of its reports. A person counts once for each reason, however often they report it.

    Guests do not count: anybody is a new one as often as they like. What they write is read all the same.
    """
    voices = Report.objects.filter(case=case).order_by()
    known = voices.filter(reporter__isnull=False).exclude(reporter__email__endswith=f"@{DOMAIN}")
    people = known.values("reporter", "reason").distinct().count()
    detectors = voices.filter(reporter__isnull=True).aggregate(sum=Sum("weight"))["sum"] or 0
    Case.objects.filter(pk=case.pk).update(score=people + detectors, fed_at=timezone.now())


def _undecided(case_id: int, by: User) -> Case:
    if not by.has_perm(DECIDE):
        raise NotAllowed
    # Nothing is joined: of a row that was waited for, the database joins what stood in it before.
    case = Case.objects.select_for_update().get(pk=case_id)
    if case.suspect_id == by.pk:
        raise OwnAccount
    if case.decided_by is not None:
        raise CaseDecided(who=case.decided_by.screen_name)
    return case


def _appealed_against(case: Case) -> set[int]:
    """Who closed the account, or laid the sanctions, that the appeal is about."""
    deeds: dict[str, list[int]] = {"closure": [], "sanction": []}
    for about in case.reports.values_list("about", flat=True):
        kind, _, number = about.partition(":")
        deeds[kind].append(int(number))
    closers = Closure.objects.filter(pk__in=deeds["closure"]).values_list("by_id", flat=True)
    sanctioners = Sanction.objects.filter(pk__in=deeds["sanction"]).values_list("by_id", flat=True)
    return {*closers, *sanctioners}


def _decide(case: Case, *, by: User, confirmed: bool, decision: str) -> None:
    status = Case.Status.CONFIRMED if confirmed else Case.Status.DISMISSED
    Case.objects.filter(pk=case.pk).update(
        status=status, decided_at=timezone.now(), decided_by=by, decision=decision.strip()
    )
    audit.record(
        by=by,
        action="decide_case",
        why=decision.strip(),
        whom=case.suspect,
        about=f"case:{case.pk}",
        change=audit.Change(
            before={"status": "open", "score": case.score}, after={"status": status.value}
        ),
    )
