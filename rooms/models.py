"""Tables of the lobby: the rooms, the open tables waiting for an opponent, and who is here."""

import uuid

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from games.terms import (
    LIMIT_FACTORS,
    LONGEST_SERIES,
    SERIES_LIMIT_FACTOR,
    VARIANTS,
    TableTerms,
    table_terms,
    whole,
)


class Currency(models.TextChoices):
    """What a room plays for."""

    USD = "USD", _("US dollars")
    PLAY = "PLAY", _("chips")


class Column(models.TextChoices):
    """The column of the tariff by which a room's tables pay commission."""

    PRACTICE = "practice", _("practice: no fee")
    MAIN = "main", _("main")
    GIANTS = "giants", _("Giants")
    DARK = "dark", _("Dark Room")
    BLITZ = "blitz", _("Blitz")


class Room(models.Model):
    """A part of the lobby with rules of its own. Rooms are data: a new one needs no code."""

    slug = models.SlugField(_("address"), max_length=20, unique=True)
    name_en = models.CharField(_("name in English"), max_length=40)
    name_ru = models.CharField(_("name in Russian"), max_length=40, blank=True)
    name_fi = models.CharField(_("name in Finnish"), max_length=40, blank=True)
    currency = models.CharField(_("currency"), max_length=4, choices=Currency.choices)
    column = models.CharField(_("tariff column"), max_length=20, choices=Column.choices)
    variants = models.JSONField(_("games allowed"), default=list)
    longest_series = models.PositiveSmallIntegerField(
        _("longest series"), default=1, help_text=_("Points; 1 allows single games only.")
    )
    min_stake = models.BigIntegerField(_("smallest stake"), help_text=_("In cents, or in chips."))
    max_stake = models.BigIntegerField(_("largest stake"), help_text=_("In cents, or in chips."))
    stakes = models.JSONField(
        _("stakes allowed"),
        default=list,
        blank=True,
        help_text=_("A list in cents, or in chips; empty for any between smallest and largest."),
    )
    min_rating = models.PositiveSmallIntegerField(_("lowest rating"), null=True, blank=True)
    max_rating = models.PositiveSmallIntegerField(_("highest rating"), null=True, blank=True)
    anonymous = models.BooleanField(
        _("anonymous"),
        default=False,
        help_text=_("Nobody learns who plays. Needs the tariff column of the Dark Room."),
    )
    blitz = models.BooleanField(_("blitz"), default=False)
    is_open = models.BooleanField(_("open"), default=True)
    order = models.PositiveSmallIntegerField(_("order"), default=0)

    class Meta:
        verbose_name = _("room")
        verbose_name_plural = _("rooms")
        ordering = ["order", "slug"]
        constraints = [
            models.CheckConstraint(
                name="rooms_currency_known", condition=Q(currency__in=Currency.values)
            ),
            models.CheckConstraint(
                name="rooms_chips_only_in_practice",
                condition=Q(currency="PLAY", column="practice")
                | (Q(currency="USD") & ~Q(column="practice")),
            ),
            models.CheckConstraint(
                name="rooms_stakes_in_order",
                condition=Q(min_stake__gte=1, max_stake__gte=F("min_stake")),
            ),
            models.CheckConstraint(
                name="rooms_money_from_ten_cents",
                condition=~Q(currency="USD") | Q(min_stake__gte=10),
            ),
            models.CheckConstraint(
                name="rooms_ratings_in_order",
                condition=Q(min_rating__isnull=True)
                | Q(max_rating__isnull=True)
                | Q(max_rating__gte=F("min_rating")),
            ),
            # A match carries its column and not its room's settings: it stays anonymous for good.
            models.CheckConstraint(
                name="rooms_anonymous_in_dark_column",
                condition=Q(anonymous=True, column="dark")
                | (Q(anonymous=False) & ~Q(column="dark")),
            ),
            models.CheckConstraint(
                name="rooms_giants_from_1800",
                condition=~Q(column="giants") | Q(min_rating__gte=1800),
            ),
            models.CheckConstraint(
                name="rooms_series_length",
                condition=Q(longest_series__gte=1, longest_series__lte=LONGEST_SERIES),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """In the language of the moment; English where there is none."""
        names = {"ru": self.name_ru, "fi": self.name_fi}
        return names.get((get_language() or "en")[:2]) or self.name_en

    @property
    def is_money(self) -> bool:
        """Whether money is at stake here, not chips."""
        return self.currency == Currency.USD

    def clean(self) -> None:
        """Games and stakes are lists of what the site knows and the room allows."""
        known = set(VARIANTS)
        if not isinstance(self.variants, list) or not self.variants:
            raise ValidationError({"variants": _("Allow at least one game.")})
        if not known.issuperset(map(str, self.variants)):
            raise ValidationError({"variants": _("Allowed are: %s.") % ", ".join(sorted(known))})
        if not isinstance(self.stakes, list) or not all(map(self._is_stake, self.stakes)):
            raise ValidationError(
                {"stakes": _("Write whole numbers from the smallest to the largest stake.")}
            )

    def _is_stake(self, stake: object) -> bool:
        return whole(stake) and self.min_stake <= stake <= self.max_stake  # type: ignore[operator]


class OfferStatus(models.TextChoices):
    """What became of an open table."""

    OPEN = "open", _("open")
    TAKEN = "taken", _("taken")
    WITHDRAWN = "withdrawn", _("withdrawn")
    EXPIRED = "expired", _("expired")


class Access(models.TextChoices):
    """Who may sit down at an open table."""

    HALL = "hall", _("everybody in the room")
    LINK = "link", _("whoever has the link")
    FRIEND = "friend", _("one friend")


class Offer(models.Model):
    """An open table: what its creator offers to play, until somebody sits down. Holds no money."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="offers")
    creator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="offers"
    )
    variant = models.CharField(max_length=20)
    kind = models.CharField(max_length=6)
    length = models.PositiveSmallIntegerField()
    currency = models.CharField(max_length=4)
    stake = models.BigIntegerField()
    limit_factor = models.PositiveSmallIntegerField()
    jacoby = models.BooleanField(default=False)
    beavers = models.BooleanField(default=False)
    crawford = models.BooleanField(default=True)
    clock = models.CharField(max_length=10)
    blitz = models.BooleanField(default=False)
    token = models.CharField(max_length=64)
    access = models.CharField(max_length=6, choices=Access.choices, default=Access.HALL)
    friend = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="invitations",
        null=True,
        blank=True,
    )
    key = models.CharField(max_length=43, unique=True, null=True, blank=True, editable=False)
    status = models.CharField(max_length=9, choices=OfferStatus.choices, default=OfferStatus.OPEN)
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="taken_offers",
        null=True,
        blank=True,
    )
    match_id = models.UUIDField(null=True, blank=True, unique=True)

    class Meta:
        verbose_name = _("open table")
        verbose_name_plural = _("open tables")
        indexes = [
            models.Index(
                fields=["room", "-created_at"], name="rooms_offer_open", condition=Q(status="open")
            ),
        ]
        constraints = [
            models.CheckConstraint(
                name="rooms_offer_status_known", condition=Q(status__in=OfferStatus.values)
            ),
            models.CheckConstraint(name="rooms_offer_stake", condition=Q(stake__gte=1)),
            models.CheckConstraint(
                name="rooms_offer_access",
                condition=Q(access="hall", friend__isnull=True, key__isnull=True)
                | Q(access="link", friend__isnull=True, key__isnull=False)
                | (Q(access="friend", friend__isnull=False, key__isnull=False)),
            ),
            models.CheckConstraint(
                name="rooms_offer_to_somebody_else",
                condition=Q(friend__isnull=True) | ~Q(friend=F("creator")),
            ),
            models.CheckConstraint(
                name="rooms_offer_limit",
                condition=Q(kind="single", limit_factor__in=LIMIT_FACTORS)
                | Q(kind="series", limit_factor=SERIES_LIMIT_FACTOR),
            ),
            models.CheckConstraint(
                name="rooms_offer_length",
                condition=Q(kind="single", length=1)
                | Q(kind="series", length__gte=1, length__lte=LONGEST_SERIES),
            ),
            models.CheckConstraint(
                name="rooms_offer_open_or_closed",
                condition=Q(status="open", closed_at__isnull=True)
                | (~Q(status="open") & Q(closed_at__isnull=False)),
            ),
            models.CheckConstraint(
                name="rooms_offer_taken_has_match",
                condition=Q(status="taken", taken_by__isnull=False, match_id__isnull=False)
                | (~Q(status="taken") & Q(taken_by__isnull=True, match_id__isnull=True)),
            ),
            models.CheckConstraint(
                name="rooms_offer_two_people",
                condition=Q(taken_by__isnull=True) | ~Q(taken_by=F("creator")),
            ),
            models.UniqueConstraint(fields=["creator", "token"], name="rooms_offer_form_once"),
            models.UniqueConstraint(
                name="rooms_offer_same_terms_once",
                fields=[
                    "creator",
                    "room",
                    "variant",
                    "kind",
                    "length",
                    "stake",
                    "limit_factor",
                    "jacoby",
                    "beavers",
                    "crawford",
                    "clock",
                ],
                condition=Q(status="open", access="hall"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.variant} {self.stake} {self.currency} {self.status}"

    @property
    def terms(self) -> TableTerms:
        """What both would agree on. Raises a Refused if such tables are no longer allowed."""
        flags = {
            "jacoby": self.jacoby,
            "beavers": self.beavers,
            "no_crawford": not self.crawford,
            "blitz": self.blitz,
        }
        return table_terms(
            variant=self.variant,
            kind=self.kind,
            length=self.length,
            currency=self.currency,
            stake=self.stake,
            limit_factor=self.limit_factor,
            options=frozenset(name for name, on in flags.items() if on),
            clock=self.clock,
        )


class KeptFilters(models.Model):
    """What a player last wanted to see in the lobby, for a browser that does not know yet."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="lobby_filters",
    )
    filters = models.CharField(max_length=100)

    def __str__(self) -> str:
        return f"{self.user_id} {self.filters}"


class Presence(models.Model):
    """The lease of somebody in the lobby, renewed by their page; lost when it gets old."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="lobby_presence",
    )
    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="present")
    seen_at = models.DateTimeField()

    class Meta:
        verbose_name = _("presence in the lobby")
        verbose_name_plural = _("presences in the lobby")
        indexes = [models.Index(fields=["seen_at"], name="rooms_presence_seen")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.seen_at}"
