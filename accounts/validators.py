"""Refusals about a single value, as Django's forms and models want to hear them."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django_countries import countries

from accounts import names
from accounts.errors import Refused


def sentence(refused: Refused) -> str:
    """The refusal in the reader's language."""
    return gettext(str(refused.text)) % refused.params


def as_validation_error(refused: Refused) -> ValidationError:
    """The refusal's sentence in the reader's language, under its code."""
    return ValidationError(sentence(refused), code=refused.code)


def validate_screen_name(value: str) -> None:
    """Raises ValidationError unless the name is well made and already in the form in which it is kept."""
    try:
        kept = names.checked(value)
    except Refused as refused:
        raise as_validation_error(refused) from refused
    if kept != value:
        raise as_validation_error(names.NameCharacterWrong())


def validate_country(value: str) -> None:
    """Raises ValidationError unless it is the two-letter code of a country."""
    if value not in countries:
        raise ValidationError(gettext("There is no country with this code."), code="country")
