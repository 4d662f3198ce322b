"""Ratings with their history, which is final; what both players saw of each other at the ready check; rematches."""

import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

TABLE = "games_ratingchange"


def make_final(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            f"CREATE TRIGGER {TABLE}_is_final BEFORE UPDATE OR DELETE ON {TABLE} "
            "FOR EACH ROW EXECUTE FUNCTION games_refuse()"
        )
        return
    for deed in ("UPDATE", "DELETE"):
        schema_editor.execute(
            f"CREATE TRIGGER {TABLE}_no_{deed.lower()} BEFORE {deed} ON {TABLE} "
            f"BEGIN SELECT RAISE(ABORT, '{deed} of {TABLE} is refused'); END"
        )


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0003_moderators'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='PlayerRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=20)),
                ('currency', models.CharField(max_length=4)),
                ('billionths', models.BigIntegerField(default=1500000000000)),
                ('experience', models.PositiveIntegerField(default=0)),
            ],
            options={
                'verbose_name': 'rating',
                'verbose_name_plural': 'ratings',
            },
        ),
        migrations.CreateModel(
            name='RatingChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('won', models.BooleanField()),
                ('reason', models.CharField(max_length=20)),
                ('before', models.BigIntegerField()),
                ('change', models.BigIntegerField()),
                ('after', models.BigIntegerField()),
                ('experience', models.PositiveIntegerField()),
                ('length', models.PositiveSmallIntegerField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'verbose_name': 'change of a rating',
                'verbose_name_plural': 'changes of ratings',
            },
        ),
        migrations.CreateModel(
            name='Rematch',
            fields=[
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='rematch', serialize=False, to='games.match')),
                ('light', models.DateTimeField(blank=True, null=True)),
                ('dark', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.AddField(
            model_name='seat',
            name='experience',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='seat',
            name='rating',
            field=models.BigIntegerField(default=1500000000000),
        ),
        migrations.AddField(
            model_name='seat',
            name='unfinished',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('abandoned', True)), fields=['user'], name='games_seat_abandoned'),
        ),
        migrations.AddField(
            model_name='playerrating',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='ratingchange',
            name='match',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rating_changes', to='games.match'),
        ),
        migrations.AddField(
            model_name='ratingchange',
            name='rating',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='changes', to='games.playerrating'),
        ),
        migrations.AddField(
            model_name='rematch',
            name='next',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rematch_of', to='games.match'),
        ),
        migrations.AddIndex(
            model_name='playerrating',
            index=models.Index(fields=['game', 'currency', '-billionths'], name='games_rating_order'),
        ),
        migrations.AddConstraint(
            model_name='playerrating',
            constraint=models.UniqueConstraint(fields=('user', 'game', 'currency'), name='games_rating_once'),
        ),
        migrations.AddConstraint(
            model_name='playerrating',
            constraint=models.CheckConstraint(condition=models.Q(('game__in', ('backgammon', 'long-nardy'))), name='games_rating_of_a_game'),
        ),
        migrations.AddConstraint(
            model_name='ratingchange',
            constraint=models.UniqueConstraint(fields=('rating', 'match'), name='games_rated_once'),
        ),
        migrations.AddConstraint(
            model_name='ratingchange',
            constraint=models.UniqueConstraint(fields=('rating', 'experience'), name='games_rated_in_a_row'),
        ),
        migrations.AddConstraint(
            model_name='ratingchange',
            constraint=models.CheckConstraint(condition=models.Q(('after', django.db.models.expressions.CombinedExpression(models.F('before'), '+', models.F('change')))), name='games_rating_adds_up'),
        ),
        migrations.AddConstraint(
            model_name='ratingchange',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('change__gte', 0), ('won', True)), models.Q(('change__lte', 0), ('won', False)), _connector='OR'), name='games_rating_moves_as_won'),
        ),
        migrations.AddConstraint(
            model_name='ratingchange',
            constraint=models.CheckConstraint(condition=models.Q(('length__gte', 1)), name='games_rated_a_length'),
        ),
        # The triggers go with their table.
        migrations.RunPython(make_final, migrations.RunPython.noop),
    ]
