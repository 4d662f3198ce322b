"""A PostgreSQL and a Redis of our own, on free ports in a temporary folder; knows nothing of Django.

PostgreSQL refuses to run as root, so root lends the data folder to an unprivileged user.
"""

import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

PATIENCE_S = 60
PR_SET_PDEATHSIG = 1  # linux/prctl.h
USER = "nardy"


class ServiceFailed(Exception):
    """A private service did not start; its last words are in the message."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Service:
    """One process in a folder of its own, which can be killed and started again on its port."""

    name = "service"

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"nardy-{self.name}-", dir="/tmp"))
        self.folder.chmod(0o755)
        self.log = self.folder / "log"
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self._read_from = 0

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        self.launch()
        self.wait()

    def launch(self) -> None:
        """Starts the process without waiting for its first answer."""
        self._read_from = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self._command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for us; we stop them in order
                preexec_fn=_end_with_parent,
                **self._surroundings(),
            )

    def wait(self) -> None:
        """Until it answers. Raises ``ServiceFailed`` when it ends, or is silent for too long."""
        deadline = time.monotonic() + PATIENCE_S
        while not self._answers():
            if not self.is_running or time.monotonic() > deadline:
                raise ServiceFailed(self.log.read_text(errors="replace")[-4000:])
            time.sleep(0.05)

    def kill(self) -> None:
        """kill -9, as a crash would."""
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        self.kill()
        self.start()

    def stop(self) -> None:
        """Ends the process and removes its folder."""
        self._end(self._polite())
        shutil.rmtree(self.folder, ignore_errors=True)

    def _end(self, how: signal.Signals) -> None:
        if self.process is None:
            return
        with suppress(ProcessLookupError):
            self.process.send_signal(how)
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def _says(self, words: str) -> bool:
        """Whether the log has these words since the last start."""
        with self.log.open("rb") as log:
            log.seek(self._read_from)
            return words.encode() in log.read()

    def _command(self) -> list[str]:
        raise NotImplementedError

    def _answers(self) -> bool:
        raise NotImplementedError

    def _polite(self) -> signal.Signals:
        return signal.SIGTERM

    def _surroundings(self) -> dict[str, Any]:
        """More arguments of Popen: who runs it, where, with what environment."""
        return {}


class Redis(Service):
    name = "redis"

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def _command(self) -> list[str]:
        options = {"port": self.port, "bind": "127.0.0.1", "save": "", "appendonly": "no"}
        pairs = [word for key, value in options.items() for word in (f"--{key}", str(value))]
        return ["redis-server", *pairs, "--dir", str(self.folder)]

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False


class Postgres(Service):
    """durable: every commit is on the disk before it is acknowledged, as in production."""

    name = "postgres"

    def __init__(self, *, durable: bool = False) -> None:
        super().__init__()
        self._durable = durable
        self._bin = _postgres_bin()
        if os.geteuid() == 0:
            os.chown(self.folder, *_unprivileged())
        self._run("initdb", "-D", str(self.data), "-U", USER, "-A", "trust", "-E", "UTF8",
                  "--locale=C", "--no-sync")  # fmt: skip

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def url(self) -> str:
        return self.database_url("nardy")

    def database_url(self, name: str) -> str:
        return f"postgres://{USER}@127.0.0.1:{self.port}/{name}"

    def create_database(self, name: str = "nardy") -> None:
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", USER, name)

    def kill(self) -> None:
        """Every process of the server at once, as when the machine loses power."""
        backends = _children(self.process.pid) if self.process else []
        super().kill()
        for backend in backends:
            with suppress(ProcessLookupError):
                os.kill(backend, signal.SIGKILL)

    def _command(self) -> list[str]:
        settings = {
            "listen_addresses": "127.0.0.1",
            "max_connections": "200",
            "fsync": "on" if self._durable else "off",
            "full_page_writes": "on" if self._durable else "off",
        }
        options = [word for key, value in settings.items() for word in ("-c", f"{key}={value}")]
        place = ["-D", str(self.data), "-p", str(self.port), "-k", str(self.folder)]
        return [str(self._bin / "postgres"), *place, *options]

    def _answers(self) -> bool:
        ask = [str(self._bin / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(ask, check=False).returncode == 0

    def _polite(self) -> signal.Signals:
        return signal.SIGINT  # "fast": does not wait for clients that stay

    def _surroundings(self) -> dict[str, Any]:
        if os.geteuid() != 0:
            return {}
        user, group = _unprivileged()
        return {"user": user, "group": group, "extra_groups": []}

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._bin / program), *arguments]
        done = subprocess.run(
            command, capture_output=True, check=False, cwd=self.folder, **self._surroundings()
        )
        if done.returncode != 0:
            raise ServiceFailed(f"{program}: {done.stderr.decode(errors='replace')}")


def _postgres_bin() -> Path:
    """Debian keeps the server's programs off the path, one folder a version."""
    versions = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = sorted(versions, key=lambda path: int(path.parts[-3]), reverse=True)
    found = str(newest[0]) if newest else shutil.which("initdb")
    if found is None:
        raise ServiceFailed("No PostgreSQL server was found; on Debian: apt-get install postgresql")
    return Path(found).parent


def _end_with_parent() -> None:
    """A test run that is killed cannot stop what it started; Linux does it instead."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _unprivileged() -> tuple[int, int]:
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            entry = pwd.getpwnam(name)
            return entry.pw_uid, entry.pw_gid
    raise ServiceFailed("PostgreSQL does not run as root, and there is no user to run it as.")
