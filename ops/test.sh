#!/usr/bin/env bash
# The tests: the code itself, everything on PostgreSQL and Redis, then a short part on the embedded way.
# Expects DATABASE_URL and REDIS_URL, as `python -m tests.run` gives them.
set -uo pipefail
cd "$(dirname "$0")/.."
. ops/environment.sh
failed=()
times=""

part() { # part NAME COMMAND…
    local name=$1 started=$SECONDS
    shift
    printf '\n== %s\n' "$name"
    "$@" || failed+=("$name")
    times+=$(printf '%5d s  %s' $((SECONDS - started)) "$name")$'\n'
}

export DJANGO_SETTINGS_MODULE=nardysite.settings.test
part "Translations" .venv/bin/python manage.py compile_translations
part "Checks" ops/check.sh
part "Tests on PostgreSQL and Redis" .venv/bin/python -m pytest -n 2 --dist worksteal \
    -m "not journey and not cluster and not chaos" "$@"
# Browsers in processes of their own: their event loop and the other tests' do not mix. Native tracebacks,
# because Python 3.11 cannot parse source inside a browser test's greenlet.
part "Journeys in a browser" .venv/bin/python -m pytest -m journey --tb=native "$@"
part "Several processes behind nginx" .venv/bin/python -m pytest -m cluster --tb=native "$@"
part "Faults on purpose, in short" .venv/bin/python -m pytest -m chaos --tb=native "$@"
part "Tests on the embedded way" env DJANGO_SETTINGS_MODULE=nardysite.settings.test_embedded \
    .venv/bin/python -m pytest -m embedded

printf '\n== Time\n%s' "$times"
if [ ${#failed[@]} -gt 0 ]; then
    printf '\nFAILED: %s\n' "$(IFS=,; echo "${failed[*]}")"
    exit 1
fi
printf '\nEverything passed.\n'
