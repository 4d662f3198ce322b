"""The servers that are measured side by side, each on fresh tables, and one run of one of them."""

import json
import os
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from tests.run.site import ROOT, Daphne

SPARES = 4
PAGE_KIB = 4
NODE = ROOT / "tests/bench/node/server.mjs"
Environment = dict[str, str]


class Uvicorn(Daphne):
    """The same site under uvicorn."""

    name = "uvicorn"

    def _command(self) -> list[str]:
        place = ["--host", "127.0.0.1", "--port", str(self.port)]
        quiet = ["--log-level", "warning", "--no-access-log", "--lifespan", "off"]
        quick = ["--loop", "uvloop", "--ws", "websockets-sansio", "--no-proxy-headers"]
        return [
            sys.executable,
            "-m",
            "uvicorn",
            *place,
            *quiet,
            *quick,
            "nardysite.asgi:application",
        ]


class Plain(Daphne):
    """The usual way."""

    name = "plain"

    def _command(self) -> list[str]:
        place = ["-b", "127.0.0.1", "-p", str(self.port)]
        return [sys.executable, "-m", "daphne", *place, "tests.bench.plain.asgi:application"]


class Node(Daphne):
    """Sends recorded frames and decides nothing."""

    name = "node"

    def _command(self) -> list[str]:
        recording = python(self._environment, "-m", "tests.bench.recording")
        file = Path(tempfile.gettempdir()) / f"nardy-recording-{os.getpid()}.json"
        file.write_text(recording)
        return ["node", str(NODE), str(self.port), str(file)]


USUAL = "row a message, ORM, stock consumer"
BARE = "Node ws, same messages, no rules, no database"
SERVERS: dict[str, tuple[type[Daphne], str]] = {
    "daphne": (Daphne, "nardysite.settings.test"),
    "uvicorn": (Uvicorn, "nardysite.settings.test"),
    USUAL: (Plain, "tests.bench.plain.settings"),
    BARE: (Node, "nardysite.settings.test"),
}


def python(environment: Environment, *arguments: str) -> str:
    """What a Python process in the project's folder prints."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


@contextmanager
def stage(settings: str) -> Iterator[Environment]:
    """A fresh database with the site's tables."""
    parts = urlsplit(os.environ["DATABASE_URL"])
    name = f"bench_{uuid.uuid4().hex[:8]}"
    server = urlunsplit(parts._replace(path="/postgres"))
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            environment = {
                "DJANGO_SETTINGS_MODULE": settings,
                "DATABASE_URL": urlunsplit(parts._replace(path=f"/{name}")),
                "REDIS_URL": os.environ["REDIS_URL"],
            }
            python(environment, "manage.py", "migrate", "--run-syncdb", "--verbosity", "0")
            yield environment
        finally:
            connection.execute(
                sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
            )


def seats(environment: Environment, name: str, *, tables: int, spares: int) -> Any:
    """The plan's tables: for each, its matches with the cookies of both players."""
    if name == BARE:
        cookies = {side: f"side={side}" for side in ("light", "dark")}
        return [[{"match": str(uuid.uuid4()), "cookies": cookies}] for _ in range(tables)]
    return json.loads(python(environment, "-m", "tests.bench.setting", str(tables), str(spares)))


def load(environment: Environment, plan: dict[str, Any]) -> dict[str, Any]:
    """What tests.bench.load prints for a plan."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(json.dumps(plan))
        file.flush()
        figures: dict[str, Any] = json.loads(
            python(environment, "-m", "tests.bench.load", file.name)
        )
        return figures


def play(
    environment: Environment,
    name: str,
    *,
    tables: int,
    seconds: float,
    pause_s: float = 0.0,
    spares: int = SPARES,
) -> dict[str, Any]:
    """One run of one server on the stage's database: what the load generator prints, and the server's memory."""
    make, _ = SERVERS[name]
    seated = seats(environment, name, tables=tables, spares=spares)
    server = make(environment)
    server.start()
    try:
        before = _memory_kib(server)
        plan = {"port": server.port, "seconds": seconds, "pause_s": pause_s, "tables": seated}
        figures = load(environment, plan)
        figures["kib_a_table"] = (_memory_kib(server) - before) / tables
        return figures
    finally:
        server.stop()


def measure(name: str, **options: Any) -> dict[str, Any]:
    """The same on a database of its own."""
    _, settings = SERVERS[name]
    with stage(settings) as environment:
        return play(environment, name, **options)


def _memory_kib(server: Daphne) -> int:
    assert server.process is not None
    pages = Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]
    return int(pages) * PAGE_KIB
