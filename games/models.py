"""Tables of a match: its terms, its seats, its hot head row, its events, its sealed seed, its chat."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.match.sides import Side
from games.ratings import GAMES, START


class Match(models.Model):
    """What was agreed when two people sat down, and how it ended. The course of play is in MatchEvent."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.SlugField(max_length=20)
    column = models.SlugField(max_length=20)
    tariff = models.CharField(max_length=40)
    variant = models.CharField(max_length=20)
    kind = models.CharField(max_length=6)
    length = models.PositiveSmallIntegerField(default=1)
    currency = models.CharField(max_length=4)
    stake = models.BigIntegerField()
    limit = models.BigIntegerField()
    jacoby = models.BooleanField(default=False)
    beavers = models.BooleanField(default=False)
    crawford = models.BooleanField(default=True)
    clock = models.CharField(max_length=10)
    blitz = models.BooleanField(default=False)
    server_commit = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    winner = models.CharField(max_length=5, blank=True)
    reason = models.CharField(max_length=20, blank=True)
    win = models.BigIntegerField(null=True, blank=True)
    fee_each = models.BigIntegerField(null=True, blank=True)
    dice_verified = models.BooleanField(null=True, blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        permissions = [("see_identities", _("Can see who plays at anonymous tables"))]
        indexes = [
            models.Index(fields=["room", "-created_at"], name="games_match_room_recent"),
            models.Index(fields=["-created_at"], name="games_match_recent"),
            models.Index(
                fields=["finished_at"],
                name="games_match_dice_unverified",
                condition=Q(dice_verified__isnull=True, started_at__isnull=False),
            ),
        ]
        constraints = [
            models.CheckConstraint(name="games_stake_positive", condition=Q(stake__gt=0)),
            models.CheckConstraint(
                name="games_limit_covers_stake", condition=Q(limit__gte=F("stake"))
            ),
            models.CheckConstraint(
                name="games_win_within_limit",
                condition=Q(win__isnull=True) | Q(win__gte=0, win__lte=F("limit")),
            ),
            models.CheckConstraint(
                name="games_finished_once_started",
                condition=Q(winner="") | Q(finished_at__isnull=False, started_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)


class MatchHead(models.Model):
    """The hot row of a match, rewritten with every commit: where it stands and when something falls due."""

    match = models.OneToOneField(
        Match, on_delete=models.PROTECT, primary_key=True, related_name="head"
    )
    version = models.PositiveIntegerField()
    phase = models.CharField(max_length=15)
    position = models.CharField(max_length=300, blank=True)
    due_ms = models.BigIntegerField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["due_ms"], name="games_head_due", condition=Q(due_ms__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} v{self.version}"


class Seat(models.Model):
    """One side of a match: whose it is, whether the match runs, and the lease of their presence."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="seats")
    side = models.CharField(max_length=5, choices=[(s.value, s.value) for s in Side])
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="seats"
    )
    money = models.BooleanField()
    # Which of the money matches that a player may play at once this is, from 1; empty for chips.
    money_place = models.PositiveSmallIntegerField(null=True, blank=True)
    active = models.BooleanField(default=True)
    away = models.BooleanField(default=False)
    abandoned = models.BooleanField(default=False)
    seen_at = models.DateTimeField(null=True, blank=True)
    # What both saw at the ready check: it decides fees and rating points, whatever else ends meanwhile.
    rating = models.BigIntegerField(default=START)
    experience = models.PositiveIntegerField(default=0)
    unfinished = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "side"], name="games_seat_once"),
            models.UniqueConstraint(fields=["match", "user"], name="games_seat_two_people"),
            models.UniqueConstraint(
                fields=["user", "money_place"],
                name="games_seat_money_place",
                condition=Q(active=True, money=True),
            ),
            models.CheckConstraint(
                name="games_seat_money_has_place",
                condition=Q(money=True, money_place__gte=1)
                | Q(money=False, money_place__isnull=True),
            ),
        ]
        indexes = [
            models.Index(fields=["user"], name="games_seat_active", condition=Q(active=True)),
            models.Index(fields=["user"], name="games_seat_abandoned", condition=Q(abandoned=True)),
            models.Index(
                fields=["seen_at"],
                name="games_seat_here",
                condition=Q(active=True, away=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.side}"


class PlayerRating(models.Model):
    """A player's rating in one game and currency, in billionths of a point; made with the first rated match."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ratings"
    )
    game = models.CharField(max_length=20)
    currency = models.CharField(max_length=4)
    billionths = models.BigIntegerField(default=START)
    experience = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [
            models.UniqueConstraint(fields=["user", "game", "currency"], name="games_rating_once"),
            models.CheckConstraint(name="games_rating_of_a_game", condition=Q(game__in=GAMES)),
        ]
        indexes = [
            models.Index(fields=["game", "currency", "-billionths"], name="games_rating_order"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.game} {self.currency}"


class RatingChange(models.Model):
    """What one match did to one rating, never changed: `before` + `change` = `after`, in billionths.

    `experience`: before the match; `length`: by how much it grew. `reason`: how the match ended for this player.
    """

    rating = models.ForeignKey(PlayerRating, on_delete=models.PROTECT, related_name="changes")
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="rating_changes")
    won = models.BooleanField()
    reason = models.CharField(max_length=20)
    before = models.BigIntegerField()
    change = models.BigIntegerField()
    after = models.BigIntegerField()
    experience = models.PositiveIntegerField()
    length = models.PositiveSmallIntegerField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("change of a rating")
        verbose_name_plural = _("changes of ratings")
        constraints = [
            models.UniqueConstraint(fields=["rating", "match"], name="games_rated_once"),
            models.UniqueConstraint(fields=["rating", "experience"], name="games_rated_in_a_row"),
            models.CheckConstraint(
                name="games_rating_adds_up", condition=Q(after=F("before") + F("change"))
            ),
            models.CheckConstraint(
                name="games_rating_moves_as_won",
                condition=Q(won=True, change__gte=0) | Q(won=False, change__lte=0),
            ),
            models.CheckConstraint(name="games_rated_a_length", condition=Q(length__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.rating_id} {self.match_id} {self.change:+}"


class Rematch(models.Model):
    """Who wants to play a finished match again, and the match that came of it."""

    match = models.OneToOneField(
        Match, on_delete=models.PROTECT, primary_key=True, related_name="rematch"
    )
    light = models.DateTimeField(null=True, blank=True)
    dark = models.DateTimeField(null=True, blank=True)
    next = models.OneToOneField(
        Match, on_delete=models.PROTECT, null=True, blank=True, related_name="rematch_of"
    )

    def __str__(self) -> str:
        return str(self.match_id)


class MatchEvent(models.Model):
    """One thing that happened, never changed. The number is also the lock: who writes it first has won."""

    match = models.ForeignKey(
        Match, on_delete=models.PROTECT, related_name="events", db_index=False
    )
    version = models.PositiveIntegerField()
    kind = models.CharField(max_length=24)
    payload = models.JSONField()
    at_ms = models.BigIntegerField()
    side = models.CharField(max_length=5, blank=True)
    ref = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001  unique only when given

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "version"], name="games_event_number"),
            models.UniqueConstraint(
                fields=["match", "side", "ref"],
                name="games_event_command_once",
                condition=Q(ref__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.version} {self.kind}"


class Adjudication(models.Model):
    """An abandoned match that waits for a verdict, and who has been asked for it when."""

    match = models.OneToOneField(
        Match, on_delete=models.PROTECT, primary_key=True, related_name="adjudication"
    )
    asked_at = models.DateTimeField(null=True, blank=True)
    times_asked = models.PositiveIntegerField(default=0)
    done = models.BooleanField(default=False)
    with_moderators = models.BooleanField(default=False)
    trouble = models.TextField(blank=True)

    class Meta:
        verbose_name = _("abandoned match")
        verbose_name_plural = _("abandoned matches")
        permissions = [("settle_match", _("Can settle abandoned matches"))]
        indexes = [
            models.Index(
                fields=["asked_at"], name="games_adjudication_due", condition=Q(done=False)
            ),
        ]

    def __str__(self) -> str:
        return str(self.match_id)


class Pulse(models.Model):
    """When a part of the site was last alive, by the database's clock; a gap was downtime."""

    part = models.CharField(max_length=10, primary_key=True)
    at_ms = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.part} {self.at_ms}"


class Outage(models.Model):
    """Downtime of the site that running clocks are given back."""

    part = models.CharField(max_length=10)
    from_ms = models.BigIntegerField()
    until_ms = models.BigIntegerField()
    credited = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["part", "from_ms"], name="games_outage_once"),
            models.CheckConstraint(
                name="games_outage_lasts", condition=Q(until_ms__gt=F("from_ms"))
            ),
        ]
        indexes = [
            models.Index(fields=["id"], name="games_outage_open", condition=Q(credited=False)),
        ]

    def __str__(self) -> str:
        return f"{self.part} {self.until_ms - self.from_ms} ms"


