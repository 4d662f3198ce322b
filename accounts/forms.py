"""What people fill in about themselves: signing up, and the colours they like."""

from datetime import date
from functools import partial
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

from accounts import keys, links, names, postal, us_states
from accounts.age import age_on
from accounts.context import BOARDS, THEMES
from accounts.errors import Refused, SecondAccount
from accounts.geoip import UNITED_STATES
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

    field_order = [
        "email",
        "password1",
        "screen_name",
        "full_name",
        "birth_date",
        "country",
        "us_state",
        "street",
        "postcode",
        "city",
    ]

    screen_name = forms.CharField(
        label=_("Screen name"),
        help_text=_("Other players see this name. 3 to 20 letters and digits of one alphabet."),
        widget=forms.TextInput({"autocomplete": "nickname", "spellcheck": "false"}),
        error_messages={"required": _("Enter a screen name.")},
    )
    full_name = forms.CharField(
        label=_("Full name"),
        max_length=120,
        help_text=_("As in your passport. Other players do not see it."),
        widget=forms.TextInput({"autocomplete": "name", "spellcheck": "false"}),
        error_messages={"required": _("Enter your full name.")},
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
    street = forms.CharField(
        label=_("Street, house number, apartment"),
        max_length=160,
        widget=forms.TextInput({"autocomplete": "street-address"}),
        error_messages={"required": _("Enter your street and house number.")},
    )
    postcode = forms.CharField(
        label=_("Postal code"),
        max_length=16,
        required=False,
        help_text=_("Leave it empty if your country has none."),
        widget=forms.TextInput({"autocomplete": "postal-code", "spellcheck": "false"}),
    )
    city = forms.CharField(
        label=_("Town"),
        max_length=80,
        widget=forms.TextInput({"autocomplete": "address-level2"}),
        error_messages={"required": _("Enter your town.")},
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

    def validate_unique_email(self, value: str) -> str:
        """A twin of a known address (case, dots, +tag) is answered as the known address itself."""
        email: str = super().validate_unique_email(value)
        if links.is_taken(keys.email(email)):
            self.account_already_exists = True
        return email

    def clean_full_name(self) -> str:
        name = " ".join(self.cleaned_data["full_name"].split())
        if not postal.person_name(name) or any(c.isdigit() for c in name):
            raise ValidationError(gettext("Enter your name in letters."), code="bad_name")
        return name

    def clean_street(self) -> str:
        street = " ".join(self.cleaned_data["street"].split())
        if not any(c.isalpha() for c in street):
            raise ValidationError(gettext("Enter your street and house number."), code="bad_street")
        return street

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
        if cleaned.get("country") == UNITED_STATES:
            if not cleaned.get("us_state") and "us_state" not in self.errors:
                self.add_error("us_state", gettext("Choose the state you live in."))
        else:
            cleaned["us_state"] = ""
        self._refuse_a_second_account(cleaned)
        return cleaned

    def _refuse_a_second_account(self, cleaned: dict[str, Any]) -> None:
        """Whatever the e-mail is: the answer must not depend on whether that is known."""
        if not {"full_name", "birth_date", "street", "country"} <= cleaned.keys():
            return
        home = postal.address(
            street=cleaned["street"],
            city=cleaned.get("city", ""),
            code=cleaned.get("postcode", ""),
            country=cleaned["country"],
        )
        key = keys.person(name=cleaned["full_name"], born=cleaned["birth_date"], home=home)
        if links.is_taken(key):
            self.add_error("full_name", as_validation_error(SecondAccount()))

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
            links.claim(user)
            transaction.on_commit(partial(links.notice, user, links.own_keys(user)))
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
