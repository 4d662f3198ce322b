#!/usr/bin/env bash
# Everything that can be said about the code without running the site. Runs all, fails if any failed.
set -uo pipefail
cd "$(dirname "$0")/.."
. ops/environment.sh
bin=.venv/bin
failed=()

step() { # step NAME COMMAND…
    local name=$1
    shift
    printf '\n-- %s\n' "$name"
    "$@" || failed+=("$name")
}

browser_tests() { # hundreds of lines, of which the last few are enough when all is well
    local log status=0
    log=$(mktemp)
    npm test --silent >"$log" 2>&1 || status=$?
    if [ $status -eq 0 ]; then tail -n 8 "$log"; else cat "$log"; fi
    rm -f "$log"
    return $status
}

step "ruff format" $bin/ruff format --check --quiet .
step "ruff check" $bin/ruff check --quiet .
step "mypy" $bin/mypy .
step "import-linter" env PYTHONPATH=. $bin/lint-imports --no-logo
step "djlint" $bin/djlint templates --lint --quiet
step "tsc" node_modules/.bin/tsc -p jsconfig.json
step "node --test" browser_tests
step "migrations are complete" $bin/python manage.py makemigrations --check --dry-run
step "settings of production" ops/check-deploy.sh

if [ ${#failed[@]} -gt 0 ]; then
    printf '\nFailed: %s\n' "$(IFS=,; echo "${failed[*]}")"
    exit 1
fi
printf '\nAll checks passed.\n'