class MatchSeed(models.Model):
    """The server's seed of a match, sealed. Shown to nobody before the match is over."""

    match = models.OneToOneField(
        Match, on_delete=models.PROTECT, primary_key=True, related_name="seed"
    )
    sealed = models.TextField()

    def __str__(self) -> str:
        return "sealed"


class ChatLine(models.Model):
    """A line of the chat at a table."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="chat")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT)
    side = models.CharField(max_length=5, blank=True)
    text = models.CharField(max_length=200)
    ref = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001  unique only when given
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["match", "user", "ref"],
                name="games_chat_once",
                condition=Q(ref__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.text


class Analysis(models.Model):
    """What an engine thinks of a finished match: asked for once, worked out bit by bit.

    `records`: one for each decision so far, as games.engine.analysis writes them. `lost` and `luck` are
    millionths of equity. `touched_at`: when a worker last took it up; empty while it waits for one.
    """

    match = models.OneToOneField(
        Match, on_delete=models.PROTECT, primary_key=True, related_name="analysis"
    )
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    asked_at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField()
    finished = models.BooleanField(default=False)
    trouble = models.TextField(blank=True)
    engine = models.CharField(max_length=80)
    records = models.JSONField(default=list)
    light_decisions = models.PositiveIntegerField(default=0)
    light_lost = models.BigIntegerField(default=0)
    light_luck = models.BigIntegerField(default=0)
    dark_decisions = models.PositiveIntegerField(default=0)
    dark_lost = models.BigIntegerField(default=0)
    dark_luck = models.BigIntegerField(default=0)

    class Meta:
        verbose_name = _("analysis")
        verbose_name_plural = _("analyses")
        indexes = [
            models.Index(
                fields=["touched_at"], name="games_analysis_due", condition=Q(finished=False)
            ),
        ]
        constraints = [
            models.CheckConstraint(
                name="games_analysis_progress", condition=Q(done__lte=F("total"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.done}/{self.total}"


class HouseBot(models.Model):
    """An account that plays for the house, for chips only."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, primary_key=True, related_name="+"
    )
    level = models.PositiveSmallIntegerField(unique=True)

    class Meta:
        verbose_name = _("house bot")
        verbose_name_plural = _("house bots")

    def __str__(self) -> str:
        return f"{self.user_id} level {self.level}"


class HouseSeat(models.Model):
    """A match in which a house bot plays. `seen`: up to this version there is nothing left for it to do."""

    match = models.OneToOneField(
        Match, on_delete=models.PROTECT, primary_key=True, related_name="house_seat"
    )
    side = models.CharField(max_length=5)
    level = models.PositiveSmallIntegerField()
    seen = models.PositiveIntegerField(default=0)
    touched_at = models.DateTimeField(null=True, blank=True)
    over = models.BooleanField(default=False)

    class Meta:
        indexes = [
            models.Index(fields=["seen"], name="games_house_playing", condition=Q(over=False)),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.side} level {self.level}"
