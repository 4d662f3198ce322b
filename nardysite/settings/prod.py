"""The served way: everything that differs between machines comes from the environment.

Refuses to start without its secrets, on SQLite where real money is enabled, and without TLS where anybody
but this machine could come. docs/settings.md lists every variable.
"""

from ipaddress import ip_address
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from nardysite.settings.base import *
from nardysite.settings.environment import Environment

SECRET_LENGTH = 32
A_YEAR = 365 * 24 * 60 * 60

environment = Environment()
environment.require(
    "SECRET_KEY", "SEED_KEYS", "IDENTITY_SECRET", "DATABASE_URL", "REDIS_URL", "ALLOWED_HOSTS"
)

SECRET_KEY = environment.secret("SECRET_KEY", least=SECRET_LENGTH)
SECRET_KEY_FALLBACKS = environment.secrets("SECRET_KEY_FALLBACKS", least=SECRET_LENGTH)
SEED_KEYS = environment.secrets("SEED_KEYS", least=SECRET_LENGTH)
IDENTITY_SECRET = environment.secret("IDENTITY_SECRET", least=SECRET_LENGTH)
GEOIP_DATABASE = environment.text("GEOIP_DATABASE") or None
REAL_MONEY = environment.flag("REAL_MONEY", default=False)
TARIFF = environment.text("TARIFF", TARIFF)
PAYMENTS = environment.text("PAYMENTS", PAYMENTS)
if PAYMENTS not in ("sandbox", "stripe"):
    raise ImproperlyConfigured("PAYMENTS must be sandbox or stripe.")
if PAYMENTS == "stripe":
    environment.require("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET")
STRIPE_SECRET_KEY = environment.text("STRIPE_SECRET_KEY")
STRIPE_WEBHOOK_SECRET = environment.text("STRIPE_WEBHOOK_SECRET")
WITHDRAWAL_AUTOMATIC_BELOW = environment.number(
    "WITHDRAWAL_AUTOMATIC_BELOW", WITHDRAWAL_AUTOMATIC_BELOW
)
ALERT_EMAILS = environment.names("ALERT_EMAILS")
MONEY_MATCHES_AT_ONCE = environment.number("MONEY_MATCHES_AT_ONCE", MONEY_MATCHES_AT_ONCE)

ALLOWED_HOSTS = environment.names("ALLOWED_HOSTS")
if "*" in ALLOWED_HOSTS:
    raise ImproperlyConfigured("ALLOWED_HOSTS must name the hosts: sockets are checked by it too.")
CSRF_TRUSTED_ORIGINS = environment.names("CSRF_TRUSTED_ORIGINS")


def is_this_machine(host: str) -> bool:
    """Whether a name or address leads to the machine itself and to no other."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


TLS = environment.flag("TLS", default=True)
SITE_URL = environment.text("SITE_URL", f"{'https' if TLS else 'http'}://{ALLOWED_HOSTS[0]}")
if not TLS and REAL_MONEY:
    raise ImproperlyConfigured("Real money needs TLS: TLS=0 is for trying the site out.")
if not TLS and not all(map(is_this_machine, ALLOWED_HOSTS)):
    raise ImproperlyConfigured("TLS=0 is for loopback: ALLOWED_HOSTS names other hosts.")

# --- the services -------------------------------------------------------------------------------

DATABASES: dict[str, dict[str, Any]] = {
    "default": {**dj_database_url.parse(environment.text("DATABASE_URL"))}
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
    DATABASES["default"].update(
        CONN_MAX_AGE=0,  # the pool keeps connections; Django must not keep them as well
        CONN_HEALTH_CHECKS=True,
        OPTIONS={
            **DATABASES["default"].get("OPTIONS", {}),
            "pool": {
                "min_size": 2,
                "max_size": environment.number("DATABASE_POOL", 20),
                "timeout": 10,
            },
            "options": "-c idle_in_transaction_session_timeout=15000 -c lock_timeout=10000",
        },
    )
elif REAL_MONEY:
    raise ImproperlyConfigured("Real money needs PostgreSQL: DATABASE_URL names something else.")

REDIS_URL = environment.text("REDIS_URL").rstrip("/")
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {
            "hosts": [
                # Without a limit on silence: a subscription may have nothing to say for hours.
                {"address": f"{REDIS_URL}/0", "socket_timeout": None, "max_connections": 1000}
            ]
        },
    }
}
CELERY_BROKER_URL = f"{REDIS_URL}/1"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # as long as it takes
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # A task that was not acknowledged is given out again after this: longer than the longest may run, which is
    # ENGINE_HARD_S of games/tasks.py.
    "visibility_timeout": 80,
    "socket_connect_timeout": 2,
    "socket_keepalive": True,
}
# Rate limits live here: they must outlast a Redis that is away, flushed or started anew.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "nardy_cache",
    }
}

# --- cookies, transport, proxies ----------------------------------------------------------------

SESSION_COOKIE_SECURE = TLS
SESSION_COOKIE_NAME = "__Host-session" if TLS else "sessionid"
CSRF_COOKIE_SECURE = TLS
LANGUAGE_COOKIE_SECURE = TLS
SECURE_SSL_REDIRECT = TLS and environment.flag("SECURE_SSL_REDIRECT", default=True)
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]  # asked by machines inside, over plain HTTP
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_HSTS_SECONDS = environment.number("SECURE_HSTS_SECONDS", A_YEAR) if TLS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True

# Our nginx overwrites the header, so exactly this many of its entries are ours.
CLIENT_IP_TRUSTED_PROXIES = environment.number("TRUSTED_PROXIES", 1)
ALLAUTH_TRUSTED_PROXY_COUNT = CLIENT_IP_TRUSTED_PROXIES

# --- log lines, for machines to read --------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"()": "nardysite.logs.JsonLines"}},
    "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "lines"}},
    "root": {"handlers": ["lines"], "level": environment.text("LOG_LEVEL", "INFO")},
    # Django would send tracebacks by mail, with what the visitor had sent in them.
    "loggers": {
        "django": {"handlers": ["lines"], "level": "INFO", "propagate": False},
        # Several tasks a second come and go; the figures count them.
        "celery.app.trace": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
    },
}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

# --- figures ----------------------------------------------------------------------------------------

METRICS_PORT = environment.number("METRICS_PORT", 0)
METRICS_HOST = environment.text("METRICS_HOST", METRICS_HOST)

# --- files and mail -----------------------------------------------------------------------------

STATIC_ROOT = environment.text("STATIC_ROOT") or BASE_DIR / "staticfiles"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "nardysite.storage.HashedFiles"},
}
EMAIL_HOST = environment.text("EMAIL_HOST", "localhost")
EMAIL_PORT = environment.number("EMAIL_PORT", 587)
EMAIL_HOST_USER = environment.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = environment.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = environment.flag("EMAIL_USE_TLS", default=True)
DEFAULT_FROM_EMAIL = environment.text("DEFAULT_FROM_EMAIL", f"noreply@{ALLOWED_HOSTS[0]}")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
if EMAIL_FOLDER := environment.text("EMAIL_FOLDER"):
    if REAL_MONEY:
        raise ImproperlyConfigured("With real money, mail must be sent: unset EMAIL_FOLDER.")
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = EMAIL_FOLDER
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
