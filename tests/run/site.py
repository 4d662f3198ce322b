"""The real site in real processes: daphne, a Celery worker and beat, on a database of their own.

Journeys drive it through a browser, kill it and start it again; it runs with the test settings, so
dice can be fixed. Nothing of Django is imported here: what is asked of the site goes through its own
address or through manage.py.
"""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.run.services import Service

ROOT = Path(__file__).resolve().parent.parent.parent
LARGEST_MESSAGE = 1024 * 1024
LARGEST_FRAME = 64 * 1024
CONNECT_S = 20
ROUTINE = re.compile(r': INFO/|" (200|302|304) \d+$|"WS')


class Process(Service):
    """A Python process of the site, with the site's environment."""

    def __init__(self, environment: dict[str, str]) -> None:
        super().__init__()
        self._environment = environment

    def _surroundings(self) -> dict[str, Any]:
        return {"cwd": ROOT, "env": {**os.environ, **self._environment}}

    def _polite(self) -> signal.Signals:
        return signal.SIGKILL  # it keeps nothing that a crash may not take, and this is quicker


class Daphne(Process):
    name = "daphne"

    def _command(self) -> list[str]:
        limits = [
            f"--websocket-max-message-size={LARGEST_MESSAGE}",
            f"--websocket-max-frame-size={LARGEST_FRAME}",
            f"--websocket_connect_timeout={CONNECT_S}",
        ]
        place = ["-b", "127.0.0.1", "-p", str(self.port)]
        return [sys.executable, "-m", "daphne", *place, *limits, "nardysite.asgi:application"]

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == http.client.OK
        except OSError:
            return False
        finally:
            connection.close()


class Worker(Process):
    name = "worker"

    def _command(self) -> list[str]:
        pool = ["--pool", "threads", "--concurrency", "2", "--loglevel", "INFO"]
        quick = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        return [sys.executable, "-m", "celery", "-A", "nardysite", "worker", *pool, *quick]

    def _answers(self) -> bool:
        return self._says(" ready.")


class Beat(Process):
    name = "beat"

    def _command(self) -> list[str]:
        schedule = ["--schedule", str(self.folder / "schedule"), "--loglevel", "INFO"]
        return [
            sys.executable,
            "-m",
            "celery",
            "-A",
            "nardysite",
            "beat",
            "--pidfile",
            "",
            *schedule,
        ]

    def _answers(self) -> bool:
        return self._says("beat: Starting")


class Site:
    """Everything a player meets. `web`, `worker` and `beat` can each be killed and restarted too."""

    def __init__(self, *, database_url: str, redis_url: str, folder: Path) -> None:
        self._dice = folder / "dice.json"
        self._mail = folder / "mail"
        self.set_dice([])
        self.environment = {
            "DJANGO_SETTINGS_MODULE": "nardysite.settings.test",
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "NARDY_TEST_DICE": str(self._dice),
            "NARDY_TEST_PULSE": "1",
            "NARDY_TEST_MAIL": str(self._mail),
            "NARDY_TEST_SECOND_FACTOR": "1",
        }
        self.web = Daphne(self.environment)
        self.worker = Worker(self.environment)
        self.beat = Beat(self.environment)

    @property
    def url(self) -> str:
        """Stays the same over a restart, so open pages find their way back."""
        return f"http://127.0.0.1:{self.web.port}"

    @property
    def processes(self) -> tuple[Process, ...]:
        return self.web, self.worker, self.beat

    def start(self) -> None:
        self.manage("migrate", "--verbosity", "0")
        self.ensure_running()

    def ensure_running(self) -> None:
        ended = [process for process in self.processes if not process.is_running]
        for process in ended:
            process.launch()
        for process in ended:
            process.wait()

    def kill(self) -> None:
        """kill -9 to every process at once."""
        for process in self.processes:
            process.kill()

    def restart(self) -> None:
        """kill -9 to what still runs, then a fresh start on the same port."""
        self.kill()
        self.ensure_running()

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.stop()

    def set_dice(self, rolls: Sequence[Sequence[int]]) -> None:
        """Fixes the dice of matches opened from now on; roll n of a match is entry n - 1."""
        draft = self._dice.with_suffix(".new")
        draft.write_text(json.dumps({"rolls": [list(roll) for roll in rolls]}))
        draft.replace(self._dice)

    def set_fair_dice(self) -> None:
        """Dice from the seeds, as in production, for matches opened from now on."""
        self._dice.unlink(missing_ok=True)

    def letters_to(self, address: str) -> list[str]:
        """The mail that was sent to an address, oldest first."""
        letters = [path.read_text() for path in sorted(self._mail.glob("*.log"))]
        return [letter for letter in letters if f"\nTo: {address}\n" in letter]

    def manage(self, *arguments: str) -> str:
        """What `manage.py …` prints on the site's database; fails loudly when it fails."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env={**os.environ, **self.environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def logs(self) -> str:
        """The last words of every process, for the report of a test that failed; not those of routine."""
        parts = []
        for process in self.processes:
            with suppress(FileNotFoundError):
                lines = process.log.read_text(errors="replace").splitlines()
                told = "\n".join(line for line in lines if not ROUTINE.search(line))
                parts.append(f"--- {process.name}\n{told[-4000:]}")
        return "\n".join(parts)
