"""The new-table form and the bot's: text from a page to checked terms. Shows refusals beside their fields."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.errors import Refused
from accounts.models import User
from games.engine.bots import MINDS, Level
from games.services import TableTerms, parse_stake
from games.terms import DEFAULT_LIMIT_FACTOR, LIMIT_FACTORS, WITH_CUBE
from rooms import services
from rooms.errors import BadLength
from rooms.models import Access, Room
from rooms.services import BotWish, Guests
from rooms.words import refusal_text, variant_text

FIELD_OF = {
    "bad_stake": "stake",
    "bad_amount": "stake",
    "fraction_of_unit": "stake",
    "amount_too_large": "stake",
    "insufficient_funds": "stake",
    "bad_limit": "limit",
    "bad_length": "length",
    "unknown_variant": "variant",
    "not_your_friend": "guests",
    "private_not_here": "guests",
    "not_together": "guests",
}
FIRST_STAKE = {"USD": "1.00", "PLAY": "10"}
FIRST_LENGTH = 5
CLOCKS = {
    "normal": pgettext_lazy("clock", "Normal 12 s"),
    "slow": pgettext_lazy("clock", "Slow 20 s"),
}
BLITZ_CLOCKS = {"blitz": pgettext_lazy("clock", "Blitz 8 s")}
TIMES = "\N{MULTIPLICATION SIGN}"
NOT_OFFERED = {"invalid_choice": gettext_lazy("Choose one of the choices that are shown.")}
FRIEND = "friend-"
TOKEN = RegexValidator(r"\A[A-Za-z0-9_-]{16,64}\Z")


def new_token() -> str:
    """Marks one shown form: sent twice, it opens one table."""
    return uuid.uuid4().hex


class NewTableForm(forms.Form):
    """What a player offers to play in a room. `terms` after it was found valid."""

    variant = forms.ChoiceField(label=gettext_lazy("Game"), error_messages=NOT_OFFERED)
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), error_messages=NOT_OFFERED)
    length = forms.CharField(label=gettext_lazy("Points to win"), required=False, max_length=20)
    limit = forms.ChoiceField(
        label=gettext_lazy("Limit"),
        required=False,
        choices=[(factor, f"{factor}{TIMES}") for factor in LIMIT_FACTORS],
        error_messages={
            "invalid_choice": gettext_lazy("The limit must be 3, 6, 12, 24 or 192 times the stake.")
        },
    )
    stake = forms.CharField(
        label=gettext_lazy("Stake"),
        max_length=20,
        error_messages={"required": gettext_lazy("Enter a stake.")},
    )
    clock = forms.ChoiceField(label=gettext_lazy("Clock"), error_messages=NOT_OFFERED)
    jacoby = forms.BooleanField(
        label=gettext_lazy("Jacoby: a gammon counts only after a double"), required=False
    )
    beavers = forms.BooleanField(
        label=gettext_lazy("Beavers: who is doubled may redouble at once"), required=False
    )
    no_crawford = forms.BooleanField(
        label=gettext_lazy("Without the Crawford game: the cube is never put away"), required=False
    )
    guests = forms.ChoiceField(
        label=gettext_lazy("Who may join"), required=False, error_messages=NOT_OFFERED
    )
    token = forms.CharField(widget=forms.HiddenInput, validators=[TOKEN])

    def __init__(
        self, room: Room, given: Mapping[str, Any] | None = None, friends: Sequence[User] = ()
    ) -> None:
        super().__init__(given, auto_id="n-%s", label_suffix="")
        self.room = room
        self._friends = {f"{FRIEND}{friend.pk}": friend for friend in friends}
        self.terms: TableTerms | None = None
        series = room.longest_series > 1
        kinds = {"single": _("Single")} | ({"series": _("Series")} if series else {})
        clocks = BLITZ_CLOCKS if room.blitz else CLOCKS
        self._offer("variant", {variant: variant_text(variant) for variant in room.variants})
        self._offer("kind", kinds)
        self._offer("clock", clocks)
        self._offer("guests", self._whom())
        self.initial.update(
            limit=DEFAULT_LIMIT_FACTOR,
            length=min(FIRST_LENGTH, room.longest_series),
            stake=FIRST_STAKE[room.currency],
            token=new_token(),
        )

    def _offer(self, name: str, choices: dict[Any, Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(choices.items())
        self.initial[name] = next(iter(choices), "")

    def _whom(self) -> dict[str, Any]:
        """Nobody chooses an opponent in an anonymous room."""
        everybody = {Access.HALL.value: _("Everybody in this room")}
        if self.room.anonymous:
            return everybody
        friends = {
            key: _("My friend %(name)s") % {"name": friend.screen_name}
            for key, friend in self._friends.items()
        }
        return everybody | {Access.LINK.value: _("Whoever has the link")} | friends

    def invited(self) -> Guests:
        """Whom a valid form is for."""
        chosen = self.cleaned_data["guests"] or Access.HALL
        friend = self._friends.get(chosen)
        return Guests(Access.FRIEND, friend) if friend else Guests(Access(chosen))

    def clean(self) -> dict[str, Any]:
        """The refusals of the site and the room, beside their fields."""
        given = self.cleaned_data
        if not self.errors.keys() - {"token"}:
            try:
                self.terms = self._terms(given)
            except Refused as refusal:
                self.refuse(refusal)
        return given

    def refuse(self, refusal: Refused) -> None:
        """Shows a refusal where it belongs."""
        self.add_error(FIELD_OF.get(refusal.code), refusal_text(refusal))

    def _terms(self, given: dict[str, Any]) -> TableTerms:
        stake = parse_stake(given["stake"], self.room.currency)
        single = given["kind"] == "single"
        choosable: tuple[str, ...] = ("jacoby", "beavers") if single else ("no_crawford",)
        if given["variant"] not in WITH_CUBE:
            choosable = ()
        options = {name for name in choosable if given[name]}
        wish = services.Wish(
            variant=given["variant"],
            kind=given["kind"],
            length=1 if single else self._length(given["length"]),
            stake=stake,
            limit_factor=int(given["limit"] or DEFAULT_LIMIT_FACTOR),
            clock=given["clock"],
            options=frozenset(options),
        )
        return services.room_terms(self.room, wish)

    def _length(self, text: str) -> int:
        """The points of a series as somebody wrote them. Raises BadLength for anything but a whole number."""
        if not (text.isascii() and text.isdecimal()):
            raise BadLength(most=self.room.longest_series)
        return int(text)

    @property
    def problems(self) -> list[dict[str, str]]:
        """Every error with the field it belongs to, in the order of the form."""
        return [
            {"field": "" if name == "__all__" else f"n-{name}", "text": str(text)}
            for name, texts in self.errors.items()
            for text in texts
        ]


class BotForm(forms.Form):
    """A game against the house bot: how strong, and how long."""

    LEVELS: ClassVar[list[tuple[int, Any]]] = [
        (1, gettext_lazy("Easy")),
        (2, gettext_lazy("Medium")),
        (3, gettext_lazy("Strong")),
    ]
    LENGTHS: ClassVar[list[tuple[int, Any]]] = [
        (0, gettext_lazy("One game")),
        (3, gettext_lazy("3 points")),
        (5, gettext_lazy("5 points")),
    ]

    level = forms.TypedChoiceField(
        label=gettext_lazy("House bot"), choices=LEVELS, coerce=int, initial=1
    )
    length = forms.TypedChoiceField(
        label=gettext_lazy("Length"), choices=LENGTHS, coerce=int, initial=0
    )
    variant = forms.ChoiceField(
        label=gettext_lazy("Game"), choices=[], required=False, initial="backgammon"
    )

    def __init__(self, given: Mapping[str, Any] | None = None) -> None:
        super().__init__(given, auto_id="b-%s", label_suffix="")
        field = self.fields["variant"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(name, variant_text(name)) for name in MINDS]

    def wish(self) -> BotWish:
        """What a valid form asks for."""
        asked = self.cleaned_data
        return BotWish(
            variant=asked["variant"] or "backgammon",
            level=Level(asked["level"]),
            length=asked["length"],
        )
