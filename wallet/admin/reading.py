"""How pages of the admin behave: some are only read; a refusal of a service is a message, not an error."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext

from accounts.errors import Refused


class ReadOnly:
    """No adding, no changing, no deleting, whoever asks."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class SaysRefusals:
    """Shows why a service refused; nothing was changed."""

    def changeform_view(self, request: HttpRequest, *place: Any, **words: Any) -> HttpResponse:
        """The page, or back to it with the reason."""
        try:
            shown: HttpResponse = super().changeform_view(request, *place, **words)  # type: ignore[misc]
        except Refused as refusal:
            messages.error(request, gettext(refusal.text) % refusal.params)
            return HttpResponseRedirect(request.get_full_path())
        return shown
