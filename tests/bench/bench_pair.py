"""Two web processes behind nginx, tables routed by match, beside one, on the configuration that is shipped.

    python -m tests.bench.bench_pair [--seconds 8] [--rounds 5] [--tables 200]

Everything runs on this machine, PostgreSQL and the load generator too: on two cores they share what the second
process would need, so the ratio says what the machine has left, not what the site can do.
"""

import argparse
import os
import sys
from contextlib import nullcontext
from statistics import median

from tests.bench.report import Row, show
from tests.bench.servers import load, seats
from tests.run.cluster import Cluster

GOAL = 1.7


def main() -> None:
    """Prints the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    found: dict[int, list[float]] = {1: [], 2: []}
    with Cluster() as cluster:
        environment = cluster.environment
        for number in range(1, options.rounds + 1):
            for processes in found:
                plan = {
                    "port": cluster.nginx.port,
                    "seconds": options.seconds,
                    "pause_s": 0.0,
                    "tables": seats(environment, "daphne", tables=options.tables, spares=2),
                }
                with cluster.held("web2") if processes == 1 else nullcontext():
                    figures = load(environment, plan)
                found[processes].append(figures["per_s"])
                sys.stderr.write(
                    f"round {number} of {options.rounds}: {processes} behind nginx {figures['per_s']:.0f}/s,"
                    f" {figures['refused']} refused, load generator {figures['busy']:.0%} busy\n"
                )
                cluster.settle()
    one, two = median(found[1]), median(found[2])
    cores = os.cpu_count()
    show(
        [
            Row(f"one web process behind nginx, {options.tables} tables flat out", one, "1/s"),
            Row(
                f"two of them, all on this machine's {cores} cores",
                two,
                "1/s",
                f"goal {GOAL} x one",
                two / one,
            ),
        ]
    )


if __name__ == "__main__":
    main()
