"""The site as in production, on private ports of one machine: all its processes, from the files in deploy/.

    python -m tests.run.cluster [PORT]

nginx, two web processes, two workers, each with a beat, the engine's worker, Redis and PostgreSQL. Whatever dies is
started again, as systemd would. Only ports, folders and secrets are its own.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any, Self

from tests.run.services import PATIENCE_S, Postgres, Redis, Service, ServiceFailed

ROOT = Path(__file__).resolve().parent.parent.parent
DEPLOY = ROOT / "deploy"
START = str(DEPLOY / "start.sh")
LOOK_S = 0.1
RESTART_S = 1.0
# Below the ports that the kernel gives to outgoing connections: one of those could take the port of a process
# that is down for a moment.
_ports = count(12_000 + os.getpid() % 800 * 25)
INTERRUPTIONS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
say = sys.stdout.write


def quiet_port() -> int:
    """A port that is free and that only somebody who means it will take."""
    return next(filter(_is_free, _ports))


def _is_free(port: int) -> bool:
    with socket.socket() as probe, suppress(OSError, OverflowError):
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))
        return True
    return False


class Member(Service):
    """One supervised process and its children, in a process group of their own."""

    def __init__(self, name: str, logs: Path) -> None:
        self.name = name
        super().__init__()
        self.port = quiet_port()
        self.log = logs / f"{name}.log"
        self._group: int | None = None

    def launch(self) -> None:
        """Starts the process without waiting for its first answer."""
        super().launch()
        assert self.process is not None
        self._group = self.process.pid

    def sweep(self) -> None:
        """Ends what a dead process has left behind, as systemd does."""
        if self._group is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._group, signal.SIGKILL)
            self._group = None

    def stop(self) -> None:
        """Ends the process with all its children, and removes its folder."""
        super().stop()
        self.sweep()

    def terminate(self) -> None:
        """Asks the process to end, as a release does; its supervisor starts it anew."""
        self._end(signal.SIGTERM)


class ShippedRedis(Member, Redis):
    """Redis with deploy/redis/redis.conf."""

    def _command(self) -> list[str]:
        place = ["--port", str(self.port), "--dir", str(self.folder)]
        return ["redis-server", str(DEPLOY / "redis/redis.conf"), *place]


class ShippedPostgres(Member, Postgres):
    """PostgreSQL with deploy/postgres/nardy.conf, in the memory of a small machine."""

    def __init__(self, name: str, logs: Path) -> None:
        super().__init__(name, logs)
        self._config = self.folder / "nardy.conf"
        shutil.copy(DEPLOY / "postgres/nardy.conf", self._config)
        self._config.chmod(0o644)

    def _command(self) -> list[str]:
        settings = {"listen_addresses": "127.0.0.1", "shared_buffers": "128MB"}
        options = [word for key, value in settings.items() for word in ("-c", f"{key}={value}")]
        place = ["-D", str(self.data), "-p", str(self.port), "-k", str(self.folder)]
        config = ["-c", f"config_file={self._config}"]
        return [str(self._bin / "postgres"), *place, *config, *options]


class Role(Member):
    """A process that deploy/start.sh starts."""

    def __init__(self, name: str, logs: Path, role: str, environment: Mapping[str, str]) -> None:
        super().__init__(name, logs)
        self._role = role
        self.metrics_port = quiet_port()
        self.environment = {
            **environment,
            "NAME": name,
            "PORT": str(self.port),
            "METRICS_PORT": str(self.metrics_port),
        }
        if role == "engine":
            self.environment["PROMETHEUS_MULTIPROC_DIR"] = str(self.folder)

    @property
    def metrics_url(self) -> str:
        return f"http://127.0.0.1:{self.metrics_port}/metrics"

    def _command(self) -> list[str]:
        return [START, self._role]

    def _surroundings(self) -> dict[str, Any]:
        return {"cwd": ROOT, "env": self.environment}

    def _answers(self) -> bool:
        match self._role:
            case "web":
                return _is_ok(f"http://127.0.0.1:{self.port}/readyz")
            case "beat":
                return _is_ok(self.metrics_url)
            case _:
                return self._says(" ready.")

    def _polite(self) -> signal.Signals:
        return signal.SIGKILL  # it keeps nothing that a crash may not take, and this is quicker


class Nginx(Member):
    """nginx with deploy/nginx/, but for place/, which is this machine's."""

    def __init__(self, logs: Path, port: int | None, public: Path, web_ports: list[int]) -> None:
        super().__init__("nginx", logs)
        self.port = port or self.port
        self.access_log = logs / "access.log"
        self._config = self.folder / "etc"
        shutil.copytree(DEPLOY / "nginx", self._config)
        self._place(public, web_ports)

    def _place(self, public: Path, web_ports: list[int]) -> None:
        place = self._config / "place"
        shutil.rmtree(place)
        place.mkdir()
        temporary = "".join(
            f"{kind}_temp_path {self.folder}/{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        servers = "".join(f"server 127.0.0.1:{port} max_fails=0;\n" for port in web_ports)
        (place / "main.conf").write_text(f"worker_processes 2;\npid {self.folder}/pid;\n")
        (place / "servers.conf").write_text(servers)
        (place / "listen.conf").write_text(
            f"access_log {self.access_log} lines;\n{temporary}"
            f"server {{\n    listen 127.0.0.1:{self.port};\n    root {public};\n"
            "    add_header X-Served-By $upstream_addr always;\n    include site.conf;\n}\n"
        )

    def _command(self) -> list[str]:
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        place = ["-p", str(self.folder), "-c", str(self._config / "nginx.conf")]
        return [program, *place, "-e", "stderr", "-g", "daemon off;"]

    def _answers(self) -> bool:
        return _is_ok(f"http://127.0.0.1:{self.port}/static/away.html")


class Cluster:
    """The whole of it. `members` by name: postgres redis web1 web2 worker1 worker2 beat1 beat2 engine nginx.

    demo_players: whether to make those of the embedded way, too; `logins` are then their addresses and passwords.
    environment: what its processes are told otherwise than production's.
    Also as a context manager. daphne1 and daphne2 are other names of web1 and web2.
    """

    ALIASES: Mapping[str, str] = {"daphne1": "web1", "daphne2": "web2"}

    def __init__(
        self,
        *,
        port: int | None = None,
        logs: Path | None = None,
        demo_players: bool = False,
        **environment: str,
    ) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="nardy-cluster-", dir="/tmp"))
        self.folder.chmod(0o755)
        self.logs = logs or self.folder / "logs"
        self.logs.mkdir(parents=True, exist_ok=True)
        self.restarts: Counter[str] = Counter()
        self.logins: list[list[str]] = []
        self._demo_players = demo_players
        self.postgres = ShippedPostgres("postgres", self.logs)
        self.redis = ShippedRedis("redis", self.logs)
        self.environment = {**self._environment(), **environment}
        names = {"web": 2, "worker": 2, "beat": 2}
        roles = [(role, f"{role}{n}") for role, many in names.items() for n in range(1, many + 1)]
        self.roles = {
            name: Role(name, self.logs, role, self.environment)
            for role, name in [*roles, ("engine", "engine")]
        }
        web_ports = [self.roles[name].port for name in ("web1", "web2")]
        self.nginx = Nginx(self.logs, port, self.folder / "public", web_ports)
        self.members: dict[str, Member] = {
            "postgres": self.postgres,
            "redis": self.redis,
            **self.roles,
            "nginx": self.nginx,
        }
        self._lock = threading.RLock()
        self._held: set[str] = set()
        self._stopping = threading.Event()
        self._supervisor = threading.Thread(target=self._supervise, name="supervisor", daemon=True)

    def _environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        return {
            **kept,
            "PYTHON": sys.executable,
            "DJANGO_SETTINGS_MODULE": "nardysite.settings.prod",
            "SECRET_KEY": secrets.token_urlsafe(48),
            "SEED_KEYS": secrets.token_urlsafe(48),
            "IDENTITY_SECRET": secrets.token_urlsafe(48),
            "ALLOWED_HOSTS": "127.0.0.1,localhost",
            "TLS": "0",
            "DATABASE_URL": self.postgres.url,
            "REDIS_URL": self.redis.url,
            "STATIC_ROOT": str(self.folder / "public/static"),
            "EMAIL_FOLDER": str(self.folder / "mail"),
        }

    # --- life -----------------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def start(self) -> None:
        """Everything. Raises ``ServiceFailed`` with the last words of what did not start."""
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    def _start(self) -> None:
        for service in (self.postgres, self.redis):
            service.launch()
        for service in (self.postgres, self.redis):
            service.wait()
        self.postgres.create_database()
        self._run([START, "prepare"], self.environment)
        if self._demo_players:
            self.logins = [line.split() for line in self.manage("seat_demo_players").splitlines()]
        processes = (*self.roles.values(), self.nginx)
        for process in processes:
            process.launch()
        for process in processes:
            process.wait()
        self._supervisor.start()

    def stop(self) -> None:
        """Ends everything; nothing is left but logs that were put elsewhere."""
        self._stopping.set()
        if self._supervisor.is_alive():
            self._supervisor.join()
        for member in reversed(self.members.values()):
            member.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _supervise(self) -> None:
        died: dict[str, float] = {}
        while not self._stopping.wait(LOOK_S):
            for name, member in self.members.items():
                with self._lock:
                    if member.is_running:
                        continue
                    member.sweep()
                    if name in self._held:
                        continue
                    if time.monotonic() - died.setdefault(name, time.monotonic()) >= RESTART_S:
                        del died[name]
                        self.restarts[name] += 1
                        member.launch()

    # --- faults ---------------------------------------------------------------------------------------

    def kill(self, *names: str) -> None:
        """kill -9, as a crash would; the supervisor starts them again."""
        for name in names:
            with self._lock:
                self.member(name).kill()

    def restart(self, name: str) -> None:
        """Asks the process to end, as a release does; the supervisor starts it again."""
        with self._lock:
            self.member(name).terminate()

    @contextmanager
    def held(self, name: str) -> Iterator[None]:
        """Kills it, and keeps it down inside the `with`."""
        name = self.ALIASES.get(name, name)
        with self._lock:
            self._held.add(name)
            self.member(name).kill()
        try:
            yield
        finally:
            with self._lock:
                self._held.discard(name)

    def settle(self) -> None:
        """Until everything that is not held answers. Raises ``ServiceFailed`` when it does not."""
        deadline = time.monotonic() + 2 * PATIENCE_S
        while waited := [name for name in self.members if not self._is_well(name)]:
            if time.monotonic() > deadline:
                raise ServiceFailed(f"{', '.join(waited)} did not come back")
            time.sleep(LOOK_S)

    def _is_well(self, name: str) -> bool:
        member = self.members[name]
        return name in self._held or (member.is_running and member._answers())

    # --- what is asked of it --------------------------------------------------------------------------

    def member(self, name: str) -> Member:
        """The process of that name."""
        return self.members[self.ALIASES.get(name, name)]

    @property
    def url(self) -> str:
        """Where visitors come to."""
        return f"http://127.0.0.1:{self.nginx.port}"

    def manage(self, *arguments: str, **environment: str) -> str:
        """What `manage.py …` prints on the cluster's database; `environment` says what is different."""
        return self._run(
            [sys.executable, "manage.py", *arguments], {**self.environment, **environment}
        )

    def metrics(self, name: str) -> str:
        """The figures of a process, as Prometheus reads them."""
        with urllib.request.urlopen(self.roles[name].metrics_url, timeout=10) as answer:
            return str(answer.read().decode())

    @staticmethod
    def _run(command: list[str], environment: Mapping[str, str]) -> str:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise ServiceFailed(f"{' '.join(command)}: {done.stdout}{done.stderr}")
        return done.stdout


