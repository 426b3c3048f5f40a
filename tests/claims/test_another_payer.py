"""A judged claim whose session is corrected to another payer: that one has never seen it."""

from uuid import UUID

import pytest

from billing.payers.carriers.medicare import MEDICARE
from claims import actions, intake, pipeline
from claims.desk.correction_preview import newest_work, preview
from claims.models import Claim
from sessions_app.api.reading import read_correction
from tests.cast import Api
from tests.claims.admin.staff import Desk, ended, item_of, newest
from tests.claims.process import run_until_quiet
from tests.claims.test_inbound import apply, payer_acknowledgement, remittance
from tests.claims.test_next_version import hand_over, reference_of

AETNA, MAGELLAN = ("Aetna", "60054"), ("Magellan Healthcare", "01260")


def resent(session_id: UUID, payer: tuple[str, str], member_id: str = "SILENT") -> Claim:
    """The version that goes to a payer, with a member ID of that payer's."""
    name, payer_id = payer
    insurance = {"payerName": name, "payerId": payer_id, "memberId": member_id}
    correction, _ = read_correction({"patient": {"insurance": insurance}})
    intake.correct_and_resend(session_id, correction=correction, user=None, reason="another card")
    hand_over()
    return newest(session_id)


def sent_as(claim: Claim) -> tuple[str, str, str]:
    return claim.draft()["payer"]["payer_id"], claim.frequency, reference_of(claim)


def previewed(session_id: UUID, payer: tuple[str, str]) -> str:
    insurance = {"payerName": payer[0], "payerId": payer[1]}
    correction, _ = read_correction({"patient": {"insurance": insurance}})
    work = newest_work(session_id)
    standing = preview(work, correction, [], now=work.claim.created_at).standing
    return f"{standing.way} {standing.frequency}: {standing.why}"


def first_of(session_id: UUID) -> Claim:
    return Claim.objects.get(session_id=session_id, version=1)


def paid_by_both(partner: Api) -> UUID:
    session_id = ended(partner, "PAID")
    second = resent(session_id, MAGELLAN)
    paid = remittance(second, payer=MAGELLAN[1]).replace("PAYER77", "MAG88").replace("AETNA", "MAGELLAN")
    apply(paid, "second.edi")
    return session_id


@pytest.mark.parametrize("member_id", ["UNKNOWN", "DENIED277", "DENIED109", "PAID", "DEDUCTIBLE"])
def test_the_other_payer_gets_an_original_without_the_first_ones_number(partner: Api, member_id: str) -> None:
    session_id = ended(partner, member_id)
    assert newest(session_id).payer_control_number
    assert sent_as(resent(session_id, MAGELLAN)) == (MAGELLAN[1], "1", "")
    said = [line["summary"] for line in partner.get(f"/sessions/{session_id}").json()["timeline"]]
    assert "Version 2, a new claim, follows: another card" in said


def test_medicare_gets_an_original_too(partner: Api) -> None:
    session_id = ended(partner, "DENIED277")
    carrier = next(each for each in MEDICARE if "Texas" in each.name)
    version = resent(session_id, (carrier.name, carrier.payer_id), "1EG4TE5MK73")
    assert sent_as(version) == (carrier.payer_id.upper(), "1", "")


def test_the_same_payer_by_another_spelling_gets_a_replacement(partner: Api) -> None:
    session_id = ended(partner, "DENIED277")
    number = newest(session_id).payer_control_number
    assert sent_as(resent(session_id, ("AETNA", ""))) == (AETNA[1], "7", number)


def test_a_number_that_the_first_payer_never_gave_keeps_nobody_from_the_other(partner: Api) -> None:
    session_id = ended(partner, "DENIED277")
    Claim.objects.filter(session_id=session_id).update(payer_control_number="")
    assert 'data-key="e">Correct' in Desk("billing lead").page(session_id)
    assert previewed(session_id, AETNA).startswith("locked")
    with pytest.raises(actions.ActionRefusedError, match="hasn't given one yet"):
        resent(session_id, AETNA)
    assert sent_as(resent(session_id, MAGELLAN)) == (MAGELLAN[1], "1", "")


