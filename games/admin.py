"""The moderators' view of matches. Nobody edits a match or an event, staff included."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from games.models import ChatLine, Match, MatchEvent, Seat


class ReadOnly:
    """No adding, changing or deleting."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class SeatInline(ReadOnly, admin.TabularInline[Seat, Match]):
    """Who sits at the table."""

    model = Seat
    extra = 0


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin[Match]):
    """Matches by their people, room and result."""

    list_display = ["id", "room", "currency", "stake", "winner", "reason", "created_at"]
    list_filter = ["room", "currency", "reason"]
    search_fields = ["id", "seats__user__screen_name", "seats__user__email"]
    inlines = [SeatInline]


@admin.register(ChatLine)
class ChatLineAdmin(ReadOnly, admin.ModelAdmin[ChatLine]):
    """The chat log."""

    list_display = ["at", "match", "user", "text"]
    search_fields = ["text", "user__screen_name"]


@admin.register(MatchEvent)
class MatchEventAdmin(ReadOnly, admin.ModelAdmin[MatchEvent]):
    """The log of matches; seeds are not shown."""

    list_display = ["match", "version", "kind", "side", "at_ms"]
    search_fields = ["match__id"]
    fields = ["match", "version", "kind", "side", "at_ms"]
