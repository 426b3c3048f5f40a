"""Which version follows when an earlier one was judged, refused, voided, or is of Original Medicare."""

from uuid import UUID

import pytest

from billing.payers.carriers.medicare import MEDICARE
from claims import actions, intake, pipeline, submission
from claims.desk.correction_preview import newest_work, preview
from claims.models import Claim, Transmission, WorkItem
from sessions_app.api.reading import read_correction
from sessions_app.submission import Correction
from tests.cast import Api
from tests.claims.admin.staff import ended, newest
from tests.claims.process import run_until_quiet
from tests.claims.test_inbound import apply, payer_acknowledgement, remittance


def reference_of(claim: Claim) -> str:
    """REF*F8 as it was sent, empty where there was none."""
    segments = Transmission.objects.get(claims__claim=claim).content.split("~")
    return next((each.removeprefix("REF*F8*") for each in segments if each.startswith("REF*F8*")), "")


def hand_over() -> None:
    """Let what is due leave the house, and read no answer."""
    for _ in range(5):
        pipeline.advance()
        for name in submission.gateways_with_work():
            submission.send(name)


def refused_replacement(partner: Api) -> UUID:
    """A session whose claim was paid in part, and whose replacement the payer rejected."""
    session_id = ended(partner, "PARTIAL")
    correction, _ = read_correction({"patient": {"insurance": {"groupNumber": "G2"}}})
    intake.correct_and_resend(session_id, correction=correction, user=None, reason="group number")
    hand_over()
    apply(payer_acknowledgement(newest(session_id), "A7:164:IL"), "refused.edi")
    assert newest(session_id).status == "payer_rejected"
    return session_id


def refused_void(partner: Api) -> UUID:
    session_id = ended(partner, "PARTIAL")
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    apply(payer_acknowledgement(newest(session_id), "A7:35"), "refused.edi")
    return session_id


def test_a_rejected_claim_that_has_the_payers_number_goes_again_as_new(partner: Api) -> None:
    session_id = ended(partner, "LATE")
    assert newest(session_id).payer_control_number
    actions.resend(session_id, user=None, reason="member ID corrected")
    run_until_quiet()
    claim = newest(session_id)
    assert (claim.frequency, reference_of(claim)) == ("1", "")


def test_a_judged_claim_of_original_medicare_is_replaced_without_a_reference(partner: Api) -> None:
    carrier = next(each for each in MEDICARE if "Texas" in each.name)
    insurance = {
        "patient__insurance__payerId": carrier.payer_id,
        "patient__insurance__payerName": carrier.name,
    }
    session_id = ended(partner, "DENIED", **insurance)
    assert newest(session_id).payer_control_number
    actions.resend(session_id, user=None, reason="coverage confirmed")
    run_until_quiet()
    claim = newest(session_id)
    assert (claim.frequency, reference_of(claim)) == ("7", "")


def test_after_a_refused_replacement_the_judged_claim_is_replaced(partner: Api) -> None:
    session_id = refused_replacement(partner)
    actions.resend(session_id, user=None, reason="group number corrected")
    run_until_quiet()
    claim = newest(session_id)
    first = Claim.objects.get(session_id=session_id, version=1)
    assert (claim.version, claim.frequency) == (3, "7")
    assert claim.replaces == first
    assert reference_of(claim) == first.payer_control_number


def test_after_a_refused_replacement_the_judged_claim_can_be_voided(partner: Api) -> None:
    session_id = refused_replacement(partner)
    actions.void(session_id, user=None, reason="billed by mistake")
    run_until_quiet()
    claim = newest(session_id)
    assert (claim.frequency, claim.status) == ("8", "voided")
    assert claim.replaces.version == 1


def test_a_void_takes_the_place_of_a_correction_that_waits(partner: Api) -> None:
    session_id = ended(partner, "PARTIAL")
    paid = newest(session_id)
    correction, _ = read_correction({"patient": {"insurance": {"memberId": "HELD"}}})
    intake.correct_and_resend(session_id, correction=correction, user=None, reason="another card")
    run_until_quiet()
    assert (newest(session_id).version, newest(session_id).status) == (2, "held")
    actions.void(session_id, user=None, reason="billed by mistake")
    assert not WorkItem.objects.filter(session=session_id, closed_at=None).exists()
    run_until_quiet()
    void = newest(session_id)
    assert (void.version, void.frequency, void.status) == (2, "8", "voided")
    assert reference_of(void) == paid.payer_control_number
    assert partner.get(f"/sessions/{session_id}").json()["status"] == "rejected"


def test_a_correction_of_a_rejected_claim_leaves_nothing_to_void(partner: Api) -> None:
    session_id = ended(partner, "REJECTED")
    correction, _ = read_correction({"patient": {"insurance": {"memberId": "HELD"}}})
    intake.correct_and_resend(session_id, correction=correction, user=None, reason="another card")
    run_until_quiet()
    with pytest.raises(actions.ActionRefusedError, match="Nothing was sent that could be voided"):
        actions.void(session_id, user=None, reason="billed by mistake")


