"""Private tables; kept filters; the stakes that a room allows; what an anonymous room and Giants need."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('rooms', '0004_long_nardy'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='KeptFilters',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='lobby_filters', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('filters', models.CharField(max_length=100)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='offer',
            name='rooms_offer_same_terms_once',
        ),
        migrations.AddField(
            model_name='offer',
            name='access',
            field=models.CharField(choices=[('hall', 'everybody in the room'), ('link', 'whoever has the link'), ('friend', 'one friend')], default='hall', max_length=6),
        ),
        migrations.AddField(
            model_name='offer',
            name='friend',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='invitations', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='offer',
            name='key',
            field=models.CharField(blank=True, editable=False, max_length=43, null=True, unique=True),
        ),
        migrations.AddField(
            model_name='room',
            name='stakes',
            field=models.JSONField(blank=True, default=list, help_text='A list in cents, or in chips; empty for any between smallest and largest.', verbose_name='stakes allowed'),
        ),
        migrations.AlterField(
            model_name='room',
            name='anonymous',
            field=models.BooleanField(default=False, help_text='Nobody learns who plays. Needs the tariff column of the Dark Room.', verbose_name='anonymous'),
        ),
        migrations.AddConstraint(
            model_name='offer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('access', 'hall'), ('friend__isnull', True), ('key__isnull', True)), models.Q(('access', 'link'), ('friend__isnull', True), ('key__isnull', False)), models.Q(('access', 'friend'), ('friend__isnull', False), ('key__isnull', False)), _connector='OR'), name='rooms_offer_access'),
        ),
        migrations.AddConstraint(
            model_name='offer',
            constraint=models.CheckConstraint(condition=models.Q(('friend__isnull', True), models.Q(('friend', models.F('creator')), _negated=True), _connector='OR'), name='rooms_offer_to_somebody_else'),
        ),
        migrations.AddConstraint(
            model_name='offer',
            constraint=models.UniqueConstraint(condition=models.Q(('access', 'hall'), ('status', 'open')), fields=('creator', 'room', 'variant', 'kind', 'length', 'stake', 'limit_factor', 'jacoby', 'beavers', 'crawford', 'clock'), name='rooms_offer_same_terms_once'),
        ),
        migrations.AddConstraint(
            model_name='room',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('anonymous', True), ('column', 'dark')), models.Q(('anonymous', False), models.Q(('column', 'dark'), _negated=True)), _connector='OR'), name='rooms_anonymous_in_dark_column'),
        ),
        migrations.AddConstraint(
            model_name='room',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('column', 'giants'), _negated=True), ('min_rating__gte', 1800), _connector='OR'), name='rooms_giants_from_1800'),
        ),
    ]
