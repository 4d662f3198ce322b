"""The settings: production says nothing it should not, and refuses to start half configured."""

import os
import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from nardysite.settings.environment import Environment

SECRET = "s" * 48
COMPLETE = {
    "SECRET_KEY": SECRET,
    "SEED_KEYS": f"{SECRET},{SECRET}-older",
    "IDENTITY_SECRET": SECRET,
    "DATABASE_URL": "postgres://nardy@127.0.0.1/nardy",
    "REDIS_URL": "redis://127.0.0.1:6379",
    "ALLOWED_HOSTS": "nardy.example",
}


def _start(variables: dict[str, str], show: str = "'started'") -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    settings = {"DJANGO_SETTINGS_MODULE": "nardysite.settings.prod"}
    command = f"from django.conf import settings; settings.DEBUG; print({show})"
    return subprocess.run(
        [sys.executable, "-c", command],
        env={**kept, **settings, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def test_production_starts_with_its_secrets() -> None:
    started = _start(COMPLETE, "settings.REAL_MONEY, settings.DEBUG, settings.SEED_KEYS[0][:3]")
    assert started.stdout.strip() == "False False sss", started.stderr


@pytest.mark.parametrize("name", sorted(COMPLETE))
def test_production_refuses_to_start_without(name: str) -> None:
    started = _start({key: value for key, value in COMPLETE.items() if key != name})
    assert started.returncode != 0
    assert f"Set {name} in the environment" in started.stderr


def test_every_missing_name_is_told_at_once() -> None:
    assert (
        "Set SECRET_KEY, SEED_KEYS, IDENTITY_SECRET, DATABASE_URL, REDIS_URL, ALLOWED_HOSTS in"
        in _start({}).stderr
    )


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"SECRET_KEY": "short-and-sweet"}, "SECRET_KEY must have at least"),
        ({"SEED_KEYS": f"{SECRET},tiny-seed"}, "SEED_KEYS must have at least"),
        ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS must name the hosts"),
        ({"REAL_MONEY": "1", "DATABASE_URL": "sqlite:///x"}, "Real money needs PostgreSQL"),
        ({"REAL_MONEY": "perhaps"}, "REAL_MONEY must be 1 or 0"),
        ({"TRUSTED_PROXIES": "-1"}, "TRUSTED_PROXIES must be a whole number"),
        ({"TLS": "0"}, "TLS=0 is for loopback"),
        ({"TLS": "0", "ALLOWED_HOSTS": "127.0.0.1,nardy.example"}, "TLS=0 is for loopback"),
        ({"TLS": "0", "ALLOWED_HOSTS": "127.0.0.1", "REAL_MONEY": "1"}, "Real money needs TLS"),
        ({"REAL_MONEY": "1", "EMAIL_FOLDER": "/tmp"}, "mail must be sent"),
    ],
)
def test_production_refuses_what_is_unsafe(changed: dict[str, str], told: str) -> None:
    started = _start({**COMPLETE, **changed})
    assert started.returncode != 0
    assert told in started.stderr
    assert "short-and-sweet" not in started.stderr
    assert "tiny-seed" not in started.stderr


def test_production_hides_its_cookies_from_plain_http_and_scripts() -> None:
    names = "SESSION_COOKIE_SECURE CSRF_COOKIE_SECURE SESSION_COOKIE_HTTPONLY SECURE_SSL_REDIRECT"
    started = _start(COMPLETE, ", ".join(f"settings.{name}" for name in names.split()))
    assert started.stdout.strip() == "True True True True", started.stderr


def test_plain_http_is_for_this_machine() -> None:
    local = {**COMPLETE, "TLS": "0", "ALLOWED_HOSTS": "127.0.0.1,localhost,[::1]"}
    names = "SESSION_COOKIE_SECURE CSRF_COOKIE_SECURE SECURE_SSL_REDIRECT SECURE_HSTS_SECONDS"
    started = _start(local, ", ".join(f"settings.{name}" for name in names.split()))
    assert started.stdout.strip() == "False False False 0", started.stderr


def test_dice_cannot_be_fixed_from_outside_in_production() -> None:
    started = _start({**COMPLETE, "NARDY_TEST_DICE": "/tmp/dice.json"}, "settings.DICE_SOURCE")
    assert started.stdout.strip() == "None", started.stderr


def test_flags_numbers_and_lists_are_read() -> None:
    environment = Environment({"ON": "yes", "OFF": "0", "N": "12", "NAMES": " a, b ,,c"})
    assert environment.flag("ON", default=False)
    assert not environment.flag("OFF", default=True)
    assert environment.flag("UNSAID", default=True)
    assert environment.number("N", 1) == 12
    assert environment.number("UNSAID", 7) == 7
    assert environment.names("NAMES") == ["a", "b", "c"]


def test_an_empty_variable_is_a_missing_one() -> None:
    with pytest.raises(ImproperlyConfigured, match="Set GONE, EMPTY in"):
        Environment({"EMPTY": "  ", "HERE": "x"}).require("GONE", "EMPTY", "HERE")
