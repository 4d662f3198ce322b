#!/usr/bin/env bash
# Makes .venv with the packages of a requirements file; does nothing when they are there already.
# usage: ops/venv.sh run|dev
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
    run) files=(requirements.txt) ;;
    dev) files=(requirements-dev.txt requirements.txt) ;;
    *) echo "usage: ops/venv.sh run|dev" >&2; exit 2 ;;
esac

python=$(ops/find-python.sh)
stamp=".venv/.installed-$1"
wanted=$("$python" --version; cat "${files[@]}" | cksum)

if ! .venv/bin/python -c "" 2>/dev/null; then
    echo "Making the virtual environment …"
    if ! "$python" -m venv --clear .venv; then
        echo "The virtual environment could not be made. On Debian: apt-get install python3-venv" >&2
        exit 1
    fi
fi

if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    echo "Installing the Python packages of ${files[0]} (a minute or two, once) …"
    log=$(mktemp)
    if ! .venv/bin/python -m pip install --disable-pip-version-check -r "${files[0]}" >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        echo "The packages could not be installed; the lines above say why. This step needs the internet." >&2
        exit 1
    fi
    rm -f "$log"
    printf '%s\n' "$wanted" >"$stamp"
fi
