"""The files in deploy/: they parse, they agree with each other, and they name what exists."""

import os
import re
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from prometheus_client import REGISTRY

from games import tasks
from nardysite import metrics
from nardysite.celery import app

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
PLACES = (DEPLOY / "nginx/place", DEPLOY / "compose/nginx")
ROLES = {"web", "worker", "beat", "engine", "prepare"}


def _name(path: Path) -> str:
    return str(path.relative_to(DEPLOY))


# --- scripts and the environment --------------------------------------------------------------------


def test_scripts_are_executable_and_are_valid_shell() -> None:
    scripts = sorted(DEPLOY.glob("*.sh"))
    assert len(scripts) == 3
    for script in scripts:
        assert script.stat().st_mode & 0o111, script
        assert subprocess.run(["/bin/bash", "-n", script], check=False).returncode == 0


def test_a_role_that_does_not_exist_is_told_which_do() -> None:
    done = subprocess.run(
        [DEPLOY / "start.sh", "cook"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert set(re.findall(r"[a-z]+(?=[|\n])", done.stderr)) == {*ROLES, "ready"}


def test_the_web_process_never_believes_forwarding_headers_itself() -> None:
    """daphne would take the leftmost address, which is the visitor's to write; uvicorn believes unless it is told not to."""
    lines = (DEPLOY / "start.sh").read_text().splitlines()
    said = " ".join(line for line in lines if not line.strip().startswith("#"))
    assert said.count("-m uvicorn") == said.count("--no-proxy-headers") == 1
    assert "--proxy-headers" not in said


def test_the_example_of_an_environment_names_variables_that_are_documented() -> None:
    named = re.findall(r"^([A-Z_]+)=", (DEPLOY / "env.example").read_text(), re.MULTILINE)
    documented = set(re.findall(r"`([A-Z_]+)`", (ROOT / "docs/settings.md").read_text()))
    assert {"SECRET_KEY", "SEED_KEYS", "IDENTITY_SECRET", "DATABASE_URL", "REDIS_URL"} <= set(named)
    assert set(named) <= documented


def test_a_task_is_not_given_out_again_while_it_may_still_run() -> None:
    source = (ROOT / "nardysite/settings/prod.py").read_text()
    again = re.search(r'"visibility_timeout": (\d+)', source)
    assert again
    assert int(again.group(1)) > tasks.ENGINE_HARD_S
    kill = re.search(r"^kill_s=(\d+)$", (DEPLOY / "start.sh").read_text(), re.MULTILINE)
    assert kill
    assert int(again.group(1)) > int(kill.group(1))


# --- nginx ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", PLACES, ids=_name)
def test_nginx_accepts_the_configuration(place: Path, tmp_path: Path) -> None:
    config = tmp_path / "nginx"
    shutil.copytree(DEPLOY / "nginx", config)
    shutil.copytree(place, config / "place", dirs_exist_ok=True)
    _certify(tmp_path)
    user = re.compile(r"^user .*;$", re.MULTILINE)
    for path in (config / "place").iterdir():
        text = user.sub("", path.read_text()).replace("/etc/nardy/tls", str(tmp_path))
        path.write_text(re.sub(r"(/run|/var/log/nginx|/dev)(?=/)", str(tmp_path), text))
    temporary = "".join(
        f"{kind}_temp_path {tmp_path}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    with (config / "place/listen.conf").open("a") as listen:
        listen.write(temporary)
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    done = subprocess.run(
        [program, "-t", "-e", "stderr", "-p", tmp_path, "-c", config / "nginx.conf"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "[warn]" not in done.stderr


def _certify(folder: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "nardy.example")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    (folder / "fullchain.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "privkey.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )


def test_what_a_visitor_claims_about_forwarding_is_never_added_to() -> None:
    for path in (DEPLOY / "nginx").rglob("*.conf"):
        assert "proxy_add_x_forwarded_for" not in path.read_text()
    site = (DEPLOY / "nginx/site.conf").read_text()
    assert site.count("include headers.conf;") == site.count("proxy_pass ")


def test_the_two_places_differ_only_in_addresses_and_folders() -> None:
    machine, container = (
        [
            re.sub(r"#.*|/\S+", "", line).split()
            for line in (place / "listen.conf").read_text().splitlines()
        ]
        for place in PLACES
    )
    assert machine == container


# --- systemd --------------------------------------------------------------------------------------


def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    """The folders of a machine are replaced by ours; systemd itself need not run."""
    program = shutil.which("systemd-analyze")
    assert program, "no systemd-analyze on this machine: apt-get install systemd"
    for unit in UNITS:
        text = unit.read_text().replace("/srv/nardy/deploy", str(DEPLOY))
        (tmp_path / unit.name).write_text(text)
    names = [re.sub(r"@(?=\.)", "@1", unit.name) for unit in UNITS]
    done = subprocess.run(
        [program, "verify", *(tmp_path / name for name in names)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
    )
    ours = [line for line in done.stderr.splitlines() if "nardy" in line]
    assert ours == []


def test_units_start_roles_that_exist_and_come_back() -> None:
    roles = set()
    for unit in UNITS:
        text = unit.read_text()
        if found := re.search(r"^ExecStart=/srv/nardy/deploy/start.sh (\w+)$", text, re.MULTILINE):
            roles.add(found.group(1))
            assert "Restart=always" in text
            assert "User=nardy" in text
    assert roles == ROLES - {"prepare"}


def test_ports_of_units_are_those_that_nginx_and_prometheus_know() -> None:
    servers = (DEPLOY / "nginx/place/servers.conf").read_text()
    asked = (DEPLOY / "prometheus/prometheus.yaml").read_text()
    for unit in UNITS:
        text = unit.read_text()
        for n in ("1", "2"):
            for port in re.findall(r"(?<!_)\bPORT=(\S+)", text):
                assert f"127.0.0.1:{port.replace('%i', n)} " in servers
            for port in re.findall(r"METRICS_PORT=(\S+)", text):
                assert f'"127.0.0.1:{port.replace("%i", n)}"' in asked


@pytest.mark.parametrize("file", ["nginx/place/servers.conf", "compose/nginx/servers.conf"])
def test_a_web_process_that_was_away_is_back_at_once(file: str) -> None:
    """nginx believes again in a server that failed when a connection to it has ended well, and sockets do not end."""
    servers = [line for line in (DEPLOY / file).read_text().splitlines() if line[:6] == "server"]
    assert [line for line in servers if not line.endswith(" max_fails=0;")] == []
    assert len(servers) > 1


# --- compose --------------------------------------------------------------------------------------


@pytest.fixture
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return loaded


def test_compose_starts_what_is_asked_for(compose: dict[str, Any]) -> None:
    assert sorted(compose["services"]) == [
        *("beat1", "beat2", "engine", "nginx", "postgres", "prepare", "redis"),
        *("web1", "web2", "worker1", "worker2"),
    ]
    ours = {name: one for name, one in compose["services"].items() if one["image"] == "nardy"}
    assert {name: one["command"] for name, one in ours.items()} == {
        name: [name.rstrip("12")] for name in ours
    }
    assert {one["command"][0] for one in ours.values()} == ROLES


def test_compose_opens_nothing_but_nginx(compose: dict[str, Any]) -> None:
    published = {name for name, one in compose["services"].items() if "ports" in one}
    assert published == {"nginx"}
    assert compose["networks"]["inside"]["internal"] is True


def test_compose_names_files_networks_and_versions(compose: dict[str, Any]) -> None:
    services = compose["services"].values()
    mounted = [volume.split(":")[0] for one in services for volume in one.get("volumes", ())]
    for path in (path for path in mounted if path.startswith("./") and path != "./tls"):
        assert (DEPLOY / path).exists(), path
    assert {path for path in mounted if "/" not in path} == set(compose["volumes"])
    assert {name for one in services for name in one["networks"]} == set(compose["networks"])
    images = {one["image"] for one in services} - {"nardy"}
    assert [image for image in images if not re.search(r":\d+\.?\d*-bookworm$", image)] == []


def test_nginx_in_compose_knows_the_addresses_of_the_web_processes(
    compose: dict[str, Any],
) -> None:
    servers = (DEPLOY / "compose/nginx/servers.conf").read_text()
    for name in ("web1", "web2"):
        address = compose["services"][name]["networks"]["inside"]["ipv4_address"]
        assert f"server {address}:8001 " in servers


def test_the_image_holds_what_the_site_imports() -> None:
    copied = set(re.findall(r"^COPY (\w+) \w+$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE))
    allowed = set(re.findall(r"^!(\w+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE))
    apps = {"nardysite", "rooms", "games", "wallet", "accounts", "templates", "static", "locale"}
    assert copied == allowed == apps


# --- figures --------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_alerts_ask_for_figures_that_are_told() -> None:
    alerts = (DEPLOY / "prometheus/alerts.yaml").read_text()
    import_module("games.metrics")
    asked = {re.sub(r"_bucket$", "", name) for name in re.findall(r"\bnardy_\w+", alerts)}
    families = [*REGISTRY.collect(), *metrics.WholeSite(app).collect()]
    told = {family.name for family in families} | {f"{family.name}_total" for family in families}
    later = {"nardy_ledger_findings", "nardy_ledger_checked_timestamp_seconds"}
    assert len(asked) > 5
    assert asked - told <= later


def test_every_alert_has_its_chapter_in_the_runbook() -> None:
    rules = yaml.safe_load((DEPLOY / "prometheus/alerts.yaml").read_text())["groups"][0]["rules"]
    runbook = (ROOT / "docs/runbook.md").read_text()
    chapters = set(re.findall(r"^### ([A-Z]\w+)", runbook, re.MULTILINE))
    assert {rule["alert"] for rule in rules} == chapters
