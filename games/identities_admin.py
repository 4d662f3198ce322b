"""What keeps anonymous tables anonymous in the admin: searches by name do not find them, names are not listed, and
the one page that tells them, for a reason that is recorded."""

from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.errors import Refused
from accounts.models import User
from games import identities, protocol
from games.anonymity import DARK_COLUMN, is_anonymous, shown_name
from games.errors import UnknownMatch


class KeepsSecrets:
    """For an admin whose rows belong to matches. `to_column`: the way from a row to the match's tariff column."""

    to_column = "match__column"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """A search for a match's id finds it; a search for a person finds no anonymous match."""
        found, may_repeat = super().get_search_results(request, queryset, search_term)  # type: ignore[misc]
        if not _is_id(search_term):
            found = found.exclude(**{self.to_column: DARK_COLUMN})
        return found, may_repeat


def name_for_staff(user: User, column: str) -> str:
    """The name in lists of the admin."""
    return shown_name(user.screen_name, column)


def identities_view(
    request: HttpRequest, match_id: UUID, column: str, each_context: dict[str, Any]
) -> HttpResponse:
    """Asks for a reason, then tells both names once."""
    assert isinstance(request.user, User), "the admin lets nobody else in"
    if not is_anonymous(column):
        raise Http404
    if not request.user.has_perm(identities.SEE):
        raise PermissionDenied
    context: dict[str, Any] = {**each_context, "match_id": match_id, "found": None, "wrong": ""}
    if request.method == "POST":
        why = request.POST.get("why", "")
        context["why"] = why
        try:
            context["found"] = identities.reveal(match_id, by=request.user, why=why)
        except UnknownMatch as refusal:
            raise Http404 from refusal
        except Refused as refusal:
            context["wrong"] = protocol.sentence(refusal)
    return render(request, "admin/games/identities.html", context)


def _is_id(text: str) -> bool:
    try:
        UUID(text.strip())
    except ValueError:
        return False
    return True
