#!/usr/bin/env bash
# Prints the command of a Python that is new enough, or says plainly that there is none.
# The distribution's 3.11 comes first: it is built with optimisations, which one built by hand often is not (a third slower).
set -euo pipefail

new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

whole() {
    "$1" -c 'import ensurepip, venv' >/dev/null 2>&1
}

if whole /usr/bin/python3.11; then
    echo /usr/bin/python3.11
    exit 0
fi

for candidate in python3.11 python3 python3.12 python3.13 python "$HOME"/.pyenv/versions/3.11.*/bin/python3; do
    if new_enough "$candidate"; then
        command -v "$candidate"
        exit 0
    fi
done

echo "Python 3.11 or newer is needed, and none was found under the names python3.11 and python3." >&2
echo "Install it (on Debian: apt-get install python3 python3-venv) and run the command again." >&2
exit 1
