"""What the lobby's templates need to look up."""

from collections.abc import Mapping

from django import template

from rooms.words import OfferRow, Prospect

register = template.Library()


NOTHING = Prospect(win="", fee="", points="")


@register.filter
def of_offer(prospects: object, offer: OfferRow | None) -> Prospect:
    """What an open table would bring the reader; between equals for visitors and for one's own tables."""
    if offer is None:
        return NOTHING
    found = prospects.get(offer.id) if isinstance(prospects, Mapping) else None
    return found or Prospect(win=offer.win, fee=offer.fee, points="")
