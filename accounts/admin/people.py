"""People: found by any key, one page for each, with all that links them and everything that can be done."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import CharField, ModelForm, Textarea
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from accounts import audit, finding, links, verification
from accounts.admin import closing_page
from accounts.admin.reading import ReadOnly, attempt, staff, text
from accounts.errors import SecondAccount
from accounts.models import AccountLink, Case, Closure, MoneyHold, Sanction, User
from accounts.moderation import cases, closing, dossiers, sanctions
from accounts.validators import as_validation_error

VERIFY = "accounts.verify_user"
EDITED = ("screen_name", "full_name", "birth_date", "country", "us_state", "street", "postcode", "city")  # fmt: skip


class PersonForm(ModelForm[User]):
    """What an administrator may put right, and why."""

    why = CharField(label=_("Why"), max_length=cases.LONGEST_REASON, widget=Textarea({"rows": 2}))

    class Meta:
        model = User
        fields = EDITED

    def clean(self) -> dict[str, Any]:
        """Name, birth date and address together may be another account's."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        facts = {name: cleaned.get(name) for name in EDITED}
        if not self.errors and all(facts[name] for name in ("full_name", "birth_date", "street")):
            key = links.hard_keys(User(email=self.instance.email, **facts))[-1]
            if links.is_taken(key, but=self.instance):
                raise as_validation_error(SecondAccount())
        return cleaned


