"""How long the staff's pages take with 100,000 accounts and 1,000,000 matches in the database.

    DATABASE_URL=… REDIS_URL=… python -m tests.bench.bench_admin [--quick | --tiny]

Every page is asked for five times by an administrator; the median counts. The database is made and dropped.
"""

import argparse
import os
import sys
from statistics import median
from time import perf_counter
from typing import Any

import psycopg

from tests.bench.report import Row, show
from tests.bench.servers import stage

ACCOUNTS = 100_000
MATCHES = 1_000_000
ROUNDS = 5
GOAL_MS = 1_000.0
MS = 1_000

# Made in the database: rows as the site leaves them, spread over two years.
_PEOPLE = """
INSERT INTO accounts_user (password, is_superuser, email, screen_name, look_shown, look_small, look_large,
    full_name, birth_date, street, city, postcode, country, us_state, is_active, is_staff, date_joined, language)
SELECT '!', false, 'p' || n || '@example.org', 'Player' || n, 'x' || n, 'y' || n, 'z' || n,
    'Given' || n %% 997 || ' Family' || n, date '1960-01-01' + n %% 15000, n %% 300 || ' Long Street',
    'Town' || n %% 500, lpad((n %% 99999)::text, 5, '0'), 'FI', '', n %% 50 > 0, false, now() - n * interval '9 minutes', ''
FROM generate_series(1, %(accounts)s) AS n
"""
_KEYS = """
INSERT INTO accounts_identitykey (user_id, kind, digest, first_seen, last_seen)
SELECT id, kind, encode(sha256((kind || id / (CASE kind WHEN 'ip' THEN 3 ELSE 1 END))::bytea), 'hex'), now(), now()
FROM accounts_user, unnest(ARRAY['email', 'person', 'device', 'ip', 'address']) AS kind WHERE email LIKE 'p%%@example.org'
"""
_MATCHES = """
INSERT INTO games_match (id, room, "column", tariff, variant, kind, length, currency, stake, "limit", jacoby, beavers,
    crawford, clock, blitz, server_commit, created_at, started_at, finished_at, winner, reason, win, fee_each, dice_verified)
SELECT md5('m' || n)::uuid, 'main', 'main', 'play65-ru@2026-01-01', 'backgammon', 'single', 1, 'USD', 500, 6000, false, false,
    true, 'normal', false, repeat('a', 64), t, t, t + interval '9 minutes', 'light', CASE n %% 20 WHEN 0 THEN 'time' ELSE 'borne_off' END,
    500, 25, true
FROM (SELECT n, now() - n * interval '1 minute' AS t FROM generate_series(1, %(matches)s) AS n) AS made
"""
_HEADS = """
INSERT INTO games_matchhead (match_id, version, phase, position, due_ms) SELECT id, 90, 'over', '', NULL FROM games_match
"""
_SEATS = """
INSERT INTO games_seat (match_id, side, user_id, money, active, away, abandoned, seen_at, rating, experience, unfinished)
SELECT md5('m' || n)::uuid, side, least + (n * k) %% %(accounts)s, true, false, false, false, now(), 1500000000000, 50, 0
FROM generate_series(1, %(matches)s) AS n, (VALUES ('light', 7), ('dark', 11)) AS sides (side, k),
    (SELECT min(id) AS least FROM accounts_user WHERE email = 'p1@example.org') AS one
WHERE (n * 7) %% %(accounts)s <> (n * 11) %% %(accounts)s
"""
_TALK = """
INSERT INTO games_chatline (match_id, user_id, side, text, at)
SELECT match_id, user_id, side, 'Good luck!', now() FROM games_seat WHERE side = 'light' AND id %% 4 = 0
"""
_CASES = """
INSERT INTO accounts_case (suspect_id, kind, status, score, opened_at, fed_at, decision)
SELECT id, 'conduct', 'open', id %% 17, now() - id * interval '1 minute', now(), '' FROM accounts_user WHERE id %% 20 = 0
"""
_REPORTS = """
INSERT INTO accounts_report (case_id, reporter_id, detector, reason, place, about, quote, text, weight, at)
SELECT c.id, c.suspect_id - n, '', 'stalling', 'table', 'match:' || n, '', 'He stopped moving.', 1, now()
FROM accounts_case AS c, generate_series(1, 3) AS n
"""
_LINKS = """
INSERT INTO accounts_accountlink (first_id, second_id, kind, found_at)
SELECT id - 1, id, 'ip', now() FROM accounts_user WHERE id %% 10 = 0 AND id > 1
"""
_DEEDS = """
INSERT INTO accounts_staffaction (at, action, about, why, before, after, by_id, whom_id)
SELECT now(), 'decide_case', 'case:' || u.id, 'because', '{"status": "open"}', '{"status": "dismissed"}',
    (SELECT min(id) FROM accounts_user), u.id FROM accounts_user AS u WHERE u.id %% 2 = 0
"""
_PURSES = """
INSERT INTO wallet_account (code, kind, currency, user_id, balance, may_go_negative)
SELECT 'player:' || id, 'player', 'USD', id, 0, false FROM accounts_user WHERE email LIKE 'p%%@example.org'
"""
_ESCROWS = """
INSERT INTO wallet_account (code, kind, currency, balance, may_go_negative)
SELECT 'escrow:' || id, 'escrow', 'USD', 0, false FROM games_match
WHERE created_at > now() - %(matches)s / 4 * interval '1 minute'
"""
_STAKES = """
INSERT INTO wallet_transfer (key, source_id, target_id, currency, amount, purpose, reason, match_id)
SELECT 'match:' || s.match_id || ':stake:' || s.side, p.id, e.id, 'USD', 6000, 'stake', '', s.match_id
FROM games_seat AS s JOIN wallet_account AS p ON p.code = 'player:' || s.user_id AND p.currency = 'USD'
    JOIN wallet_account AS e ON e.code = 'escrow:' || s.match_id
"""
_PRIZES = """
INSERT INTO wallet_transfer (key, source_id, target_id, currency, amount, purpose, reason, match_id)
SELECT replace(t.key, ':stake:', ':paid:'), t.target_id, t.source_id, 'USD',
    CASE WHEN t.key LIKE '%%light' THEN 6475 ELSE 5475 END, CASE WHEN t.key LIKE '%%light' THEN 'prize' ELSE 'stake_back' END, '', t.match_id
FROM wallet_transfer AS t WHERE t.purpose = 'stake'
"""  # the newest quarter of the matches has its transfers; what the house keeps is left out
FILL = (
    _PEOPLE,
    _KEYS,
    _MATCHES,
    _HEADS,
    _SEATS,
    _TALK,
    _CASES,
    _REPORTS,
    _LINKS,
    _DEEDS,
    _PURSES,
    _ESCROWS,
    _STAKES,
    _PRIZES,
)


