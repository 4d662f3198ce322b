#!/usr/bin/env bash
# Starts one process of the site in the foreground. systemd, compose and `make cluster` all start them here.
# usage: deploy/start.sh web|worker|beat|engine|prepare|ready
#
# web      pages and sockets               BIND, PORT, SERVER=daphne|uvicorn
# worker   the queue of quick tasks        WORKER_THREADS
# beat     says what is due, into the queue; any number may run: the tasks are harmless to repeat
# engine   the queue of long reckonings    ENGINE_PROCESSES, ENGINE_MEMORY_KB, PROMETHEUS_MULTIPROC_DIR
# prepare  migrates the database and collects the static files; ends
# ready    asks the web process of this machine whether it may be sent visitors; ends
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-.venv/bin/python}
export DJANGO_SETTINGS_MODULE=${DJANGO_SETTINGS_MODULE:-nardysite.settings.prod}
port=${PORT:-8001}

# What an answer tells a visitor is checked by the site at 8 KiB; what daphne reads at all, at this.
largest_message=1048576 # counts for what is sent, too: far above the largest snapshot
largest_frame=65536
# A reckoning that takes longer is told to stop, then killed, unless its task has limits of its own.
ask_to_stop_s=30
kill_s=45

celery() { exec "$python" -m celery --quiet -A nardysite "$@"; }
quiet=(--without-gossip --without-mingle --without-heartbeat)

case "${1:-}" in
    web)
        if [ "${SERVER:-daphne}" = uvicorn ]; then
            exec "$python" -m uvicorn --host "${BIND:-127.0.0.1}" --port "$port" --log-level warning --no-access-log \
                --no-proxy-headers --no-server-header --loop uvloop --ws websockets-sansio --ws-max-size $largest_frame \
                --timeout-graceful-shutdown 5 --lifespan off nardysite.asgi:application
        fi
        # Never --proxy-headers: it believes the leftmost address, which is the visitor's to write.
        # backlog: a thousand browsers may come back at the same moment.
        exec "$python" -m daphne --verbosity 0 --endpoint "tcp:port=$port:interface=${BIND:-127.0.0.1}:backlog=2048" \
            --http-timeout 60 --websocket_timeout -1 --application-close-timeout 5 --server-name nardy \
            --websocket-max-message-size $largest_message --websocket-max-frame-size $largest_frame --websocket_connect_timeout 20 \
            nardysite.asgi:application
        ;;
    worker)
        celery worker --queues celery --hostname "${NAME:-worker}@%h" --loglevel INFO "${quiet[@]}" \
            --pool threads --concurrency "${WORKER_THREADS:-4}"
        ;;
    beat)
        # Keeps its schedule in memory: the longest interval is a minute, and a file could be left torn.
        celery beat --scheduler celery.beat:Scheduler --pidfile= --loglevel INFO
        ;;
    engine)
        : "${PROMETHEUS_MULTIPROC_DIR:?must name a folder: the figures of the child processes meet there}"
        rm -f "$PROMETHEUS_MULTIPROC_DIR"/*.db
        celery worker --queues engine --hostname "${NAME:-engine}@%h" --loglevel INFO "${quiet[@]}" \
            --pool prefork --concurrency "${ENGINE_PROCESSES:-2}" --prefetch-multiplier 1 -O fair \
            --soft-time-limit $ask_to_stop_s --time-limit $kill_s \
            --max-memory-per-child "${ENGINE_MEMORY_KB:-600000}"
        ;;
    prepare)
        "$python" manage.py compile_translations
        "$python" manage.py migrate --no-input --verbosity 1
        "$python" manage.py collectstatic --no-input --verbosity 0
        ;;
    ready)
        exec "$python" - "$port" "${ALLOWED_HOSTS:?}" <<'END'
import sys
import urllib.request

port, hosts = sys.argv[1:]
address = f"http://127.0.0.1:{port}/readyz"
request = urllib.request.Request(address, headers={"Host": hosts.split(",")[0].strip()})
urllib.request.urlopen(request, timeout=5)
END
        ;;
    *)
        sed -n 's/^# usage: /usage: /p' "$0" >&2
        exit 2
        ;;
esac
