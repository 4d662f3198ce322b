"""What a person writes into the wallet's forms."""

from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from wallet.deposits import require_amount
from wallet.errors import AmountTooSmall, BadAmount
from wallet.fees import ROOM_NAMES, Question
from wallet.money import Currency, format_amount, parse_amount
from wallet.tariffs import Kind, Room

LONGEST_AMOUNT = 32
LONGEST_SERIES: Final = 25
MOST_STAKE: Final = 100_000_00
HIGHEST_RATING: Final = 3_000
USUAL_RATING: Final = 1_500
_KINDS: Final = [(Kind.SINGLE.value, _("single game")), (Kind.SERIES.value, _("series"))]
_ROOMS: Final = [(room.value, name) for room, name in ROOM_NAMES.items()]


class AmountField(forms.CharField):
    """Text that becomes cents; every wrong form of an amount is refused with its reason."""

    def __init__(self, **options: Any) -> None:
        attributes = {"class": "input", "inputmode": "decimal", "autocomplete": "off"}
        super().__init__(
            max_length=LONGEST_AMOUNT,
            error_messages={"required": _("Write an amount.")},
            widget=forms.TextInput(attrs=attributes),
            **options,
        )

    def clean(self, value: Any) -> Any:
        """Cents, or the empty value where the field may be empty."""
        text = super().clean(value)
        if not text:
            return None
        try:
            return parse_amount(text, Currency.USD)
        except BadAmount as refusal:
            raise ValidationError(gettext(refusal.text) % refusal.params) from refusal


class DepositForm(forms.Form):
    """An amount to pay in, and the token that makes it one payment however often it is sent."""

    amount = AmountField(label=_("Amount"))
    token = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean_amount(self) -> int:
        """Cents."""
        amount: int = self.cleaned_data["amount"]
        try:
            require_amount(amount)
        except BadAmount as refusal:
            raise ValidationError(gettext(refusal.text) % refusal.params) from refusal
        return amount


class WithdrawalForm(forms.Form):
    """An amount to have paid out, and the token that makes it one withdrawal."""

    amount = AmountField(label=_("Amount"))
    token = forms.CharField(required=False, widget=forms.HiddenInput)


class CalculatorForm(forms.Form):
    """A table somebody thinks of: what would a win cost there?"""

    stake = AmountField(label=_("Stake"))
    room = forms.ChoiceField(label=_("Room"), choices=_ROOMS, initial=Room.MAIN.value)
    kind = forms.ChoiceField(label=_("Played as"), choices=_KINDS, initial=Kind.SINGLE.value)
    length = forms.IntegerField(
        label=_("Length of a series"), min_value=1, max_value=LONGEST_SERIES, initial=5
    )
    rating_a = forms.IntegerField(
        label=_("Your rating"), min_value=0, max_value=HIGHEST_RATING, initial=USUAL_RATING
    )
    rating_b = forms.IntegerField(
        label=_("Opponent's rating"), min_value=0, max_value=HIGHEST_RATING, initial=USUAL_RATING
    )

    def __init__(self, *args: Any, smallest: int, **options: Any) -> None:
        super().__init__(*args, **options)
        self.smallest = smallest
        for field in self.fields.values():
            field.widget.attrs.setdefault("class", "input")

    def clean_stake(self) -> int:
        """Cents."""
        stake: int = self.cleaned_data["stake"]
        if stake < self.smallest:
            least = format_amount(self.smallest, Currency.USD)
            raise ValidationError(gettext(AmountTooSmall.text) % {"least": least})
        if stake > MOST_STAKE:
            most = format_amount(MOST_STAKE, Currency.USD)
            raise ValidationError(gettext("The largest amount here is %(most)s.") % {"most": most})
        return stake

    def question(self) -> Question:
        """What a valid form asks."""
        asked = self.cleaned_data
        kind = Kind(asked["kind"])
        return Question(
            room=Room(asked["room"]),
            kind=kind,
            length=asked["length"] if kind is Kind.SERIES else 1,
            stake=asked["stake"],
            ratings=(asked["rating_a"], asked["rating_b"]),
        )
