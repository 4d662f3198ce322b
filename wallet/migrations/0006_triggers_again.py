"""SQLite makes a table anew when its constraints change, and its triggers are lost: the laws are put back.

PostgreSQL keeps them.
"""

from django.db import migrations

SQLITE = (
    """
    CREATE TRIGGER IF NOT EXISTS wallet_transfer_keeps_its_currency BEFORE INSERT ON wallet_transfer
    WHEN EXISTS (
        SELECT 1 FROM wallet_account
        WHERE id IN (NEW.source_id, NEW.target_id) AND currency <> NEW.currency
    )
    BEGIN SELECT RAISE(ABORT, 'wallet_transfer_source_currency'); END
    """,
    """
    CREATE TRIGGER IF NOT EXISTS wallet_transfer_is_never_edited BEFORE UPDATE ON wallet_transfer
    BEGIN SELECT RAISE(ABORT, 'UPDATE of wallet_transfer is refused'); END
    """,
    """
    CREATE TRIGGER IF NOT EXISTS wallet_transfer_is_never_deleted BEFORE DELETE ON wallet_transfer
    BEGIN SELECT RAISE(ABORT, 'DELETE of wallet_transfer is refused'); END
    """,
    """
    CREATE TRIGGER IF NOT EXISTS wallet_account_keeps_its_holder
    BEFORE UPDATE OF id, code, kind, currency, user_id, may_go_negative ON wallet_account
    BEGIN SELECT RAISE(ABORT, 'UPDATE of wallet_account is refused'); END
    """,
)


def put_back(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        with schema_editor.connection.cursor() as cursor:
            for statement in SQLITE:
                cursor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("wallet", "0005_payments")]

    operations = [migrations.RunPython(put_back, migrations.RunPython.noop)]
