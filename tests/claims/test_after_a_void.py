"""What is left of a session once one of several versions of its claim is voided, or asked to be."""

from uuid import UUID

import pytest
from django.urls import reverse

from claims import actions, intake, pipeline
from claims.models import Claim, WorkItem
from sessions_app.api.reading import read_correction
from sessions_app.models import Session
from tests.cast import Api
from tests.claims.admin.staff import Desk, ended, newest
from tests.claims.test_another_payer import AETNA, MAGELLAN, resent, sent_as
from tests.claims.test_inbound import apply, payer_acknowledgement, remittance
from tests.claims.test_next_version import hand_over
from tests.claims.test_one_of_several_voided import GIVEN_UP, REFUSED, WHY, give_up
from tests.claims.test_sent_again import group_refused
from tests.claims.test_versions_beside import (
    found,
    lost,
    open_queues,
    told,
    unread,
    unread_beside_a_found_one,
    void_of_the_first_is_out,
)
from tests.claims.test_which_version import found_beside_a_rejected_one, version_of, voided


def denied(session_id: UUID, version: int) -> None:
    answer = remittance(version_of(session_id, version), paid="0.00", copay="0.00")
    apply(answer.replace("CAS*PR*3*0.00", "CAS*CO*197*180.00"), "denied.edi")


def number_unknown(session_id: UUID, version: int) -> None:
    Claim.objects.filter(session=session_id, version=version).update(payer_control_number="")


def offers_correct(session_id: UUID) -> bool:
    return f'href="{reverse("desk:correct", args=[session_id])}' in Desk("billing lead").page(session_id)


# What the voided claim had followed


@pytest.mark.parametrize("payer", [AETNA, MAGELLAN], ids=["same payer", "another"])
def test_a_rejection_that_the_voided_claim_had_answered_asks_nobody_again(
    partner: Api, payer: tuple[str, str]
) -> None:
    session_id = ended(partner, "SILENT")
    apply(payer_acknowledgement(newest(session_id), "A7:164:IL"), "rejected.edi")
    second = resent(session_id, payer)
    apply(payer_acknowledgement(second, "A2:20", payer_control_number="ICN2"), "taken.edi")
    voided(session_id)
    assert told(partner, session_id) == (
        "rejected",
        "The claim is voided: nothing will be paid for it. Nothing to do.",
    )
    assert open_queues(session_id) == []


def survivor(partner: Api) -> UUID:
    """The first version, which was lost and found; the second, sent meanwhile, is voided."""
    session_id = lost(partner)
    second = resent(session_id, AETNA)
    apply(payer_acknowledgement(second, "A2:20", payer_control_number="ICN2"), "taken.edi")
    found(session_id)
    voided(session_id, 2)
    assert told(partner, session_id)[0] == "accepted"
    return session_id


def test_what_the_void_of_a_later_version_left_is_rejected_with_its_reason(partner: Api) -> None:
    session_id = survivor(partner)
    late = payer_acknowledgement(version_of(session_id, 1), "A7:164:IL").replace("20300125", "20300127")
    apply(late, "rejected.edi")
    assert told(partner, session_id) == (
        "rejected",
        f"One version of the claim is voided. Of the other: Aetna {REFUSED}",
    )
    assert open_queues(session_id) == ["rejected"]


def test_what_the_void_of_a_later_version_left_is_denied_with_its_reason(partner: Api) -> None:
    session_id = survivor(partner)
    denied(session_id, 1)
    status, message = told(partner, session_id)
    assert status == "denied"
    assert message.startswith("One version of the claim is voided. Of the other: Aetna denies the claim: ")
    assert open_queues(session_id) == ["denied"]


# Giving up one of two things


def unread_void_beside_a_rejected_one(partner: Api) -> UUID:
    session_id = found_beside_a_rejected_one(partner)
    actions.void(session_id, user=None, reason="billed twice")
    hand_over()
    unread(session_id)
    assert open_queues(session_id) == ["rejected", "transport"]
    return session_id


def test_who_gives_up_the_refusal_beside_a_void_has_not_given_up_the_void(partner: Api) -> None:
    session_id = unread_void_beside_a_rejected_one(partner)
    give_up(session_id)
    assert told(partner, session_id)[1] == (
        "The request to void one version of the claim can't be read, and billing staff send it again. "
        f"Of the other: Aetna {WHY} {GIVEN_UP}"
    )


