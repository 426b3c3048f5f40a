"""What staff see goes into the sealed access record with the row that says so, and that row is kept."""

from django.db import migrations

RECORD = """
CREATE FUNCTION claims_record_views() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO partners_accessrecord (at, partner_id, user_id, what, session_ids, detail)
    SELECT min(seen.seen_at), session.partner_id, seen.user_id, seen.what,
        array_remove(array_agg(seen.session_id), NULL), seen.detail
    FROM seen LEFT JOIN sessions_app_session AS session ON session.id = seen.session_id
    GROUP BY session.partner_id, seen.user_id, seen.what, seen.detail;
    RETURN NULL;
END $$;
CREATE TRIGGER views_are_recorded AFTER INSERT ON claims_viewrecord REFERENCING NEW TABLE AS seen
    FOR EACH STATEMENT EXECUTE FUNCTION claims_record_views();
CREATE TRIGGER audit_is_kept BEFORE UPDATE OR DELETE ON claims_viewrecord
    FOR EACH STATEMENT EXECUTE FUNCTION partners_audit_is_kept();
"""
STOP = """
DROP TRIGGER audit_is_kept ON claims_viewrecord;
DROP TRIGGER views_are_recorded ON claims_viewrecord;
DROP FUNCTION claims_record_views();
"""


class Migration(migrations.Migration):
    dependencies = [("claims", "0007_legal_hold"), ("partners", "0003_isolation")]
    operations = [migrations.RunSQL(RECORD, STOP)]
