"""Sessions of which several versions are with payers: which one staff correct, void or ask about."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from claims import actions, lifecycle, watchdog
from claims.desk.correction_preview import newest_work, standing_of
from claims.models import Claim, ClaimSignal, WorkItem
from claims.versions import voidable
from tests.cast import Api
from tests.claims.admin.staff import Desk, ended, item_of, newest
from tests.claims.process import run_until_quiet
from tests.claims.test_another_payer import AETNA, MAGELLAN, paid_by_both, resent, sent_as
from tests.claims.test_inbound import apply, payer_acknowledgement, remittance
from tests.claims.test_next_version import hand_over, late_and_paid_twice, reference_of

ASKED = {"reason": "their provider line, reference 8841", "asked": "on"}


def version_of(session_id: UUID, number: int) -> Claim:
    return Claim.objects.get(session_id=session_id, version=number)


def voided(session_id: UUID, version: int | None = None) -> Claim:
    """The void, which its payer took."""
    actions.void(session_id, user=None, reason="billed to the wrong payer", version=version)
    hand_over()
    void = newest(session_id)
    apply(payer_acknowledgement(void, "A2:20"), f"voided{void.version}.edi")
    void.refresh_from_db()
    assert void.status == "voided"
    return void


# What a void leaves


def rejected_beside_a_void(partner: Api, answer: str = "A7:164:IL") -> UUID:
    """Aetna paid and took its void; the other payer has rejected its own claim, or can't find it."""
    session_id = ended(partner, "PAID")
    second = resent(session_id, MAGELLAN)
    apply(payer_acknowledgement(second, answer), "second.edi")
    voided(session_id, 1)
    return session_id


@pytest.mark.parametrize("answer", ["A7:164:IL", "A4:35"], ids=["rejected", "lost"])
def test_what_the_other_payer_rejected_is_corrected_once_the_first_ones_is_voided(
    partner: Api, answer: str
) -> None:
    session_id = rejected_beside_a_void(partner, answer)
    assert "Correct and resend" in Desk("billing lead").page(session_id)
    fourth = resent(session_id, MAGELLAN, "SILENT2")
    assert sent_as(fourth) == (MAGELLAN[1], "1", "")
    assert (fourth.version, fourth.replaces.version) == (4, 2)
    assert partner.get(f"/sessions/{session_id}").json()["status"] == "submitted"


def test_what_the_other_payer_rejected_waits_for_staff_again_once_the_void_is_done(partner: Api) -> None:
    session_id = rejected_beside_a_void(partner)
    queues = WorkItem.objects.filter(session=session_id, closed_at=None).values_list("queue", flat=True)
    assert sorted(queues) == ["answers", "rejected"]


def test_what_a_void_left_rejected_can_be_ended_and_stays_so(partner: Api) -> None:
    session_id, billing = rejected_beside_a_void(partner), Desk("billing")
    rejected = WorkItem.objects.get(session=session_id, queue="rejected", closed_at=None)
    said = {"item": rejected.pk, "answer": rejected.signal_id, "reason": "written off"}
    billing.post("desk:session-done", session_id, **said)
    apply(payer_acknowledgement(version_of(session_id, 1), "A2:21"), "late.edi")
    assert item_of(session_id).queue == "answers"


def test_a_rejected_claim_that_is_accepted_after_all_holds_the_one_that_was_to_follow_the_void(
    partner: Api,
) -> None:
    session_id = rejected_beside_a_void(partner)
    actions.resend(session_id, user=None, reason="member ID corrected")
    late = payer_acknowledgement(version_of(session_id, 2), "A2:20").replace("20300125", "20300126")
    apply(late, "late.edi")
    hand_over()
    fourth = newest(session_id)
    assert (fourth.version, fourth.step) == (4, Claim.Step.HELD)
    assert "FRQ-001" in {row.rule for row in fourth.findings.filter(severity="E")}


