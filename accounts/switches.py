"""What is stopped on the whole site: kept in the database, so that every process knows it at once."""

from django.db import transaction

from accounts import audit
from accounts.errors import Refused, gettext_noop
from accounts.models import SiteSwitch, User

Name = SiteSwitch.Name


class ReasonMissing(Refused):
    """Nothing is stopped or let go without saying why."""

    code = "reason_missing"
    text = gettext_noop("Write the reason.")


def is_on(name: Name) -> bool:
    """Whether it is in force now. One look at the database."""
    return SiteSwitch.objects.filter(name=name, on=True).exists()


def turn(name: Name, *, on: bool, why: str, by: User | None = None) -> bool:
    """Puts it into force or ends it; False if it was so already, then nothing is written. Raises ReasonMissing.

    What a person does leaves an audit row. The site itself (no `by`) may stop something, never let it go.
    """
    if not why.strip():
        raise ReasonMissing
    assert on or by is not None, "what was stopped is let go by a person"
    with transaction.atomic():
        switch, _ = SiteSwitch.objects.select_for_update().get_or_create(
            name=name, defaults={"why": why}
        )
        if switch.on == on:
            return False
        before = {"on": switch.on, "why": switch.why}
        switch.on, switch.why, switch.by = on, why, by
        switch.save()
        if by is not None:
            change = audit.Change(before=before, after={"on": on, "why": why})
            audit.record(by=by, action=name.value, why=why, about=f"switch:{name}", change=change)
    return True
