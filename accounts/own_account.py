"""Pages of somebody's own account: address, sessions, data, closing, appeals."""

from allauth.account.decorators import reauthentication_required
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from accounts import export, services
from accounts.errors import Refused
from accounts.guests import is_guest
from accounts.models import Sanction, User
from accounts.moderation import appeals, closing
from accounts.own_forms import AddressForm, AppealForm, CloseForm
from accounts.validators import sentence

BAD_REQUEST = 400
CONFLICT = 409


@login_required
def address(request: HttpRequest) -> HttpResponse:
    """Where they live now; papers are asked for again."""
    user = _reader(request)
    form = AddressForm(request.POST or None, instance=User.objects.get(pk=user.pk))
    if request.method == "POST" and form.is_valid():
        services.move_house(user.pk, form.cleaned_data)
        messages.success(request, gettext("Your address is changed."))
        return redirect("accounts:profile")
    status = BAD_REQUEST if form.errors else 200
    return render(request, "account/address.html", {"form": form}, status=status)


@login_required
@require_POST
def end_session(request: HttpRequest, pk: int) -> HttpResponse:
    """Signs one other browser out."""
    session = get_object_or_404(UserSession, pk=pk, user=_reader(request))
    session.end()
    messages.success(request, gettext("That browser is signed out."))
    return redirect("usersessions_list")


@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def download(request: HttpRequest) -> HttpResponse:
    """All that is kept about them, as one file."""
    user = _reader(request)
    answer = JsonResponse(export.of(user), json_dumps_params={"indent": 1, "ensure_ascii": False})
    answer["Content-Disposition"] = f'attachment; filename="account-{user.pk}.json"'
    return answer


@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def close(request: HttpRequest) -> HttpResponse:
    """Closes their own account, after the screen name was typed."""
    user, refusal = _reader(request), ""
    if is_guest(user):
        raise Http404
    form = CloseForm(request.POST or None, user=user)
    if request.method == "POST" and form.is_valid():
        try:
            closing.close_own(user)
        except Refused as refused:
            refusal = sentence(refused)
        else:
            logout(request)
            messages.success(request, gettext("Your account is closed. We have sent you a letter."))
            return redirect("landing")
    status = CONFLICT if refusal else BAD_REQUEST if form.errors else 200
    page = {"form": form, "refusal": refusal}
    return render(request, "account/close.html", page, status=status)


def appeal(request: HttpRequest, token: str) -> HttpResponse:
    """By the link in the letter about a closed account; nobody is signed in."""
    form = AppealForm(request.POST or None)
    try:
        closure = appeals.closure_of(token)
        if request.method == "POST" and form.is_valid():
            appeals.against_closing(token, words=form.cleaned_data["words"])
            raise appeals.AppealSent
    except appeals.AppealSent as sent:
        return render(request, "account/appeal.html", {"refusal": sentence(sent)})
    except Refused as refused:
        page = {"refusal": sentence(refused)}
        return render(request, "account/appeal.html", page, status=CONFLICT)
    about = gettext("Your account %(name)s was closed: %(reason)s.") % {
        "name": closure.user.screen_name,
        "reason": closure.get_reason_display(),
    }
    return _appeal_page(request, form, about)


@login_required
def appeal_sanction(request: HttpRequest, pk: int) -> HttpResponse:
    """Against a warning, a mute or a table ban."""
    user = _reader(request)
    sanction = get_object_or_404(Sanction, pk=pk, user=user)
    form = AppealForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            appeals.against_sanction(user, pk, words=form.cleaned_data["words"])
        except Refused as refused:
            messages.info(request, sentence(refused))
        else:
            messages.success(request, sentence(appeals.AppealSent()))
        return redirect("accounts:profile")
    about = f"{sanction.get_kind_display()}. {sanction.why}"
    return _appeal_page(request, form, about)


def _appeal_page(request: HttpRequest, form: AppealForm, about: str) -> HttpResponse:
    status = BAD_REQUEST if form.errors else 200
    page = {"form": form, "about": about}
    return render(request, "account/appeal.html", page, status=status)


def _reader(request: HttpRequest) -> User:
    assert isinstance(request.user, User), "nobody else comes past the door"
    return request.user
