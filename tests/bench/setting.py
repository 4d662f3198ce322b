"""Sets the bench's stage: people with sessions, seated at tables for chips. Prints the plan's tables as JSON.

python -m tests.bench.setting TABLES SPARES
"""

import json
import os
import secrets
import sys

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardysite.settings.test")
    django.setup()

    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore
    from django.db import transaction

    from accounts.models import User
    from games.services import open_match
    from games.terms import table_terms
    from wallet.services import open_wallet

    def person() -> tuple[User, str]:
        """A player and the cookie of their session."""
        name = secrets.token_hex(8)
        user = User(email=f"{name}@example.com", screen_name=name, country="FI")
        user.set_unusable_password()
        user.save()
        open_wallet(user.pk)
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.save()
        return user, f"sessionid={session.session_key}"

    tables, spares = int(sys.argv[1]), int(sys.argv[2])
    terms = table_terms(currency="PLAY", stake=1)
    plan = []
    with transaction.atomic():
        for _ in range(tables):
            (light, one), (dark, two) = person(), person()
            matches = [
                open_match(light=light, dark=dark, terms=terms, room="practice", column="practice")
                for _ in range(spares)
            ]
            cookies = {"light": one, "dark": two}
            plan.append([{"match": str(match), "cookies": cookies} for match in matches])
    sys.stdout.write(json.dumps(plan))