def test_a_second_void_is_told_of_the_first_also_before_that_has_left(partner: Api) -> None:
    session_id = ended(partner, "PAID")
    actions.void(session_id, user=None, reason="billed by mistake")
    with pytest.raises(actions.ActionRefusedError, match="A void is already on its way"):
        actions.void(session_id, user=None, reason="billed by mistake")


def test_a_refused_void_can_be_sent_again(partner: Api) -> None:
    session_id = refused_void(partner)
    actions.void(session_id, user=None, reason="billed by mistake, as the payer now agrees")
    run_until_quiet()
    claim = newest(session_id)
    assert (claim.version, claim.status) == (3, "voided")
    assert claim.replaces.version == 1


def test_after_a_refused_void_the_judged_claim_is_replaced_and_not_billed_anew(partner: Api) -> None:
    session_id = refused_void(partner)
    actions.resend(session_id, user=None, reason="it stands after all")
    run_until_quiet()
    claim = newest(session_id)
    assert (claim.version, claim.frequency) == (3, "7")
    assert reference_of(claim) == Claim.objects.get(session_id=session_id, version=1).payer_control_number


def test_a_voided_claim_is_not_voided_again(partner: Api) -> None:
    session_id = ended(partner, "PAID")
    actions.void(session_id, user=None, reason="billed by mistake")
    run_until_quiet()
    with pytest.raises(actions.ActionRefusedError, match="voided already"):
        actions.void(session_id, user=None, reason="once more")


def test_a_rejected_claim_can_not_be_voided(partner: Api) -> None:
    session_id = ended(partner, "LATE")
    with pytest.raises(actions.ActionRefusedError, match="nothing with the payer to void"):
        actions.void(session_id, user=None, reason="billed by mistake")


@pytest.mark.parametrize("number", ["icn-12ab", "ICN_77", "ICN 77"])
@pytest.mark.parametrize("act", [actions.resend, actions.void])
def test_the_payers_number_goes_back_as_the_payer_wrote_it(partner: Api, number: str, act: object) -> None:
    session_id = ended(partner, "SILENT")
    paid = remittance(newest(session_id)).replace("PAYER77", number)
    apply(paid, "paid.edi")
    act(session_id, user=None, reason="corrected")
    hand_over()
    assert reference_of(newest(session_id)) == number


@pytest.mark.parametrize("act", [actions.resend, actions.void])
def test_a_number_that_no_claim_can_carry_is_for_staff(partner: Api, act: object) -> None:
    session_id = ended(partner, "SILENT")
    apply(remittance(newest(session_id)), "paid.edi")
    Claim.objects.filter(session_id=session_id).update(payer_control_number="N° 7")
    act(session_id, user=None, reason="corrected")
    run_until_quiet()
    assert newest(session_id).step == Claim.Step.HELD
    item = WorkItem.objects.get(session_id=session_id, closed_at=None)
    assert item.reason == "FMT-003"
    assert "payer control number" in item.summary


def test_a_claim_that_is_paid_stays_a_duplicate_of_another_while_its_replacement_was_refused(
    partner: Api,
) -> None:
    refused_replacement(partner)
    second = ended(partner, "PARTIAL")
    claim = newest(second)
    assert claim.step == Claim.Step.HELD
    assert "DUP-001" in {each.rule for each in claim.findings.all()}


@pytest.mark.parametrize("sender", ["AY", "PR"])
def test_a_claim_that_nobody_can_find_goes_again_as_new(partner: Api, sender: str) -> None:
    session_id = ended(partner, "SILENT")
    apply(payer_acknowledgement(newest(session_id), "A4:35", sender=sender))
    actions.resend(session_id, user=None, reason="the payer has no such claim")
    run_until_quiet()
    claim = newest(session_id)
    assert (claim.version, claim.frequency, claim.step) == (2, "1", Claim.Step.FOLLOW)


def test_a_lost_replacement_goes_again_as_a_replacement(partner: Api) -> None:
    session_id = ended(partner, "PARTIAL")
    actions.resend(session_id, user=None, reason="group number")
    hand_over()
    apply(payer_acknowledgement(newest(session_id), "A4:35"))
    actions.resend(session_id, user=None, reason="the payer has no such claim")
    hand_over()
    claim = newest(session_id)
    assert (claim.version, claim.frequency, claim.replaces.version) == (3, "7", 1)


