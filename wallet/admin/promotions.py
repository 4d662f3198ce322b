"""Campaigns and their ladders in the admin; what was earned and awarded is only read."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.admin import TabularInline
from unfold.widgets import UnfoldAdminTextInputWidget

from accounts import audit
from accounts.models import User
from wallet.admin.reading import ReadOnly
from wallet.models import Award, Campaign, CampaignStep
from wallet.money import Currency, format_amount


class CampaignForm(forms.ModelForm[Campaign]):
    """A campaign whose budget covers what it has spent, and the reason for the change."""

    why = forms.CharField(
        label=gettext_lazy("reason"), max_length=300, widget=UnfoldAdminTextInputWidget
    )

    class Meta:
        model = Campaign
        fields = (
            "kind", "name", "starts_at", "ends_at", "budget", "dark_pair_a_day", "most_a_day",
        )  # fmt: skip

    def clean_budget(self) -> int:
        """Not below what is spent."""
        budget: int = self.cleaned_data["budget"]
        if budget < self.instance.spent:
            spent = format_amount(self.instance.spent, Currency.USD)
            raise forms.ValidationError(_("%(spent)s is spent already.") % {"spent": spent})
        return budget

    def clean(self) -> dict[str, Any] | None:
        """The end comes after the start."""
        found = super().clean()
        start, end = self.cleaned_data.get("starts_at"), self.cleaned_data.get("ends_at")
        if start and end and end <= start:
            self.add_error("ends_at", _("The end must come after the start."))
        return found


class StepInline(TabularInline):  # type: ignore[misc]
    """The ladder. A step that was reached stays reached, whatever is changed here."""

    model = CampaignStep
    extra = 0


@admin.register(Campaign)
class CampaignAdmin(admin.ModelAdmin[Campaign]):
    """What players can earn; every change is recorded with its reason. Ended by its end, never deleted."""

    form = CampaignForm
    inlines = (StepInline,)
    list_display = ("name", "kind", "starts_at", "ends_at", "budget_sum", "spent_sum")
    readonly_fields = ("spent_sum",)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return (*CampaignForm.Meta.fields, "spent_sum", "why")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("spent_sum",) if obj is None else ("spent_sum", "kind")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:
        """After the ladder is saved: one line of audit for all of it."""
        assert isinstance(request.user, User), "the admin lets nobody else in"
        campaign: Campaign = form.instance
        before = _ladder(campaign)
        super().save_related(request, form, formsets, change)
        facts = {
            "changed": form.changed_data,
            "budget": campaign.budget,
            "ladder": _ladder(campaign),
        }
        audit.record(
            by=request.user,
            action="campaign",
            why=form.cleaned_data["why"],
            about=f"campaign:{campaign.pk}",
            change=audit.Change(before={"ladder": before}, after=facts),
        )

    def save_model(self, request: HttpRequest, obj: Campaign, form: Any, change: Any) -> None:
        """Leaves the count of what is spent alone: it moves while the page is open."""
        if change:
            obj.save(update_fields=[name for name in form.changed_data if name != "why"])
        else:
            obj.save()

    @admin.display(description=gettext_lazy("budget"))
    def budget_sum(self, obj: Campaign) -> str:
        return format_amount(obj.budget, Currency.USD)

    @admin.display(description=gettext_lazy("spent"))
    def spent_sum(self, obj: Campaign) -> str:
        return format_amount(obj.spent, Currency.USD)


@admin.register(Award)
class AwardAdmin(ReadOnly, admin.ModelAdmin[Award]):
    """What was reached, exchanged and paid."""

    list_display = ("reached_at", "campaign", "user", "needed", "reward", "paid_at")
    list_filter = ("campaign", ("paid_at", admin.EmptyFieldListFilter))
    list_select_related = ("campaign", "user")
    search_fields = ("user__screen_name", "user__email")
    ordering = ("-reached_at",)


def _ladder(campaign: Campaign) -> dict[str, int]:
    return {str(step.needed): step.reward for step in campaign.steps.order_by("needed")}
