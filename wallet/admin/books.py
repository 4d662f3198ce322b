"""The checker's last runs, and corrections that two people make."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminTextInputWidget

from accounts.models import User
from wallet import chart, corrections, ledger
from wallet.admin.deeds import Deed, Deeds
from wallet.admin.reading import ReadOnly, SaysRefusals
from wallet.errors import BadAmount
from wallet.models import CheckRun, Correction
from wallet.money import Currency, format_amount, parse_amount


class Findings(admin.SimpleListFilter):
    """Whether a round found anything."""

    title = gettext_lazy("findings")
    parameter_name = "findings"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("some", _("some")), ("none", _("none"))]

    def queryset(self, request: HttpRequest, rows: QuerySet[CheckRun]) -> QuerySet[CheckRun]:
        if self.value() == "some":
            return rows.filter(found__gt=0)
        return rows.filter(found=0) if self.value() == "none" else rows


@admin.register(CheckRun)
class CheckRunAdmin(ReadOnly, admin.ModelAdmin[CheckRun]):
    """What the checker has proved lately; `check_ledger` says the same on the command line."""

    list_display = ("at", "verdict", "found", "took_ms")
    list_filter = (Findings,)
    fields = ("at", "verdict", "took_ms", "checks")
    show_full_result_count = False

    @admin.display(description=gettext_lazy("all is well"), boolean=True)
    def verdict(self, obj: CheckRun) -> bool:
        return obj.found == 0

    @admin.display(description=gettext_lazy("checks"))
    def checks(self, obj: CheckRun) -> SafeString:
        """Each law, and the first lines of what was found against it."""
        return format_html_join(
            "",
            "<p>{}: {} ({} ms){}</p>",
            (
                (one["law"], one["found"] or _("holds"), one["took_ms"], _lines(one["lines"]))
                for one in obj.outcomes
            ),
        )


def _lines(lines: list[str]) -> SafeString:
    if not lines:
        return SafeString("")
    rows = format_html_join("", "<li>{}</li>", ((line,) for line in lines))
    return format_html("<ul>{}</ul>", rows)


class CorrectionForm(forms.ModelForm[Correction]):
    """What one person proposes; the amount as people write it, in the currency of the first account."""

    written = forms.CharField(
        label=gettext_lazy("amount"), max_length=32, widget=UnfoldAdminTextInputWidget
    )

    class Meta:
        model = Correction
        fields = ("what", "source", "target", "reason")

    def clean(self) -> dict[str, Any] | None:
        """The amount, read in the currency of the account that pays."""
        found = super().clean()
        source, written = self.cleaned_data.get("source"), self.cleaned_data.get("written")
        if source is not None and written:
            try:
                self.instance.amount = parse_amount(written, Currency(source.currency))
                if not self.instance.amount:
                    raise BadAmount
            except BadAmount as refusal:
                raise ValidationError({"written": _(refusal.text) % refusal.params}) from refusal
        return found


@admin.register(Correction)
class CorrectionAdmin(SaysRefusals, Deeds, admin.ModelAdmin[Correction]):
    """A mistake is answered by a new transfer: one person proposes it, another makes or refuses it."""

    form = CorrectionForm
    autocomplete_fields = ("source", "target")
    deed_permission = "wallet.decide_correction"
    about = "correction"
    list_display = ("proposed_at", "what", "sum", "source", "target", "state", "proposed_by")
    list_filter = ("state", "what")
    list_select_related = ("source", "target", "proposed_by")
    search_fields = ("reason", "source__code", "target__code")
    ordering = ("-proposed_at",)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        if obj is None:
            return ("what", "source", "target", "written", "reason")
        return (
            "what", "sum", "source", "target", "reason", "state", "proposed_by", "proposed_at",
            "decided_by", "decided_at", "note",
        )  # fmt: skip

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("wallet.add_correction")

    def add_view(self, request: HttpRequest, *place: Any, **words: Any) -> HttpResponse:
        """The accounts of the house are there to be chosen, whether or not they were used before."""
        with transaction.atomic():
            ledger.locked_balances(Currency.USD, [chart.commission(), chart.promotions()])
        return super().add_view(request, *place, **words)

    def save_model(self, request: HttpRequest, obj: Correction, form: Any, change: Any) -> None:
        assert isinstance(request.user, User), "the admin lets nobody else in"
        kept = corrections.propose(
            what=Correction.What(obj.what),
            source=obj.source,
            target=obj.target,
            amount=obj.amount,
            reason=obj.reason,
            by=request.user,
        )
        obj.pk = kept.pk

    def deeds(self, obj: Correction) -> list[Deed]:
        if obj.state != Correction.State.PROPOSED:
            return []
        return [
            Deed("make", _("Make the move"), _("Note"), "main"),
            Deed("refuse", _("Refuse"), _("Reason"), "danger"),
        ]

    def do(self, obj: Correction, name: str, *, by: User, text: str) -> str:
        if name == "make":
            corrections.make(obj.pk, by=by, note=text)
            return _("Made.")
        corrections.refuse(obj.pk, by=by, note=text)
        return _("Refused; nothing has moved.")

    @admin.display(description=gettext_lazy("amount"), ordering="amount")
    def sum(self, obj: Correction) -> str:
        return format_amount(obj.amount, Currency(obj.source.currency))
