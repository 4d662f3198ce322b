"""Tables for series: played for their stake, in the rooms that a site starts with to 25 points."""

from django.db import migrations, models

SHIPPED = ("practice", "main")


def open_to_series(apps, schema_editor):
    rooms = apps.get_model("rooms", "Room").objects
    rooms.filter(slug__in=SHIPPED, longest_series=1).update(longest_series=25)


class Migration(migrations.Migration):
    dependencies = [("rooms", "0002_shipped_rooms")]
    operations = [
        migrations.RemoveConstraint(model_name="offer", name="rooms_offer_limit"),
        migrations.AddConstraint(
            model_name="offer",
            constraint=models.CheckConstraint(
                name="rooms_offer_limit",
                condition=models.Q(kind="single", limit_factor__in=(3, 6, 12, 24, 192))
                | models.Q(kind="series", limit_factor=1),
            ),
        ),
        migrations.RunPython(open_to_series, migrations.RunPython.noop),
    ]
