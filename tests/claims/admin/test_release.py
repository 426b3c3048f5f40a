"""Releasing one held session: what it would come to is shown before, as it is for many."""

import re

import pytest
from django.contrib.messages import get_messages

from claims.models import Claim, ViewRecord, WorkItem
from sessions_app.models import SessionEvent
from tests.cast import Api
from tests.claims.admin import queries
from tests.claims.admin.staff import Desk, ended, item_of, newest
from tests.claims.admin.test_bulk_release import mended
from tests.claims.process import run_until_quiet


def previewed(desk: Desk, session_id: object) -> str:
    answer = desk.post("desk:session-release-preview", session_id)
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode().replace("&#x27;", "'")).split())


def test_what_would_be_held_again_stays_and_says_why(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    words = previewed(billing, session_id)
    assert re.fullmatch(r"Stays: it would be held again\. This is a rehearsal: .+ \(TEST-001\)", words)
    answer = billing.post("desk:session-release", session_id, reason="card seen")
    said = " ".join(map(str, get_messages(answer.wsgi_request)))
    assert said == f"{words} Nothing was done. You had written: “card seen”"
    assert newest(session_id).step == Claim.Step.HELD
    assert not SessionEvent.objects.filter(session=session_id, type="session.released").exists()


def test_what_nothing_holds_any_more_goes_on(partner: Api, billing: Desk) -> None:
    session_id = mended(partner, "HELD")
    assert previewed(billing, session_id).startswith("Will go on: nothing holds it any more.")
    assert newest(session_id).step == Claim.Step.HELD
    billing.post("desk:session-release", session_id, reason="card seen")
    run_until_quiet()
    assert newest(session_id).status == "paid"


def test_it_says_the_warnings_that_the_claim_leaves_with(partner: Api, billing: Desk) -> None:
    session_id = mended(partner, "HELD", patient__gender="U")
    assert re.search(r"It leaves with .*\(PAT-004\)", previewed(billing, session_id))


def test_why_it_is_released_is_kept_and_not_told_to_the_partner(partner: Api, billing: Desk) -> None:
    session_id = mended(partner, "HELD")
    assert "Why (kept in the record, the partner doesn't see it)" in billing.page(session_id)
    billing.post("desk:session-release", session_id, reason="her sister called")
    told = SessionEvent.objects.get(session=session_id, type="session.released").summary
    assert told == "Billing staff let it go on: checked again."
    assert "her sister called" not in partner.get(f"/sessions/{session_id}").content.decode()
    page = billing.page(session_id)
    assert "her sister called" in page
    assert "<dd>Maya let it go on" in page


def test_what_no_rule_holds_may_go_on_to_be_held_by_one(partner: Api, billing: Desk) -> None:
    """A fault of ours, say, that put it aside: releasing it is how it comes to its checks."""
    session_id = ended(partner, "HELD")
    WorkItem.objects.filter(pk=item_of(session_id).pk).update(queue="transport", reason="ValueError")
    assert previewed(billing, session_id).startswith("It would be held. This is a rehearsal")
    billing.post("desk:session-release", session_id, reason="mended")
    assert newest(session_id).step == Claim.Step.CODE


@pytest.mark.parametrize("member_id", ["PAID1", "SILENT"])
def test_what_is_not_held_is_said_to_be_so(partner: Api, billing: Desk, member_id: str) -> None:
    assert previewed(billing, ended(partner, member_id)) == "It isn't held any more."


def test_whoever_looks_without_its_page_is_on_record(partner: Api, billing: Desk) -> None:
    session_id = mended(partner, "HELD")
    previewed(billing, session_id)
    assert ViewRecord.objects.filter(session_id=session_id, user=billing.user).exists()


def test_the_preview_asks_little(partner: Api, billing: Desk) -> None:
    session_id = mended(partner, "HELD")
    asked = queries.of(lambda: billing.post("desk:session-release-preview", session_id))
    assert len(asked) <= 13, asked
