"""For the tests: PostgreSQL and Redis from the environment, as in production."""

import os

import dj_database_url

from nardysite.settings.base import *

SECRET_KEY = "only-for-tests-and-never-elsewhere"
SEED_KEYS = ["only-for-tests-and-never-elsewhere"]
IDENTITY_SECRET = "only-for-tests-and-never-elsewhere"
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "testserver"]
DATABASES = {"default": dj_database_url.parse(os.environ["DATABASE_URL"])}
REDIS_URL = os.environ["REDIS_URL"]
# Tests side by side share a Redis, not its databases: each worker has two.
FIRST_DB = 2 * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
# Rate limits live here: they must outlast a Redis that is away, flushed or started anew.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "nardy_cache",
    }
}
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {
            "hosts": [
                {
                    "address": f"{REDIS_URL}/{FIRST_DB}",
                    "socket_timeout": None,
                    "max_connections": 1000,
                }
            ]
        },
    }
}
CELERY_BROKER_URL = f"{REDIS_URL}/{FIRST_DB + 1}"
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
if "NARDY_TEST_MAIL" in os.environ:  # processes of their own: their mail is read from a folder
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = os.environ["NARDY_TEST_MAIL"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Most tests of the admin are not about signing in; those that are turn it on.
STAFF_NEED_SECOND_FACTOR = os.environ.get("NARDY_TEST_SECOND_FACTOR") == "1"
WHITENOISE_USE_FINDERS = True
DICE_SOURCE = os.environ.get("NARDY_TEST_DICE")
# Tests play faster than people; the pace itself has tests of its own.
SOCKET_BURST = int(os.environ.get("NARDY_TEST_BURST", "100000"))
SOCKET_FRAMES_PER_S = 100_000
MIDDLEWARE = ["django.middleware.gzip.GZipMiddleware", *MIDDLEWARE]
SOCKETS_PER_ACCOUNT = 10_000
SOCKETS_PER_ADDRESS = 10_000
# Real processes beat; a test that imports the application does not.
PULSE = os.environ.get("NARDY_TEST_PULSE") == "1"
