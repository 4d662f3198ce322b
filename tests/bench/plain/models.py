"""The whole state of a match in one row, as the usual way keeps it."""

from typing import ClassVar

from django.db import models


class PlainMatch(models.Model):
    """Loaded and saved with every message."""

    match_id = models.UUIDField(primary_key=True)
    state = models.BinaryField()

    objects: ClassVar[models.Manager["PlainMatch"]] = models.Manager()

    class Meta:
        app_label = "plain"

    def __str__(self) -> str:
        return str(self.match_id)
