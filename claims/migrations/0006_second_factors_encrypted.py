"""Second factors, encrypted; a release from before needs `migrate claims 0005` of this one first."""

import hashlib
import hmac

import django.contrib.postgres.fields
import django.db.models.deletion
import partners.fields
from django.conf import settings
from django.db import migrations, models

WATCH = """
CREATE TRIGGER set_up_is_recorded AFTER INSERT OR UPDATE OR DELETE ON {table} FOR EACH ROW
EXECUTE FUNCTION claims_record_set_up_change('user_id',
'throttling_failure_timestamp,throttling_failure_count,created_at,last_used_at,drift,last_t,{left_out}', '{hidden}');
"""
FORGET = "DROP TRIGGER set_up_is_recorded ON {table};"
NEW = {"table": "claims_authenticator", "left_out": "secret,spare", "hidden": ""}
OLD = {"table": "otp_totp_totpdevice", "left_out": "", "hidden": "key"}


def carry_over(apps, schema_editor):
    """Each person's newest authenticator, with the spare codes; nothing stays behind in plain."""
    TOTPDevice = apps.get_model("otp_totp", "TOTPDevice")
    StaticDevice = apps.get_model("otp_static", "StaticDevice")
    StaticToken = apps.get_model("otp_static", "StaticToken")
    Authenticator = apps.get_model("claims", "Authenticator")
    usual = {"confirmed": True, "step": 30, "t0": 0, "digits": 6}
    for device in TOTPDevice.objects.filter(**usual).order_by("user_id", "-id").distinct("user_id"):
        secret = bytes.fromhex(device.key)
        spare = StaticToken.objects.filter(device__user_id=device.user_id, device__confirmed=True)
        Authenticator.objects.create(
            user_id=device.user_id,
            name=device.name,
            secret=secret,
            spare=[
                hmac.new(secret, b"spare code " + code.encode(), hashlib.sha256).hexdigest()
                for code in spare.values_list("token", flat=True)
            ],
            drift=device.drift,
            last_t=device.last_t,
        )
    StaticToken.objects.all().delete()
    StaticDevice.objects.all().delete()
    TOTPDevice.objects.all().delete()
    schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def carry_back(apps, schema_editor):
    """For a release from before: the secrets in plain again, without spare codes, of which only digests are left."""
    TOTPDevice = apps.get_model("otp_totp", "TOTPDevice")
    Authenticator = apps.get_model("claims", "Authenticator")
    for each in Authenticator.objects.all():
        TOTPDevice.objects.create(
            user_id=each.user_id,
            name=each.name,
            key=bytes(each.secret).hex(),
            drift=each.drift,
            last_t=each.last_t,
        )
    schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


class Migration(migrations.Migration):

    dependencies = [
        ('claims', '0005_what_a_person_ended_it_with'),
        ('otp_static', '0003_add_timestamps'),
        ('otp_totp', '0003_add_timestamps'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Authenticator',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='The human-readable name of this device.', max_length=64)),
                ('confirmed', models.BooleanField(default=True, help_text='Is this device ready for use?')),
                ('throttling_failure_timestamp', models.DateTimeField(blank=True, default=None, help_text='A timestamp of the last failed verification attempt. Null if last attempt succeeded.', null=True)),
                ('throttling_failure_count', models.PositiveIntegerField(default=0, help_text='Number of successive failed attempts.')),
                ('created_at', models.DateTimeField(auto_now_add=True, help_text='The date and time when this device was initially created in the system.', null=True)),
                ('last_used_at', models.DateTimeField(blank=True, help_text='The most recent date and time this device was used.', null=True)),
                ('secret', partners.fields.EncryptedBytesField()),
                ('spare', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64), help_text='Digests of the codes not used yet.', size=None)),
                ('drift', models.SmallIntegerField(default=0, help_text="Half minutes that the phone's clock is away.")),
                ('last_t', models.BigIntegerField(default=-1, help_text='The half minute of the last code: each serves once.')),
                ('user', models.ForeignKey(help_text='The user that this device belongs to.', on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user',), name='one_authenticator_each')],
            },
        ),
        migrations.RunSQL(FORGET.format(**OLD), WATCH.format(**OLD)),
        migrations.RunSQL(WATCH.format(**NEW), FORGET.format(**NEW)),
        migrations.RunPython(carry_over, carry_back),
    ]
