"""The lobby for staff: rooms are edited here; open tables are only looked at."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

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

    list_display = ["created_at", "room", "creator", "variant", "stake", "currency", "status"]
    list_filter = ["status", "room"]
    search_fields = ["creator__screen_name", "creator__email"]
    raw_id_fields = ["creator", "taken_by"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False