def test_the_page_says_which_payer_judged_and_what_staff_still_do(partner: Api) -> None:
    denied, paid = ended(partner, "DENIED277"), ended(partner, "PAID")
    assert previewed(denied, MAGELLAN) == (
        "resend 1: Not a replacement: Aetna judged version 1, and this one goes to another payer."
    )
    assert previewed(paid, MAGELLAN).endswith("once this one is answered, void version 1 too.")
    assert previewed(denied, AETNA) == "resend 7: Aetna judged version 1, so this one takes its place."


def test_a_paid_version_stays_and_can_be_voided_when_the_other_payer_has_judged(partner: Api) -> None:
    session_id = ended(partner, "PAID")
    first = newest(session_id)
    second = resent(session_id, MAGELLAN, "DENIED277")
    assert "FRQ-002" in {row.rule for row in second.findings.filter(severity="W")}
    run_until_quiet()
    detail = partner.get(f"/sessions/{session_id}").json()
    assert (newest(session_id).status, detail["status"]) == ("denied", "paid")
    asked = f"AETNA is asked to take claim {first.patient_control_number} (version 1) back"
    assert asked in Desk("billing lead").page(session_id)
    actions.void(session_id, user=None, reason="billed to the wrong payer")
    hand_over()
    void = newest(session_id)
    assert sent_as(void) == (AETNA[1], "8", first.payer_control_number)
    apply(payer_acknowledgement(void, "A2:20"), "voided.edi")
    again = resent(session_id, MAGELLAN)
    assert (again.version, again.frequency, again.replaces.version) == (4, "7", 2)


def test_what_the_first_payer_paid_is_asked_about_where_the_other_leaves_all_to_the_patient(
    partner: Api,
) -> None:
    session_id = ended(partner, "PAID")
    resent(session_id, MAGELLAN, "DEDUCTIBLE")
    run_until_quiet()
    item = item_of(session_id)
    assert (item.queue, item.reason) == ("answers", "payment_on_earlier_version")
    actions.void(session_id, user=None, reason="billed to the wrong payer")
    hand_over()
    void = newest(session_id)
    assert void.replaces == first_of(session_id)
    apply(payer_acknowledgement(void, "A2:20"), "voided.edi")
    assert item_of(session_id).reason == "payment_on_voided_claim"


def test_of_two_payers_that_paid_the_first_one_is_voided(partner: Api) -> None:
    session_id = paid_by_both(partner)
    actions.void(session_id, user=None, reason="billed to the wrong payer")
    hand_over()
    void = newest(session_id)
    assert (void.replaces.version, reference_of(void)) == (1, first_of(session_id).payer_control_number)
    apply(payer_acknowledgement(void, "A2:20"), "voided.edi")
    assert partner.get(f"/sessions/{session_id}").json()["status"] == "paid"


def test_of_two_payers_that_paid_nothing_the_one_that_judged_last_is_asked(partner: Api) -> None:
    session_id = ended(partner, "DEDUCTIBLE")
    second = resent(session_id, MAGELLAN, "DENIED277")
    run_until_quiet()
    actions.void(session_id, user=None, reason="billed by mistake")
    assert newest(session_id).replaces == second


def test_a_void_that_is_done_stays_done_when_a_later_version_is_answered(partner: Api) -> None:
    session_id = paid_by_both(partner)
    actions.void(session_id, user=None, reason="billed to the wrong payer")
    hand_over()
    apply(payer_acknowledgement(newest(session_id), "A2:20"), "voided.edi")
    fourth = resent(session_id, MAGELLAN)
    apply(payer_acknowledgement(fourth, "A7:164:IL"), "refused.edi")
    assert list(Claim.objects.filter(session_id=session_id).order_by("version").values_list("status")) == [
        ("paid",),
        ("paid",),
        ("voided",),
        ("payer_rejected",),
    ]
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    assert reference_of(newest(session_id)) == "MAG88"


