"""How the staff's site looks: its style sheet and its menu, which shows what the reader may open."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext

# Group of the menu: (model's label, symbol), the most used first.
MENU: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        "People",
        (
            ("accounts.user", "person"),
            ("accounts.accountlink", "link"),
            ("accounts.moneyhold", "front_hand"),
            ("accounts.closure", "person_off"),
        ),
    ),
    (
        "Conduct",
        (
            ("accounts.case", "gavel"),
            ("accounts.report", "flag"),
            ("accounts.sanction", "voice_over_off"),
            ("accounts.filteredword", "filter_alt"),
            ("games.chatline", "chat"),
        ),
    ),
    (
        "Matches",
        (
            ("games.adjudication", "balance"),
            ("games.match", "casino"),
            ("games.matchevent", "list"),
            ("games.playerrating", "leaderboard"),
            ("games.ratingchange", "trending_up"),
        ),
    ),
    ("Money", ()),
    ("Site", (("accounts.restriction", "public_off"), ("accounts.siteswitch", "toggle_on"), ("accounts.staffaction", "history"))),
)  # fmt: skip
OTHER_SYMBOL = "folder"
GROUP_OF = {"wallet": "Money", "rooms": "Site"}


def stylesheet(request: HttpRequest) -> str:
    """Our colours, and the parts that the library does not have."""
    return static("css/desk.css")


def icon(request: HttpRequest) -> str:
    """The site's mark, for the browser's tab."""
    return static("img/mark.svg")


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """The menu's groups with what this person may see; pages that no group names come after those that are named."""
    seen = {label for _, items in MENU for label, _ in items}
    groups = []
    for title, items in MENU:
        known = [_item(request, label, symbol) for label, symbol in items]
        others = [
            _item(request, model._meta.label_lower, OTHER_SYMBOL)
            for model in admin.site._registry
            if model._meta.label_lower not in seen
            and GROUP_OF.get(model._meta.app_label, "Site") == title
        ]
        shown = [item for item in (*known, *others) if item is not None]
        if shown:
            groups.append({"title": gettext(title), "separator": True, "items": shown})
    return groups


def _item(request: HttpRequest, label: str, symbol: str) -> dict[str, Any] | None:
    """None for what is not registered, or not for this person."""
    model = next((one for one in admin.site._registry if one._meta.label_lower == label), None)
    if model is None or not admin.site._registry[model].has_view_permission(request):
        return None
    return {"title": capfirst(_name(model)), "icon": symbol, "link": _list(model)}


def _name(model: type[Model]) -> str:
    return str(model._meta.verbose_name_plural)


def _list(model: type[Model]) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
