"""The open tables of a closed account. Registers with accounts."""

from django.db import transaction
from django.db.models import Q

from accounts.moderation import estates
from rooms import publish, services
from rooms.models import OfferStatus


class TablesOfPeople:
    """What accounts may ask of the lobby."""

    def withdraw_all(self, user_id: int) -> int:
        """Takes back their open tables and ends their sockets in the lobby; answers how many tables."""
        with transaction.atomic():
            publish.account_closed(user_id)
            return services.withdraw(Q(creator_id=user_id, status=OfferStatus.OPEN))


def register() -> None:
    """Called once, from the app's start."""
    estates.register(tables=TablesOfPeople())
