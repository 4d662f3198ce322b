"""Appeals: against a closed account by the link in its letter, against a sanction by the one who is signed in."""

from datetime import timedelta
from typing import Final

from django.core import signing

from accounts.errors import Refused, gettext_noop
from accounts.models import Case, Closure, Report, Sanction, User
from accounts.moderation import cases
from accounts.moderation.errors import UnknownReason

SALT: Final = "accounts.appeal"
DAYS: Final = 90
LIFE: Final = timedelta(days=DAYS)


class AppealExpired(Refused):
    """A link that is too old, or not ours."""

    code = "appeal_expired"
    text = gettext_noop("This link is not valid, or older than %(days)s days. Write to support.")


class AppealAnswered(Refused):
    """The account is open again."""

    code = "appeal_answered"
    text = gettext_noop("This account is open again: there is nothing to appeal against.")


class AppealSent(Refused):
    """The second time."""

    code = "appeal_sent"
    text = gettext_noop("We have your appeal. A person reads it and answers by e-mail.")


def token(closure: Closure) -> str:
    """For the address in the letter."""
    return signing.dumps(closure.pk, salt=SALT)


def closure_of(text: str) -> Closure:
    """Which closing a link is about. Raises AppealExpired, AppealAnswered, AppealSent."""
    try:
        pk = signing.loads(text, salt=SALT, max_age=LIFE)
    except signing.BadSignature:
        raise AppealExpired(days=DAYS) from None
    closure = Closure.objects.filter(pk=pk).select_related("user").first()
    if closure is None:
        raise AppealExpired(days=DAYS)
    if closure.reopened_at is not None:
        raise AppealAnswered
    if Report.objects.filter(reporter=closure.user, about=f"closure:{closure.pk}").exists():
        raise AppealSent
    return closure


def against_closing(text: str, *, words: str) -> None:
    """Opens the appeal's case. Raises what closure_of raises, UnknownReason for no or too many words."""
    closure = closure_of(text)
    _appeal(closure.user, f"closure:{closure.pk}", words)


def against_sanction(user: User, sanction_id: int, *, words: str) -> None:
    """Opens the appeal's case, once for each sanction. Raises AppealSent, UnknownReason; Sanction.DoesNotExist."""
    sanction = Sanction.objects.get(pk=sanction_id, user=user)
    about = f"sanction:{sanction.pk}"
    if Report.objects.filter(reporter=user, about=about).exists():
        raise AppealSent
    _appeal(user, about, words)


def _appeal(user: User, about: str, words: str) -> None:
    words = words.strip()
    if not 0 < len(words) <= cases.LONGEST_TEXT:
        raise UnknownReason(most=cases.LONGEST_TEXT)
    cases.feed(
        suspect=user,
        kind=Case.Kind.APPEAL,
        source=cases.Witness(user),
        reason="",
        about=about,
        text=words,
        scene=cases.Scene(place=Report.Place.APPEAL, about=about),
    )
