"""Laws that models cannot say: history is never changed, a transfer stays in its currency.

PostgreSQL and SQLite refuse alike; the error is an integrity error on both.
"""

from django.db import migrations

POSTGRESQL = (
    """
    ALTER TABLE wallet_transfer
        ADD CONSTRAINT wallet_transfer_source_currency
        FOREIGN KEY (source_id, currency) REFERENCES wallet_account (id, currency),
        ADD CONSTRAINT wallet_transfer_target_currency
        FOREIGN KEY (target_id, currency) REFERENCES wallet_account (id, currency)
    """,
    """
    CREATE FUNCTION wallet_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '%% of %% is refused', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = TG_NAME;
    END $$
    """,
    """
    CREATE TRIGGER wallet_transfer_is_final
        BEFORE UPDATE OR DELETE ON wallet_transfer
        FOR EACH ROW EXECUTE FUNCTION wallet_refuse()
    """,
    """
    CREATE TRIGGER wallet_account_keeps_its_holder
        BEFORE UPDATE OF id, code, kind, currency, user_id, may_go_negative ON wallet_account
        FOR EACH ROW EXECUTE FUNCTION wallet_refuse()
    """,
)
POSTGRESQL_BACK = (
    "DROP TRIGGER wallet_account_keeps_its_holder ON wallet_account",
    "DROP TRIGGER wallet_transfer_is_final ON wallet_transfer",
    "DROP FUNCTION wallet_refuse()",
    """
    ALTER TABLE wallet_transfer
        DROP CONSTRAINT wallet_transfer_target_currency,
        DROP CONSTRAINT wallet_transfer_source_currency
    """,
)

SQLITE = (
    """
    CREATE TRIGGER wallet_transfer_keeps_its_currency BEFORE INSERT ON wallet_transfer
    WHEN EXISTS (
        SELECT 1 FROM wallet_account
        WHERE id IN (NEW.source_id, NEW.target_id) AND currency <> NEW.currency
    )
    BEGIN SELECT RAISE(ABORT, 'wallet_transfer_source_currency'); END
    """,
    """
    CREATE TRIGGER wallet_transfer_is_never_edited BEFORE UPDATE ON wallet_transfer
    BEGIN SELECT RAISE(ABORT, 'UPDATE of wallet_transfer is refused'); END
    """,
    """
    CREATE TRIGGER wallet_transfer_is_never_deleted BEFORE DELETE ON wallet_transfer
    BEGIN SELECT RAISE(ABORT, 'DELETE of wallet_transfer is refused'); END
    """,
    """
    CREATE TRIGGER wallet_account_keeps_its_holder
    BEFORE UPDATE OF id, code, kind, currency, user_id, may_go_negative ON wallet_account
    BEGIN SELECT RAISE(ABORT, 'UPDATE of wallet_account is refused'); END
    """,
)
SQLITE_BACK = (
    "DROP TRIGGER wallet_account_keeps_its_holder",
    "DROP TRIGGER wallet_transfer_is_never_deleted",
    "DROP TRIGGER wallet_transfer_is_never_edited",
    "DROP TRIGGER wallet_transfer_keeps_its_currency",
)


def _run(statements):
    def run(apps, schema_editor):
        with schema_editor.connection.cursor() as cursor:
            for statement in statements.get(schema_editor.connection.vendor, ()):
                # An empty list makes both databases read "%%" as one percent sign.
                cursor.execute(statement, [])

    return run


class Migration(migrations.Migration):
    dependencies = [("wallet", "0001_initial")]

    operations = [
        migrations.RunPython(
            _run({"postgresql": POSTGRESQL, "sqlite": SQLITE}),
            _run({"postgresql": POSTGRESQL_BACK, "sqlite": SQLITE_BACK}),
        )
    ]
