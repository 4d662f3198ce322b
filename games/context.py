"""What every page says about running matches."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext

from games import selectors
from games.match.sides import Side
from games.selectors import Standing, TableRow

MS, SECONDS = 1_000, 60


@dataclass(frozen=True, slots=True)
class Running:
    """A match that waits for the reader, as the banner shows it.

    `left_ms`: how much longer they may be away, None when that is not counted.
    """

    id: str
    title: str
    url: str
    says: str
    left_ms: int | None
    left: str


def running(request: HttpRequest) -> dict[str, object]:
    """`running_matches` for the banner; asked of the database only if a page shows it."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"running_matches": []}
    return {
        "running_matches": SimpleLazyObject(
            lambda: [_running(row) for row in selectors.my_running(user)]
        )
    }


def _running(row: TableRow) -> Running:
    standing = selectors.standing(row.id, Side(row.own_side))
    title = gettext("Your match against %(name)s is running.")
    if standing.is_broken_off:
        title = gettext("Your match against %(name)s was broken off.")
    return Running(
        id=str(row.id),
        title=title % {"name": row.opponent},
        url=row.url,
        says=_says(standing),
        left_ms=standing.left_ms,
        left=_clock(standing.left_ms or 0),
    )


def _says(standing: Standing) -> str:
    if standing.is_broken_off:
        return gettext("Its value is being worked out; the money is locked.")
    if standing.blitz:
        return gettext("In blitz, staying away loses three times the stake.")
    return gettext("Your clock is running.") if standing.clock_runs else ""


def _clock(ms: int) -> str:
    minutes, seconds = divmod(-(-ms // MS), SECONDS)
    return f"{minutes}:{seconds:02}"
