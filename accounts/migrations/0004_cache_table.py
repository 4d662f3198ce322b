"""The table of the cache, where settings keep it in the database."""

from django.core.management import call_command
from django.db import migrations


def make_table(apps, schema_editor):
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_staff_actions")]
    operations = [migrations.RunPython(make_table, migrations.RunPython.noop)]