def test_a_third_version_carries_the_number_of_the_payer_that_it_goes_to(partner: Api) -> None:
    session_id = paid_by_both(partner)
    assert sent_as(resent(session_id, MAGELLAN)) == (MAGELLAN[1], "7", "MAG88")


def test_back_to_the_first_payer_its_own_version_is_replaced(partner: Api) -> None:
    session_id = paid_by_both(partner)
    number = first_of(session_id).payer_control_number
    third = resent(session_id, AETNA)
    assert (sent_as(third), third.replaces.version) == ((AETNA[1], "7", number), 1)


def test_a_correction_that_is_held_answers_the_payer_that_it_goes_to_in_the_end(partner: Api) -> None:
    session_id = paid_by_both(partner)
    number = first_of(session_id).payer_control_number
    assert resent(session_id, MAGELLAN, "HELD").step == Claim.Step.HELD
    insurance = {"payerName": AETNA[0], "payerId": AETNA[1], "memberId": "SILENT"}
    correction, _ = read_correction({"patient": {"insurance": insurance}})
    intake.correct(session_id, partner_id=newest(session_id).partner_id, correction=correction, by_staff=True)
    hand_over()
    third = newest(session_id)
    assert (sent_as(third), third.replaces.version) == ((AETNA[1], "7", number), 1)


def test_a_late_answer_of_the_first_payer_belongs_to_its_version(partner: Api) -> None:
    session_id = ended(partner, "SILENT")
    first = newest(session_id)
    denied = remittance(first, paid="0", copay="0").replace("CAS*PR*3*0~", "CAS*CO*109*180.00~")
    apply(denied, "denied.edi")
    second = resent(session_id, MAGELLAN)
    assert partner.get(f"/sessions/{session_id}").json()["status"] == "submitted"
    apply(remittance(first, trace="T2").replace("20300120", "20300220"), "paid.edi")
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.status, second.status) == ("paid", "sent")
    assert partner.get(f"/sessions/{session_id}").json()["status"] == "paid"


def test_what_the_other_payer_lost_goes_to_it_again_and_is_held_when_found_after_all(partner: Api) -> None:
    session_id = ended(partner, "DENIED277")
    lost = resent(session_id, MAGELLAN)
    apply(payer_acknowledgement(lost, "A4:35"), "lost.edi")
    actions.resend(session_id, user=None, reason="the payer has no such claim")
    pipeline.advance()
    third = newest(session_id)
    assert (third.version, third.frequency, third.replaces) == (3, "1", lost)
    found = payer_acknowledgement(lost, "A2:20", payer_control_number="MAG1").replace("20300125", "20300126")
    apply(found, "found.edi")
    hand_over()
    held = newest(session_id)
    assert "FRQ-001" in {row.rule for row in held.findings.filter(severity="E")}


def test_what_the_other_payer_would_not_give_back_is_not_billed_to_it_once_more(partner: Api) -> None:
    session_id = ended(partner, "PAID")
    second = resent(session_id, MAGELLAN)
    apply(payer_acknowledgement(second, "A2:20", payer_control_number="MAG1"), "accepted.edi")
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    assert newest(session_id).replaces == second
    apply(payer_acknowledgement(newest(session_id), "A7:35"), "refused.edi")
    for payer in (MAGELLAN, AETNA):
        with pytest.raises(actions.ActionRefusedError, match="No answer to correct yet"):
            resent(session_id, payer)


