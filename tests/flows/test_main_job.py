"""From a partner's POST to a payer's money, through the front door."""

from datetime import timedelta

import pytest

from claims.models import WorkItem
from providers.sample_charges import load_sample_charges
from tests.cast import REMOVED, Api, partner_api
from tests.claims.process import end_windows, run_until_quiet


@pytest.fixture
def partner(release: object, settings: object) -> Api:
    """A test organization whose claims wait for nothing, in a sandbox whose month passes at once."""
    settings.SANDBOX_SPEED = 1e9
    load_sample_charges()
    return partner_api("Harborlight", submission_delay=timedelta()).onboarded()


def test_a_session_with_diagnosis_and_minutes_is_paid(partner: Api) -> None:
    session_id = partner.submitted()
    run_until_quiet()
    detail = partner.get(f"/sessions/{session_id}").json()
    assert detail["status"] == "paid", detail
    types = [event["type"] for event in detail["events"]]
    assert types[:2] == ["session.received", "codes.derived"]
    assert "claim.submitted" in types
    assert types[-1] == "claim.paid"


@pytest.mark.parametrize(
    ("member_id", "status", "claim_status"),
    [
        ("PAID1", "paid", "paid"),
        ("PARTIAL", "paid", "paid"),
        ("DEDUCTIBLE", "paid", "patient_responsibility"),
        ("DENIED", "denied", "denied"),
        ("DENIED29", "denied", "denied"),
        ("UNKNOWN", "denied", "member_unknown"),
        ("REJECTED", "rejected", "payer_rejected"),
        ("REJECTEDA3", "rejected", "payer_rejected"),
        ("CHREJECT", "rejected", "clearinghouse_rejected"),
        ("BAD999", "submitted", "transport_rejected"),
        ("SILENT", "submitted", "sent"),
        ("TWICE", "paid", "paid"),
        ("OUTOFORDER", "paid", "paid"),
        ("REVERSED", "denied", "denied"),
        ("TAKEBACK", "denied", "taken_back"),
        ("PLB", "paid", "paid"),
        ("LATE", "rejected", "payer_rejected"),
        ("DOWN", "paid", "paid"),
        ("EDIT", "processing", None),
        ("HELD", "processing", None),
    ],
)
def test_the_member_id_rehearses_the_outcome(
    partner: Api, member_id: str, status: str, claim_status: str | None
) -> None:
    session_id = partner.submitted(patient__insurance__memberId=member_id)
    run_until_quiet()
    detail = partner.get(f"/sessions/{session_id}").json()
    assert detail["status"] == status, detail["timeline"]
    if claim_status:
        assert detail["claim"]["status"] == claim_status
    else:
        assert detail["message"].startswith("Held:")


def test_a_repeated_answer_is_told_as_one(partner: Api) -> None:
    session_id = partner.submitted(patient__insurance__memberId="TWICE")
    run_until_quiet()
    timeline = partner.get(f"/sessions/{session_id}").json()["timeline"]
    repeated = [entry for entry in timeline if "The same answer came again" in entry["summary"]]
    assert repeated
    assert {(entry["type"], entry["status"]) for entry in repeated} == {("claim.noted", None)}


def test_a_claim_waits_for_its_correction_window(release: object, settings: object) -> None:
    settings.SANDBOX_SPEED = 1e9
    load_sample_charges()
    partner = partner_api("Patient", submission_delay=timedelta(minutes=15)).onboarded()
    session_id = partner.submitted()
    run_until_quiet()
    assert partner.get(f"/sessions/{session_id}").json()["claim"] is None
    end_windows()
    run_until_quiet()
    assert partner.get(f"/sessions/{session_id}").json()["status"] == "paid"


NOTE = """Session: 2:03 PM - 2:57 PM, in person. Individual psychotherapy.
Client slept better this week and kept the worry log. Mother has bipolar disorder. GAD-7 = 12.
Assessment: Generalized anxiety disorder (F41.1), improving.
Plan: weekly sessions."""


def test_a_clinical_note_finds_its_codes_and_is_paid(partner: Api) -> None:
    session_id = partner.submitted(
        session__diagnosisCodes=REMOVED, session__durationMinutes=REMOVED, session__noteText=NOTE
    )
    run_until_quiet()
    detail = partner.get(f"/sessions/{session_id}").json()
    assert detail["status"] == "paid", detail["timeline"]
    extracted = [entry["summary"] for entry in detail["timeline"] if entry["type"] == "codes.extracted"]
    assert extracted == ["The note gives F41.1, 90837."]


def test_a_note_that_leaves_the_codes_open_waits_for_a_person(partner: Api) -> None:
    session_id = partner.submitted(
        session__diagnosisCodes=REMOVED,
        session__durationMinutes=50,
        session__noteText="Client seems low. Rule out major depression. Talked about work. 50 minutes.",
    )
    run_until_quiet()
    detail = partner.get(f"/sessions/{session_id}").json()
    assert detail["status"] == "processing"
    assert "diagnosisCodes" in detail["message"]
    assert WorkItem.objects.filter(session_id=session_id, queue="notes", closed_at=None).exists()


def test_a_note_that_comes_with_codes_is_compared(partner: Api) -> None:
    session_id = partner.submitted(session__noteText=NOTE)
    run_until_quiet()
    detail = partner.get(f"/sessions/{session_id}").json()
    assert detail["status"] == "paid", detail["timeline"]
    assert "note.checked" in [event["type"] for event in detail["events"]]


@pytest.mark.parametrize(
    ("provider_npi", "practice_npi"),
    [("1234567890", "9999999999"), ("9999999999", None), ("0123456789", None)],
)
def test_the_usual_sample_numbers_reach_the_end_in_a_test_organization(
    provider_npi: str, practice_npi: str | None, release: object, settings: object
) -> None:
    settings.SANDBOX_SPEED = 1e9
    load_sample_charges()
    partner = partner_api("Samples", submission_delay=timedelta())
    partner.onboarded(provider__npi=provider_npi, practice__npi=practice_npi)
    session_id = partner.submitted(providerNpi=provider_npi)
    run_until_quiet()
    assert partner.get(f"/sessions/{session_id}").json()["status"] == "paid"
