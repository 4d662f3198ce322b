"""Tariffs in the admin: an edition is never changed, a new one is made from the one in force."""

from datetime import timedelta
from typing import Any, Final

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from accounts.models import User
from wallet import editions, fees, tariff_text
from wallet.admin.reading import SaysRefusals
from wallet.models import TariffEdition
from wallet.money import Currency, format_amount
from wallet.tariff_text import BadTariff

ROWS: Final = 40


class EditionForm(forms.ModelForm[TariffEdition]):
    """The rates as text, judged before anything is kept."""

    name = forms.ChoiceField(label=gettext_lazy("tariff"), widget=UnfoldAdminSelectWidget)
    text = forms.CharField(
        label=gettext_lazy("rates"),
        widget=UnfoldAdminTextareaWidget(attrs={"rows": ROWS, "cols": 80, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Amounts in cents, rates and ladder steps in percent, factors as they stand."
        ),
    )

    class Meta:
        model = TariffEdition
        fields = ("name", "since", "text", "why")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["name"].choices = [(name, name) for name in tariff_text.names()]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any] | None:
        """The text must be a tariff, and not begin in the past."""
        found = super().clean()
        text, since = self.cleaned_data.get("text"), self.cleaned_data.get("since")
        if text:
            try:
                tariff_text.read("tariff", "2026-01-01", 1, text)
            except BadTariff as problem:
                self.add_error("text", str(problem))
        if since and since < timezone.now().date():
            self.add_error("since", _("A tariff can begin today or later, not earlier."))
        return found


@admin.register(TariffEdition)
class TariffEditionAdmin(SaysRefusals, admin.ModelAdmin[TariffEdition]):
    """Looks at editions and adds one; matches keep the one they started with."""

    form = EditionForm
    list_display = ("name", "since", "number", "why", "by", "created_at")
    list_filter = ("name",)
    list_select_related = ("by",)
    readonly_fields = ("examples", "by", "created_at")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        written = ("name", "since", "why", "text")
        return written if obj is None else (*written, "examples", "by", "created_at")

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """The tariff in force, from tomorrow on."""
        name = request.GET.get("name", settings.TARIFF)
        if name not in tariff_text.names():
            name = settings.TARIFF
        since = timezone.now().date() + timedelta(days=1)
        return {"name": name, "since": since, "text": tariff_text.write(editions.current(name))}

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: TariffEdition, form: Any, change: Any) -> None:
        assert isinstance(request.user, User), "the admin lets nobody else in"
        made = editions.publish(
            name=obj.name, since=obj.since, text=obj.text, why=obj.why, by=request.user
        )
        kept = TariffEdition.objects.get(name=made.name, since=made.since, number=made.number)
        obj.pk, obj.number, obj.by = kept.pk, kept.number, kept.by
        messages.info(request, _("In force from %(since)s.") % {"since": made.since})

    @admin.display(description=gettext_lazy("examples"))
    def examples(self, obj: TariffEdition) -> SafeString:
        """What this edition takes from a win, at a few stakes."""
        tariff = tariff_text.read(obj.name, obj.since.isoformat(), obj.number, obj.text)
        return format_html_join(
            "",
            "<p>{}: {}, {}</p>",
            (
                (
                    one.stake,
                    *(
                        format_amount(2 * q.fee_each, Currency.USD)
                        for q in (one.single, one.series)
                    ),
                )
                for one in fees.examples(tariff)
            ),
        )
