"""All that is kept about a person, for that person: one tree of plain values, as JSON has it.

Not in it: what others said about them (reports protect the reporter), and what staff wrote for staff.
"""

from allauth.usersessions.models import UserSession

from accounts.models import Closure, IdentityKey, Report, Sanction, User
from accounts.moderation import estates

FACTS = (
    "email",
    "screen_name",
    "full_name",
    "birth_date",
    "country",
    "us_state",
    "street",
    "postcode",
    "city",
    "date_joined",
    "last_login",
    "identity_verified_at",
    "address_verified_at",
)


def of(user: User) -> dict[str, object]:
    """Dates as ISO 8601, amounts in minor units."""
    return {
        "account": {name: _plain(getattr(user, name)) for name in FACTS},
        "sessions": _rows(UserSession.objects.filter(user=user).values("ip", "user_agent", "created_at", "last_seen_at")),
        "keys": _rows(IdentityKey.objects.filter(user=user).values("kind", "first_seen", "last_seen")),
        "last_seen": _rows(
            User.objects.filter(pk=user.pk, whereabouts__isnull=False).values(
                "whereabouts__ip", "whereabouts__country", "whereabouts__us_state", "whereabouts__seen_at"
            )
        ),
        "sanctions": _rows(Sanction.objects.filter(user=user).values("kind", "why", "at", "until", "lifted_at")),
        "closed": _rows(Closure.objects.filter(user=user).values("reason", "at", "reopened_at")),
        "reports_made": _rows(Report.objects.filter(reporter=user).values("reason", "text", "quote", "at")),
        "play": estates.matches().export(user.pk),
        "money": estates.money().export(user.pk),
    }  # fmt: skip


def _rows(found: object) -> list[dict[str, object]]:
    return [{name: _plain(value) for name, value in row.items()} for row in found]  # type: ignore[attr-defined]


def _plain(value: object) -> object:
    return value.isoformat() if hasattr(value, "isoformat") else value
