"""What the site tells allauth: whose address a request comes from, and how a new account is filled in."""

from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest

from accounts import keys, links
from accounts.identity import client_ip
from accounts.models import User

SIGNUP_FACTS: Final = (
    "screen_name",
    "full_name",
    "birth_date",
    "country",
    "us_state",
    "street",
    "postcode",
    "city",
)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """allauth's defaults but for three answers."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """The same address as everywhere else; allauth's rate limits count by it."""
        return client_ip(request)

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:  # noqa: FBT001, FBT002
        """Fills in what our sign-up form asks beyond e-mail and password."""
        for name in SIGNUP_FACTS:
            setattr(user, name, form.cleaned_data[name])
        saved: User = super().save_user(request, user, form, commit=commit)
        return saved

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """A new address becomes a key of the account; one that is another account's, or its twin, is refused."""
        user = email_address.user
        wanted = [keys.email(email_address.email), *links.hard_keys(user)]
        if any(links.is_taken(key, but=user) for key in wanted):
            failed = "account/messages/email_confirmation_failed.txt"
            self.add_message(request, messages.ERROR, failed, {"email": email_address.email})
            return False
        with transaction.atomic():
            confirmed: bool = super().confirm_email(request, email_address)
            if confirmed:
                user.refresh_from_db()
                links.claim(user)
        return confirmed
