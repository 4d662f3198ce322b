"""What people fill in about their own account and about others: address, closing, appeals, reports."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import keys, links, us_states
from accounts.errors import SecondAccount
from accounts.geoip import UNITED_STATES
from accounts.models import Reason, User, country_choices
from accounts.moderation.cases import LONGEST_TEXT
from accounts.validators import as_validation_error


class AddressForm(forms.ModelForm[User]):
    """Where somebody lives now."""

    class Meta:
        model = User
        fields = ["country", "us_state", "street", "postcode", "city"]
        labels = {
            "street": _("Street, house number, apartment"),
            "country": _("Country you live in"),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen = [("", gettext("Choose a country")), *country_choices()]
        self.fields["country"] = forms.ChoiceField(label=_("Country you live in"), choices=chosen)
        states = [("", gettext("Choose a state")), *us_states.CHOICES]
        self.fields["us_state"] = forms.ChoiceField(
            label=_("State"), choices=states, required=False
        )
        for name in ("street", "city"):
            self.fields[name].required = True

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("country") != UNITED_STATES:
            cleaned["us_state"] = ""
        elif not cleaned.get("us_state"):
            self.add_error("us_state", gettext("Choose the state you live in."))
        self._refuse_another_persons(cleaned)
        return cleaned

    def _refuse_another_persons(self, cleaned: dict[str, Any]) -> None:
        """The address together with name and birth date may be another account's."""
        user = self.instance
        if self.errors or not (user.full_name and user.birth_date):
            return
        home = links.home_of(User(**{name: cleaned[name] for name in self.Meta.fields}))
        key = keys.person(name=user.full_name, born=user.birth_date, home=home)
        if links.is_taken(key, but=user):
            raise as_validation_error(SecondAccount())


class CloseForm(forms.Form):
    """Nobody closes an account by a click."""

    sure = forms.CharField(
        label=_("Your screen name, to be sure"),
        error_messages={"required": _("Type your screen name.")},
        widget=forms.TextInput({"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_sure(self) -> str:
        typed = str(self.cleaned_data["sure"])
        if typed.strip() != self.user.screen_name:
            raise ValidationError(gettext("This is not your screen name."), code="other_name")
        return typed


class AppealForm(forms.Form):
    """Why somebody thinks that a decision was wrong."""

    words = forms.CharField(
        label=_("Why is it wrong?"),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea({"rows": 6}),
        error_messages={"required": _("Write why you think that it is wrong.")},
    )


class ReportForm(forms.Form):
    """What one player has seen another do."""

    reason = forms.ChoiceField(
        label=_("What have they done?"),
        choices=[("", _("Choose")), *Reason.choices],
        error_messages={"required": _("Choose what they have done.")},
    )
    text = forms.CharField(
        label=_("In your words"),
        required=False,
        max_length=LONGEST_TEXT,
        help_text=_("What happened, and when. It helps whoever reads it."),
        widget=forms.Textarea({"rows": 5}),
    )