def _is_ok(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except (OSError, urllib.error.HTTPError):
        return False


# --- from the command line --------------------------------------------------------------------------


class _Interrupted(Exception):
    """Somebody wants us to end."""


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise _Interrupted


def main(arguments: list[str]) -> int:
    """Starts a cluster and keeps it until Ctrl-C."""
    for number in INTERRUPTIONS:
        signal.signal(number, _interrupt)
    port = int(arguments[0]) if arguments else None
    if port is not None and not _is_free(port):
        say(f"Port {port} cannot be used. Choose another: make cluster PORT=8001\n")
        return 1
    logs = ROOT / "var/cluster"
    shutil.rmtree(logs, ignore_errors=True)
    cluster = None
    say("Starting the cluster; the first time takes half a minute …\n")
    sys.stdout.flush()
    try:
        cluster = Cluster(port=port, logs=logs, demo_players=True)
        cluster.start()
        _welcome(cluster)
        while True:
            signal.pause()
    except ServiceFailed as failure:
        say(f"It did not start: {failure}\n")
        return 1
    except _Interrupted:
        say("\nStopping …\n")
        return 130
    finally:
        for number in INTERRUPTIONS:
            signal.signal(number, signal.SIG_IGN)
        if cluster is not None:
            cluster.stop()


def _welcome(cluster: Cluster) -> None:
    password = cluster.logins[0][1]
    lines = [
        f"\n  Open {cluster.url}/",
        f"\n  Sign in as any of these, each with the password  {password}",
        *(f"    {address}" for address, _ in cluster.logins),
        "\n  process     pid      port   figures",
    ]
    for name, member in cluster.members.items():
        assert member.process is not None
        figures = member.metrics_url if isinstance(member, Role) else ""
        lines.append(f"  {name:<10} {member.process.pid:>7}  {member.port:>6}   {figures}")
    lines.append(f"\n  Logs: {cluster.logs}/     Mail: {cluster.environment['EMAIL_FOLDER']}/")
    lines.append("  Kill any of them: it comes back. Real money is off. Ctrl-C stops everything.\n")
    say("\n".join(lines))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
