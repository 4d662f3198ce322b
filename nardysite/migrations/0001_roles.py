"""The groups of the staff. From here on they follow nardysite/roles.py with every migration of the database."""

from django.db import migrations


def make(apps, schema_editor):
    """The groups themselves; what they may do is granted when all tables are there."""
    groups = apps.get_model("auth", "Group").objects
    for name in ("Moderator", "Support", "Administrator"):
        groups.get_or_create(name=name)


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("games", "0003_moderators"),
    ]
    operations = [migrations.RunPython(make, migrations.RunPython.noop)]
