"""Refusals in the reader's language."""

from django import template
from django.utils.translation import gettext

from accounts.errors import Refused

register = template.Library()


@register.filter
def sentence(refused: Refused) -> str:
    """What the refusal says."""
    return gettext(str(refused.text)) % refused.params
