"""The moderators' view of matches. Nobody edits a match or an event, staff included; they act through services."""

import logging
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.contrib.admin.options import InlineModelAdmin
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.errors import Refused
from accounts.models import StaffAction, User
from games import moderation, protocol, rulings
from games.anonymity import is_anonymous
from games.dbclock import read_ms
from games.history import history
from games.identities_admin import KeepsSecrets, identities_view, name_for_staff
from games.match.sides import Side
from games.match_lists import ShowsMatches
from games.models import (
    Adjudication,
    ChatLine,
    Match,
    MatchEvent,
    PlayerRating,
    RatingChange,
    Seat,
)

log = logging.getLogger(__name__)
FORBIDDEN = 403


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
class MatchAdmin(ReadOnly, ShowsMatches):
    """Matches by their people, room and result, the newest first. Who plays at an anonymous one is told for a reason only."""

    inlines = [SeatInline]
    readonly_fields = ["identities"]

    def get_inlines(
        self, request: HttpRequest, obj: Match | None
    ) -> list[type[InlineModelAdmin[Any, Any]]]:
        """The seats, where they are no secret."""
        return [] if obj is not None and is_anonymous(obj.column) else [SeatInline]

    def get_urls(self) -> list[Any]:
        """Beside the usual pages the one that tells who plays."""
        view = self.admin_site.admin_view(self.identities_view)
        own = path("<uuid:match_id>/identities/", view, name="games_match_identities")
        return [own, *super().get_urls()]

    @admin.display(description=_("who plays"))
    def identities(self, row: Match) -> str:
        """The way to the names."""
        if not is_anonymous(row.column):
            return ""
        url = reverse("admin:games_match_identities", args=[row.pk])
        return format_html('<a href="{}">{}</a>', url, gettext("Show, for a reason"))

    def identities_view(self, request: HttpRequest, match_id: UUID) -> HttpResponse:
        """Asks why, records it, tells."""
        column = Match.objects.filter(pk=match_id).values_list("column", flat=True).first()
        return identities_view(
            request, match_id, column or "", self.admin_site.each_context(request)
        )


@admin.register(ChatLine)
class ChatLineAdmin(KeepsSecrets, ReadOnly, admin.ModelAdmin[ChatLine]):
    """The chat log."""

    list_display = ["at", "match", "who", "text"]
    list_select_related = ["match", "user"]
    fields = ["at", "match", "side", "who", "text"]
    search_fields = ["match__id", "text", "user__screen_name"]

    @admin.display(description=_("who"))
    def who(self, row: ChatLine) -> str:
        """The name, where it is no secret."""
        return name_for_staff(row.user, row.match.column)


@admin.register(MatchEvent)
class MatchEventAdmin(ReadOnly, admin.ModelAdmin[MatchEvent]):
    """The log of matches; seeds are not shown."""

    list_display = ["match", "version", "kind", "side", "at_ms"]
    search_fields = ["=match__id"]
    search_help_text = _("Number of a match")
    show_full_result_count = False

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[MatchEvent], search_term: str
    ) -> tuple[QuerySet[MatchEvent], bool]:
        """Nothing until a match is named: counting all events there ever were helps nobody."""
        try:
            match_id = UUID(search_term.strip())
        except ValueError:
            return queryset.none(), False
        return queryset.filter(match_id=match_id).order_by("version"), False

    fields = ["match", "version", "kind", "side", "at_ms"]


@admin.register(PlayerRating)
class PlayerRatingAdmin(ReadOnly, admin.ModelAdmin[PlayerRating]):
    """Ratings, in billionths of a point; they change with settlements alone."""

    list_display = ["user", "game", "currency", "billionths", "experience"]
    list_filter = ["game", "currency"]
    search_fields = ["user__screen_name", "user__email"]


@admin.register(RatingChange)
class RatingChangeAdmin(ReadOnly, admin.ModelAdmin[RatingChange]):
    """What each match did to each rating."""

    list_display = ["at", "rating", "match", "won", "reason", "change", "after"]
    list_filter = ["won", "reason"]
    search_fields = ["match__id", "rating__user__screen_name"]


