"""Notices who comes from where: the device and the address of everybody who is signed in."""

import time
from collections.abc import Callable
from hashlib import sha256
from typing import Final

from allauth.usersessions.models import UserSession
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import get_language

from accounts import devices, links, whereabouts
from accounts.guests import is_guest
from accounts.identity import client_ip
from accounts.models import User

MARK: Final = "client"
FRESH_S: Final = 5 * 60
ACCOUNT_PAGES: Final = "/accounts/"


def known_clients(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Writes nothing while a session goes on as it was; the device's cookie is kept on every answer that made one."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith(ACCOUNT_PAGES):
            devices.ensure(request)
        if isinstance(request.user, User) and request.user.is_authenticated:
            notice(request, request.user)
        response = get_response(request)
        devices.keep(request, response)
        return response

    return middleware


def notice(request: HttpRequest, user: User) -> None:
    """Notes device, address and place when they changed, and every few minutes."""
    ip, device = client_ip(request), devices.ensure(request)
    fingerprint = devices.fingerprint_of(request)
    agent = request.headers.get("User-Agent", "")
    said = (ip, device, fingerprint, agent, get_language() or "")
    mark = sha256("\n".join(said).encode()).hexdigest()
    known, at = request.session.get(MARK, ("", 0))
    if known == mark and time.time() - at < FRESH_S:
        return
    request.session[MARK] = (mark, int(time.time()))
    UserSession.objects.create_from_request(request)
    if is_guest(user):
        return
    if user.language != (language := get_language() or ""):
        User.objects.filter(pk=user.pk).update(language=language)
    whereabouts.seen(user, ip)
    links.notice(user, links.soft_keys(device=device, fingerprint=fingerprint, ip=ip))
