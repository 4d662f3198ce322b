"""What every page says about running matches."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext

from games import selectors
from games.selectors import TableRow


@dataclass(frozen=True, slots=True)
class Running:
    """A match that waits for the reader, as the banner shows it."""

    id: str
    title: str
    url: str


def running(request: HttpRequest) -> dict[str, object]:
    """`running_matches` for the banner; asked of the database only if a page shows it."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"running_matches": []}
    return {
        "running_matches": SimpleLazyObject(
            lambda: [_running(row, user.screen_name) for row in selectors.my_running(user)]
        )
    }


def _running(row: TableRow, own_name: str) -> Running:
    opponent = row.dark_name if row.light_name == own_name else row.light_name
    title = gettext("Your match against %(name)s is running.") % {"name": opponent}
    return Running(id=str(row.id), title=title, url=row.url)
