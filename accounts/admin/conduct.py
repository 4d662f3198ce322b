"""Conduct: cases on one page each, reports, sanctions, the words that chats mask."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from accounts.admin.people import SPANS, links_cleared, sanction
from accounts.admin.reading import ReadOnly, attempt, staff, text
from accounts.models import Case, FilteredWord, Report, Sanction
from accounts.moderation import cases, closing, dossiers, estates, sanctions

VOID = "games.settle_match"


@admin.register(Case)
class CaseAdmin(ReadOnly, ModelAdmin):
    """The queue: the highest score first."""

    list_display = (
        "id",
        "suspect_name",
        "kind",
        "score",
        "status",
        "taken_by",
        "opened_at",
        "fed_at",
    )
    list_display_links = ("id", "suspect_name")
    list_filter = ("status", "kind")
    list_select_related = ("suspect", "taken_by")
    search_fields = ("suspect__screen_name", "suspect__email")
    search_help_text = _("Screen name or e-mail")
    ordering = ("-score", "opened_at")
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Case]:
        """Nobody reads the case about themself."""
        found: QuerySet[Case] = super().get_queryset(request)
        return found.exclude(suspect_id=request.user.pk)

    @admin.display(description=_("account"), ordering="suspect__screen_name")
    def suspect_name(self, case: Case) -> str:
        """Whom it is about."""
        return case.suspect.screen_name

    def change_view(self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None) -> HttpResponse:  # fmt: skip
        """One case: everything that speaks for and against, and what can be done."""
        case = self.get_object(request, object_id)
        if not self.has_view_permission(request, case):
            raise PermissionDenied
        if case is None:
            raise Http404
        wrong, status = "", 200
        if request.method == "POST":
            wrong, status = attempt(lambda: _do(request, case))
            if not wrong:
                messages.success(request, gettext("Done."))
                return redirect(reverse("admin:accounts_case_change", args=[case.pk]))
            case.refresh_from_db()
        page = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Case %(number)s: %(name)s") % {"number": case.pk, "name": case.suspect.screen_name},
            "case": case,
            "whom": case.suspect,
            "wrong": wrong,
            "written": request.POST,
            "spans": SPANS,
            "kinds": sanctions.Kind.choices,
            "may_decide": staff(request).has_perm(cases.DECIDE) and case.status == Case.Status.OPEN,
            **dossiers.person(case.suspect, reader=staff(request)),
            **dossiers.case(case),
        }  # fmt: skip
        return render(request, "admin/accounts/case.html", page, status=status)


def _do(request: HttpRequest, case: Case) -> None:
    """The deed that the form names. Raises its refusal; PermissionDenied for one that is not known."""
    by, why = staff(request), text(request, "why")
    match text(request, "deed"):
        case "take":
            cases.take(case.pk, by=by)
        case "confirm":
            cases.decide(case.pk, by=by, confirmed=True, decision=why)
        case "dismiss":
            cases.decide(case.pk, by=by, confirmed=False, decision=why)
        case "clear_links":
            links_cleared(case.suspect, by, why)
        case "reopen":
            closing.reopen(case.suspect, by=by, why=why)
        case "void":
            void(request, case)
        case "sanction" | "lift":
            sanction(request, case.suspect, case)
        case _:
            raise PermissionDenied


def void(request: HttpRequest, case: Case) -> None:
    """Voids one of the suspect's running matches. Raises PermissionDenied for another match, or another role."""
    running = {
        str(one.match_id): one.match_id for one in estates.matches().running(case.suspect_id)
    }
    match_id = running.get(text(request, "match"))
    if match_id is None or not staff(request).has_perm(VOID):
        raise PermissionDenied
    estates.matches().void(match_id, by=staff(request), why=text(request, "why"))


@admin.register(Report)
class ReportAdmin(ReadOnly, ModelAdmin):
    """Each report, the newest first; the way leads to its case."""

    list_display = ("at", "suspect", "reason", "place", "voice", "quote", "text", "case_link")
    list_display_links = None
    list_filter = ("reason", "place")
    list_select_related = ("case__suspect", "reporter")
    search_fields = ("case__suspect__screen_name", "reporter__screen_name", "detector")
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        """Nobody reads what was reported about themself."""
        found: QuerySet[Report] = super().get_queryset(request)
        return found.exclude(case__suspect_id=request.user.pk)

    @admin.display(description=_("account"))
    def suspect(self, report: Report) -> str:
        """Whom it is about."""
        return report.case.suspect.screen_name

    @admin.display(description=_("by"))
    def voice(self, report: Report) -> str:
        """A player, or a detector."""
        return report.reporter.screen_name if report.reporter else report.detector

    @admin.display(description=_("case"))
    def case_link(self, report: Report) -> str:
        """The way to the case."""
        return format_html('<a href="{}">{}</a>', reverse("admin:accounts_case_change", args=[report.case_id]), report.case_id)  # fmt: skip


@admin.register(Sanction)
class SanctionAdmin(ReadOnly, ModelAdmin):
    """Warnings, mutes and table bans; lifted on the person's page."""

    list_display = ("at", "person", "kind", "until", "why", "by", "lifted_at")
    list_display_links = None
    list_filter = ("kind", ("lifted_at", admin.EmptyFieldListFilter))
    list_select_related = ("user", "by")
    search_fields = ("user__screen_name", "user__email", "why")
    show_full_result_count = False

    @admin.display(description=_("account"))
    def person(self, row: Sanction) -> str:
        """The way to their page."""
        return format_html('<a href="{}">{}</a>', reverse("admin:accounts_user_person", args=[row.user_id]), row.user)  # fmt: skip


@admin.register(FilteredWord)
class FilteredWordAdmin(ModelAdmin):
    """Words that chats mask, for each language."""

    list_display = ("word", "language")
    list_filter = ("language",)
    search_fields = ("word",)
