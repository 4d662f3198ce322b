"""For the short part of the tests that runs on the embedded way: SQLite, the in-process layer."""

import os
import tempfile

os.environ.setdefault("NARDY_VAR", tempfile.mkdtemp(prefix="nardy-embedded-"))

from nardysite.settings.dev import *

EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DICE_SOURCE = os.environ.get("NARDY_TEST_DICE")
