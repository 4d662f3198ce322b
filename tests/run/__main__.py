"""python -m tests.run [--durable] [COMMAND …]: runs a command beside private services, then stops them.

Without a command it prints where they are and keeps them until Ctrl-C.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from types import FrameType

from tests.run.services import Postgres, Redis, Service, ServiceFailed

INTERRUPTIONS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PATIENCE_S = 60
say = sys.stdout.write


class _Interrupted(Exception):
    """Somebody wants us to end."""


def main(arguments: list[str]) -> int:
    durable = arguments[:1] == ["--durable"]
    command = arguments[1:] if durable else arguments
    for number in INTERRUPTIONS:
        signal.signal(number, _interrupt)
    started: list[Service] = []
    try:
        environment = _start(started, durable=durable)
        return _run(command, environment) if command else _keep(environment)
    except ServiceFailed as failure:
        say(f"A private service did not start: {failure}\n")
        return 1
    except _Interrupted:
        say("\nInterrupted.\n")
        return 130
    finally:
        for number in INTERRUPTIONS:
            signal.signal(number, signal.SIG_IGN)
        for service in reversed(started):
            service.stop()


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise _Interrupted


def _start(started: list[Service], *, durable: bool) -> dict[str, str]:
    say("== Private PostgreSQL and Redis\n")
    sys.stdout.flush()
    postgres = Postgres(durable=durable)
    started.append(postgres)
    postgres.start()
    postgres.create_database()
    redis = Redis()
    started.append(redis)
    redis.start()
    say(f"PostgreSQL on port {postgres.port}, Redis on port {redis.port}\n")
    sys.stdout.flush()
    return {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}


def _run(command: list[str], environment: dict[str, str]) -> int:
    # In a group of its own, so that an interruption reaches whatever it started in turn.
    child = subprocess.Popen(command, env={**os.environ, **environment}, process_group=0)
    try:
        return child.wait()
    except _Interrupted:
        _end(child)
        raise


def _end(child: subprocess.Popen[bytes]) -> None:
    """As Ctrl-C would, so that pytest takes down its own processes; then without asking."""
    os.killpg(child.pid, signal.SIGINT)
    try:
        child.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        child.kill()
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)


def _keep(environment: dict[str, str]) -> int:
    for name, value in environment.items():
        say(f"export {name}={value}\n")
    say("Ctrl-C stops them.\n")
    sys.stdout.flush()
    while True:
        signal.pause()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
