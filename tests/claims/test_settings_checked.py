"""What the settings must say before a live claim may leave."""

from typing import Any

import asyncssh
import pytest
from django.core.checks import run_checks

OURS = {"name": "CALM BILLING INC", "id": "CALMBILLING", "contact": "EDI TEAM", "phone": "5125550199"}
THEIRS = {"name": "BIG HOUSE", "id": "BIGHOUSE"}


def told(settings: Any, **changes: Any) -> dict[str, str]:
    """The errors of ours by their ids, with these settings."""
    for name, value in changes.items():
        setattr(settings, name, value)
    return {each.id: each.msg for each in run_checks() if str(each.id).startswith("claims.E")}


def by_sftp(settings: Any, **changes: str) -> dict[str, Any]:
    host_key = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode().strip()
    reached = {"host": "198.51.100.7", "host_key": host_key, "username": "billing", "password": "p"}
    return {"LIVE_GATEWAY": "sftp", "SFTP": settings.SFTP | reached | changes}


def test_production_sends_no_live_claim_under_an_invented_name(settings: Any) -> None:
    found = told(
        settings, PRODUCTION=True, SUBMITTER=settings.SUBMITTER | {"id": "OURS"}, **by_sftp(settings)
    )
    assert found == {
        "claims.E008": "SUBMITTER_NAME, SUBMITTER_CONTACT, SUBMITTER_PHONE, RECEIVER_NAME, RECEIVER_ID must "
        "be set for live claims to leave: what stands for them is invented."
    }


def test_stedi_is_told_our_name_and_telephone_alone(settings: Any) -> None:
    stedi = {"LIVE_GATEWAY": "stedi", "STEDI_API_KEY": "k"}
    found = told(settings, PRODUCTION=True, **stedi)
    assert found["claims.E008"].startswith("SUBMITTER_NAME, SUBMITTER_PHONE must be set")
    ours = settings.SUBMITTER | {"name": OURS["name"], "phone": OURS["phone"]}
    assert told(settings, SUBMITTER=ours) == {}


def test_with_our_own_names_live_claims_may_leave(settings: Any) -> None:
    assert told(settings, PRODUCTION=True, SUBMITTER=OURS, RECEIVER=THEIRS, **by_sftp(settings)) == {}


def test_without_a_live_clearinghouse_the_invented_ones_will_do(settings: Any) -> None:
    assert told(settings, PRODUCTION=True) == {}


@pytest.mark.parametrize(
    ("setting", "part", "value", "named"),
    [
        ("SUBMITTER", "phone", "555-0100", "SUBMITTER_PHONE"),
        ("SUBMITTER", "id", "A*B", "SUBMITTER_ID"),
        ("SUBMITTER", "contact", "", "SUBMITTER_CONTACT"),
        ("RECEIVER", "id", "LONGER THAN FIFTEEN", "RECEIVER_ID"),
    ],
)
def test_what_an_837p_can_not_carry_is_named(
    settings: Any, setting: str, part: str, value: str, named: str
) -> None:
    found = told(settings, **{setting: getattr(settings, setting) | {part: value}})
    assert found["claims.E009"].startswith(f"{named} ")


def test_an_sftp_key_that_can_not_be_read_is_named(settings: Any) -> None:
    cut_off = by_sftp(settings, host_key="ssh-ed25519 cut-off", password="", private_key="cut off")
    (words,) = told(settings, **cut_off).values()
    assert words == "SFTP_HOST_KEY, SFTP_PRIVATE_KEY can't be read."


@pytest.mark.parametrize("key", ["cut\nin two", "key of mine", "key\u200b", "clé"])
def test_a_key_that_no_request_can_carry_is_told(settings: Any, key: str) -> None:
    found = told(settings, LIVE_GATEWAY="stedi", STEDI_API_KEY=key)
    assert found == {"claims.E002": "STEDI_API_KEY has a character that no key has: copy it anew."}