def test_a_claim_that_was_found_after_all_is_not_sent_again(partner: Api) -> None:
    session_id = ended(partner, "SILENT")
    claim = newest(session_id)
    apply(payer_acknowledgement(claim, "A4:35"))
    apply(payer_acknowledgement(claim, "A2:20").replace("20300125", "20300126"), "found.edi")
    with pytest.raises(actions.ActionRefusedError, match="No answer to correct yet"):
        actions.resend(session_id, user=None, reason="the payer has no such claim")


def late_and_paid_twice(partner: Api) -> UUID:
    """A session whose rejected first version was paid after all, and its second as well."""
    session_id = ended(partner, "SILENT")
    first = newest(session_id)
    apply(payer_acknowledgement(first, "A7:164:IL"), "refused.edi")
    actions.resend(session_id, user=None, reason="member ID corrected")
    hand_over()
    apply(remittance(first), "first.edi")
    second = remittance(newest(session_id), trace="T2").replace("PAYER77", "PAYER88")
    apply(second, "second.edi")
    return session_id


def test_after_one_of_two_paid_versions_is_voided_the_other_still_counts(partner: Api) -> None:
    session_id = late_and_paid_twice(partner)
    actions.void(session_id, user=None, reason="paid twice")
    hand_over()
    void = newest(session_id)
    assert reference_of(void) == "PAYER88"
    apply(payer_acknowledgement(void, "A2:20"), "voided.edi")
    assert partner.get(f"/sessions/{session_id}").json()["status"] == "paid"
    again = newest(ended(partner, "SILENT"))
    assert "DUP-001" in {each.rule for each in again.findings.all()}
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    assert reference_of(newest(session_id)) == "PAYER77"


def test_a_denied_duplicate_is_not_voided_in_place_of_the_paid_claim(partner: Api) -> None:
    session_id = ended(partner, "SILENT")
    first = newest(session_id)
    apply(payer_acknowledgement(first, "A7:164:IL"), "refused.edi")
    actions.resend(session_id, user=None, reason="member ID corrected")
    hand_over()
    apply(remittance(first), "first.edi")
    denied = remittance(newest(session_id), trace="T2", paid="0", copay="0").replace("PAYER77", "DUPE88")
    apply(denied.replace("CAS*PR*3*0~", "CAS*OA*18*180.00~"), "duplicate.edi")
    assert newest(session_id).status == "denied"
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    assert reference_of(newest(session_id)) == "PAYER77"


def test_a_new_claim_that_waits_to_leave_becomes_a_replacement_when_the_first_is_paid_after_all(
    partner: Api,
) -> None:
    session_id = ended(partner, "SILENT")
    first = newest(session_id)
    apply(payer_acknowledgement(first, "A7:164:IL"), "refused.edi")
    actions.resend(session_id, user=None, reason="member ID corrected")
    pipeline.advance()
    assert newest(session_id).step == Claim.Step.SEND
    apply(remittance(first), "paid.edi")
    hand_over()
    claim = newest(session_id)
    assert (claim.frequency, reference_of(claim)) == ("7", "PAYER77")


def test_a_new_claim_is_held_when_the_first_is_found_after_all(partner: Api) -> None:
    session_id = ended(partner, "SILENT")
    first = newest(session_id)
    apply(payer_acknowledgement(first, "A4:35"), "lost.edi")
    actions.resend(session_id, user=None, reason="the payer has no such claim")
    pipeline.advance()
    found = payer_acknowledgement(first, "A2:20", payer_control_number="ICN1").replace("20300125", "20300126")
    apply(found, "found.edi")
    hand_over()
    claim = newest(session_id)
    assert claim.step == Claim.Step.HELD
    assert "FRQ-001" in {each.rule for each in claim.findings.all()}


def test_a_lost_void_can_be_sent_again(partner: Api) -> None:
    session_id = ended(partner, "PARTIAL")
    first = newest(session_id)
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    apply(payer_acknowledgement(newest(session_id), "A4:35"))
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    claim = newest(session_id)
    assert (claim.version, claim.frequency, reference_of(claim)) == (3, "8", first.payer_control_number)


def refused_void_of_a_pending_claim(partner: Api, refusal: str) -> UUID:
    """A session whose claim the payer has and has not judged, and won't give back."""
    session_id = ended(partner, "SILENT")
    accepted = payer_acknowledgement(newest(session_id), "A2:20", payer_control_number="ICN1")
    apply(accepted, "accepted.edi")
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    apply(payer_acknowledgement(newest(session_id), refusal), "refused.edi")
    return session_id


@pytest.mark.parametrize("refusal", ["A7:35", "A4:35"], ids=["refused", "lost"])
def test_a_pending_claim_whose_void_was_refused_is_not_billed_once_more(partner: Api, refusal: str) -> None:
    session_id = refused_void_of_a_pending_claim(partner, refusal)
    with pytest.raises(actions.ActionRefusedError, match="No answer to correct yet"):
        actions.resend(session_id, user=None, reason="corrected")
    work = newest_work(session_id)
    standing = preview(work, Correction(), [], now=work.claim.created_at).standing
    assert standing.why == "It is with the payer. You can correct it when an answer is in, or void it."
    actions.void(session_id, user=None, reason="the payer now agrees")
    hand_over()
    void = newest(session_id)
    assert (void.version, void.frequency, void.replaces.version, reference_of(void)) == (3, "8", 1, "ICN1")