def test_who_gives_up_the_void_has_not_given_up_the_refusal_beside_it(partner: Api) -> None:
    session_id = unread_void_beside_a_rejected_one(partner)
    item = WorkItem.objects.get(session=session_id, queue="transport", closed_at=None)
    ended = {"item": item.pk, "answer": item.signal_id, "reason": "let it be"}
    Desk("billing lead").post("desk:session-done", session_id, **ended)
    assert told(partner, session_id)[1] == (
        "The request to void one version of the claim can't be read, and is not sent again. "
        f"Of the other: Aetna {REFUSED}"
    )


def test_who_gives_up_what_was_rejected_beside_an_unread_void_of_a_paid_one_has_not_given_up_the_void(
    partner: Api,
) -> None:
    session_id, second = void_of_the_first_is_out(partner)
    apply(payer_acknowledgement(second, "A7:164:IL"), "rejected.edi")
    apply(group_refused(newest(session_id)), "void unread.edi")
    give_up(session_id)
    assert told(partner, session_id)[1] == (
        "The claim is paid. The request to void the earlier claim to AETNA can't be read, and billing staff "
        "send it again. Nothing to do."
    )


# Until when


def test_a_void_that_could_not_be_read_has_no_last_day_to_file(partner: Api) -> None:
    session_id = ended(partner, "PAID")
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    unread(session_id)
    item = WorkItem.objects.get(session=session_id, closed_at=None)
    assert (item.queue, item.file_by) == ("transport", None)


# The way on


@pytest.mark.parametrize("first", ["denied", "rejected and denied"])
def test_where_the_payer_gave_no_number_a_refused_claim_goes_to_another_payer(
    partner: Api, first: str
) -> None:
    if first == "denied":
        session_id = unread_beside_a_found_one(partner)
    else:
        session_id = found_beside_a_rejected_one(partner)
    denied(session_id, 1)
    number_unknown(session_id, 1)
    page = Desk("billing lead").page(session_id)
    assert "It is with the payer." not in page
    assert "the payer hasn&#x27;t given one yet. Corrected to another payer it can go out." in page
    assert offers_correct(session_id)
    assert sent_as(resent(session_id, MAGELLAN)) == (MAGELLAN[1], "1", "")


def test_a_correction_that_was_rejected_by_a_payer_that_then_voids_its_claim_goes_to_another(
    partner: Api,
) -> None:
    session_id = ended(partner, "PARTIAL")
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    void = newest(session_id)
    apply(payer_acknowledgement(void, "A7:35"), "refused.edi")
    third = resent(session_id, AETNA)
    apply(payer_acknowledgement(third, "A7:164:IL"), "rejected.edi")
    apply(payer_acknowledgement(void, "A2:20").replace("20300125", "20300126"), "taken.edi")
    assert "has voided its claim and gets no new one" in Desk("billing lead").page(session_id)
    assert offers_correct(session_id)
    fourth = resent(session_id, MAGELLAN)
    assert sent_as(fourth) == (MAGELLAN[1], "1", "")


def test_a_claim_that_goes_elsewhere_after_its_void_isnt_told_to_be_voided_once_more(partner: Api) -> None:
    session_id = ended(partner, "PARTIAL")
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    void = newest(session_id)
    apply(payer_acknowledgement(void, "A7:35"), "refused.edi")
    actions.resend(session_id, user=None, reason="group number corrected")
    apply(payer_acknowledgement(void, "A2:20").replace("20300125", "20300126"), "taken.edi")
    insurance = {"payerName": MAGELLAN[0], "payerId": MAGELLAN[1]}
    correction, _ = read_correction({"patient": {"insurance": insurance}})
    partner_id = newest(session_id).partner_id
    intake.correct(session_id, partner_id=partner_id, correction=correction, by_staff=True)
    pipeline.advance()
    assert "FRQ-002" not in set(
        newest(session_id).findings.filter(severity="W").values_list("rule", flat=True)
    )


def test_a_correction_doesnt_send_the_old_claim_again_whose_file_was_refused_meanwhile(partner: Api) -> None:
    session_id = ended(partner, "SILENT")
    unread(session_id)
    before = Session.objects.get(pk=session_id).version
    correction, _ = read_correction({"patient": {"insurance": {"memberId": "SILENT2"}}})
    with pytest.raises(actions.ActionRefusedError):
        intake.correct_and_resend(session_id, correction=correction, user=None, reason="another card")
    assert newest(session_id).status == "transport_rejected"
    assert Session.objects.get(pk=session_id).version == before


def test_the_heading_says_that_another_version_is_paid(partner: Api) -> None:
    session_id = ended(partner, "PAID")
    second = resent(session_id, MAGELLAN)
    apply(payer_acknowledgement(second, "A7:164:IL"), "rejected.edi")
    page = Desk("billing").page(session_id)
    heading = page[page.index("<h1>") : page.index("</h1>")]
    assert "Paid" in heading
    assert "version 1" in heading
