"""Letters of the site about somebody's account."""

import logging
from smtplib import SMTPException
from typing import Any, Final

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from accounts.models import Closure, Sanction, User
from accounts.moderation import appeals

log = logging.getLogger(__name__)
FOLDER: Final = "account/email"


def closed(closure: Closure) -> None:
    """Why the account was closed, what became of the money, and how to appeal."""
    link = _absolute(reverse("accounts:appeal", args=[appeals.token(closure)]))
    _send(closure.user, "account_closed", {"closure": closure, "appeal_url": link})


def reopened(closure: Closure) -> None:
    """The account is open again."""
    _send(closure.user, "account_reopened", {"closure": closure})


def sanctioned(sanction: Sanction) -> None:
    """A warning, a mute or a table ban, and why."""
    link = _absolute(reverse("accounts:profile"))
    _send(sanction.user, "sanction", {"sanction": sanction, "settings_url": link})


def factor_reset(user: User) -> None:
    """The second factor is gone; if they did not ask for it, somebody else did."""
    _send(user, "factor_reset", {})


def _send(user: User, name: str, context: dict[str, Any]) -> None:
    """A mail server that is away does not undo what was done; the log says so."""
    context = {"user": user, **context}
    with translation.override(user.language or settings.LANGUAGE_CODE):
        subject = render_to_string(f"{FOLDER}/{name}_subject.txt", context).strip()
        body = render_to_string(f"{FOLDER}/{name}_message.txt", context)
    try:
        send_mail(subject, body, None, [user.email])
    except (SMTPException, OSError):
        log.exception("a letter was not sent", extra={"user": user.pk, "letter": name})


def _absolute(path: str) -> str:
    return f"{settings.SITE_URL.rstrip('/')}{path}"
