#!/usr/bin/env bash
# The embedded way, on a machine with nothing but Python: PORT says where, 8000 unless told otherwise.
set -euo pipefail
cd "$(dirname "$0")/.."
port=${PORT:-8000}

python=$(ops/find-python.sh)
"$python" - "$port" <<'END'
import socket
import sys

port = sys.argv[1]
if not port.isascii() or not port.isdigit() or not 1 <= int(port) <= 65535:
    sys.exit(f"PORT must be a number from 1 to 65535, not {port!r}.")
with socket.socket() as probe:
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        probe.bind(("127.0.0.1", int(port)))
    except OSError as error:
        sys.exit(f"Port {port} cannot be used: {error.strerror}. Choose another: make run PORT=8001")
END

ops/venv.sh run
export DJANGO_SETTINGS_MODULE=nardysite.settings.dev
exec .venv/bin/python manage.py play --port "$port"