def test_once_the_payer_judges_a_claim_that_it_would_not_void_it_is_replaced(partner: Api) -> None:
    session_id = refused_void_of_a_pending_claim(partner, "A7:35")
    apply(remittance(Claim.objects.get(session_id=session_id, version=1)), "paid.edi")
    actions.resend(session_id, user=None, reason="corrected")
    hand_over()
    assert (newest(session_id).frequency, reference_of(newest(session_id))) == ("7", "PAYER77")


def returned_unprocessed(claim: Claim, *, trace: str = "T1", where: str = "claim") -> str:
    """An 835 that pays nothing for what the payer couldn't process, and takes no appeal of."""
    denied = remittance(claim, paid="0", copay="0", trace=trace)
    claim_level = "MOA***MA130~" if where == "claim" else ""
    line_level = "LQ*HE*N290~LQ*HE*MA130~" if where == "line" else "LQ*HE*N290~"
    line = claim.lines.get().line_control_number
    return (
        denied.replace("CAS*PR*3*0~", "CAS*CO*16*180.00~")
        .replace("*PAYER77*11*1~", f"*PAYER77*11*1~{claim_level}")
        .replace(f"REF*6R*{line}~", f"REF*6R*{line}~{line_level}")
    )


@pytest.mark.parametrize(
    ("where", "code", "status"),
    [("claim", "1", "denied"), ("line", "1", "denied"), ("line", "4", "member_unknown")],
)
def test_a_claim_that_was_returned_as_unprocessable_goes_again_as_new(
    partner: Api, where: str, code: str, status: str
) -> None:
    session_id = ended(partner, "SILENT")
    returned = returned_unprocessed(newest(session_id), where=where)
    apply(returned.replace("*1*180.00*0*0*", f"*{code}*180.00*0*0*"), "unprocessed.edi")
    assert newest(session_id).status == status
    actions.resend(session_id, user=None, reason="NPI corrected")
    hand_over()
    claim = newest(session_id)
    assert (claim.version, claim.frequency, reference_of(claim)) == (2, "1", "")


def test_nothing_of_a_claim_that_was_returned_as_unprocessable_is_voided(partner: Api) -> None:
    session_id = ended(partner, "SILENT")
    apply(returned_unprocessed(newest(session_id)), "unprocessed.edi")
    with pytest.raises(actions.ActionRefusedError, match="nothing with the payer to void"):
        actions.void(session_id, user=None, reason="billed by mistake")


def test_a_paid_claim_that_is_denied_as_unprocessable_later_is_replaced(partner: Api) -> None:
    session_id = ended(partner, "SILENT")
    apply(remittance(newest(session_id)), "paid.edi")
    later = returned_unprocessed(newest(session_id), trace="T2").replace("20300120", "20300220")
    apply(later, "unprocessed.edi")
    assert newest(session_id).status == "taken_back"
    actions.resend(session_id, user=None, reason="NPI corrected")
    hand_over()
    assert (newest(session_id).frequency, reference_of(newest(session_id))) == ("7", "PAYER77")


def test_after_an_unprocessable_replacement_the_judged_claim_is_replaced(partner: Api) -> None:
    session_id = ended(partner, "PARTIAL")
    first = newest(session_id)
    actions.resend(session_id, user=None, reason="group number")
    hand_over()
    apply(returned_unprocessed(newest(session_id)), "unprocessed.edi")
    actions.resend(session_id, user=None, reason="NPI corrected")
    hand_over()
    claim = newest(session_id)
    assert (claim.version, claim.frequency, claim.replaces) == (3, "7", first)
    assert reference_of(claim) == first.payer_control_number


def test_a_duplicate_that_names_no_appeal_is_replaced(partner: Api) -> None:
    session_id = ended(partner, "SILENT")
    denied = returned_unprocessed(newest(session_id)).replace("CAS*CO*16*", "CAS*CO*18*")
    apply(denied, "duplicate.edi")
    actions.resend(session_id, user=None, reason="another day")
    hand_over()
    assert newest(session_id).frequency == "7"


def test_the_correction_page_says_that_nobody_judged_what_was_unprocessable(partner: Api) -> None:
    session_id = ended(partner, "SILENT")
    apply(returned_unprocessed(newest(session_id)), "unprocessed.edi")
    work = newest_work(session_id)
    standing = preview(work, Correction(), [], now=work.claim.created_at).standing
    assert (standing.frequency, standing.why) == ("1", "Not a replacement: nobody judged version 1.")
