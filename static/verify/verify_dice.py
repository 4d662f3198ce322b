"""Checks every roll of a match from its dice record: python3 verify_dice.py record.json"""

import hashlib
import hmac
import json
import sys

DICE = 2
GOOD_BYTES = 252  # 42 x 6: below it, every face has the same number of bytes


def dice_of(record, n):
    """The two dice of roll number n, from the three opened seeds."""
    key = bytes.fromhex(record["server_seed"])
    players = bytes.fromhex(record["light_seed"] + record["dark_seed"])
    message = players + bytes.fromhex(record["match_id"].replace("-", "")) + n.to_bytes(4, "big")
    dice, block = [], 0
    while len(dice) < DICE:
        suffix = block.to_bytes(4, "big") if block else b""
        digest = hmac.new(key, message + suffix, hashlib.sha256).digest()
        dice += [byte % 6 + 1 for byte in digest if byte < GOOD_BYTES]
        block += 1
    return dice[:DICE]


def problems(record):
    """Everything that does not fit; nothing at all if the dice are proven."""
    for who in ("server", "light", "dark"):
        seal = hashlib.sha256(bytes.fromhex(record[f"{who}_seed"])).hexdigest()
        if seal != record[f"{who}_commit"]:
            yield f"bad_{who}_commit: this seed is not the one that was sealed"
    if [roll["n"] for roll in record["rolls"]] != list(range(1, record["drawn"] + 1)):
        yield f"numbers: the rolls are not numbered 1 to {record['drawn']}, each once, in order"
    for roll in record["rolls"]:
        told, true = roll["dice"], dice_of(record, roll["n"])
        if told != true and (roll["by"] == "both" or sorted(told) != sorted(true)):
            yield f"wrong_roll {roll['n']}: recorded {told}, the seeds give {true}"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        record = json.load(file)
    if None in (record["server_seed"], record["light_seed"], record["dark_seed"]):
        sys.exit("The match is not over: its seeds are still closed.")
    found = list(problems(record))
    sys.stdout.write("\n".join(found or [f"All {record['drawn']} rolls match."]) + "\n")
    sys.exit(1 if found else 0)
