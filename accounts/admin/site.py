"""What the site forbids and stops, and the record of what staff did."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from accounts import audit, residence, switches
from accounts.admin.reading import ReadOnly, staff
from accounts.models import Restriction, SiteSwitch, StaffAction


@admin.register(SiteSwitch)
class SiteSwitchAdmin(ModelAdmin):
    """Stops something on the whole site, or lets it go; every change is recorded with its reason."""

    list_display = ("name", "on", "why", "since", "by")
    fields = ("name", "on", "why")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("name",) if obj is not None else ()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: SiteSwitch, form: Any, change: Any) -> None:
        name = switches.Name(obj.name)
        switches.turn(name, on=obj.on, why=obj.why, by=staff(request))


@admin.register(Restriction)
class RestrictionAdmin(ModelAdmin):
    """Where money play is refused: to those who live there, and to those who are seen there."""

    list_display = ("place", "note", "added_at")
    list_filter = ("country",)
    search_fields = ("country", "us_state", "note")

    @admin.display(description=_("place"), ordering="country")
    def place(self, row: Restriction) -> str:
        """As people say it."""
        return residence.name_of(row.country, row.us_state)

    def save_model(self, request: HttpRequest, obj: Restriction, form: Any, change: Any) -> None:
        super().save_model(request, obj, form, change)
        _note(request, "restrict_place", obj, audit.Change(after={"place": str(obj)}))

    def delete_model(self, request: HttpRequest, obj: Restriction) -> None:
        _note(request, "open_place", obj, audit.Change(before={"place": str(obj)}))
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Restriction]) -> None:
        for row in queryset:
            self.delete_model(request, row)


def _note(request: HttpRequest, action: str, row: Restriction, change: audit.Change) -> None:
    audit.record(by=staff(request), action=action, why=row.note or "-", change=change)


@admin.register(StaffAction)
class StaffActionAdmin(ReadOnly, ModelAdmin):
    """What staff did, to be read only; never by those to whom it was done."""

    list_display = ("at", "by", "what", "to_whom", "about", "why", "changed")
    list_filter = ("action",)
    list_select_related = ("by", "whom")
    list_display_links = None
    search_fields = ("about", "by__screen_name", "whom__screen_name", "why")
    search_help_text = _("Who, whom, object or reason")
    show_full_result_count = False
    list_per_page = 50

    def get_queryset(self, request: HttpRequest) -> QuerySet[StaffAction]:
        return audit.readable_by(staff(request))

    @admin.display(description=_("what"), ordering="action")
    def what(self, row: StaffAction) -> str:
        """In words."""
        return row.action.replace("_", " ")

    @admin.display(description=_("whom"))
    def to_whom(self, row: StaffAction) -> str:
        """With the way to their page."""
        if row.whom is None:
            return ""
        return format_html(
            '<a href="{}">{}</a>',
            reverse("admin:accounts_user_person", args=[row.whom_id]),
            row.whom,
        )

    @admin.display(description=_("before and after"))
    def changed(self, row: StaffAction) -> str:
        """No JSON: "on: no → yes"."""
        return audit.in_words(row)