def test_no_payer_gets_an_original_of_what_it_has_voided(partner: Api) -> None:
    session_id = rejected_beside_a_void(partner)
    with pytest.raises(actions.ActionRefusedError, match="has voided its claim and gets no new one"):
        resent(session_id, AETNA)
    assert newest(session_id).version == 3


def test_a_claim_that_is_voided_alone_stays_so(partner: Api) -> None:
    session_id = ended(partner, "PAID")
    voided(session_id)
    with pytest.raises(actions.ActionRefusedError, match="No answer to correct yet"):
        actions.resend(session_id, user=None, reason="once more")
    work = newest_work(session_id)
    assert standing_of(work.claim, restored=False).why.startswith("It is voided")


def found_beside_a_rejected_one(partner: Api) -> UUID:
    """The first version, which was lost, is with its payer after all; the second was rejected."""
    session_id = ended(partner, "SILENT")
    first = newest(session_id)
    apply(payer_acknowledgement(first, "A4:35"), "lost.edi")
    actions.resend(session_id, user=None, reason="the payer has no such claim")
    hand_over()
    apply(payer_acknowledgement(newest(session_id), "A7:164:IL"), "refused.edi")
    found = payer_acknowledgement(first, "A2:20", payer_control_number="ICN1").replace("20300125", "20300126")
    apply(found, "found.edi")
    assert newest(session_id).status == "payer_rejected"
    return session_id


def test_a_lost_version_that_was_found_beside_a_rejected_one_is_voided_and_the_other_corrected(
    partner: Api,
) -> None:
    session_id = found_beside_a_rejected_one(partner)
    with pytest.raises(actions.ActionRefusedError, match="hasn't answered it yet"):
        actions.resend(session_id, user=None, reason="member ID corrected")
    actions.void(session_id, user=None, reason="billed twice")
    hand_over()
    void = newest(session_id)
    assert (void.replaces.version, reference_of(void)) == (1, "ICN1")
    with pytest.raises(actions.ActionRefusedError, match="already on its way"):
        actions.void(session_id, user=None, reason="billed twice")


def test_a_found_version_that_is_paid_after_all_is_replaced(partner: Api) -> None:
    session_id = found_beside_a_rejected_one(partner)
    apply(remittance(version_of(session_id, 1)), "paid.edi")
    actions.resend(session_id, user=None, reason="member ID corrected")
    hand_over()
    third = newest(session_id)
    assert (third.frequency, reference_of(third)) == ("7", "PAYER77")


def test_a_found_version_that_is_lost_once_more_lets_the_rejected_one_be_corrected(partner: Api) -> None:
    session_id = found_beside_a_rejected_one(partner)
    again = payer_acknowledgement(version_of(session_id, 1), "A4:35").replace("20300125", "20300127")
    apply(again, "lost again.edi")
    actions.resend(session_id, user=None, reason="member ID corrected")
    hand_over()
    assert (newest(session_id).frequency, newest(session_id).replaces.version) == ("1", 2)


# Which of several a void takes back


@pytest.mark.parametrize(("version", "number"), [(1, "PAYER77"), (2, "PAYER88"), (None, "PAYER88")])
def test_staff_choose_which_of_two_paid_versions_a_void_takes_back(
    partner: Api, version: int | None, number: str
) -> None:
    session_id = late_and_paid_twice(partner)
    assert reference_of(voided(session_id, version)) == number
    assert partner.get(f"/sessions/{session_id}").json()["status"] == "paid"
    assert item_of(session_id).reason == "payment_on_voided_claim"


def test_the_page_offers_both_and_the_chosen_one_goes(partner: Api) -> None:
    session_id, lead = late_and_paid_twice(partner), Desk("billing lead")
    page = lead.page(session_id)
    first, second = version_of(session_id, 1), newest(session_id)
    for each in (first, second):
        assert each.patient_control_number in page[page.index('id="void"') :]
    lead.post("desk:session-void", session_id, reason="paid twice", version="1")
    assert newest(session_id).replaces == first


