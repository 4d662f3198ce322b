"""People who work for the site, for tests: each in the group of their role."""

from itertools import count

from django.contrib.auth.models import Group

from accounts.models import User

_numbers = count(1)


def staff(role: str) -> User:
    """A staff member with this role."""
    user = User.objects.create_user(
        f"staff{next(_numbers)}@example.net",
        "long-enough-77",
        screen_name=f"Colleague {next(_numbers)}",
        is_staff=True,
    )
    user.confirm_email()
    user.groups.add(Group.objects.get(name=role))
    return user


def moderator() -> User:
    """Cases, reports, chat, matches, sanctions."""
    return staff("Moderator")


def support() -> User:
    """People: finds, verifies, closes."""
    return staff("Support")


def administrator() -> User:
    """Tariffs, rooms, restrictions, staff."""
    return staff("Administrator")
