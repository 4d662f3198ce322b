"""Every page of the site: each app lists its own, this file says where they hang."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.decorators.cache import cache_page
from django.views.i18n import JavaScriptCatalog

from accounts.views import landing
from nardysite import health

A_DAY = 24 * 60 * 60

javascript_catalog = cache_page(A_DAY, key_prefix="jsi18n")(JavaScriptCatalog.as_view())

urlpatterns: list[URLPattern | URLResolver] = [
    path("", landing, name="landing"),
    path("", include("rooms.urls")),
    path("", include("games.urls")),
    path("", include("wallet.urls")),
    path("", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("jsi18n/", javascript_catalog, name="javascript-catalog"),
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
]
