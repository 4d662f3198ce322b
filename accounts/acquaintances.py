"""Who is whose friend, and who does not want to meet whom. Other apps ask `blocks_between` and `kept_apart`."""

from collections.abc import Collection

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from accounts.errors import Refused, gettext_noop
from accounts.keys import Kind
from accounts.models import AccountLink, Block, Friendship, User

MOST_FRIENDS = 500
MOST_ASKED = 50
MOST_BLOCKED = 500
HOUSEHOLD = tuple(kind.value for kind in (Kind.DEVICE, Kind.ADDRESS, Kind.NAME))


class NotYourself(Refused):
    code = "not_yourself"
    text = gettext_noop("This is your own account.")


class CannotBefriend(Refused):
    """One of them has blocked the other; which of them is not said."""

    code = "cannot_befriend"
    text = gettext_noop("You cannot be friends with this player.")


class TooManyFriends(Refused):
    code = "too_many_friends"
    text = gettext_noop("You have too many friends or open requests. End some of them first.")


class TooManyBlocks(Refused):
    code = "too_many_blocks"
    text = gettext_noop("You have blocked too many players. Unblock some of them first.")


# --- friends --------------------------------------------------------------------------------------


def befriend(user: User, other: User) -> bool:
    """Asks for a friendship, or accepts the one that `other` asked for. True once they are friends.

    Asking twice changes nothing. Raises NotYourself, CannotBefriend, TooManyFriends.
    """
    with transaction.atomic():
        first, second = _in_order(user, other)
        if blocks_between(user.pk, [other.pk]):
            raise CannotBefriend
        row = _rows(user).filter(first=first, second=second).first()
        if row is None:
            _require_room(user)
            Friendship.objects.create(first=first, second=second, asked_by=user)
            return False
        if row.accepted_at is None and row.asked_by_id != user.pk:
            Friendship.objects.filter(pk=row.pk).update(accepted_at=Now())
            return True
    return row.accepted_at is not None


def unfriend(user: User, other: User) -> None:
    """Ends a friendship, takes back a request, or declines one; doing so twice changes nothing. Raises NotYourself."""
    first, second = _in_order(user, other)
    Friendship.objects.filter(first=first, second=second).delete()


def friends_of(user: User) -> list[User]:
    """Friends, by name."""
    rows = _rows(user).filter(accepted_at__isnull=False).select_related("first", "second")
    return sorted((_other(row, user) for row in rows), key=lambda each: each.screen_name.lower())


def requests_to(user: User) -> list[User]:
    """Who waits for this player's answer, those who asked first at the top."""
    rows = _rows(user).filter(accepted_at__isnull=True).exclude(asked_by=user)
    return [_other(row, user) for row in _with_people(rows)]


def requests_of(user: User) -> list[User]:
    """Whose answer this player waits for."""
    rows = _rows(user).filter(accepted_at__isnull=True, asked_by=user)
    return [_other(row, user) for row in _with_people(rows)]


def are_friends(one_id: int, other_id: int) -> bool:
    """Whether both have agreed to be friends."""
    first, second = sorted((one_id, other_id))
    return Friendship.objects.filter(
        first_id=first, second_id=second, accepted_at__isnull=False
    ).exists()


# --- blocks ---------------------------------------------------------------------------------------


def block(user: User, other: User) -> None:
    """From now on the two do not meet, and are no friends. Raises NotYourself, TooManyBlocks."""
    with transaction.atomic():
        unfriend(user, other)
        mine = Block.objects.filter(by=user)
        if not mine.filter(whom=other).exists() and mine.count() >= MOST_BLOCKED:
            raise TooManyBlocks
        Block.objects.bulk_create([Block(by=user, whom=other)], ignore_conflicts=True)


def unblock(user: User, other: User) -> None:
    """Takes the block back."""
    Block.objects.filter(by=user, whom=other).delete()


def blocked_by(user: User) -> list[User]:
    """Whom this player has blocked, the last one first."""
    return [
        row.whom for row in Block.objects.filter(by=user).select_related("whom").order_by("-at")
    ]


def has_blocked(user_id: int, other_id: int) -> bool:
    """Whether the first has blocked the second."""
    return Block.objects.filter(by_id=user_id, whom_id=other_id).exists()


def blocks_between(user_id: int, others: Collection[int]) -> set[int]:
    """Those of `others` whom this player has blocked, or who have blocked this player."""
    rows = Block.objects.filter(
        Q(by_id=user_id, whom_id__in=others) | Q(whom_id=user_id, by_id__in=others)
    )
    return {whom if by == user_id else by for by, whom in rows.values_list("by_id", "whom_id")}


def blocks_around(user_ids: Collection[int]) -> dict[int, set[int]]:
    """For each of these players the accounts that do not meet them, whoever has blocked whom."""
    found: dict[int, set[int]] = {user_id: set() for user_id in user_ids}
    rows = Block.objects.filter(Q(by_id__in=user_ids) | Q(whom_id__in=user_ids))
    for by, whom in rows.values_list("by_id", "whom_id"):
        for one, other in ((by, whom), (whom, by)):
            if one in found:
                found[one].add(other)
    return found


# --- who may not be paired ------------------------------------------------------------------------


def kept_apart(user_id: int, others: Collection[int], *, for_money: bool) -> set[int]:
    """Those of `others` who must not be paired with this player: themself, blocked, for money also linked.

    Where staff has found that two linked accounts are two people, a shared network does not keep them apart any
    more, but one household does: both may play for money, only not against each other.
    """
    apart = blocks_between(user_id, others) | ({user_id} & set(others))
    if for_money and settings.HOLD_LINKED_ACCOUNTS:
        apart |= _linked_to(user_id, others)
    return apart


def _linked_to(user_id: int, others: Collection[int]) -> set[int]:
    rows = AccountLink.objects.filter(
        Q(first_id=user_id, second_id__in=others) | Q(second_id=user_id, first_id__in=others)
    )
    rows = rows.filter(Q(kind__in=HOUSEHOLD) | Q(cleared_at__isnull=True))
    pairs = rows.values_list("first_id", "second_id")
    return {second if first == user_id else first for first, second in pairs}


def _in_order(user: User, other: User) -> tuple[User, User]:
    if user.pk == other.pk:
        raise NotYourself
    return (user, other) if user.pk < other.pk else (other, user)


def _rows(user: User) -> QuerySet[Friendship]:
    return Friendship.objects.filter(Q(first=user) | Q(second=user))


def _with_people(rows: QuerySet[Friendship]) -> QuerySet[Friendship]:
    return rows.select_related("first", "second").order_by("asked_at")


def _other(row: Friendship, user: User) -> User:
    return row.second if row.first_id == user.pk else row.first


def _require_room(user: User) -> None:
    rows = _rows(user)
    asked = rows.filter(accepted_at__isnull=True, asked_by=user).count()
    if asked >= MOST_ASKED or rows.count() >= MOST_FRIENDS:
        raise TooManyFriends
