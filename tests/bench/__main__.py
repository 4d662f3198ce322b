"""Runs the benches of this folder, one after the other; each prints its own table.

    python -m tests.bench [live rules …]

Without names: all of them, the quick ones first. `engine`, `analysis` and `growth` take half an hour or more each on two cores.
"""

import subprocess
import sys
from pathlib import Path

PREFIX = "bench_"
LONG = ("growth", "analysis", "engine")


def names() -> list[str]:
    """Every bench, the long ones last."""
    found = [path.stem.removeprefix(PREFIX) for path in Path(__file__).parent.glob(f"{PREFIX}*.py")]
    return sorted(found, key=lambda name: (name in LONG, name))


def main(asked: list[str]) -> int:
    """The number of benches that failed."""
    known = names()
    if unknown := set(asked) - set(known):
        sys.stderr.write(
            f"no such bench: {', '.join(sorted(unknown))}; there are {', '.join(known)}\n"
        )
        return 2
    failed = 0
    for number, name in enumerate(asked or known, start=1):
        sys.stdout.write(f"\n== {name} ({number} of {len(asked or known)})\n")
        sys.stdout.flush()
        command = [sys.executable, "-m", f"tests.bench.{PREFIX}{name}"]
        failed += subprocess.run(command, check=False).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
