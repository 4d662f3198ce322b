"""Lists of matches for the staff: what is shown of each, filters that ask no table for their choices, a search by people.

A million matches stand behind them: what a column could be is said here and not looked up, and people are found first.
"""

from typing import Any, Final
from uuid import UUID

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.anonymity import DARK_COLUMN, shown_name
from games.models import Match, Seat
from games.profiles import reason_text
from games.rulings import sum_text

MOST_PEOPLE: Final = 20
MOST_MATCHES: Final = 2_000
REASONS: Final = ("borne_off", "drop", "resign", "time", "left", "adjudicated")


class StateFilter(admin.SimpleListFilter):
    """Running, ended, or without a result."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("running", _("running")), ("ended", _("ended")), ("void", _("without a result"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        state = self.value()
        if state == "running":
            return queryset.filter(pk__in=Seat.objects.filter(active=True).values("match_id"))
        if state == "ended":
            return queryset.exclude(winner="")
        if state == "void":
            return queryset.filter(finished_at__isnull=False, winner="")
        return queryset


class CurrencyFilter(admin.SimpleListFilter):
    """Money or chips."""

    title = _("currency")
    parameter_name = "currency"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("USD", _("money")), ("PLAY", _("chips"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        return queryset.filter(currency=self.value()) if self.value() else queryset


class ReasonFilter(admin.SimpleListFilter):
    """How it ended."""

    title = _("how it ended")
    parameter_name = "reason"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(reason, reason_text(reason)) for reason in REASONS]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        return queryset.filter(reason=self.value()) if self.value() else queryset


class ShowsMatches(admin.ModelAdmin[Match]):
    """For an admin of matches: who played what for how much, how it ended, and the way to look at it."""

    list_display = ("when", "people", "what", "stake_text", "result", "look")
    list_display_links = ("when",)
    list_filter = (StateFilter, CurrencyFilter, ReasonFilter)
    list_per_page = 50
    show_full_result_count = False
    search_fields = ("id",)
    search_help_text = _("Number of a match, room, or a screen name or e-mail of a player")
    ordering = ("-created_at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        """With the seats of the rows that are shown."""
        return super().get_queryset(request).prefetch_related("seats__user")

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[Match], search_term: str) -> tuple[QuerySet[Match], bool]:  # fmt: skip
        """A match by its number, a room by its address, or the newest matches of the people who are called so.

        A person does not lead to a match whose players have no names.
        """
        said = search_term.strip()
        if not said:
            return queryset, False
        try:
            return queryset.filter(pk=UUID(said)), False
        except ValueError:
            pass
        if queryset.filter(room=said).exists():
            return queryset.filter(room=said), False
        named = User.objects.filter(Q(screen_name__icontains=said) | Q(email__istartswith=said))
        people = list(named.values_list("pk", flat=True)[:MOST_PEOPLE])
        seats = Seat.objects.filter(user_id__in=people).order_by("-id")
        matches = list(seats.values_list("match_id", flat=True)[:MOST_MATCHES])
        return queryset.filter(pk__in=matches).exclude(column=DARK_COLUMN), False

    @admin.display(description=_("when"), ordering="created_at")
    def when(self, row: Match) -> Any:
        """When it was opened."""
        return row.created_at

    @admin.display(description=_("players"))
    def people(self, row: Match) -> str:
        """Both names; the winner's first."""
        seats = sorted(row.seats.all(), key=lambda seat: seat.side != row.winner)
        return ", ".join(shown_name(seat.user.screen_name, row.column) for seat in seats)

    @admin.display(description=_("what"))
    def what(self, row: Match) -> str:
        """Room and game."""
        length = f" {row.length}" if row.kind == "series" else ""
        return f"{row.room}, {row.variant.replace('-', ' ')}, {row.kind}{length}"

    @admin.display(description=_("stake"))
    def stake_text(self, row: Match) -> str:
        """In its currency."""
        return sum_text(row.stake, row.currency)

    @admin.display(description=_("result"))
    def result(self, row: Match) -> str:
        """What it was won by, and how."""
        if row.finished_at is None:
            return gettext("runs")
        if not row.winner:
            return gettext("without a result")
        return f"{sum_text(row.win or 0, row.currency)}, {reason_text(row.reason)}"

    @admin.display(description="")
    def look(self, row: Match) -> str:
        """The table while it runs, the replay afterwards."""
        if row.winner:
            return format_html('<a href="{}">{}</a>', reverse("games:replay", args=[row.pk]), gettext("Replay"))  # fmt: skip
        return format_html('<a href="{}">{}</a>', reverse("games:table", args=[row.pk]), gettext("Watch"))  # fmt: skip
