"""One process with several hands (threads) at one ledger, told over standard input what to do.

python -m tests.bench.ledgers.worker KIND NUMBER     reads lines "prepare", "run HANDS SECONDS", "total"
"""

import random
import sys
import threading
import time

import django

from tests.bench.ledgers.hands import ACCOUNTS, HANDS, Hand


def work(hand: Hand, name: str, until: float, done: list[int]) -> None:
    """Moves until the time is over; counts what was committed."""
    from django.db import connection

    chance = random.Random(name)
    count = 0
    try:
        while time.perf_counter() < until:
            hand.move(f"{name}:{count}", chance.randrange(ACCOUNTS), chance.randrange(ACCOUNTS))
            count += 1
    finally:
        done.append(count)
        connection.close()


def run(hand: Hand, name: str, hands: int, seconds: float) -> int:
    """So many threads for so long; what they have committed together."""
    done: list[int] = []
    until = time.perf_counter() + seconds
    threads = [
        threading.Thread(target=work, args=(hand, f"{name}:{n}", until, done)) for n in range(hands)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == hands, "a hand has stopped"
    return sum(done)


def main() -> None:
    """Answers each line with one number."""
    kind, number = sys.argv[1:]
    make, _ = HANDS[kind]
    django.setup()
    hand = make()
    rounds = 0
    for line in sys.stdin:
        words = line.split()
        if words[0] == "prepare":
            hand.prepare()
            answer = 0
        elif words[0] == "total":
            answer = hand.total()
        else:
            rounds += 1
            answer = run(hand, f"{number}:{rounds}", int(words[1]), float(words[2]))
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
