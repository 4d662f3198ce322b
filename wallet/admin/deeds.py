"""A page of the admin about one object with what can be done to it: each deed is a form, done by a service."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.admin.utils import (
    display_for_field,
    display_for_value,
    label_for_field,
    lookup_field,
)
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext

from accounts.errors import Refused
from accounts.models import StaffAction, User
from wallet.admin.reading import ReadOnly

LONGEST_TEXT = 300
TEMPLATE = "admin/wallet/deeds.html"


@dataclass(frozen=True, slots=True)
class Deed:
    """What can be done: its name in the form, its button, what has to be written beside it, and how it looks."""

    name: str
    button: str
    asks: str
    kind: str = ""


class Deeds(ReadOnly):
    """Mix into a ModelAdmin; `fields` are only read, deeds go through `do`. `about` is the audit's word for it."""

    deed_permission = ""
    about = ""

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
        site: Any = self
        obj = site.get_object(request, object_id)
        if obj is None:
            raise Http404
        if not site.has_view_permission(request, obj):
            raise PermissionDenied
        may = request.user.has_perm(self.deed_permission)
        if request.method == "POST":
            if not may:
                raise PermissionDenied
            return self._done(request, obj)
        context = {
            **site.admin_site.each_context(request),
            "opts": site.opts,
            "title": f"{site.opts.verbose_name} {obj.pk}",
            "facts": [_fact(site, obj, name) for name in site.get_fields(request, obj)],
            "deeds": self.deeds(obj) if may else [],
            "history": StaffAction.objects.filter(about=f"{self.about}:{obj.pk}"),
        }
        return render(request, TEMPLATE, context)

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


def _fact(site: Any, obj: Any, name: str) -> tuple[str, object]:
    """A field or a method of the page, as lists show it."""
    label = str(label_for_field(name, type(obj), model_admin=site))
    field, _, value = lookup_field(name, obj, site)
    if field is None:
        return label, display_for_value(value, "")
    return label, display_for_field(value, field, "")
