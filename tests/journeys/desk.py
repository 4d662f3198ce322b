"""The staff's desk: seats players, opens tables and reads the books on the site's own database.

A process beside the site with the site's settings, so that nothing of Django is needed in the tests' own. It is asked
in lines of JSON and answers in lines of JSON. Journeys use it for what they are not about.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Self

from tests.run.site import ROOT, Site


class Key(NamedTuple):
    """What makes a browser a player's: the cookie of a session."""

    name: str
    session: str


class Desk:
    """The desk as the tests see it. Amounts are minor units."""

    def __init__(self, site: Site) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.journeys.desk"],
            cwd=ROOT,
            env={**os.environ, **site.environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._process.communicate(timeout=30)

    def register(
        self, name: str, *, cents: int = 0, country: str = "FI", us_state: str = ""
    ) -> Key:
        """A player with a confirmed address, the usual chips, and so much test money; signed in."""
        session = self._ask("register", name=name, cents=cents, country=country, us_state=us_state)
        return Key(name, session)

    def hire(self, name: str, role: str, *, factor: bool = True) -> Key:
        """Somebody who works for the site, signed in; with a second factor unless they are to set it up."""
        return Key(name, self._ask("hire", name=name, role=role, factor=factor))

    def identify(self, name: str) -> None:
        """Papers were seen and a second factor is set up: what a withdrawal needs."""
        self._ask("identify", name=name)

    def open_table(self, light: str, dark: str, *, currency: str, stake: int, **terms: Any) -> str:
        """Sits two players down, as the lobby would; answers the match's id. Both see the ready check."""
        place = {"light": light, "dark": dark, "currency": currency, "stake": stake}
        return str(self._ask("open_table", **place, terms=terms))

    def offer(
        self, name: str, room: str, *, stake: int, limit_factor: int = 12, **wish: Any
    ) -> None:
        """Opens a table in the lobby that waits for an opponent."""
        terms = {"stake": stake, "limit_factor": limit_factor, **wish}
        self._ask("offer", name=name, room=room, terms=terms)

    def befriend(self, name: str, other: str) -> None:
        """Two players agree to be friends."""
        self._ask("befriend", name=name, other=other)

    def balance(self, name: str, currency: str = "USD") -> int:
        """What a player can spend now."""
        return int(self._ask("balance", name=name, currency=currency))

    def rating(self, name: str, currency: str = "USD") -> dict[str, Any]:
        """A player's rating in backgammon to the last digit: `{"exact", "experience"}`."""
        return dict(self._ask("rating", name=name, currency=currency))

    def commission(self) -> int:
        """What the house has earned, in cents."""
        return int(self._ask("commission"))

    def events(self, match_id: str) -> list[dict[str, Any]]:
        """The events of a match: `{"kind": …, …payload}`."""
        return list(self._ask("events", match_id=match_id))

    def findings(self) -> list[str]:
        """What the checker of the ledger and of all matches finds: nothing."""
        return list(self._ask("findings"))

    def _ask(self, question: str, **facts: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"question": question, **facts}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the desk has closed"
        answer = json.loads(line)
        assert "problem" not in answer, answer["problem"]
        return answer["answer"]


# --- the other side of the desk: the process that knows Django --------------------------------------


def _register(*, name: str, cents: int, country: str, us_state: str) -> str:
    from accounts.services import register_demo_player
    from wallet.services import deposit_sandbox, open_wallet

    user = register_demo_player(
        email=f"{name.lower()}@example.com",
        screen_name=name,
        password="a quick brown fox",
        country=country,
        us_state=us_state,
    )
    open_wallet(user.pk)
    if cents:
        deposit_sandbox(user.pk, cents, key="journey")
    return _signed_in(user)


def _hire(*, name: str, role: str, factor: bool) -> str:
    from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
    from django.contrib.auth.models import Group

    from accounts.models import User

    user = User.objects.create_user(
        f"{name.lower()}@example.net", "a quick brown fox", screen_name=name, is_staff=True
    )
    user.confirm_email()
    user.groups.add(Group.objects.get(name=role))
    if not factor:
        return _signed_in(user)
    TOTP.activate(user, generate_totp_secret())
    used = [{"method": "mfa", "at": time.time(), "type": "totp"}]
    return _signed_in(
        user,
        account_authentication_methods=used,
        account_authentication_methods_user=str(user.pk),
    )


def _identify(*, name: str) -> None:
    from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
    from django.utils import timezone

    from accounts.models import User

    user = User.objects.get(screen_name=name)
    User.objects.filter(pk=user.pk).update(identity_verified_at=timezone.now())
    TOTP.activate(user, generate_totp_secret())


def _signed_in(user: Any, **more: Any) -> str:
    """A session of this user, with whatever else it holds."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.update(more)
    session.create()
    assert session.session_key is not None
    return session.session_key


def _open_table(*, light: str, dark: str, currency: str, stake: int, terms: dict[str, Any]) -> str:
    from accounts.models import User
    from games.services import open_match, table_terms

    options = frozenset(terms.pop("options", ()))
    agreed = table_terms(currency=currency, stake=stake, options=options, **terms)
    room = "main" if agreed.is_money else "practice"
    players = {
        side: User.objects.get(screen_name=name)
        for side, name in (("light", light), ("dark", dark))
    }
    return str(open_match(**players, terms=agreed, room=room, column=room))


def _offer(*, name: str, room: str, terms: dict[str, Any]) -> None:
    from accounts.models import User
    from rooms import services
    from rooms.forms import new_token
    from rooms.selectors import room_named

    hall = room_named(room)
    plain = {"variant": "backgammon", "kind": "single", "length": 1, "clock": "normal"}
    options = frozenset(terms.pop("options", ()))
    wish = services.Wish(**{**plain, **terms}, options=options)
    services.create_offer(
        user=User.objects.get(screen_name=name),
        room=hall,
        terms=services.room_terms(hall, wish),
        token=new_token(),
    )


def _befriend(*, name: str, other: str) -> None:
    from accounts.acquaintances import befriend
    from accounts.models import User

    one, two = (User.objects.get(screen_name=each) for each in (name, other))
    befriend(one, two)
    befriend(two, one)


def _balance(*, name: str, currency: str) -> int:
    from accounts.models import User
    from wallet.money import Currency
    from wallet.selectors import balance_of

    return balance_of(User.objects.get(screen_name=name).pk, Currency(currency))


def _rating(*, name: str, currency: str) -> dict[str, Any]:
    from accounts.models import User
    from games.standings import rating_of

    user_id = User.objects.get(screen_name=name).pk
    rating = rating_of(user_id, variant="backgammon", currency=currency)
    return {"exact": str(rating.exact), "experience": rating.experience}


def _commission() -> int:
    from wallet import chart
    from wallet.models import Account

    rows = Account.objects.filter(code=chart.commission().code, currency="USD")
    return rows.values_list("balance", flat=True).first() or 0


def _events(*, match_id: str) -> list[dict[str, Any]]:
    from games.models import MatchEvent

    rows = MatchEvent.objects.filter(match_id=match_id).order_by("version")
    return [{"kind": kind, **payload} for kind, payload in rows.values_list("kind", "payload")]


def _findings() -> list[str]:
    from wallet import reconcile

    return [
        f"{outcome.name}: {line}"
        for outcome in reconcile.run()
        if "dice" not in outcome.name  # journeys fix theirs
        for line in outcome.findings
    ]


_QUESTIONS: dict[str, Callable[..., Any]] = {
    "register": _register,
    "hire": _hire,
    "identify": _identify,
    "open_table": _open_table,
    "offer": _offer,
    "befriend": _befriend,
    "balance": _balance,
    "rating": _rating,
    "commission": _commission,
    "events": _events,
    "findings": _findings,
}


def _serve() -> None:
    import django

    django.setup()
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            answer = {"answer": _QUESTIONS[asked.pop("question")](**asked)}
        except Exception as problem:  # noqa: BLE001  the test that asked is told, and fails there
            answer = {"problem": repr(problem)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve()