def fill(url: str, *, accounts: int, matches: int) -> None:
    """Writes the rows; triggers and foreign keys of a bulk load are skipped, indexes are not."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        for statement in FILL:
            began = perf_counter()
            connection.execute(statement.encode(), {"accounts": accounts, "matches": matches})
            table = statement.split()[2]
            sys.stderr.write(f"{table}: {perf_counter() - began:.1f} s\n")
        connection.execute("VACUUM (ANALYZE)")


def measured(client: Any, address: str) -> float:
    """Milliseconds, the median of five; the first one, which compiles templates, is not counted."""
    took = []
    for _ in range(ROUNDS + 1):
        began = perf_counter()
        answer = client.get(address)
        took.append((perf_counter() - began) * MS)
        assert answer.status_code == 200, (address, answer.status_code)
    return median(took[1:])


def addresses() -> dict[str, str]:
    """Every list of the staff's site, and the pages of one busy person and one case."""
    from django.contrib import admin
    from django.urls import reverse

    from accounts.models import Case, User

    somebody = User.objects.get(email="p40@example.org")
    case = Case.objects.order_by("-score").first()
    assert case is not None
    found = {"first page": reverse("admin:index")}
    for model in sorted(admin.site._registry, key=lambda one: one._meta.label_lower):
        meta = model._meta
        found[f"list of {meta.label_lower}"] = reverse(
            f"admin:{meta.app_label}_{meta.model_name}_changelist"
        )
    people = reverse("admin:accounts_user_changelist")
    searches = (
        "Player4242",
        "Family777",
        "p9@example.org",
        "12 Long",
        "81.2.69.142",
        "Given5 Family5",
        "777",
    )
    found |= {f"people: {said}": f"{people}?q={said}" for said in searches}
    found["matches: Player4242"] = f"{reverse('admin:games_match_changelist')}?q=Player4242"
    found["last page of people"] = f"{people}?p=1"
    found["one person"] = reverse("admin:accounts_user_person", args=[somebody.pk])
    found["closing one person"] = reverse("admin:accounts_user_close", args=[somebody.pk])
    found["one case"] = reverse("admin:accounts_case_change", args=[case.pk])
    return found  # fmt: skip


def main() -> int:
    """Prints a row for each page; the number of pages above the goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows")
    parser.add_argument("--tiny", action="store_true", help="a hundredth: to see that it runs")
    options = parser.parse_args()
    part = 100 if options.tiny else 10 if options.quick else 1
    with stage("nardysite.settings.test") as environment:
        os.environ.update(environment)
        import django

        django.setup()
        from django.contrib.auth.models import Group
        from django.test import Client

        from accounts.models import User

        boss = User.objects.create_user("boss@example.net", screen_name="Boss", is_staff=True)
        boss.groups.set(Group.objects.filter(name__in=["Administrator", "Support", "Moderator"]))
        fill(environment["DATABASE_URL"], accounts=ACCOUNTS // part, matches=MATCHES // part)
        client = Client()
        client.force_login(boss)
        rows = [Row(label, measured(client, where), "ms") for label, where in addresses().items()]
        show(sorted(rows, key=lambda row: -row.figure))
        from django.db import connections

        connections.close_all()
    return sum(row.figure > GOAL_MS for row in rows)


if __name__ == "__main__":
    sys.exit(main())
