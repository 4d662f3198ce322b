"""The places where money play is refused from the first day on; administrators change the list later."""

from django.db import migrations

STATES = ("AZ", "CT", "FL", "LA", "MT", "VT")


def restrict(apps, schema_editor):
    restriction = apps.get_model("accounts", "Restriction")
    restriction.objects.bulk_create(
        [restriction(country="US", us_state=state) for state in STATES], ignore_conflicts=True
    )


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]
    operations = [migrations.RunPython(restrict, migrations.RunPython.noop)]