@admin.register(User)
class UserAdmin(ModelAdmin):
    """Finds a person; their page is `person`, an administrator's corrections are the change form."""

    list_display = ("person_link", "email", "full_name", "country", "state", "date_joined")
    list_display_links = None
    list_filter = ("is_active", "is_staff")
    search_fields = ("screen_name",)
    search_help_text = _("Screen name, full name, e-mail, address, device, IP address or number")
    show_full_result_count = False
    list_per_page = 50
    ordering = ("-id",)
    form = PersonForm
    fields = (*EDITED, "why")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody puts their own papers right."""
        if obj is not None and obj.pk == request.user.pk:
            return False
        return bool(super().has_change_permission(request, obj))

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[User], search_term: str) -> tuple[QuerySet[User], bool]:  # fmt: skip
        return finding.people(queryset, search_term), False

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: Any) -> None:
        before = User.objects.filter(pk=obj.pk).values(*EDITED).get()
        verification.correct(obj, before=before, by=staff(request), why=form.cleaned_data["why"])

    def get_urls(self) -> list[URLPattern]:
        own = [
            path("<int:pk>/person/", self.admin_site.admin_view(self.person), name="accounts_user_person"),
            path("<int:pk>/close/", self.admin_site.admin_view(self.close), name="accounts_user_close"),
        ]  # fmt: skip
        return [*own, *super().get_urls()]

    @admin.display(description=_("screen name"), ordering="screen_name")
    def person_link(self, user: User) -> str:
        """The way to their page."""
        return format_html('<a href="{}">{}</a>', _page_of(user.pk), user.screen_name)

    @admin.display(description=_("state"), ordering="is_active")
    def state(self, user: User) -> str:
        """In one word."""
        if not user.is_active:
            return gettext("closed")
        return gettext("staff") if user.is_staff else gettext("open")

    def person(self, request: HttpRequest, pk: int) -> HttpResponse:
        """One person: who they are, what links them, what speaks against them; and what can be done."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        whom = User.objects.filter(pk=pk).first()
        if whom is None:
            raise Http404
        wrong, status = "", 200
        if request.method == "POST":
            wrong, status = attempt(lambda: _do(request, whom))
            if not wrong:
                messages.success(request, gettext("Done."))
                return redirect(_page_of(pk))
        page = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": whom.screen_name,
            "whom": whom,
            "wrong": wrong,
            "written": request.POST,
            "spans": SPANS,
            "kinds": sanctions.Kind.choices,
            "is_self": whom.pk == request.user.pk,
            "may_act": whom.pk != request.user.pk,
            **dossiers.person(whom, reader=staff(request)),
        }
        return render(request, "admin/accounts/person.html", page, status=status)

    def close(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Closing an account: the order, its preview, and then the deed."""
        return closing_page.answer(self, request, pk)


SPANS = (
    ("hour", _("an hour")),
    ("day", _("a day")),
    ("week", _("a week")),
    ("month", _("a month")),
    ("ever", _("until it is lifted")),
)


def _do(request: HttpRequest, whom: User) -> None:
    """The deed that the form names. Raises its refusal; PermissionDenied for one that is not known."""
    by, why = staff(request), text(request, "why")
    match text(request, "deed"):
        case "clear_links":
            links_cleared(whom, by, why)
        case "verify_identity" | "verify_address" | "unverify" as deed:
            verification.verify(whom, deed, by=by, why=why)
        case "reopen":
            closing.reopen(whom, by=by, why=why)
        case "sanction" | "lift":
            sanction(request, whom)
        case "sign_out" | "reset_factor" as deed:
            act = verification.sign_out if deed == "sign_out" else verification.reset_factor
            act(whom, by=by, why=why)
        case "staff":
            verification.set_role(whom, text(request, "role"), by=by, why=why)
        case _:
            raise PermissionDenied


def sanction(request: HttpRequest, whom: User, case: Case | None = None) -> None:
    """Lays a sanction, or lifts one. Raises their refusals; PermissionDenied for what the form does not offer."""
    by, why = staff(request), text(request, "why")
    if text(request, "deed") == "lift":
        found = Sanction.objects.filter(user=whom, pk=int(text(request, "sanction") or 0)).first()
        if found is None:
            raise PermissionDenied
        sanctions.lift(found.pk, by=by, why=why)
        return
    kind, span = text(request, "kind"), text(request, "span")
    if kind not in sanctions.Kind.values or span not in sanctions.SPANS:
        raise PermissionDenied
    sanctions.lay(kind, whom, by=by, why=why, span=span, case=case)


def links_cleared(whom: User, by: User, why: str) -> None:
    """Support's answer to the question whether two accounts are one person's."""
    verification.require(by, VERIFY)
    links.clear(whom, by=by, why=why)


def _page_of(pk: int) -> str:
    return reverse("admin:accounts_user_person", args=[pk])


@admin.register(AccountLink)
class AccountLinkAdmin(ReadOnly, ModelAdmin):
    """Links between accounts, with their reasons."""

    list_display = ("found_at", "older", "younger", "kind", "cleared_at")
    list_display_links = None
    list_filter = ("kind", ("cleared_at", admin.EmptyFieldListFilter))
    list_select_related = ("first", "second")
    search_fields = ("first__screen_name", "second__screen_name")
    ordering = ("-id",)
    show_full_result_count = False

    @admin.display(description=_("older account"))
    def older(self, row: AccountLink) -> str:
        """With the way to their page."""
        return format_html('<a href="{}">{}</a>', _page_of(row.first_id), row.first)

    @admin.display(description=_("younger account"))
    def younger(self, row: AccountLink) -> str:
        """With the way to their page."""
        return format_html('<a href="{}">{}</a>', _page_of(row.second_id), row.second)


@admin.register(MoneyHold)
class MoneyHoldAdmin(ReadOnly, ModelAdmin):
    """Who waits with money play until staff has answered."""

    list_display = ("placed_at", "person", "why", "lifted_at", "lifted_by")
    list_display_links = None
    list_filter = (("lifted_at", admin.EmptyFieldListFilter),)
    list_select_related = ("user", "lifted_by")
    search_fields = ("user__screen_name", "user__email")
    ordering = ("-id",)

    @admin.display(description=_("account"))
    def person(self, row: MoneyHold) -> str:
        """With the way to their page."""
        return format_html('<a href="{}">{}</a>', _page_of(row.user_id), row.user)


@admin.register(Closure)
class ClosureAdmin(ReadOnly, ModelAdmin):
    """Closed accounts, and money that waits for a second person."""

    list_display = ("at", "user", "reason", "by", "money", "money_state", "reopened_at")
    list_filter = ("money_state", "reason", ("reopened_at", admin.EmptyFieldListFilter))
    list_select_related = ("user", "by")
    search_fields = ("user__screen_name", "user__email", "by__screen_name")
    ordering = ("-id",)

    def change_view(self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None) -> HttpResponse:  # fmt: skip
        """How it was closed; and the second person's answer, where one is needed."""
        row = self.get_object(request, object_id)
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        if row is None:
            raise Http404
        wrong, status = "", 200
        if request.method == "POST":
            deeds = {"approve": closing.approve, "decline": closing.decline}
            deed = deeds.get(text(request, "deed"))
            if deed is None:
                raise PermissionDenied
            wrong, status = attempt(
                lambda: deed(row.pk, by=staff(request), why=text(request, "why"))
            )
            if not wrong:
                messages.success(request, gettext("Done."))
                return redirect(reverse("admin:accounts_closure_change", args=[row.pk]))
        page = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Closed: %(name)s") % {"name": row.user.screen_name},
            "closure": row,
            "wrong": wrong,
            "written": request.POST,
            "refunds": dossiers.refunds_of(row),
            "actions": audit.readable_by(staff(request)).filter(whom=row.user)[:50],
            "may_answer": row.by_id != request.user.pk and staff(request).has_perm(closing.SECOND),
        }
        return render(request, "admin/accounts/closure.html", page, status=status)
