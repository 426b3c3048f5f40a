"""A payer that is asked about a claim and couldn't answer, or that has settled it and sends no remittance."""

import pytest

from billing.models import Payer
from claims.models import Claim, WorkItem
from providers.models import Enrollment
from tests.cast import OTHER_NPI, Api
from tests.claims.admin.staff import Desk
from tests.claims.test_inbound import apply, remittance, silent_claim
from tests.claims.test_information_asked import asked, read, told


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("E0:164:IL", "the question couldn't be answered: something in it is wrong (E0:164:IL)"),
        ("E1:0", "the payer's system can't answer now (E1:0)"),
        ("E2:0", "the payer doesn't answer (E2:0)"),
        ("E3:33", "the question couldn't be answered: two things don't fit together (E3:33)"),
        ("E4:0", "the question isn't as this payer wants it (E4:0)"),
    ],
)
def test_what_a_payer_could_not_answer_is_no_lost_claim(partner: Api, code: str, why: str) -> None:
    claim = silent_claim(partner)
    told(claim, "P1:20", day=24)
    told(claim, code)
    assert read(partner, claim) == (
        "accepted",
        "Aetna has the claim and is deciding on it. Nothing to do.",
        "Asked, Aetna didn't say how the claim stands. Billing staff ask again. Nothing to do.",
    )
    assert asked() == [("question_unanswered", f"Aetna didn't say how the claim stands: {why}.")]


def test_any_answer_of_the_same_day_ends_the_question(partner: Api) -> None:
    claim = silent_claim(partner)
    told(claim, "E1:0")
    told(claim, "P1:20")
    assert asked() == []


def test_what_the_payer_can_not_find_is_told_so_whatever_else_it_says(partner: Api) -> None:
    claim = silent_claim(partner)
    told(claim, "D0:35", "E0:0")
    assert [reason for reason, _ in asked()] == ["claim_not_found"]


def test_what_was_not_found_stays_missing_where_the_next_question_has_no_answer(partner: Api) -> None:
    claim = silent_claim(partner)
    told(claim, "D0:35")
    told(claim, "E1:0", day=26)
    assert [reason for reason, _ in asked()] == ["claim_not_found"]
    Desk("billing").post("desk:session-resend", claim.session_id, reason="it never arrived")
    assert Claim.objects.filter(session=claim.session_id).count() == 2


@pytest.fixture
def unenrolled(partner: Api) -> Claim:
    """A claim to a payer that sends its therapist no remittances."""
    aetna = Payer.objects.get(payer_id="60054")
    Enrollment.objects.create(
        partner=partner.partner, npi=OTHER_NPI, payer=aetna, claims="live", remittances="pending"
    )
    return silent_claim(partner)


@pytest.mark.parametrize("code", ["F0:1", "F3:1", "F3F:1"])
def test_a_claim_settled_where_no_remittance_comes_is_asked_about(
    partner: Api, unenrolled: Claim, code: str
) -> None:
    told(unenrolled, code)
    assert read(partner, unenrolled) == (
        "submitted",
        "Aetna has decided on the claim, but sends no remittance. Billing staff find out how. Nothing to do.",
        "Asked, Aetna says that the claim is settled, but not how; no remittance comes from it. Billing "
        "staff find out.",
    )
    assert asked() == [
        ("settled_without_remittance", "Aetna has settled the claim, and sends no remittance that says how.")
    ]


def test_a_claim_paid_where_no_remittance_comes_is_asked_about(partner: Api, unenrolled: Claim) -> None:
    told(unenrolled, "F1:65")
    assert read(partner, unenrolled) == (
        "paid",
        "Aetna says that it paid the claim, but sends no remittance. Billing staff find out what the patient "
        "owes. Nothing to do.",
        "Asked, Aetna says that the claim is settled and paid.",
    )
    assert asked() == [
        ("settled_without_remittance", "Aetna has settled the claim, and sends no remittance that says how.")
    ]


@pytest.mark.parametrize("code", ["F2:104", "F4:104"])
def test_a_claim_denied_where_no_remittance_comes_is_worked_like_any_denial(
    partner: Api, unenrolled: Claim, code: str
) -> None:
    told(unenrolled, code)
    status, message, _ = read(partner, unenrolled)
    assert (status, message) == (
        "denied",
        "Aetna says that it settled the claim without a payment. Billing staff find out why. Nothing to do.",
    )
    item = WorkItem.objects.get(closed_at=None)
    assert (item.queue, item.reason) == ("denied", code)
    assert "Aetna judged it and paid nothing." in Desk("billing").page(unenrolled.session_id)


def test_a_denial_by_inquiry_that_nothing_more_is_done_about(partner: Api, unenrolled: Claim) -> None:
    told(unenrolled, "F2:104")
    item, billing = WorkItem.objects.get(closed_at=None), Desk("billing")
    billing.post("desk:session-done", item.session_id, item=item.pk, answer=item.signal_id, reason="small")
    assert read(partner, unenrolled)[1] == (
        "Aetna says that it settled the claim without a payment. Billing staff do nothing more about it; "
        "the timeline says why."
    )


def test_a_claim_settled_without_a_remittance_is_done_with_by_a_person(
    partner: Api, unenrolled: Claim
) -> None:
    told(unenrolled, "F1:65")
    item = WorkItem.objects.get(closed_at=None)
    Desk("billing").post("desk:session-done", item.session_id, item=item.pk, reason="told the practice")
    assert asked() == []


def test_a_remittance_after_all_ends_what_was_asked(partner: Api, unenrolled: Claim) -> None:
    told(unenrolled, "F0:1")
    apply(remittance(unenrolled))
    assert asked() == []


def test_of_two_answers_where_no_remittance_comes_none_is_left_to_it(partner: Api, unenrolled: Claim) -> None:
    told(unenrolled, "F1:65", day=26)
    told(unenrolled, "F1:1", day=25)
    assert read(partner, unenrolled)[2] == (
        "Asked, Aetna says that the claim is settled and paid. This changes nothing."
    )


@pytest.mark.parametrize("code", ["F0:1", "F1:65", "F3:1"])
def test_where_a_remittance_is_to_come_it_says_how(partner: Api, code: str) -> None:
    claim = silent_claim(partner)
    told(claim, code)
    said = read(partner, claim)[2]
    how = "The remittance says how; where none comes, billing staff post what it decided."
    assert said.endswith(("The remittance decides.", how))
    assert asked() == []


def test_a_settled_claim_whose_remittance_is_there_waits_for_none(partner: Api) -> None:
    claim = silent_claim(partner)
    apply(remittance(claim))
    told(claim, "F0:1")
    assert read(partner, claim)[2] == "Asked, Aetna says that the claim is settled. This changes nothing."
