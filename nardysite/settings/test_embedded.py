"""For the short part of the tests that runs on the embedded way: SQLite, the in-process layer."""

import atexit
import os
import shutil
import tempfile

if "NARDY_VAR" not in os.environ:
    os.environ["NARDY_VAR"] = tempfile.mkdtemp(prefix="nardy-embedded-")
    atexit.register(shutil.rmtree, os.environ["NARDY_VAR"], ignore_errors=True)

from nardysite.settings.dev import *

EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STAFF_NEED_SECOND_FACTOR = False
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DICE_SOURCE = os.environ.get("NARDY_TEST_DICE")

# A test that imports the application does not beat.
PULSE = False
