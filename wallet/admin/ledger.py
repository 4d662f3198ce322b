"""Staff look at the ledger here. Nobody writes it: a correction is a transfer made by a service."""

from django.contrib import admin

from wallet.admin.reading import ReadOnly
from wallet.models import Account, Transfer


@admin.register(Account)
class AccountAdmin(ReadOnly, admin.ModelAdmin[Account]):
    """Balances in minor units."""

    list_display = ("code", "currency", "balance", "kind", "user")
    list_filter = ("kind", "currency")
    list_select_related = ("user",)
    search_fields = ("code", "user__email", "user__screen_name")
    ordering = ("id",)
    show_full_result_count = False


@admin.register(Transfer)
class TransferAdmin(ReadOnly, admin.ModelAdmin[Transfer]):
    """Amounts in minor units, newest first."""

    list_display = ("created_at", "purpose", "amount", "currency", "source", "target", "key", "by")
    list_filter = ("purpose", "currency")
    list_select_related = ("source", "target", "by")
    search_fields = ("key", "match_id", "source__code", "target__code")
    ordering = ("-id",)
    show_full_result_count = False
