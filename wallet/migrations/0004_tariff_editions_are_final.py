"""An edition of a tariff is never changed or deleted: matches count on it."""

from django.db import migrations

POSTGRESQL = (
    """
    CREATE TRIGGER wallet_tariff_edition_is_final
        BEFORE UPDATE OR DELETE ON wallet_tariffedition
        FOR EACH ROW EXECUTE FUNCTION wallet_refuse()
    """,
)
POSTGRESQL_BACK = ("DROP TRIGGER wallet_tariff_edition_is_final ON wallet_tariffedition",)
SQLITE = (
    """
    CREATE TRIGGER wallet_tariff_edition_is_never_edited BEFORE UPDATE ON wallet_tariffedition
    BEGIN SELECT RAISE(ABORT, 'UPDATE of wallet_tariffedition is refused'); END
    """,
    """
    CREATE TRIGGER wallet_tariff_edition_is_never_deleted BEFORE DELETE ON wallet_tariffedition
    BEGIN SELECT RAISE(ABORT, 'DELETE of wallet_tariffedition is refused'); END
    """,
)
SQLITE_BACK = (
    "DROP TRIGGER wallet_tariff_edition_is_never_deleted",
    "DROP TRIGGER wallet_tariff_edition_is_never_edited",
)


def _run(statements):
    def run(apps, schema_editor):
        with schema_editor.connection.cursor() as cursor:
            for statement in statements.get(schema_editor.connection.vendor, ()):
                cursor.execute(statement)

    return run


class Migration(migrations.Migration):
    dependencies = [("wallet", "0003_tariffedition")]

    operations = [
        migrations.RunPython(
            _run({"postgresql": POSTGRESQL, "sqlite": SQLITE}),
            _run({"postgresql": POSTGRESQL_BACK, "sqlite": SQLITE_BACK}),
        )
    ]
