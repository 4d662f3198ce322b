"""Giants, the Dark Room and Blitz."""

from django.db import migrations

from rooms import shipped


def lay_down(apps, schema_editor):
    shipped.lay_down(apps.get_model("rooms", "Room"))


class Migration(migrations.Migration):
    dependencies = [("rooms", "0005_private_tables_and_stakes")]
    operations = [migrations.RunPython(lay_down, migrations.RunPython.noop)]