@pytest.mark.parametrize("version", ["3", "0", "x", "9" * 30])
def test_a_version_that_is_none_is_not_voided_nor_another_in_its_place(partner: Api, version: str) -> None:
    session_id = late_and_paid_twice(partner)
    Desk("billing lead").post("desk:session-void", session_id, reason="paid twice", version=version)
    assert newest(session_id).version == 2


def test_what_is_voided_already_is_not_chosen_again(partner: Api) -> None:
    session_id = late_and_paid_twice(partner)
    voided(session_id, 1)
    with pytest.raises(actions.ActionRefusedError, match="Version 1"):
        actions.void(session_id, user=None, reason="paid twice", version=1)
    assert [each.version for each in voidable(newest(session_id))] == [2]


def test_of_two_payers_that_paid_the_second_one_can_be_chosen(partner: Api) -> None:
    session_id = paid_by_both(partner)
    actions.void(session_id, user=None, reason="the second one isn't liable", version=2)
    hand_over()
    assert (newest(session_id).replaces.version, reference_of(newest(session_id))) == (2, "MAG88")
    apply(payer_acknowledgement(newest(session_id), "A2:20"), "voided.edi")
    assert partner.get(f"/sessions/{session_id}").json()["status"] == "paid"


def test_what_a_replacement_on_its_way_replaces_is_not_voided_beside_it(partner: Api) -> None:
    session_id = ended(partner, "PAID")
    resent(session_id, AETNA)
    accepted = payer_acknowledgement(newest(session_id), "A2:20", payer_control_number="ICN2")
    apply(accepted, "accepted.edi")
    assert [each.version for each in voidable(newest(session_id))] == [2]
    with pytest.raises(actions.ActionRefusedError, match="Version 1"):
        actions.void(session_id, user=None, reason="by mistake", version=1)


# Money that each of two payers has to take back


def both_voided(partner: Api) -> UUID:
    session_id = paid_by_both(partner)
    voided(session_id, 1)
    voided(session_id, 2)
    return session_id


def test_two_payers_that_owe_a_payment_back_are_a_task_each(partner: Api) -> None:
    session_id, billing = both_voided(partner), Desk("billing")
    told = []
    for _ in range(2):
        item = item_of(session_id)
        assert item.reason == "payment_on_voided_claim"
        told.append(item.summary)
        billing.post("desk:session-done", session_id, item=item.pk, reason="asked")
    assert sorted(told) == [
        "A voided claim was paid: AETNA has $180.00 to take back.",
        "A voided claim was paid: Magellan Healthcare has $155.00 to take back.",
    ]
    assert not WorkItem.objects.filter(session=session_id, closed_at=None).exists()


def test_what_one_of_two_payers_takes_back_ends_its_task_alone(partner: Api) -> None:
    session_id = both_voided(partner)
    second = version_of(session_id, 2)
    back = remittance(
        second, payer=MAGELLAN[1], trace="T9", paid="-155.00", copay="-25.00", transfer="155.00"
    )
    back = back.replace("*1*180.00*", "*22*-180.00*").replace("90837*180.00", "90837*-180.00")
    back = back.replace("*155.00*C*", "*155.00*D*").replace("PAYER77", "MAG88").replace("AETNA", "MAGELLAN")
    apply(back, "back.edi")
    apply(back.replace("*1200*", "*1300*"), "again.edi")
    assert item_of(session_id).summary == "A voided claim was paid: AETNA has $180.00 to take back."


def test_a_payer_that_pays_its_voided_claim_once_more_is_asked_about_once_more(partner: Api) -> None:
    session_id, billing = both_voided(partner), Desk("billing")
    first = item_of(session_id)
    assert "AETNA" in first.summary
    billing.post("desk:session-done", session_id, item=first.pk, reason="asked")
    more = remittance(version_of(session_id, 1), trace="T12", paid="10.00", copay="170.00")
    apply(more, "more.edi")
    apply(more.replace("*1200*", "*1300*"), "more again.edi")
    told = []
    while item := WorkItem.objects.filter(session=session_id, closed_at=None).first():
        told.append(item.summary)
        billing.post("desk:session-done", session_id, item=item.pk, reason="asked")
    assert told.count("A voided claim was paid: AETNA has $190.00 to take back.") == 1
    assert told.count("A voided claim was paid: Magellan Healthcare has $155.00 to take back.") == 1


