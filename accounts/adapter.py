"""What the site tells allauth: whose address a request comes from, and how a new account is filled in."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from accounts.identity import client_ip
from accounts.models import User


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """allauth's defaults but for two answers."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """The same address as everywhere else; allauth's rate limits count by it."""
        return client_ip(request)

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:  # noqa: FBT001, FBT002
        """Fills in what our sign-up form asks beyond e-mail and password."""
        for name in ("screen_name", "birth_date", "country", "us_state"):
            setattr(user, name, form.cleaned_data[name])
        saved: User = super().save_user(request, user, form, commit=commit)
        return saved
