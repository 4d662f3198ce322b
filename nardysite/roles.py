"""What each role may do: a table of permissions, granted to groups whenever the database is migrated.

Who belongs to a group is a matter of the admin; what a group may do is not. A `*` stands for any letters.
"""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final

from django.apps import apps
from django.contrib.auth.management import create_permissions

ROLES: Final[Mapping[str, Iterable[str]]] = {
    "Moderator": (
        "accounts.view_case",
        "accounts.view_report",
        "accounts.view_sanction",
        "accounts.view_accountlink",
        "accounts.view_user",
        "accounts.decide_case",
        "accounts.sanction_player",
        "accounts.view_filteredword",
        "games.view_*",
        "games.settle_match",
        "games.see_identities",
    ),
    "Support": (
        "accounts.view_user",
        "accounts.view_case",
        "accounts.view_report",
        "accounts.view_sanction",
        "accounts.view_accountlink",
        "accounts.view_moneyhold",
        "accounts.view_closure",
        "accounts.verify_user",
        "accounts.close_account",
        "accounts.second_person",
        "accounts.decide_case",
        "wallet.view_*",
        "wallet.approve_withdrawal",
        "wallet.close_paymenttask",
        "wallet.add_correction",
        "wallet.decide_correction",
        "games.view_match",
        "games.view_chatline",
        "games.view_adjudication",
        "games.see_identities",
    ),
    "Administrator": (
        "accounts.view_*",
        "accounts.change_user",
        "accounts.*_restriction",
        "accounts.add_siteswitch",
        "accounts.change_siteswitch",
        "accounts.*_filteredword",
        "accounts.verify_user",
        "accounts.close_account",
        "accounts.second_person",
        "accounts.decide_case",
        "accounts.sanction_player",
        "accounts.manage_staff",
        "games.view_*",
        "games.settle_match",
        "games.see_identities",
        "wallet.view_*",
        "wallet.*_tariffedition",
        "wallet.*_campaign",
        "wallet.*_campaignstep",
        "wallet.approve_withdrawal",
        "wallet.close_paymenttask",
        "wallet.add_correction",
        "wallet.decide_correction",
        "rooms.*",
    ),
}


def grant(**_: Any) -> None:
    """Brings the groups to what the table says; whatever else they had is taken away."""
    from django.contrib.auth.models import Group, Permission

    for config in apps.get_app_configs():
        create_permissions(config, verbosity=0)
    rows = Permission.objects.select_related("content_type")
    known = {f"{row.content_type.app_label}.{row.codename}": row for row in rows}
    for role, patterns in ROLES.items():
        group, _is_new = Group.objects.get_or_create(name=role)
        group.permissions.set(
            row
            for name, row in known.items()
            if any(fnmatchcase(name, pattern) for pattern in patterns)
        )
