"""What goes on behind: timers, figures of the whole site, backups."""

import os
import subprocess
import time
from pathlib import Path

import psycopg
import pytest

from tests.cluster.visitors import seat
from tests.run.cluster import DEPLOY, Cluster

pytestmark = pytest.mark.cluster
PATIENCE_S = 60


def _figures(cluster: Cluster, name: str) -> dict[str, float]:
    lines = [line for line in cluster.metrics(name).splitlines() if not line.startswith("#")]
    return {key: float(value) for key, _, value in (line.rpartition(" ") for line in lines)}


def _wait_for(cluster: Cluster, name: str, figure: str) -> dict[str, float]:
    """Until a process tells this figure."""
    deadline = time.monotonic() + PATIENCE_S
    while figure not in (told := _figures(cluster, name)):
        assert time.monotonic() < deadline, f"{name} does not tell {figure}"
        time.sleep(0.2)
    return told


def test_workers_do_what_the_beats_say(cluster: Cluster) -> None:
    done = 'nardy_tasks_total{state="SUCCESS",task="games.tasks.sweep_deadlines"}'
    for name in ("worker1", "worker2"):
        assert _wait_for(cluster, name, done)[done] > 0


def test_a_beat_tells_of_the_whole_site(cluster: Cluster) -> None:
    told = _figures(cluster, "beat1")
    assert told['nardy_queue_length{queue="engine"}'] >= 0
    assert told["nardy_deadline_overdue_seconds"] >= 0
    assert "nardy_running_matches" in told


def test_the_engine_runs_what_takes_long_and_tells_of_its_children(cluster: Cluster) -> None:
    code = "from wallet.tasks import check_ledger; check_ledger.delay()"
    cluster.manage("shell", "--no-imports", "-c", code)
    done = 'nardy_tasks_total{state="SUCCESS",task="wallet.tasks.check_ledger"}'
    assert _wait_for(cluster, "engine", done)[done] > 0
    found = 'nardy_ledger_findings{check="accounts_sum_to_zero"}'
    assert _wait_for(cluster, "beat2", found)[found] == 0


def test_a_dump_is_restored_into_another_database_where_all_laws_hold(
    cluster: Cluster, tmp_path: Path
) -> None:
    seat(cluster, 2)
    dump = _script(cluster, "backup.sh", str(tmp_path)).strip()
    assert [path.name for path in tmp_path.iterdir()] == [Path(dump).name]
    assert Path(dump).stat().st_mode & 0o077 == 0
    other = cluster.postgres.database_url("restored")
    assert ", nothing found." in _script(cluster, "restore.sh", dump, other)
    here, there = (_counts(url) for url in (cluster.postgres.url, other))
    assert here == there
    assert min(there) > 0


def _counts(url: str) -> tuple[int, ...]:
    ask = """
        SELECT (SELECT count(*) FROM accounts_user), (SELECT count(*) FROM wallet_transfer),
               (SELECT count(*) FROM games_match)
    """
    with psycopg.connect(url) as connection:
        return connection.execute(ask).fetchone() or ()


def test_a_restore_never_overwrites(cluster: Cluster, tmp_path: Path) -> None:
    dump = _script(cluster, "backup.sh", str(tmp_path)).strip()
    for target in (cluster.environment["DATABASE_URL"], cluster.postgres.database_url("postgres")):
        with pytest.raises(subprocess.CalledProcessError):
            _script(cluster, "restore.sh", dump, target)


def _script(cluster: Cluster, name: str, *arguments: str) -> str:
    return subprocess.run(
        [DEPLOY / name, *arguments],
        env={**os.environ, **cluster.environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
