"""What people fill in about themselves: signing up, and the colours they like."""

from datetime import date
from typing import Any

from allauth.account.forms import SignupForm as AllauthSignupForm
from django import forms
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import names, residence, us_states
from accounts.age import age_on
from accounts.context import BOARDS, THEMES
from accounts.errors import Refused
from accounts.models import User, country_choices
from accounts.validators import as_validation_error

OLDEST_YEAR = 1900


class DateOfBirthWidget(forms.MultiWidget):
    """Day, month and year as three small fields, in this order."""

    def __init__(self) -> None:
        numeric = {"inputmode": "numeric"}
        super().__init__(
            widgets={
                "day": forms.TextInput({**numeric, "maxlength": 2, "autocomplete": "bday-day"}),
                "month": forms.TextInput({**numeric, "maxlength": 2, "autocomplete": "bday-month"}),
                "year": forms.TextInput({**numeric, "maxlength": 4, "autocomplete": "bday-year"}),
            }
        )

    def decompress(self, value: date | None) -> list[int | None]:
        return [value.day, value.month, value.year] if value else [None, None, None]


class DateOfBirthField(forms.MultiValueField):
    """A date of birth. Says which part is wrong; refuses days that do not exist or have not come."""

    widget = DateOfBirthWidget

    def __init__(self, **kwargs: Any) -> None:
        wrong = {"invalid": _("Enter the date of birth as numbers, for example 27 3 1985.")}
        parts = (
            forms.IntegerField(error_messages=wrong),
            forms.IntegerField(error_messages=wrong),
            forms.IntegerField(error_messages=wrong),
        )
        super().__init__(fields=parts, **kwargs)

    def compress(self, data_list: list[int]) -> date | None:
        if not data_list:
            return None
        day, month, year = data_list
        try:
            born = date(year, month, day)
        except (ValueError, OverflowError):
            raise ValidationError(_("This date does not exist."), code="no_such_date") from None
        if year < OLDEST_YEAR or born > timezone.localdate():
            raise ValidationError(
                _("Enter the year you were born in, for example 1985."), code="bad_year"
            )
        return born


class SignupForm(AllauthSignupForm):  # type: ignore[misc]
    """A new account. Says nothing about whether the e-mail is known."""

    field_order = ["email", "password1", "screen_name", "birth_date", "country", "us_state"]

    screen_name = forms.CharField(
        label=_("Screen name"),
        help_text=_("Other players see this name. 3 to 20 letters and digits of one alphabet."),
        widget=forms.TextInput({"autocomplete": "nickname", "spellcheck": "false"}),
        error_messages={"required": _("Enter a screen name.")},
    )
    birth_date = DateOfBirthField(
        label=_("Date of birth"),
        help_text=_("For example 27 3 1985. Other players do not see it."),
        error_messages={"required": _("Enter your date of birth.")},
    )
    country = forms.ChoiceField(
        label=_("Country you live in"),
        widget=forms.Select({"autocomplete": "country"}),
        error_messages={"required": _("Choose the country you live in.")},
    )
    us_state = forms.ChoiceField(
        label=_("State"),
        help_text=_("Only if you live in the United States."),
        required=False,
        choices=[("", _("Choose a state")), *us_states.CHOICES],
        widget=forms.Select({"autocomplete": "address-level1"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        country = self.fields["country"]
        country.choices = [("", gettext("Choose a country")), *country_choices()]
        _plain_credentials(self)

    def clean_screen_name(self) -> str:
        try:
            name = names.checked(self.cleaned_data["screen_name"])
            if names.is_reserved(name):
                raise names.NameReserved
            if User.objects.looking_like(name).exists():
                raise names.NameTaken
        except Refused as refused:
            raise as_validation_error(refused) from refused
        return name

    def clean_birth_date(self) -> date:
        born: date = self.cleaned_data["birth_date"]
        if age_on(timezone.localdate(), born) < settings.MINIMUM_AGE_YEARS:
            raise ValidationError(
                gettext("You must be %(years)s or older to have an account."),
                params={"years": settings.MINIMUM_AGE_YEARS},
                code="too_young",
            )
        return born

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()
        if cleaned.get("country") == residence.UNITED_STATES:
            if not cleaned.get("us_state") and "us_state" not in self.errors:
                self.add_error("us_state", gettext("Choose the state you live in."))
        else:
            cleaned["us_state"] = ""
        return cleaned

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """As allauth's, but a known address takes as long as a new one."""
        if self.account_already_exists:
            make_password(self.cleaned_data["password1"])
        saved: tuple[User | None, HttpResponse | None] = super().try_save(request)
        return saved

    def save(self, request: HttpRequest) -> User:
        """All of the account or nothing. Raises IntegrityError if a simultaneous sign-up was faster."""
        with transaction.atomic():
            user: User = super().save(request)
        return user


class PreferencesForm(forms.Form):
    """Colours and the board's material, for browsers without scripts; with them a dialog does the same."""

    theme = forms.ChoiceField(
        label=_("Colours"),
        required=False,
        choices=[("", _("Like my device")), *zip(THEMES, (_("Light"), _("Dark")), strict=True)],
        widget=forms.RadioSelect,
    )
    board = forms.ChoiceField(
        label=_("Board"),
        choices=list(zip(BOARDS, (_("Wood"), _("Slate"), _("High contrast")), strict=True)),
        widget=forms.RadioSelect,
    )


def _plain_credentials(form: forms.Form) -> None:
    """Labels say what a field is for; allauth's placeholders, which vanish when typing, go."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)
    form.fields["email"].error_messages["required"] = gettext("Enter your e-mail address.")
    form.fields["password1"].error_messages["required"] = gettext("Enter a password.")
