"""The migration that encrypted second factors: whoever had one goes on with it, and back."""

from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from claims.models import Authenticator
from tests.claims.admin.test_security import code_of

pytestmark = pytest.mark.django_db
MIGRATION = import_module("claims.migrations.0006_second_factors_encrypted")


@pytest.fixture
def carried() -> tuple[User, str]:
    """Somebody with a second factor from before, and the key of the newest."""
    maya = User.objects.create_user("maya", is_staff=True)
    TOTPDevice.objects.create(user=maya, name="old phone")
    key = TOTPDevice.objects.create(user=maya, name="authenticator", drift=1).key
    TOTPDevice.objects.create(user=maya, name="never confirmed", confirmed=False)
    spare = StaticDevice.objects.create(user=maya, name="spare codes")
    for token in ("abcd2345", "efgh2345"):
        StaticToken.objects.create(device=spare, token=token)
    with connection.schema_editor() as editor:
        MIGRATION.carry_over(apps, editor)
    return maya, key


def test_the_newest_authenticator_goes_on(carried: tuple[User, str]) -> None:
    maya, key = carried
    kept = Authenticator.objects.get(user=maya)
    assert (bytes(kept.secret).hex(), kept.drift) == (key, 1)
    assert kept.verify_token(code_of(maya))


def test_spare_codes_go_on_and_serve_once(carried: tuple[User, str]) -> None:
    kept = Authenticator.objects.get(user=carried[0])
    assert kept.verify_token("abcd2345")
    assert kept.verify_token("efgh2345")
    assert not kept.verify_token("abcd2345")


def test_nothing_stays_behind_in_plain(carried: tuple[User, str]) -> None:
    assert not TOTPDevice.objects.exists()
    assert not StaticDevice.objects.exists()
    assert not StaticToken.objects.exists()


def test_a_release_from_before_finds_them_again(carried: tuple[User, str]) -> None:
    maya, key = carried
    with connection.schema_editor() as editor:
        MIGRATION.carry_back(apps, editor)
    assert TOTPDevice.objects.get(user=maya, confirmed=True).key == key
