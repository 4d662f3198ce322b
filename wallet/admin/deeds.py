"""A page of the admin about one object with what can be done to it: each deed is a form, done by a service."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext

from accounts.errors import Refused
from accounts.models import User
from wallet.admin.reading import ReadOnly

LONGEST_TEXT = 300


@dataclass(frozen=True, slots=True)
class Deed:
    """What can be done: its name in the form, its button, and what has to be written beside it."""

    name: str
    button: str
    asks: str


class Deeds(ReadOnly):
    """Mix into a ModelAdmin; fields are only read, deeds go through `do`."""

    change_form_template: Any = "admin/wallet/deeds.html"
    deed_permission = ""

    def deeds(self, obj: Any) -> list[Deed]:
        """What can be done to this object now."""
        raise NotImplementedError

    def do(self, obj: Any, name: str, *, by: User, text: str) -> str:
        """Does it, and answers what to say. Raises Refused."""
        raise NotImplementedError

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Shows the object and its deeds; a POST does one."""
        obj = self.get_object(request, object_id)  # type: ignore[attr-defined]
        if obj is None:
            raise Http404
        may = request.user.has_perm(self.deed_permission)
        if request.method == "POST":
            if not may:
                raise PermissionDenied
            return self._done(request, obj)
        found = {"deeds": self.deeds(obj) if may else [], **(extra_context or {})}
        shown: HttpResponse = super().change_view(request, object_id, form_url, found)  # type: ignore[misc]
        return shown

    def _done(self, request: HttpRequest, obj: Any) -> HttpResponse:
        assert isinstance(request.user, User), "the admin lets nobody else in"
        name, text = request.POST.get("deed", ""), request.POST.get("text", "").strip()
        try:
            if name not in {deed.name for deed in self.deeds(obj)}:
                raise Refused
            said = self.do(obj, name, by=request.user, text=text[:LONGEST_TEXT])
            messages.success(request, said)
        except Refused as refusal:
            messages.error(request, gettext(refusal.text) % refusal.params)
        return HttpResponseRedirect(request.path)
