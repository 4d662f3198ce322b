"""Settings that every way of running shares. Secrets and addresses come from the environment."""

from pathlib import Path
from typing import Any

import django_stubs_ext
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _
from kombu import Exchange, Queue

django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent.parent
VAR_DIR = BASE_DIR / "var"

DEBUG = False
ALLOWED_HOSTS: list[str] = []
ROOT_URLCONF = "nardysite.urls"
ASGI_APPLICATION = "nardysite.asgi.application"
AUTH_USER_MODEL = "accounts.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
SITE_ID = 1

INSTALLED_APPS = [
    "daphne",
    "nardysite.apps.NardysiteConfig",
    "accounts",
    "wallet",
    "games",
    "rooms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "django_countries",
    "channels",
    "django_prometheus",
    "unfold.apps.BasicAppConfig",
    "nardysite.apps.StaffSiteConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "nardysite.apps.SiteFilesConfig",
]

MIDDLEWARE = [
    "nardysite.logs.named_requests",
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.known_clients",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.debug",
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.context.preferences",
                "wallet.context.purse",
                "wallet.context.remind",
                "games.context.running",
                "rooms.context.waiting",
            ],
        },
    },
]

AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/lobby/"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_USER_MODEL_EMAIL_FIELD = "email"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {"signup": "accounts.forms.SignupForm"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
# Mandatory, or sign-up would have to tell a known address from a new one.
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_LOGOUT_ON_GET = False
# Who finds an open browser cannot take the account over: password again before the address changes.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
MFA_ADAPTER = "accounts.second_factor.MfaAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Nardy"
MFA_TOTP_TOLERANCE = 1
USERSESSIONS_TRACK_ACTIVITY = False  # accounts.middleware does it, now and then instead of always

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = True
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("ru", _("Russian")), ("fi", _("Finnish"))]
LOCALE_PATHS = [BASE_DIR / "locale"]

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "font-src": [SELF],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}

UNFOLD = {
    "SITE_TITLE": "Nardy",
    "SITE_HEADER": "Nardy",
    "SHOW_HISTORY": False,
    "SITE_SYMBOL": "casino",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": "accounts.desk_look.icon"}],
    "STYLES": ["accounts.desk_look.stylesheet"],
    "SIDEBAR": {
        "show_search": False,
        "navigation": "accounts.desk_look.navigation",
    },
}

# --- the product's own settings ---------------------------------------------------------------

TARIFF = "play65-ru"
REAL_MONEY = False
# How money is paid in and out: "sandbox" (test money) or "stripe", which needs both of its keys.
PAYMENTS = "sandbox"
STRIPE_SECRET_KEY = ""
STRIPE_WEBHOOK_SECRET = ""
# Withdrawals whose sum in 24 hours stays below this, in cents, need nobody's approval.
WITHDRAWAL_AUTOMATIC_BELOW = 20_00
# Where the checker writes when it has found something.
ALERT_EMAILS: list[str] = []
EMBEDDED = False
MINIMUM_AGE_YEARS = 18
# Matches for money that a player may have running; for chips as many as they like.
MONEY_MATCHES_AT_ONCE = 1
# How many proxies of ours stand in front; the client's address is the one the outermost of them saw.
CLIENT_IP_TRUSTED_PROXIES = 0
CLIENT_IP_HEADER = "X-Forwarded-For"
# Where people find the site, for letters that no request of theirs causes.
SITE_URL = "http://127.0.0.1:8000"
# A database of places in MaxMind's format; None: nobody's place is known but by what they declare.
GEOIP_DATABASE: str | None = None
# Whether accounts that share a device, an address or a network wait for staff before they play for money.
HOLD_LINKED_ACCOUNTS = True
# Whether the admin asks staff for a second factor.
STAFF_NEED_SECOND_FACTOR = True
# What staff may move alone, in cents; above it a second person has to agree.
STAFF_ALONE_CENTS = 100_00
# The path of a JSON file {"rolls": [[light, dark], [a, b], …]}: fixed dice, for the test settings only.
DICE_SOURCE: str | None = None
# Frames a socket may send at once, and a second after that; an account may do a few times as much.
# Whether a process that serves sockets beats, so that downtime is noticed and given back.
PULSE = True
SOCKETS_PER_ACCOUNT = 24
SOCKETS_PER_ADDRESS = 48
SOCKET_BURST = 40
SOCKET_FRAMES_PER_S = 10
# Where this process tells its figures to Prometheus; 0: nowhere. Never a port that visitors reach.
METRICS_PORT = 0
METRICS_HOST = "127.0.0.1"

CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Long reckonings wait in a queue of their own, for processes of their own; a worker that is not told which
# queues to serve serves both.
CELERY_TASK_QUEUES = [
    Queue(name, Exchange(name), routing_key=name) for name in ("celery", "engine")
]
CELERY_TASK_ROUTES = {
    name: {"queue": "engine", "routing_key": "engine"}
    for name in ("games.tasks.adjudicate", "games.tasks.analyse", "wallet.tasks.check_ledger")
}
CELERY_BEAT_SCHEDULE = {
    "sweep-deadlines": {
        "task": "games.tasks.sweep_deadlines",
        "schedule": 0.5,
        "options": {"expires": 5.0},
    },
    "mark-lost": {
        "task": "games.tasks.mark_lost",
        "schedule": 1.0,
        "options": {"expires": 5.0},
    },
    "ask-for-verdicts": {
        "task": "games.tasks.ask_for_verdicts",
        "schedule": 1.0,
        "options": {"expires": 5.0},
    },
    "move-bots": {
        "task": "games.tasks.move_bots",
        "schedule": 0.4,
        "options": {"expires": 2.0},
    },
    "ask-for-analyses": {
        "task": "games.tasks.ask_for_analyses",
        "schedule": 1.0,
        "options": {"expires": 5.0},
    },
    "verify-dice": {
        "task": "games.tasks.verify_finished_dice",
        "schedule": 60.0,
        "options": {"expires": 60.0},
    },
    "sweep-offers": {
        "task": "rooms.tasks.sweep_offers",
        "schedule": 5.0,
        "options": {"expires": 10.0},
    },
    "recheck-places": {
        "task": "accounts.tasks.recheck_places",
        "schedule": 20 * 60.0,
        "options": {"expires": 10 * 60.0},
    },
    "settle-closures": {
        "task": "accounts.tasks.settle_closures",
        "schedule": 10.0,
        "options": {"expires": 20.0},
    },
    "pay-withdrawals": {
        "task": "wallet.tasks.pay_withdrawals",
        "schedule": 5.0,
        "options": {"expires": 10.0},
    },
    "catch-up-events": {
        "task": "wallet.tasks.catch_up_events",
        "schedule": 60.0,
        "options": {"expires": 60.0},
    },
    "promote": {
        "task": "wallet.tasks.promote",
        "schedule": 5.0,
        "options": {"expires": 10.0},
    },
    "draw-pairs": {
        "task": "rooms.tasks.draw_pairs",
        "schedule": 2.0,
        "options": {"expires": 5.0},
    },
    "check-ledger": {
        "task": "wallet.tasks.check_ledger",
        "schedule": 60.0,
        "options": {"expires": 60.0},
    },
}

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    # Django's own handler mails errors and says nothing where DEBUG is off.
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.request": {"level": "ERROR"},
    },
}
