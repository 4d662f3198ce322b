"""The least that django-hordak needs, on the database of the environment."""

import os

import dj_database_url

SECRET_KEY = "only-for-the-bench"
USE_TZ = True
INSTALLED_APPS = ["django.contrib.contenttypes", "django.contrib.auth", "mptt", "hordak"]
DATABASES = {"default": dj_database_url.parse(os.environ["DATABASE_URL"])}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DEFAULT_CURRENCY = "USD"
HORDAK_CURRENCIES = ["USD"]
CURRENCIES = ["USD"]
