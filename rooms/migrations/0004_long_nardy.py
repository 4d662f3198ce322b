"""Both rulesets of long nardy in the rooms that a site starts with."""

from django.db import migrations

SHIPPED = ("practice", "main")
GAMES = ["backgammon", "long-nardy", "long-nardy-fnr"]


def open_to_long_nardy(apps, schema_editor):
    rooms = apps.get_model("rooms", "Room").objects
    rooms.filter(slug__in=SHIPPED, variants=["backgammon"]).update(variants=GAMES)


class Migration(migrations.Migration):
    dependencies = [("rooms", "0003_series")]
    operations = [migrations.RunPython(open_to_long_nardy, migrations.RunPython.noop)]
