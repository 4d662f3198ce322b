"""What a person writes into the wallet's forms."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from wallet.errors import BadAmount
from wallet.money import Currency, parse_amount
from wallet.services import LEAST_DEPOSIT, MOST_DEPOSIT, require_deposit

LONGEST_AMOUNT = 32


class DepositForm(forms.Form):
    """An amount of test money, and the token that makes it one payment however often it is sent."""

    amount = forms.CharField(
        label=_("Amount"),
        max_length=LONGEST_AMOUNT,
        error_messages={"required": _("Write an amount.")},
        widget=forms.TextInput(
            attrs={"class": "input", "inputmode": "decimal", "autocomplete": "off"}
        ),
    )
    token = forms.CharField(required=False, widget=forms.HiddenInput)

    least = LEAST_DEPOSIT
    most = MOST_DEPOSIT

    def clean_amount(self) -> int:
        """Cents."""
        try:
            amount = parse_amount(self.cleaned_data["amount"], Currency.USD)
            require_deposit(amount)
        except BadAmount as refusal:
            raise ValidationError(gettext(refusal.text) % refusal.params) from refusal
        return amount
