#!/usr/bin/env bash
# Installs what the tests need and the machine lacks: as root with apt; else it says what to install.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=()
need() { # need PACKAGE COMMAND…: any one of the commands will do
    local package=$1 command
    shift
    for command in "$@"; do
        if command -v "$command" >/dev/null 2>&1; then return; fi
    done
    missing+=("$package")
}

need redis-server redis-server
need nginx nginx /usr/sbin/nginx
need systemd systemd-analyze
need postgresql initdb /usr/lib/postgresql/*/bin/initdb
need chromium chromium chromium-browser google-chrome
need nodejs node
need npm npm
need gettext msgfmt
need gnubg gnubg /usr/games/gnubg
if python=$(ops/find-python.sh 2>/dev/null); then
    "$python" -c "import ensurepip, venv" 2>/dev/null || missing+=(python3-venv)
else
    missing+=(python3 python3-venv)
fi

if [ ${#missing[@]} -eq 0 ]; then
    echo "Nothing is missing."
    exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "Please install: ${missing[*]}" >&2
    exit 1
fi

echo "Installing ${missing[*]} …"
export DEBIAN_FRONTEND=noninteractive
export RUNLEVEL=1 # installed, not started: the tests start private ones
log=$(mktemp)
if ! { apt-get update && apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    echo "The packages could not be installed; the lines above say why." >&2
    exit 1
fi
rm -f "$log"
