"""Money matches are numbered for each player, so that a setting says how many may run at once."""

from django.conf import settings
from django.db import migrations, models


def number(apps, schema_editor):
    seats = apps.get_model("games", "Seat").objects
    seats.filter(money=True).update(money_place=1)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0007_recent_matches'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='seat',
            name='games_seat_one_money_match',
        ),
        migrations.AddField(
            model_name='seat',
            name='money_place',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.RunPython(number, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(condition=models.Q(('active', True), ('money', True)), fields=('user', 'money_place'), name='games_seat_money_place'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('money', True), ('money_place__gte', 1)), models.Q(('money', False), ('money_place__isnull', True)), _connector='OR'), name='games_seat_money_has_place'),
        ),
    ]
