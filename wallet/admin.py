"""Staff look at the ledger here. Nobody writes it: a correction is a transfer made by a service."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from wallet.models import Account, Transfer


class _ReadOnly:
    """No adding, no changing, no deleting, whoever asks."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Account)
class AccountAdmin(_ReadOnly, admin.ModelAdmin[Account]):
    """Balances in minor units."""

    list_display = ("code", "currency", "balance", "kind", "user")
    list_filter = ("kind", "currency")
    list_select_related = ("user",)
    search_fields = ("code", "user__email", "user__screen_name")
    ordering = ("id",)
    show_full_result_count = False


@admin.register(Transfer)
class TransferAdmin(_ReadOnly, admin.ModelAdmin[Transfer]):
    """Amounts in minor units, newest first."""

    list_display = ("created_at", "purpose", "amount", "currency", "source", "target", "key", "by")
    list_filter = ("purpose", "currency")
    list_select_related = ("source", "target", "by")
    search_fields = ("key", "match_id", "source__code", "target__code")
    ordering = ("-id",)
    show_full_result_count = False
