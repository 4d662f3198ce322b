"""Laws that models cannot say: events and seeds are never changed or deleted."""

from django.db import migrations

TABLES = ("games_matchevent", "games_matchseed")


def _postgresql():
    yield """
    CREATE FUNCTION games_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '% of % is refused', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = TG_NAME;
    END $$
    """
    for table in TABLES:
        yield (
            f"CREATE TRIGGER {table}_is_final BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION games_refuse()"
        )


def _sqlite():
    for table in TABLES:
        for deed in ("UPDATE", "DELETE"):
            yield (
                f"CREATE TRIGGER {table}_no_{deed.lower()} BEFORE {deed} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{deed} of {table} is refused'); END"
            )


def forwards(apps, schema_editor):
    laws = {"postgresql": _postgresql, "sqlite": _sqlite}[schema_editor.connection.vendor]
    for statement in laws():
        schema_editor.execute(statement, params=None)


def backwards(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    for table in TABLES:
        if vendor == "postgresql":
            schema_editor.execute(f"DROP TRIGGER {table}_is_final ON {table}")
        else:
            for deed in ("update", "delete"):
                schema_editor.execute(f"DROP TRIGGER {table}_no_{deed}")
    if vendor == "postgresql":
        schema_editor.execute("DROP FUNCTION games_refuse()")


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]
    operations = [migrations.RunPython(forwards, backwards)]
