"""Form fields as our pages draw them: a visible label instead of a placeholder."""

from django import template
from django.forms import BoundField
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def plain(field: BoundField) -> SafeString:
    """The field's widget without the placeholder that a library gave it."""
    return field.as_widget(attrs={"placeholder": False})


@register.filter
def first_id(field: BoundField) -> str:
    """The id that a link to the field leads to: the first part of a field of several."""
    several = field.widget_type in ("dateofbirth", "radioselect")
    return f"{field.auto_id}_0" if several else field.auto_id
