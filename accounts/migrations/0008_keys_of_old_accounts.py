"""E-mail keys of the accounts that were there before keys were: of twins the oldest account gets it."""

from django.db import migrations

from accounts import keys
from accounts.guests import DOMAIN


def claim(apps, schema_editor):
    users = apps.get_model("accounts", "User").objects.exclude(email__endswith=f"@{DOMAIN}")
    key_rows = apps.get_model("accounts", "IdentityKey").objects
    for pk, email in users.order_by("pk").values_list("pk", "email").iterator():
        key = keys.email(email)
        key_rows.get_or_create(kind=key.kind.value, digest=key.digest, defaults={"user_id": pk})


class Migration(migrations.Migration):
    dependencies = [("accounts", "0007_people_and_conduct")]
    operations = [migrations.RunPython(claim, migrations.RunPython.noop)]
