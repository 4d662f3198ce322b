"""The lobby for staff: rooms are edited here; open tables are only looked at."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.anonymity import shown_name
from rooms.models import Offer, Room


@admin.register(Room)
class RoomAdmin(admin.ModelAdmin[Room]):
    """Rooms are data. What has been played for cannot change, so a used room is closed, not deleted."""

    list_display = ["slug", "name_en", "currency", "column", "min_stake", "max_stake", "is_open"]
    list_filter = ["currency", "is_open"]

    def get_readonly_fields(self, request: HttpRequest, obj: Room | None = None) -> list[str]:
        """Address and currency stay as they are: matches and open tables carry them."""
        return [] if obj is None else ["slug", "currency"]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False


@admin.register(Offer)
class OfferAdmin(admin.ModelAdmin[Offer]):
    """Read only."""

    list_display = ["created_at", "room", "who", "variant", "stake", "currency", "status"]
    list_filter = ["status", "room"]
    list_select_related = ["room", "creator"]
    search_fields = ["creator__screen_name", "creator__email"]
    exclude = ["creator", "taken_by", "friend", "token"]
    readonly_fields = ["who", "with_whom"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Offer], search_term: str
    ) -> tuple[QuerySet[Offer], bool]:
        """A search for a person finds no anonymous table."""
        found, may_repeat = super().get_search_results(request, queryset, search_term)
        return (found.exclude(room__anonymous=True) if search_term else found), may_repeat

    @admin.display(description=_("creator"))
    def who(self, row: Offer) -> str:
        """The name, where it is no secret; the match has the page that tells it for a reason."""
        return shown_name(row.creator.screen_name, row.room.column)

    @admin.display(description=_("taken by"))
    def with_whom(self, row: Offer) -> str:
        """The same of who sat down."""
        return shown_name(row.taken_by.screen_name, row.room.column) if row.taken_by else ""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False
