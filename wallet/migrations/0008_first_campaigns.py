"""The two campaigns that the site begins with; administrators change and end them.

Their rewards are paid from house promotions, which begin empty: until staff fund them awards wait.
"""

from django.db import migrations
from django.utils import timezone

FIRST = (
    ("stars", "Stars", {10: 100, 50: 600, 200: 3_000, 1_000: 20_000}),
    ("points", "Bonus points", {5_000: 1_500, 10_000: 4_000, 50_000: 20_000, 100_000: 45_000}),
)
BUDGET = 500_000


def begin(apps, schema_editor):
    campaigns = apps.get_model("wallet", "Campaign").objects
    for kind, name, ladder in FIRST:
        campaign = campaigns.create(
            kind=kind, name=name, starts_at=timezone.now(), budget=BUDGET
        )
        for needed, reward in ladder.items():
            campaign.steps.create(needed=needed, reward=reward)


class Migration(migrations.Migration):
    dependencies = [("wallet", "0007_promotions")]

    operations = [migrations.RunPython(begin, migrations.RunPython.noop)]