@admin.register(Adjudication)
class AdjudicationAdmin(KeepsSecrets, ReadOnly, admin.ModelAdmin[Adjudication]):
    """The moderators' queue: matches that somebody left, those that wait for a person first."""

    list_display = ["match", "state", "age", "players", "stake", "trouble"]
    list_display_links = ["match"]
    list_filter = ["done", "with_moderators"]
    search_fields = ["match__id", "match__seats__user__screen_name"]
    ordering = ["done", "-with_moderators", "match__created_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Adjudication]:
        left_at = MatchEvent.objects.filter(match_id=OuterRef("match_id"), kind="abandoned")
        return (
            super()
            .get_queryset(request)
            .select_related("match")
            .prefetch_related("match__seats__user")
            .annotate(left_ms=Subquery(left_at.values("at_ms")[:1]))
        )

    @admin.display(description=_("state"))
    def state(self, row: Adjudication) -> str:
        """Who decides, or that it is decided."""
        if row.done:
            return gettext("done")
        return gettext("waits for a moderator") if row.with_moderators else gettext("engine")

    @admin.display(description=_("broken off"))
    def age(self, row: Adjudication) -> str:
        """How long ago it was left, by the database's clock."""
        left_ms: int | None = getattr(row, "left_ms", None)
        if left_ms is None:
            return ""
        age = timedelta(seconds=(read_ms() - left_ms) // 1000)
        return gettext("%(age)s ago") % {"age": age}

    @admin.display(description=_("players"))
    def players(self, row: Adjudication) -> str:
        """Both names; who left is marked."""
        seats = sorted(row.match.seats.all(), key=lambda seat: seat.side, reverse=True)
        left = gettext("left")
        names = {seat.pk: name_for_staff(seat.user, row.match.column) for seat in seats}
        return ", ".join(
            f"{names[seat.pk]} ({left})" if seat.abandoned else names[seat.pk] for seat in seats
        )

    @admin.display(description=_("stake"), ordering="match__stake")
    def stake(self, row: Adjudication) -> str:
        """In the match's currency."""
        return rulings.sum_text(row.match.stake, row.match.currency)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """One match: what happened, and the form that settles it."""
        row = self.get_object(request, object_id)
        if not self.has_view_permission(request, row):
            _refuse(request, object_id)
        found = rulings.ruling(row.match_id) if row is not None else None
        if row is None or found is None:
            raise Http404
        written = request.POST if request.method == "POST" else {}
        context: dict[str, Any] = {"written": written, "status": 200}
        if request.method == "POST":
            done = self._deed(request, row.match_id, context)
            if done is not None:
                return done
        page = {**self.admin_site.each_context(request), **self._page(request, row, found)}
        status = context.pop("status")
        return render(request, "admin/games/adjudication.html", page | context, status=status)

    def _deed(
        self, request: HttpRequest, match_id: UUID, context: dict[str, Any]
    ) -> HttpResponse | None:
        """Previews, settles or voids. None: show the page again, with what is in `context` now."""
        user, step, reason = _staff(request), request.POST.get("step"), _text(request, "reason")
        try:
            moderation.require_may_settle(match_id, user)
            if step == "void":
                moderation.void(match_id, by=user, reason=reason)
                return self._said(request, match_id, gettext("The match is void."))
            side, amount = _text(request, "side"), _text(request, "amount")
            award = moderation.award(match_id, side=side, amount=amount)
            if step == "settle":
                moderation.settle(match_id, award=award, by=user, reason=reason)
                return self._said(request, match_id, gettext("The match is settled."))
            moderation.require_reason(reason)
            context["preview"] = moderation.preview(match_id, award)
        except moderation.NotAModerator:
            _refuse(request, str(match_id))
        except moderation.OwnMatch as refused:
            log.warning("own match", extra={"match": str(match_id), "user": user.pk})
            context |= {"wrong": protocol.sentence(refused), "status": FORBIDDEN}
        except Refused as refused:
            context["wrong"] = protocol.sentence(refused)
        return None

    def _said(self, request: HttpRequest, match_id: UUID, text: str) -> HttpResponse:
        messages.success(request, text)
        return redirect(reverse("admin:games_adjudication_change", args=[match_id]))

    def _page(
        self, request: HttpRequest, row: Adjudication, found: rulings.Ruling
    ) -> dict[str, Any]:
        user = _staff(request)
        waits = row.with_moderators and not row.done
        return {
            "title": ", ".join(found.names.values()),
            "opts": self.opts,
            "row": row,
            "match": row.match,
            "state": self.state(row),
            "ruling": found,
            "board": {**found.board, "viewer": Side.LIGHT.value},
            "left_names": [found.names[left] for left in found.left],
            "limit": rulings.sum_text(row.match.limit, row.match.currency),
            "seats": row.match.seats.select_related("user").order_by("-side"),
            "secret": is_anonymous(row.match.column),
            "history": history(row.match_id, found.names),
            "actions": StaffAction.objects.filter(about=f"match:{row.match_id}"),
            "may_settle": waits and user.has_perm(moderation.SETTLE),
            "own_match": row.match.seats.filter(user=user).exists(),
        }


def _staff(request: HttpRequest) -> User:
    assert isinstance(request.user, User), "the admin lets nobody else in"
    return request.user


def _text(request: HttpRequest, name: str) -> str:
    return request.POST.get(name, "")


def _refuse(request: HttpRequest, match_id: str) -> None:
    """403, and a line in the log."""
    log.warning("may not settle matches", extra={"match": match_id, "user": request.user.pk})
    raise PermissionDenied
