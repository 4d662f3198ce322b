"""The staff's site: who comes in, with which factor; what every page of it looks like; what work waits.

Each app registers its pages as with Django's own admin; those that say nothing of their looks get the house's.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext
from unfold.admin import ModelAdmin as HouseAdmin
from unfold.sites import UnfoldAdminSite

from accounts import second_factor
from accounts.models import User

log = logging.getLogger(__name__)
# The look's library builds small functions from attributes of the page (ADR 16). On these pages only.
EVAL: Final = {"script-src": ["'unsafe-eval'"]}


# Groups, addresses, second factors and sessions are changed through services that ask why; the pages that
# libraries bring for them would go around.
BEHIND_SERVICES: Final = frozenset({"auth", "account", "mfa", "usersessions"})


@dataclass(frozen=True, slots=True)
class Work:
    """Something that waits for staff: shown with its count to those who have the permission."""

    label: str | Promise
    permission: str
    address: str
    count: Callable[[], int]


_works: list[Work] = []


def register_work(*works: Work) -> None:
    """Called by each app, from its AppConfig.ready. `address` is a name of a page and its query: "admin:x?y=z"."""
    _works.extend(work for work in works if work.label not in {known.label for known in _works})


def waiting_for(user: User) -> list[dict[str, Any]]:
    """`label`, `count` and `url` of the work that this person may do."""
    return [
        {"label": work.label, "count": work.count(), "url": _url(work.address)}
        for work in _works
        if user.has_perm(work.permission)
    ]


class StaffSite(UnfoldAdminSite):
    """Django's admin with one door: staff, signed in with a second factor. Who is turned away leaves a line in the log."""

    index_template = "admin/desk.html"
    enable_nav_sidebar = True

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether this request comes from staff with a second factor."""
        user = request.user
        return isinstance(user, User) and user.is_active and user.is_staff and _has_factor(request)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:  # noqa: FBT001, FBT002
        """Every page of the admin comes through here."""
        inner = super().admin_view(view, cacheable)

        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            try:
                if request.user.is_authenticated and not _is_staff(request):
                    raise PermissionDenied
                answer = inner(request, *args, **kwargs)
            except PermissionDenied:
                log.warning(
                    "refused in the admin", extra={"path": request.path, "user": request.user.pk}
                )
                raise
            answer._csp_update = EVAL
            return answer

        return guarded

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Staff sign in like everybody, and are led to their second factor if it is missing."""
        wanted = request.GET.get("next") or reverse("admin:index")
        query = urlencode({"next": wanted})
        if not request.user.is_authenticated:
            return HttpResponseRedirect(f"{resolve_url(settings.LOGIN_URL)}?{query}")
        if not _is_staff(request):
            log.warning("refused in the admin", extra={"path": wanted, "user": request.user.pk})
            raise PermissionDenied
        if _has_factor(request):
            return HttpResponseRedirect(reverse("admin:index"))
        if second_factor.has_one(request.user):
            return HttpResponseRedirect(f"{reverse('mfa_reauthenticate')}?{query}")
        messages.warning(
            request, gettext("Who works for the site needs a second factor. Set it up first.")
        )
        return HttpResponseRedirect(reverse("mfa_index"))

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Pages that were made for Django's own admin get the look of the others."""
        models = (
            model_or_iterable if isinstance(model_or_iterable, Iterable) else [model_or_iterable]
        )
        model_or_iterable = [one for one in models if one._meta.app_label not in BEHIND_SERVICES]
        if admin_class is not None and not issubclass(admin_class, HouseAdmin):
            admin_class = type(
                admin_class.__name__,
                (admin_class, HouseAdmin),
                {"__module__": admin_class.__module__},
            )
        super().register(model_or_iterable, admin_class, **options)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Colours come from a file of ours, not from a style in the page."""
        return {**super().each_context(request), "colors": None}

    def index(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """The first page: search, and the work that waits."""
        assert isinstance(request.user, User)
        found = {"works": waiting_for(request.user), **(extra_context or {})}
        return super().index(request, found)


def _is_staff(request: HttpRequest) -> bool:
    user = request.user
    return isinstance(user, User) and user.is_active and user.is_staff


def _has_factor(request: HttpRequest) -> bool:
    if not settings.STAFF_NEED_SECOND_FACTOR:
        return True
    assert isinstance(request.user, User)
    return second_factor.was_used(request) and second_factor.has_one(request.user)


def _url(address: str) -> str:
    name, _, query = address.partition("?")
    return reverse(name) + (f"?{query}" if query else "")
