"""The embedded way: one process, SQLite, nothing to install. Real money is refused here."""

import os
from pathlib import Path

from nardysite.settings.base import *

VAR_DIR = Path(os.environ.get("NARDY_VAR", VAR_DIR))
VAR_DIR.mkdir(parents=True, exist_ok=True)


def kept_secret(name: str) -> str:
    """A secret made on the first run and kept beside the embedded database."""
    path = VAR_DIR / name
    if not path.exists():
        import secrets

        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(48))
    return path.read_text().strip()


SECRET_KEY = kept_secret("secret_key")
SEED_KEYS = [kept_secret("seed_key")]
IDENTITY_SECRET = kept_secret("identity_secret")
# One person tries the site out as several, at one computer.
HOLD_LINKED_ACCOUNTS = False
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": VAR_DIR / "nardy.sqlite3",
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }
}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
CHANNEL_LAYERS = {"default": {"BACKEND": "nardysite.local_layer.LocalLayer"}}
CELERY_BROKER_URL = "memory://"
CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.05}
EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
EMAIL_FILE_PATH = VAR_DIR / "mail"
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
EMBEDDED = True
# Nothing stands before this one process that would compress; Django pads secrets against BREACH.
MIDDLEWARE = ["django.middleware.gzip.GZipMiddleware", *MIDDLEWARE]
