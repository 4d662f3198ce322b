"""Every page of the site: each app lists its own, this file says where they hang."""

import importlib
from importlib.util import find_spec
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.decorators.cache import cache_page
from django.views.i18n import JavaScriptCatalog

from nardysite import health

A_DAY = 24 * 60 * 60


def _landing(request: HttpRequest) -> HttpResponse:
    # Until accounts.views exists; goes when it does.
    view: Any = importlib.import_module("accounts.views").landing
    response: HttpResponse = view(request)
    return response


def _pages_of(module: str, at: str = "") -> list[Any]:
    # Until every app has its pages; goes when they do.
    return [path(at, include(module))] if find_spec(module) is not None else []


urlpatterns: list[Any] = [
    path("", _landing, name="landing"),
    *_pages_of("rooms.urls", "lobby/"),
    *_pages_of("games.urls"),
    *_pages_of("wallet.urls"),
    *_pages_of("accounts.urls"),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path(
        "jsi18n/",
        cache_page(A_DAY, key_prefix="jsi18n")(JavaScriptCatalog.as_view()),
        name="javascript-catalog",
    ),
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
]
