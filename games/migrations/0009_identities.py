"""A permission of its own for seeing who plays at anonymous tables; moderators have it."""

from django.db import migrations

GROUP = "Moderator"
CODE = "see_identities"
NAME = "Can see who plays at anonymous tables"


def allow(apps, schema_editor):
    """Made by hand: Django makes its permissions only after the last migration."""
    content_types = apps.get_model("contenttypes", "ContentType").objects
    content_type, _ = content_types.get_or_create(app_label="games", model="match")
    permission, _ = apps.get_model("auth", "Permission").objects.get_or_create(
        content_type=content_type, codename=CODE, defaults={"name": NAME}
    )
    group, _ = apps.get_model("auth", "Group").objects.get_or_create(name=GROUP)
    group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [("games", "0008_money_places")]
    operations = [
        migrations.AlterModelOptions(
            name="match",
            options={
                "permissions": [(CODE, NAME)],
                "verbose_name": "match",
                "verbose_name_plural": "matches",
            },
        ),
        migrations.RunPython(allow, migrations.RunPython.noop),
    ]
