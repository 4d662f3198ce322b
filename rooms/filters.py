"""The filters of the lobby: which tables a reader wants to see, as a form, in a cookie and with their account."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from rooms.models import KeptFilters, Room
from rooms.words import amount_text, variant_text

ANY = ""
BANDS = {"USD": ((0, 100), (101, 1_000), (1_001, None)), "PLAY": ((0, 10), (11, 100), (101, None))}
NEAR = (50, 100, 200)
"""Points between two ratings that are near each other, to choose from."""

COOKIE = "lobby_filters"
MOST_KEPT = 100


@dataclass(frozen=True, slots=True)
class Filters:
    """Which tables a reader wants to see. Each is empty for any.

    `stake` is "from-to" in minor units, `near` how many points a rating may be from the reader's own.
    """

    variant: str = ANY
    kind: str = ANY
    stake: str = ANY
    near: str = ANY

    @classmethod
    def parse(cls, text: str) -> "Filters":
        """From the cookie, "variant|kind|stake|near"; anything else is no filter."""
        parts = text.split("|")
        return cls(*parts) if len(parts) == len(cls.__slots__) else cls()

    def text(self) -> str:
        """For the cookie.

        >>> Filters.parse(Filters(stake="0-100", near="50").text())
        Filters(variant='', kind='', stake='0-100', near='50')
        """
        return "|".join((self.variant, self.kind, self.stake, self.near))

    def allows(self, *, variant: str, kind: str, stake: int) -> bool:
        """Whether a table is wanted."""
        if (self.variant and variant != self.variant) or (self.kind and kind and kind != self.kind):
            return False
        least, _dash, most = self.stake.partition("-")
        if least.isdecimal() and stake < int(least):
            return False
        return not (most.isdecimal() and stake > int(most))

    def is_near(self, points: int, own: int) -> bool:
        """Whether a rating is near the reader's; where nobody has one, all are."""
        return not self.near.isdecimal() or not points or abs(points - own) <= int(self.near)


def kept(user: User, here: str) -> str:
    """What a player last chose: in this browser, or, where it does not know, in any. Keeps it with the account."""
    row = KeptFilters.objects.filter(user=user).first()
    if not here:
        return row.filters if row else ""
    if len(here) <= MOST_KEPT and (row is None or row.filters != here):
        KeptFilters.objects.update_or_create(user=user, defaults={"filters": here})
    return here


class FilterForm(forms.Form):
    """The filters of a room; choices that make no difference there are left out."""

    variant = forms.ChoiceField(label=gettext_lazy("Game"), required=False)
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), required=False)
    stake = forms.ChoiceField(label=gettext_lazy("Stake"), required=False)
    near = forms.ChoiceField(label=gettext_lazy("Rating"), required=False)

    def __init__(self, room: Room, given: Mapping[str, Any] | None = None) -> None:
        super().__init__(given, auto_id="f-%s", label_suffix="")
        variants = {variant: variant_text(variant) for variant in room.variants}
        kinds = {"single": _("Single games"), "series": _("Series")}
        self._offer("variant", {ANY: _("All games")} | variants)
        self._offer("kind", {ANY: _("Any kind")} | (kinds if room.longest_series > 1 else {}))
        self._offer("stake", {ANY: _("Any stake")} | _bands(room.currency))
        near = {str(points): _("Within %(points)s of mine") % {"points": points} for points in NEAR}
        self._offer("near", {ANY: _("Any rating")} | ({} if room.anonymous else near))

    def _offer(self, name: str, choices: dict[str, str]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(choices.items())
        if set(choices) <= {ANY, next(iter(choices.keys() - {ANY}), ANY)}:
            del self.fields[name]

    def chosen(self) -> Filters:
        """The filters that are valid here; anything else counts as any."""
        self.is_valid()
        return Filters(**{name: self.cleaned_data.get(name, ANY) for name in self.fields})


def _bands(currency: str) -> dict[str, str]:
    low, middle, high = BANDS[currency]
    assert low[1] is not None
    assert middle[1] is not None
    least, most = amount_text(low[1], currency), amount_text(middle[1], currency)
    names = (
        _("Up to %(most)s") % {"most": least},
        _("%(least)s to %(most)s") % {"least": least, "most": most},
        _("Over %(least)s") % {"least": most},
    )
    spans = (f"{first}-{'' if last is None else last}" for first, last in (low, middle, high))
    return dict(zip(spans, names, strict=True))