# The payer's answer of the very day that staff's question goes by


def asked_about(partner: Api) -> UUID:
    """A claim that its payer, asked by staff after it took it, doesn't have."""
    session_id = ended(partner, "SILENT")
    taken = payer_acknowledgement(newest(session_id), "A2:20")
    apply(taken, "taken.edi")
    Claim.objects.filter(session=session_id).update(submitted_at=timezone.now() - timedelta(days=31))
    watchdog.watch()
    actions.not_on_file(session_id, user=None, reason="their provider line")
    assert item_of(session_id).reason == "claim_not_found"
    return session_id


def test_an_answer_of_the_day_that_was_heard_of_last_ends_the_question(partner: Api) -> None:
    session_id = asked_about(partner)
    apply(payer_acknowledgement(newest(session_id), "A2:21"), "found.edi")
    assert not WorkItem.objects.filter(session=session_id, closed_at=None).exists()


def test_the_answer_that_was_heard_before_the_question_ends_nothing_when_it_comes_again(partner: Api) -> None:
    session_id = asked_about(partner)
    apply(payer_acknowledgement(newest(session_id), "A2:20").replace("*1200*", "*1300*"), "taken again.edi")
    lifecycle.settle([session_id])
    assert item_of(session_id).reason == "claim_not_found"


def test_that_it_isnt_there_again_or_only_with_the_clearinghouse_ends_nothing(partner: Api) -> None:
    session_id = asked_about(partner)
    apply(payer_acknowledgement(newest(session_id), "A2:20", sender="AY"), "clearinghouse.edi")
    assert item_of(session_id).reason == "claim_not_found"
    apply(payer_acknowledgement(newest(session_id), "A4:35"), "not there.edi")
    assert item_of(session_id).reason == "claim_not_found"


# Which version is silent


def test_a_task_for_silence_names_the_version_where_there_are_several(partner: Api) -> None:
    session_id = found_beside_a_rejected_one(partner)
    late = timezone.now() - timedelta(days=31)
    Claim.objects.filter(session=session_id, version=1).update(submitted_at=late)
    watchdog.watch()
    silent = WorkItem.objects.get(session=session_id, queue="silent", closed_at=None)
    assert silent.summary == (
        "Version 1, to Aetna: No remittance in 30 days. Ask the payer for the claim's status; where it has "
        "decided and sends none, a lead posts what it says."
    )
    assert "Version 1, to Aetna: No remittance in 30 days." in Desk("billing").page(session_id)


def test_a_task_for_a_silent_void_says_so(partner: Api) -> None:
    session_id = ended(partner, "PAID")
    resent(session_id, MAGELLAN, "DENIED277")
    run_until_quiet()
    actions.void(session_id, user=None, reason="billed to the wrong payer")
    hand_over()
    Claim.objects.filter(session=session_id, version=3).update(
        submitted_at=timezone.now() - timedelta(days=8)
    )
    watchdog.watch()
    silent = WorkItem.objects.get(session=session_id, queue="silent", closed_at=None)
    assert silent.summary.startswith("Version 3, a void to AETNA: The payer hasn't acknowledged")


def silent_first_and_second(partner: Api, *, second_days: int) -> UUID:
    """Two versions without an answer: the first, which was lost and found, and the one that followed it."""
    session_id = ended(partner, "SILENT")
    first = newest(session_id)
    apply(payer_acknowledgement(first, "A4:35"), "lost.edi")
    actions.resend(session_id, user=None, reason="the payer has no such claim")
    hand_over()
    found = payer_acknowledgement(first, "A2:20").replace("20300125", "20300126")
    apply(found, "found.edi")
    for version, days in ((1, 31), (2, second_days)):
        Claim.objects.filter(session=session_id, version=version).update(
            submitted_at=timezone.now() - timedelta(days=days)
        )
    watchdog.watch()
    assert WorkItem.objects.filter(session=session_id, queue="silent", closed_at=None).exists()
    return session_id


