"""The stage from outside: a process that knows the site and does what it is asked."""

import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from typing import Any, Self

from tests.run.cluster import ROOT


class Hands:
    """Calls of tests.chaos.stage, one at a time; from any thread."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._told = tempfile.TemporaryFile("w+")  # noqa: SIM115  closed with the process
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.stage"],
            cwd=ROOT,
            env={**environment, "LOG_LEVEL": "ERROR"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._told,
            text=True,
        )
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def do(self, name: str, **arguments: Any) -> Any:
        """What the deed answers."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(json.dumps([name, arguments]) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        if not answer:
            self._told.seek(0)
            raise AssertionError(f"{name} failed on the stage\n{self._told.read()[-3000:]}")
        return json.loads(answer)

    def close(self) -> None:
        """Ends the process."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait(30)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._told.close()
