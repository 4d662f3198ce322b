"""People and restricted places in the admin. Nothing is deleted here; closing an account is a service."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.http import HttpRequest

from accounts import switches
from accounts.models import Restriction, SiteSwitch, StaffAction, User

# Staff sign in like everybody: with confirmed address and rate limits.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]


@admin.register(User)
class UserAdmin(admin.ModelAdmin[User]):
    """Finds a person by name or e-mail."""

    list_display = (
        "screen_name",
        "email",
        "country",
        "us_state",
        "is_active",
        "is_staff",
        "date_joined",
    )
    list_filter = ("is_active", "is_staff", "country")
    search_fields = ("screen_name", "email")
    search_help_text = "Screen name or e-mail"
    readonly_fields = ("email", "date_joined", "last_login")
    fields = (
        "email",
        "screen_name",
        "birth_date",
        "country",
        "us_state",
        "is_active",
        "is_staff",
        "groups",
        "date_joined",
        "last_login",
    )
    filter_horizontal = ("groups",)
    ordering = ("-date_joined",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(SiteSwitch)
class SiteSwitchAdmin(admin.ModelAdmin[SiteSwitch]):
    """Stops something on the whole site, or lets it go; every change is recorded with its reason."""

    list_display = ("name", "on", "why", "since", "by")
    fields = ("name", "on", "why")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("name",) if obj is not None else ()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: SiteSwitch, form: Any, change: Any) -> None:
        assert isinstance(request.user, User), "the admin lets nobody else in"
        name = switches.Name(obj.name)
        switches.turn(name, on=obj.on, why=obj.why, by=request.user)


@admin.register(Restriction)
class RestrictionAdmin(admin.ModelAdmin[Restriction]):
    """Where money play is refused."""

    list_display = ("country", "us_state", "note", "added_at")
    list_filter = ("country",)
    search_fields = ("country", "us_state", "note")


@admin.register(StaffAction)
class StaffActionAdmin(admin.ModelAdmin[StaffAction]):
    """What staff did, to be read only."""

    list_display = ("at", "by", "action", "whom", "about", "why")
    list_filter = ("action",)
    search_fields = ("about", "by__screen_name", "whom__screen_name", "why")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