def test_that_the_payer_has_no_silent_earlier_version_is_not_written_down_of_the_newest(
    partner: Api,
) -> None:
    session_id, billing = silent_first_and_second(partner, second_days=1), Desk("billing")
    assert "version 1" in billing.page(session_id)[billing.page(session_id).index('id="unknown"') :][:900]
    billing.post("desk:session-unknown", session_id, **ASKED)
    asked = ClaimSignal.objects.get(natural_key__startswith="asked:")
    assert asked.claim == version_of(session_id, 1)
    with pytest.raises(actions.ActionRefusedError, match="No answer to correct yet"):
        actions.resend(session_id, user=None, reason="again")


def test_a_silent_version_beside_a_rejected_one_is_written_down_and_the_other_corrected(partner: Api) -> None:
    session_id = found_beside_a_rejected_one(partner)
    late = timezone.now() - timedelta(days=31)
    Claim.objects.filter(session=session_id, version=1).update(submitted_at=late)
    watchdog.watch()
    Desk("billing").post("desk:session-unknown", session_id, **ASKED)
    actions.resend(session_id, user=None, reason="member ID corrected")
    hand_over()
    third = newest(session_id)
    assert (third.version, third.frequency, third.replaces.version) == (3, "1", 2)


def test_an_answer_to_the_silent_version_closes_its_task_and_not_the_claim_beside(partner: Api) -> None:
    session_id = found_beside_a_rejected_one(partner)
    late = timezone.now() - timedelta(days=31)
    Claim.objects.filter(session=session_id, version=1).update(submitted_at=late)
    watchdog.watch()
    apply(remittance(version_of(session_id, 1)), "paid.edi")
    open_now = WorkItem.objects.filter(session=session_id, closed_at=None)
    assert "silent" not in set(open_now.values_list("queue", flat=True))


def test_done_on_a_page_that_shows_one_payers_payment_leaves_the_other_payers_open(partner: Api) -> None:
    session_id, billing = both_voided(partner), Desk("billing")
    shown = item_of(session_id)
    other = ClaimSignal.objects.filter(claim__session=session_id, kind="835").exclude(pk=shown.signal_id)
    WorkItem.objects.filter(pk=shown.pk).update(signal=other.latest("id"))
    billing.post("desk:session-done", session_id, item=shown.pk, shown=str(shown.signal_id), reason="asked")
    assert item_of(session_id).pk == shown.pk


def test_the_page_names_the_answer_that_its_done_is_about(partner: Api) -> None:
    session_id = both_voided(partner)
    assert f'name="shown" value="{item_of(session_id).signal_id}"' in Desk("billing").page(session_id)


def test_of_two_silent_versions_the_dialog_and_the_task_name_the_same(partner: Api) -> None:
    session_id, billing = silent_first_and_second(partner, second_days=1), Desk("billing")
    Claim.objects.filter(session=session_id, version=2).update(
        submitted_at=timezone.now() - timedelta(days=30, hours=1)
    )
    watchdog.watch()
    page = billing.page(session_id)
    assert "Version 1, to Aetna: No remittance in 30 days." in page
    assert 'name="version" value="1"' in page[page.index('id="unknown"') :][:900]


def test_of_two_versions_that_are_silent_at_once_the_task_names_the_one_of_the_dialog(partner: Api) -> None:
    session_id, billing = silent_first_and_second(partner, second_days=30), Desk("billing")
    Claim.objects.filter(session=session_id, version=2).update(
        submitted_at=timezone.now() - timedelta(days=30, hours=1)
    )
    WorkItem.objects.filter(session=session_id, queue="silent").update(closed_at=timezone.now())
    watchdog.watch()
    page = billing.page(session_id)
    assert "Version 1, to Aetna: No remittance in 30 days." in page
    assert 'name="version" value="1"' in page[page.index('id="unknown"') :][:900]
