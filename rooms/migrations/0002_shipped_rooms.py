"""The rooms that a new site starts with."""

from django.db import migrations

from rooms import shipped


def lay_down(apps, schema_editor):
    shipped.lay_down(apps.get_model("rooms", "Room"))


class Migration(migrations.Migration):
    dependencies = [("rooms", "0001_initial")]
    operations = [migrations.RunPython(lay_down, migrations.RunPython.noop)]
