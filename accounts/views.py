"""Pages about people: the first page, signing up, one's own account, colours."""

from allauth.account.views import SignupView as AllauthSignupView
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from accounts import geoip, permissions, residence, selectors
from accounts.context import chosen
from accounts.forms import PreferencesForm, SignupForm
from accounts.identity import client_ip
from accounts.models import User
from accounts.moderation import sanctions
from accounts.validators import sentence

A_YEAR_S = 365 * 24 * 60 * 60


def landing(request: HttpRequest) -> HttpResponse:
    """The first page: a board that plays, what the site is, the promise about the dice."""
    return render(request, "landing.html")


class SignupView(AllauthSignupView):  # type: ignore[misc]
    """allauth's sign-up; what cannot be granted is answered with 400 and the form, never with 500."""

    def form_valid(self, form: SignupForm) -> HttpResponse:
        try:
            answer: HttpResponse = super().form_valid(form)
        except IntegrityError:
            # A simultaneous sign-up was faster: the same answers, checked anew, show what it took.
            again: SignupForm = self.get_form_class()(**self.get_form_kwargs())
            if not again.is_valid():
                return self.form_invalid(again)
            if not again.account_already_exists:
                raise
            return self.form_valid(again)
        self._say_where_money_is_closed(form)
        return answer

    def _say_where_money_is_closed(self, form: SignupForm) -> None:
        """Of what was declared, and of where they are seen; the same for a known address and for a new one."""
        declared = (form.cleaned_data["country"], form.cleaned_data["us_state"])
        seen = geoip.locate(client_ip(self.request))
        for country, us_state in (declared, (seen.country, seen.us_state)):
            if country and residence.is_listed(country, us_state):
                place = residence.name_of(country, us_state)
                refusal = permissions.ResidenceRestricted(place=place)
                messages.info(self.request, sentence(refusal))
                return

    def form_invalid(self, form: SignupForm) -> HttpResponse:
        answer: HttpResponse = super().form_invalid(form)
        answer.status_code = 400
        return answer


@login_required
def profile(request: HttpRequest) -> HttpResponse:
    """One's own account: what is known, whether money play is open, where to change things."""
    assert isinstance(request.user, User)
    return render(
        request,
        "account/profile.html",
        {
            "place": residence.place_name(request.user),
            "sanctions": sanctions.read_by(request.user),
            "money_refusal": selectors.money_refusal(request.user),
        },
    )


def set_preferences(request: HttpRequest) -> HttpResponse:
    """Colours and board, kept in cookies; for readers with and without an account."""
    form = PreferencesForm(request.POST or None, initial=chosen(request))
    if request.method != "POST" or not form.is_valid():
        return render(request, "account/preferences.html", {"form": form, "next": _back(request)})
    answer = HttpResponseRedirect(_back(request))
    for name, value in form.cleaned_data.items():
        answer.set_cookie(name, value, max_age=A_YEAR_S, samesite="Lax", secure=request.is_secure())
    return answer


def _back(request: HttpRequest) -> str:
    """Where the reader came from, if that is one of our own pages."""
    wanted = request.POST.get("next") or request.headers.get("Referer", "")
    safe = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if safe else reverse("landing")