def test_nothing_goes_to_another_payer_while_a_lost_version_that_was_found_is_unanswered(
    partner: Api,
) -> None:
    session_id = ended(partner, "SILENT")
    lost = newest(session_id)
    apply(payer_acknowledgement(lost, "A4:35"), "lost.edi")
    actions.resend(session_id, user=None, reason="the payer has no such claim")
    hand_over()
    denied = remittance(newest(session_id), paid="0", copay="0").replace("CAS*PR*3*0~", "CAS*CO*18*180.00~")
    apply(denied, "denied.edi")
    assert newest(session_id).status == "denied"
    found = payer_acknowledgement(lost, "A2:20", payer_control_number="A1").replace("20300125", "20300126")
    apply(found, "found.edi")
    assert previewed(session_id, MAGELLAN) == (
        "locked 1: An earlier version is with its payer, which hasn't answered it yet."
    )


def said_of_void(partner: Api, session_id: UUID) -> tuple[str, list[str]]:
    """The message, and what the timeline has said since staff asked for the void."""
    detail = partner.get(f"/sessions/{session_id}").json()
    said = [line["summary"] for line in detail["timeline"]]
    asked = next(place for place, words in enumerate(said) if words.startswith("Billing staff ask"))
    return detail["message"], said[asked:]


def test_while_the_first_payer_is_asked_to_void_partners_are_told_of_its_claim_alone(partner: Api) -> None:
    session_id = paid_by_both(partner)
    actions.void(session_id, user=None, reason="billed to the wrong payer")
    pipeline.advance()
    message, [asked, *_] = said_of_void(partner, session_id)
    earlier = "the earlier claim to AETNA"
    assert asked == f"Billing staff ask the payer to void {earlier}: billed to the wrong payer"
    assert message == f"The claim is paid. A request to void {earlier} is on its way. Nothing to do."
    hand_over()
    message, _ = said_of_void(partner, session_id)
    assert message == f"The claim is paid. The payer is asked to void {earlier}. Nothing to do."
    apply(payer_acknowledgement(newest(session_id), "A7:35"), "refused.edi")
    message, said = said_of_void(partner, session_id)
    assert message == (
        f"The claim is paid. A request to void {earlier} is refused, so that one stays as it is; billing "
        "staff look into it. Nothing to do."
    )
    assert said[-1].startswith(f"About the request to void {earlier}: AETNA refused")


@pytest.mark.parametrize(
    ("member_id", "status", "why"),
    [
        ("PAID", "paid", "The claim is paid. Nothing to do."),
        (
            "DENIED277",
            "denied",
            "Magellan Healthcare denies the claim: the patient's employer is behind with the premium, and "
            "the payer hasn't decided (CO-277).",
        ),
        ("REJECTED", "rejected", "Magellan Healthcare refuses the claim: the member ID "),
    ],
)
def test_a_void_of_the_first_payers_claim_says_so_and_where_the_session_stands(
    partner: Api, member_id: str, status: str, why: str
) -> None:
    session_id = ended(partner, "PAID")
    resent(session_id, MAGELLAN, member_id)
    run_until_quiet()
    actions.void(session_id, user=None, reason="billed to the wrong payer")
    hand_over()
    apply(payer_acknowledgement(newest(session_id), "A2:20"), "voided.edi")
    told = (
        "The earlier claim to AETNA is voided, and the $180.00 paid for it are still to go back. Billing "
        "staff look into it. "
    )
    message, said = said_of_void(partner, session_id)
    assert message.startswith(told + why)
    assert said[-1].startswith(f"{told}The claim is {status}.")
    assert partner.get(f"/sessions/{session_id}").json()["status"] == status


def test_what_the_other_payer_says_after_the_void_is_about_the_claim_itself(partner: Api) -> None:
    session_id = paid_by_both(partner)
    actions.void(session_id, user=None, reason="billed to the wrong payer")
    hand_over()
    apply(payer_acknowledgement(newest(session_id), "A2:20"), "voided.edi")
    second = Claim.objects.get(session_id=session_id, version=2)
    more = remittance(second, payer=MAGELLAN[1], trace="T5", paid="10.00", copay="170.00").replace(
        "20300120", "20300220"
    )
    apply(more.replace("PAYER77", "MAG88"), "more.edi")
    assert not said_of_void(partner, session_id)[1][-1].startswith("About")
