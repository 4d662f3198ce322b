"""Tables of who is whose friend, and who does not want to meet whom.

Imported by accounts.models. Written by accounts.acquaintances.
"""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Friendship(models.Model):
    """Two people, one row: asked for by one of them, a friendship once the other has accepted."""

    first = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    asked_at = models.DateTimeField(auto_now_add=True)
    accepted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("friendship")
        verbose_name_plural = _("friendships")
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="accounts_friends_once"),
            models.CheckConstraint(
                name="accounts_friends_in_order",
                condition=models.Q(first__lt=models.F("second")),
            ),
            models.CheckConstraint(
                name="accounts_friends_asked_by_one",
                condition=models.Q(asked_by=models.F("first"))
                | models.Q(asked_by=models.F("second")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first_id} {self.second_id}"


class Block(models.Model):
    """Somebody who does not want to meet somebody else. Whoever is blocked is not told."""

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    whom = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        constraints = [
            models.UniqueConstraint(fields=["by", "whom"], name="accounts_block_once"),
            models.CheckConstraint(
                name="accounts_block_two_people", condition=~models.Q(by=models.F("whom"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.by_id} {self.whom_id}"
