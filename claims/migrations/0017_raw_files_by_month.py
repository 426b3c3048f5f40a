"""What files say, byte for byte, lies beside them in partitions by month; a file's hash stays unique for ever."""

import django.db.models.deletion
from django.db import migrations, models

import partners.fields

TABLE = "claims_rawfile"
BY_MONTH = f"""
CREATE TABLE {TABLE} (
    file_id bigint NOT NULL,
    received_at timestamptz NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (file_id, received_at)
) PARTITION BY RANGE (received_at);
CREATE TABLE {TABLE}_default PARTITION OF {TABLE} DEFAULT;
SELECT make_month('{TABLE}', month::date) FROM generate_series(
    date_trunc('month', coalesce((SELECT min(received_at) FROM claims_inboundfile), now())),
    now() + interval '3 months',
    '1 month'
) AS month;
INSERT INTO {TABLE} SELECT id, received_at, content FROM claims_inboundfile;
ALTER TABLE {TABLE} ADD CONSTRAINT claims_rawfile_file_id_fk_claims_inboundfile_id
    FOREIGN KEY (file_id) REFERENCES claims_inboundfile (id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE claims_inboundfile DROP COLUMN content;
ANALYZE {TABLE};
"""
WHOLE = f"""
ALTER TABLE claims_inboundfile ADD COLUMN content bytea;
UPDATE claims_inboundfile SET content = raw.content FROM {TABLE} AS raw WHERE raw.file_id = claims_inboundfile.id;
ALTER TABLE claims_inboundfile ALTER content SET NOT NULL;
DROP TABLE {TABLE};
"""


class Migration(migrations.Migration):
    dependencies = [("claims", "0016_delay_reasons"), ("partners", "0005_months")]
    operations = [
        migrations.RunSQL(
            BY_MONTH,
            WHOLE,
            state_operations=[
                migrations.CreateModel(
                    name="RawFile",
                    fields=[
                        (
                            "file",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="+",
                                serialize=False,
                                to="claims.inboundfile",
                            ),
                        ),
                        ("received_at", models.DateTimeField()),
                        ("content", partners.fields.EncryptedBytesField()),
                    ],
                ),
                migrations.RemoveField(model_name="inboundfile", name="content"),
            ],
        )
    ]
