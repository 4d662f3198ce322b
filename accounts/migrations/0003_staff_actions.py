"""What staff did: a table that is only added to."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


TABLE = "accounts_staffaction"


def forwards(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            """
            CREATE FUNCTION accounts_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                RAISE EXCEPTION '% of % is refused', TG_OP, TG_TABLE_NAME
                    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = TG_NAME;
            END $$
            """,
            params=None,
        )
        schema_editor.execute(
            f"CREATE TRIGGER {TABLE}_is_final BEFORE UPDATE OR DELETE ON {TABLE} "
            "FOR EACH ROW EXECUTE FUNCTION accounts_refuse()",
            params=None,
        )
        return
    for deed in ("UPDATE", "DELETE"):
        schema_editor.execute(
            f"CREATE TRIGGER {TABLE}_no_{deed.lower()} BEFORE {deed} ON {TABLE} "
            f"BEGIN SELECT RAISE(ABORT, '{deed} of {TABLE} is refused'); END",
            params=None,
        )


def backwards(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"DROP TRIGGER {TABLE}_is_final ON {TABLE}")
        schema_editor.execute("DROP FUNCTION accounts_refuse()")
        return
    for deed in ("update", "delete"):
        schema_editor.execute(f"DROP TRIGGER {TABLE}_no_{deed}")


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_restricted_states'),
    ]

    operations = [
        migrations.CreateModel(
            name='StaffAction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='when')),
                ('action', models.SlugField(max_length=40, verbose_name='what')),
                ('about', models.CharField(blank=True, max_length=100, verbose_name='object')),
                ('why', models.TextField(verbose_name='why')),
                ('before', models.JSONField(default=dict, verbose_name='before')),
                ('after', models.JSONField(default=dict, verbose_name='after')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='staff_actions', to=settings.AUTH_USER_MODEL, verbose_name='who')),
                ('whom', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='staff_actions_on', to=settings.AUTH_USER_MODEL, verbose_name='whom')),
            ],
            options={
                'verbose_name': 'staff action',
                'verbose_name_plural': 'staff actions',
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['about'], name='accounts_action_about')],
                'constraints': [models.CheckConstraint(condition=models.Q(('why', ''), _negated=True), name='accounts_action_has_a_reason')],
            },
        ),
        migrations.RunPython(forwards, backwards),
    ]
