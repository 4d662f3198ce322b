"""Looks at a database from outside, also while it is being killed: when it answered, when it did not."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import psycopg
from psycopg import sql

LOOK_S = 0.05
CONNECT_S = 2
MS = 1000


class Eye:
    """Asks plain SQL; a lost connection is opened anew."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: psycopg.Connection[Any] | None = None

    def ask(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows. Raises psycopg.OperationalError while the database is away."""
        try:
            if self._connection is None or self._connection.closed:
                self._connection = psycopg.connect(
                    self._url, autocommit=True, connect_timeout=CONNECT_S
                )
            cursor = self._connection.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []
        except psycopg.OperationalError:
            self.close()
            raise

    def insist(
        self, statement: str, *values: object, patience_s: float = 60
    ) -> list[tuple[Any, ...]]:
        """The rows, however long the database is away."""
        deadline = time.monotonic() + patience_s
        while True:
            try:
                return self.ask(statement, *values)
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(LOOK_S)

    def one(self, statement: str, *values: object) -> Any:
        """The only value of the only row."""
        return self.insist(statement, *values)[0][0]

    def close(self) -> None:
        """Lets go of the connection."""
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.close()
            self._connection = None


def once(url: str, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """The rows, however long the database is away; the connection is not kept."""
    eye = Eye(url)
    try:
        return eye.insist(statement, *values)
    finally:
        eye.close()


class Watch(threading.Thread):
    """Looks again and again from a thread of its own. `away` are the spans, ms since the epoch, without an answer.

    `look` is called with the eye each time; what it raises, other than that the database is away, is kept in `wrong`.
    """

    def __init__(self, url: str, look: Callable[[Eye], None], every_s: float = LOOK_S) -> None:
        super().__init__(name="watch", daemon=True)
        self._eye = Eye(url)
        self._look = look
        self._every_s = every_s
        self._over = threading.Event()
        self.looks = 0
        self.away: list[tuple[float, float]] = []
        self.wrong: list[str] = []

    def run(self) -> None:
        """Until it is told to end."""
        last_answer = time.time() * MS
        was_away = False
        while not self._over.wait(self._every_s):
            try:
                self._look(self._eye)
            except psycopg.Error:
                was_away = True
                continue
            except AssertionError as broken:
                self.wrong.append(str(broken))
            now = time.time() * MS
            if was_away:
                self.away.append((last_answer, now))
                was_away = False
            last_answer = now
            self.looks += 1
        self._eye.close()

    def end(self) -> None:
        """No more looks."""
        self._over.set()
        self.join()

    def away_within(self, from_ms: float, until_ms: float) -> float:
        """How much of a span of time the database was away, in ms."""
        return sum(
            max(0.0, min(until, until_ms) - max(begun, from_ms)) for begun, until in self.away
        )


def create_database(url: str, name: str) -> None:
    """A new database on a server."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
