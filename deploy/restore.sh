#!/usr/bin/env bash
# Restores a dump into a database of its own, and proves there that every law of the ledger holds. Never touches
# the database of DATABASE_URL: to switch over, change DATABASE_URL afterwards (docs/runbook.md).
# usage: deploy/restore.sh DUMP postgres://…/a-new-name
set -euo pipefail
cd "$(dirname "$0")/.."

usage='usage: deploy/restore.sh DUMP postgres://…/a-new-name'
dump=${1:?$usage}
target=${2:?$usage}
name=${target##*/}
name=${name%%\?*}
server=${target%/*}

if [[ ! $name =~ ^[a-z0-9_]+$ ]]; then
    echo "The name of a database: a-z, 0-9 and _, not '$name'." >&2
    exit 1
fi
if [ "$target" = "${DATABASE_URL:-}" ]; then
    echo "That is the database of the running site." >&2
    exit 1
fi

# Refuses a name that is taken, so nothing is ever overwritten.
psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --dbname="$server/postgres" --command="CREATE DATABASE $name"
pg_restore --dbname="$target" --no-owner --no-privileges --exit-on-error --single-transaction "$dump"
psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --dbname="$target" --command=ANALYZE

DATABASE_URL=$target DJANGO_SETTINGS_MODULE=${DJANGO_SETTINGS_MODULE:-nardysite.settings.prod} \
    "${PYTHON:-.venv/bin/python}" manage.py check_ledger
