"""A session's history is appended to, never edited; deleting goes through the purge, which says so first."""

from django.db import migrations

FORBID = """
CREATE FUNCTION sessions_app_history_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('app.purging', true) = 'on' AND TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'The history of a session is never changed.';
END $$;
CREATE TRIGGER history_is_kept BEFORE UPDATE OR DELETE ON sessions_app_sessionevent
    FOR EACH ROW EXECUTE FUNCTION sessions_app_history_is_kept();
"""
ALLOW = """
DROP TRIGGER history_is_kept ON sessions_app_sessionevent;
DROP FUNCTION sessions_app_history_is_kept();
"""


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0001_initial")]
    operations = [migrations.RunSQL(FORBID, ALLOW)]
