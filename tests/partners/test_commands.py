"""The commands for partners and keys: the result on standard output, and nothing else."""

import io
import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from partners.keys import KeyRevoked, revoke_key, rotate_key
from partners.models import ApiKey, Partner
from tests.cast import Api

pytestmark = pytest.mark.django_db


def run(command: str, *words: str) -> str:
    output = io.StringIO()
    call_command(command, *words, stdout=output)
    return output.getvalue()


def result(command: str, *words: str) -> Any:
    return json.loads(run(command, *words, "--json"))


def test_create_partner_prints_what_identifies_it() -> None:
    made = result(
        "create_partner", "Calm Harbor", "--mode", "live", "--submission-delay", "0", "--rate-limit", "5"
    )
    partner = Partner.objects.get()
    assert made == {
        "partnerId": str(partner.id),
        "slug": "calm-harbor",
        "name": "Calm Harbor",
        "mode": "live",
    }
    assert (partner.submission_delay, partner.rate_limit) == (timedelta(), 5)


def test_two_partners_of_one_name_get_different_slugs() -> None:
    assert result("create_partner", "Twin")["slug"] == "twin"
    assert result("create_partner", "Twin")["slug"] == "twin-2"


def test_the_default_delay_is_fifteen_minutes() -> None:
    result("create_partner", "Default")
    assert Partner.objects.get().submission_delay == timedelta(minutes=15)


@pytest.mark.parametrize("seconds", ["2592001", "300000000000", "1" + "0" * 30])
def test_a_correction_window_has_an_end(seconds: str) -> None:
    with pytest.raises(CommandError, match=r"submission_delay: At most 30 days \(2,592,000 seconds\)"):
        run("create_partner", "Late", "--submission-delay", seconds)
    assert not Partner.objects.exists()
    run("create_partner", "Late", "--submission-delay", "2592000")


@pytest.mark.parametrize(
    "words", [("", "--mode", "test"), ("X" * 101,), ("Late", "--submission-delay", "-1")]
)
def test_what_can_not_be_a_partner_is_refused_in_words(words: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        run("create_partner", *words)
    assert not Partner.objects.exists()


@pytest.mark.parametrize("name", ["id", "slug"])
def test_issue_api_key_takes_an_id_or_a_slug(api: Api, name: str) -> None:
    issued = result("issue_api_key", str(getattr(api.partner, name)))
    assert set(issued) == {"apiKey", "prefix"}
    assert issued["apiKey"].startswith(issued["prefix"])
    assert issued["apiKey"].startswith("bk_test_")
    assert Api(key=issued["apiKey"]).get("/sessions").status_code == 200


def test_a_live_partners_key_says_so() -> None:
    result("create_partner", "Alive", "--mode", "live")
    assert result("issue_api_key", "alive")["apiKey"].startswith("bk_live_")


def test_issue_api_key_for_nobody_is_refused() -> None:
    with pytest.raises(CommandError, match="No partner"):
        run("issue_api_key", "nobody")


def test_rotate_api_key_prints_the_successor(api: Api) -> None:
    rotated = result("rotate_api_key", api.key[:20], "--grace-hours", "2")
    assert set(rotated) == {"apiKey", "prefix", "oldKeyEndsAt"}
    assert Api(key=rotated["apiKey"]).get("/sessions").status_code == 200


def test_a_key_that_was_revoked_since_it_was_read_has_no_successor(api: Api) -> None:
    read_before = ApiKey.objects.get(partner=api.partner)
    revoke_key(ApiKey.objects.get(pk=read_before.pk))
    with pytest.raises(KeyRevoked):
        rotate_key(read_before, grace=timedelta())
    assert ApiKey.objects.count() == 1


def test_a_revoked_key_has_no_successor(api: Api) -> None:
    run("revoke_api_key", api.key[:20])
    with pytest.raises(CommandError, match="revoked"):
        run("rotate_api_key", api.key[:20])


def test_list_api_keys_shows_prefixes_and_never_keys(api: Api) -> None:
    text = run("list_api_keys", api.partner.slug) + run("list_api_keys", "--json")
    assert api.key[:20] in text
    assert api.key not in text
    assert ApiKey.objects.count() == 1
    assert "read and write from anywhere" in text


def test_list_api_keys_shows_what_a_key_may_and_from_where(api: Api) -> None:
    run("issue_api_key", api.partner.slug, "--read-only", "--from", "203.0.113.0/24", "2001:db8::/32")
    assert "read only from 203.0.113.0/24, 2001:db8::/32" in run("list_api_keys")
    listed = result("list_api_keys")[-1]
    assert (listed["readOnly"], listed["networks"]) == (True, ["203.0.113.0/24", "2001:db8::/32"])


def test_a_successor_lives_as_long_as_the_key_was_issued_for(api: Api) -> None:
    issued = result("issue_api_key", api.partner.slug, "--name", "nightly", "--expires-in-days", "90")
    ApiKey.objects.filter(prefix=issued["prefix"]).update(
        created_at=timezone.now() - timedelta(days=80), expires_at=timezone.now() + timedelta(days=10)
    )
    new = ApiKey.objects.get(prefix=result("rotate_api_key", issued["prefix"])["prefix"])
    assert abs(new.expires_at - timezone.now() - timedelta(days=90)) < timedelta(minutes=1)


def test_a_key_has_one_successor_at_a_time(api: Api) -> None:
    successor = result("rotate_api_key", api.key[:20])["prefix"]
    with pytest.raises(CommandError, match=f"{successor} is that key's successor already"):
        run("rotate_api_key", api.key[:20])
    assert ApiKey.objects.filter(partner=api.partner).count() == 2
    run("revoke_api_key", successor)
    run("rotate_api_key", api.key[:20])


@pytest.mark.parametrize(
    "words",
    [
        ("list_api_keys", "nobody"),
        ("issue_api_key", "nobody"),
        ("rotate_api_key", "bk_test_nope"),
        ("revoke_api_key", "bk_test_nope"),
        ("set_up_second_factor", "nobody"),
        ("poll_clearinghouse", "nope"),
    ],
)
def test_what_is_not_there_ends_with_3(words: tuple[str, ...]) -> None:
    with pytest.raises(CommandError) as ending:
        run(*words)
    assert ending.value.returncode == 3
