#!/usr/bin/env bash
# Django's deployment checks on the production settings, with secrets made up on the spot.
set -euo pipefail
cd "$(dirname "$0")/.."

secret() { .venv/bin/python -c "import secrets; print(secrets.token_urlsafe(48))"; }

SECRET_KEY=$(secret) SEED_KEYS=$(secret) IDENTITY_SECRET=$(secret) ALLOWED_HOSTS=nardy.example \
    DJANGO_SETTINGS_MODULE=nardysite.settings.prod \
    .venv/bin/python manage.py check --deploy --fail-level WARNING
