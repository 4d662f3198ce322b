"""Runs every bench of this folder, one after the other; each prints its own table."""

import subprocess
import sys
from pathlib import Path


def main() -> int:
    """The number of benches that failed."""
    failed = 0
    for bench in sorted(Path(__file__).parent.glob("bench_*.py")):
        sys.stdout.write(f"\n== {bench.stem}\n")
        sys.stdout.flush()
        command = [sys.executable, "-m", f"tests.bench.{bench.stem}"]
        failed += subprocess.run(command, check=False).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
