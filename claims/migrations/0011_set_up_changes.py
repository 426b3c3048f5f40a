"""Every change of the set-up is written down by a trigger: by whom, if a member of staff made it, and what."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

# By table: what names a row, the columns that are left out, and those of which only the change is told.
WATCHED = {
    "partners_partner": ("name", "created_at", ""),
    "partners_apikey": ("name", "created_at,last_used_at,pepper_id", "digest"),
    "providers_practice": ("name", "created_at,updated_at,fingerprint", "tax_id"),
    "providers_provider": ("npi", "created_at,updated_at", ""),
    "providers_chargeschedule": ("name", "", ""),
    "providers_chargerate": ("procedure_code", "created_at", ""),
    "billing_payer": ("name", "created_at,updated_at,search_text,search_vector", ""),
    "billing_payeralias": ("name", "search_text,search_vector", ""),
    "billing_payerprofile": ("payer_id", "updated_at", ""),
    "billing_codesetrelease": ("name", "packed,loaded_at", ""),
    "auth_user": ("username", "last_login,date_joined", "password"),
    "auth_user_groups": ("user_id", "", ""),
    "otp_totp_totpdevice": (
        "user_id",
        "throttling_failure_timestamp,throttling_failure_count,created_at,last_used_at,drift,last_t",
        "key",
    ),
}
RECORD = """
CREATE FUNCTION claims_record_set_up_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    who int := nullif(current_setting('pghistory.context_metadata', true), '')::jsonb ->> 'user';
    before jsonb := coalesce(to_jsonb(OLD), '{}');
    after jsonb := coalesce(to_jsonb(NEW), '{}');
    one text;
    was jsonb := '{}';
    became jsonb := '{}';
BEGIN
    IF TG_OP = 'INSERT' AND who IS NULL THEN
        RETURN NULL;
    END IF;
    FOR one IN
        SELECT key FROM jsonb_object_keys(before || after) AS key
        WHERE key <> ALL (string_to_array(TG_ARGV[1], ',')) AND before -> key IS DISTINCT FROM after -> key
    LOOP
        IF one = ANY (string_to_array(TG_ARGV[2], ',')) THEN
            was := was || jsonb_build_object(one, '…');
            became := became || jsonb_build_object(one, '…');
        ELSE
            was := was || jsonb_build_object(one, before -> one);
            became := became || jsonb_build_object(one, after -> one);
        END IF;
    END LOOP;
    IF was <> '{}' THEN
        INSERT INTO claims_setupchange (user_id, table_name, row_id, name, what, was, became)
        VALUES (who, TG_TABLE_NAME, coalesce((before || after) ->> 'id', (before || after) ->> 'payer_id'),
                left((before || after) ->> TG_ARGV[0], 150), left(TG_OP, 1), was, became);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION claims_set_up_changes_are_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'What happened to the set-up is never changed.';
END $$;
CREATE TRIGGER changes_are_kept BEFORE UPDATE OR DELETE ON claims_setupchange
    FOR EACH STATEMENT EXECUTE FUNCTION claims_set_up_changes_are_kept();
"""
FORGET = """
DROP TRIGGER changes_are_kept ON claims_setupchange;
DROP FUNCTION claims_set_up_changes_are_kept();
DROP FUNCTION claims_record_set_up_change();
"""


def watch(table: str, name: str, left_out: str, hidden: str) -> migrations.RunSQL:
    return migrations.RunSQL(
        f"CREATE TRIGGER set_up_is_recorded AFTER INSERT OR UPDATE OR DELETE ON {table} FOR EACH ROW "
        f"EXECUTE FUNCTION claims_record_set_up_change('{name}', '{left_out}', '{hidden}');",
        f"DROP TRIGGER set_up_is_recorded ON {table};",
    )


class Migration(migrations.Migration):
    dependencies = [
        ("claims", "0010_work_across_queues"),
        ("billing", "0004_held_rules"),
        ("partners", "0003_isolation"),
        ("providers", "0003_isolation"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("otp_totp", "0003_add_timestamps"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel(
            name="SetUpChange",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(),
                        help_text="When the transaction began.",
                    ),
                ),
                ("table_name", models.CharField(max_length=40)),
                ("row_id", models.CharField(max_length=40)),
                (
                    "name",
                    models.CharField(
                        help_text="What people call it, or the key of what it is about.", max_length=150
                    ),
                ),
                (
                    "what",
                    models.CharField(
                        choices=[("I", "added"), ("U", "changed"), ("D", "removed")], max_length=1
                    ),
                ),
                (
                    "was",
                    models.JSONField(
                        help_text="The columns that changed, before; all of them of what was removed."
                    ),
                ),
                (
                    "became",
                    models.JSONField(help_text="The same columns after; all of them of what was added."),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.RunSQL(RECORD, FORGET),
        *(watch(table, *columns) for table, columns in WATCHED.items()),
    ]
