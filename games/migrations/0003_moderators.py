"""Moderators: who settles abandoned matches, and what they may read for it."""

from django.db import migrations

GROUP = "Moderator"
MAY = {
    "adjudication": ("settle_match", "view_adjudication"),
    "match": ("view_match",),
    "matchevent": ("view_matchevent",),
    "chatline": ("view_chatline",),
}
NAMES = {"settle_match": "Can settle abandoned matches"}


def make(apps, schema_editor):
    """Permissions are made by hand: Django makes its own only after the last migration."""
    content_types = apps.get_model("contenttypes", "ContentType").objects
    permissions = apps.get_model("auth", "Permission").objects
    group, _ = apps.get_model("auth", "Group").objects.get_or_create(name=GROUP)
    for model, codenames in MAY.items():
        content_type, _ = content_types.get_or_create(app_label="games", model=model)
        for codename in codenames:
            permission, _ = permissions.get_or_create(
                content_type=content_type,
                codename=codename,
                defaults={"name": NAMES.get(codename, f"Can {codename.replace('_', ' ')}")},
            )
            group.permissions.add(permission)


def unmake(apps, schema_editor):
    apps.get_model("auth", "Group").objects.filter(name=GROUP).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0002_history_is_final"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]
    operations = [
        migrations.AlterModelOptions(
            name="adjudication",
            options={
                "permissions": [("settle_match", "Can settle abandoned matches")],
                "verbose_name": "abandoned match",
                "verbose_name_plural": "abandoned matches",
            },
        ),
        migrations.RunPython(make, unmake),
    ]
