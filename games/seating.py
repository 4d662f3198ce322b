"""Sits two people down: a match with its terms, its seats, its sealed seed. Nothing is held yet."""

from dataclasses import replace
from uuid import UUID, uuid4

from django.conf import settings
from django.db import IntegrityError, transaction

from accounts import switches
from accounts.models import User
from accounts.moderation.sanctions import require_may_sit
from accounts.permissions import require_money_play, require_open
from games import course, fairness, stakes, standings, store
from games.dbclock import read_ms
from games.errors import AlreadyPlaying, BadStake, BotsPlayForChips, Maintenance, SameSeat
from games.match import events
from games.match.machine import evolve
from games.match.sides import Side
from games.models import HouseBot, Match, Seat
from games.sealing import seal
from games.stakes import money_text
from games.terms import SMALLEST_STAKE, TableTerms, match_terms


def require_can_sit(user: User, terms: TableTerms, column: str) -> None:
    """Raises the refusal that keeps this player from a table with these terms.

    maintenance, account_closed, table_banned, residence_restricted and the like for money, already_playing, insufficient_funds.
    """
    if switches.is_on(switches.Name.MAINTENANCE):
        raise Maintenance
    require_open(user)
    require_may_sit(user.pk)
    if terms.stake < SMALLEST_STAKE[terms.currency]:
        raise BadStake(least=money_text(SMALLEST_STAKE[terms.currency], terms.currency))
    if terms.is_money:
        if HouseBot.objects.filter(user=user).exists():
            raise BotsPlayForChips
        require_money_play(user)
        _free_place(user)
    stakes.require_covers(user.pk, terms)


def _free_place(user: User) -> int:
    """The first place for a money match that this player has left. Raises AlreadyPlaying."""
    taken = set(
        Seat.objects.filter(user=user, active=True, money=True).values_list(
            "money_place", flat=True
        )
    )
    places = range(1, settings.MONEY_MATCHES_AT_ONCE + 1)
    free = next((place for place in places if place not in taken), None)
    if free is None:
        raise AlreadyPlaying
    return free


def open_match(*, light: User, dark: User, terms: TableTerms, room: str, column: str) -> UUID:
    """Seats two people; both then see the ready check. Nothing is held yet.

    Raises what require_can_sit raises for either, and own_table.
    """
    if light.pk == dark.pk:
        raise SameSeat
    for user in (light, dark):
        require_can_sit(user, terms, column)
    match_id = uuid4()
    seed = fairness.new_seed()
    commit = fairness.commitment(seed)
    agreed = replace(match_terms(terms), window_ms=stakes.come_back_ms())
    opened = events.MatchOpened(terms=agreed, server_commit=commit)
    with transaction.atomic():
        now_ms = read_ms()
        state = evolve(None, opened, now_ms)
        match = Match(
            id=match_id,
            room=room,
            column=column,
            tariff=stakes.current_tariff(),
            variant=terms.variant,
            kind=terms.kind,
            length=terms.length,
            currency=terms.currency,
            stake=terms.stake,
            limit=terms.limit,
            jacoby=terms.jacoby,
            beavers=terms.beavers,
            crawford=terms.crawford,
            clock=terms.clock,
            blitz=terms.blitz,
            server_commit=commit,
        )
        record = store.Record(
            version=1, kind=opened.KIND, payload=events.to_payload(opened), at_ms=now_ms
        )
        store.create(
            match, sealed=seal(seed, match_id), records=[record], head=course.head_of(state)
        )
        _seat(match, terms, {Side.LIGHT: light, Side.DARK: dark})
    return match_id


def _seat(match: Match, terms: TableTerms, users: dict[Side, User]) -> None:
    """Both seats, with the ratings that fees and rating points of this match will go by."""
    ids = [user.pk for user in users.values()]
    ratings = standings.ratings_of(ids, variant=terms.variant, currency=terms.currency)
    unfinished = standings.unfinished_of(ids, column=match.column)
    try:
        with transaction.atomic():
            Seat.objects.bulk_create(
                Seat(
                    match=match,
                    side=side.value,
                    user=user,
                    money=terms.is_money,
                    money_place=_free_place(user) if terms.is_money else None,
                    rating=ratings[user.pk].billionths,
                    experience=ratings[user.pk].experience,
                    unfinished=unfinished[user.pk],
                )
                for side, user in users.items()
            )
    except IntegrityError as error:
        raise AlreadyPlaying from error
