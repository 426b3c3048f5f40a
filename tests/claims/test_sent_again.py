"""What goes out a second time: only the claim that must, in an envelope of its own."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from claims import actions, lifecycle, submission
from claims.clearinghouse.port import (
    Capabilities,
    ClearinghouseError,
    EditError,
    NotFound,
    Outcome,
    Receipt,
    Refusal,
    Submission,
    Unknown,
)
from claims.models import Claim, Transmission, TransmittedClaim
from tests.cast import Api
from tests.claims.admin.staff import harborlight
from tests.claims.test_hand_over import Clearinghouse, built, in_the_sandboxes_place
from tests.claims.test_inbound import apply, envelope, payer_acknowledgement, remittance


class Mailbox(Clearinghouse):
    """Takes many claims in one file, and can be asked about none."""

    capabilities = Capabilities(max_claims_per_interchange=50, can_find=False)

    refusal: Refusal | None = None

    def submit(self, submission: Submission) -> Receipt | Refusal:
        taken = super().submit(submission)
        if self.refusal:
            self.delivered.remove(submission)
        return self.refusal or taken

    def find(self, submission: Submission) -> Receipt | NotFound | Unknown:
        return Unknown()


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Mailbox:
    return in_the_sandboxes_place(Mailbox(), monkeypatch)


@pytest.fixture
def partner(db: None) -> Api:
    return harborlight()


def claims_of(sessions: Sequence[UUID]) -> list[Claim]:
    by_session = {claim.session_id: claim for claim in Claim.objects.filter(session__in=sessions)}
    return [by_session[session_id] for session_id in sessions]


def sent(claim: Claim) -> TransmittedClaim:
    """How it last went out."""
    return TransmittedClaim.objects.filter(claim=claim).order_by("ordinal").last()


def send_all() -> None:
    Claim.objects.filter(step=Claim.Step.SEND).update(next_step_at=timezone.now() - timedelta(seconds=1))
    for _ in range(5):
        submission.send("sandbox")


def lose(house: Mailbox) -> None:
    """Let what is due be handed over, and nobody know how it ended."""
    house.failure = ClearinghouseError("connection_lost", outcome=Outcome.UNKNOWN)
    submission.send("sandbox")
    house.failure = None


def group_refused(claim: Claim) -> str:
    """A 999 that refuses this claim's transaction set."""
    row = sent(claim)
    body = (
        f"AK1*HC*{row.transmission.group_control_number}*005010X222A1~"
        f"AK2*837*{row.transaction_control_number}*005010X222A1~IK5*R*5~AK9*P*2*2*1~"
    )
    return envelope(body, kind="999", version="005010X231A1")


def test_a_claim_refused_in_its_envelope_goes_again_in_another_alone(partner: Api, house: Mailbox) -> None:
    sessions = built(partner, count=2)
    lose(house)
    refused, paid = claims_of(sessions)
    first = Transmission.objects.get()
    apply(group_refused(refused))
    apply(remittance(paid))
    actions.resend(refused.session_id, user=None, reason="again")
    send_all()
    [again] = house.delivered
    assert [each.patient_control_number for each in again.claims] == [refused.patient_control_number]
    second = sent(refused).transmission
    assert second.interchange_control_number != first.interchange_control_number
    assert second.group_control_number != first.group_control_number
    assert "BHT*0019*18*" in second.content
    assert [claim.status for claim in claims_of(sessions)] == ["sent", "paid"]


def test_an_old_refusal_is_not_held_against_the_new_envelope(partner: Api, house: Mailbox) -> None:
    sessions = built(partner)
    lose(house)
    [claim] = claims_of(sessions)
    old = group_refused(claim)
    apply(old)
    actions.resend(claim.session_id, user=None, reason="again")
    send_all()
    apply(old.replace("*1200*", "*1300*"), name="late.edi")
    [claim] = claims_of(sessions)
    assert (claim.status, claim.times_sent) == ("sent", 2)


def test_an_answer_to_one_claim_proves_the_whole_file(partner: Api, house: Mailbox) -> None:
    sessions = built(partner, count=2)
    lose(house)
    answered, _ = claims_of(sessions)
    apply(payer_acknowledgement(answered, "A2:20"))
    assert Transmission.objects.get().handed_over_at
    told = partner.get(f"/sessions/{answered.session_id}").json()
    send_all()
    assert partner.get(f"/sessions/{answered.session_id}").json() == told
    assert [claim.status for claim in claims_of(sessions)] == ["payer_accepted", "sent"]
    assert not house.delivered


@pytest.mark.parametrize(
    "answer",
    [
        ClearinghouseError("unavailable", outcome=Outcome.NOT_TAKEN),
        ClearinghouseError("bad_file", outcome=Outcome.PERMANENT),
        Refusal(errors=(EditError("33", "Member ID is invalid", "subscriber.member_id"),)),
    ],
    ids=["not taken", "permanent", "refused"],
)
def test_a_file_that_an_answer_has_proven_is_not_given_up_for_what_the_hand_over_says(
    partner: Api, house: Mailbox, answer: ClearinghouseError | Refusal
) -> None:
    sessions = built(partner, count=2)
    answered, _ = claims_of(sessions)
    house.during = lambda: apply(payer_acknowledgement(answered, "A2:20"))
    if isinstance(answer, Refusal):
        house.refusal = answer
    else:
        house.failure = answer
    submission.send("sandbox")
    house.failure = house.refusal = None
    first = Transmission.objects.get()
    assert first.handed_over_at
    assert first.given_up_at is None
    for _ in range(5):
        submission.send("sandbox")
    assert [(claim.status, claim.times_sent) for claim in claims_of(sessions)] == [
        ("payer_accepted", 1),
        ("sent", 1),
    ]
    assert not house.delivered


def test_what_is_heard_of_an_old_file_moves_nothing_that_went_into_another(
    partner: Api, house: Mailbox
) -> None:
    sessions = built(partner, count=2)
    lose(house)
    refused, silent = claims_of(sessions)
    apply(group_refused(refused))
    actions.resend(refused.session_id, user=None, reason="again")
    Claim.objects.filter(pk=silent.pk).update(next_step_at=timezone.now() + timedelta(hours=1))
    lose(house)
    assert sent(refused).ordinal == 2
    Claim.objects.filter(pk=refused.pk).update(next_step_at=timezone.now() + timedelta(hours=1))
    Claim.objects.filter(pk=silent.pk).update(next_step_at=timezone.now() - timedelta(hours=1))
    assert submission.send("sandbox")
    assert [claim.status for claim in claims_of(sessions)] == ["dispatch_unknown", "sent"]


@pytest.mark.parametrize("late", ["999 of the first", "nothing"])
def test_a_lost_second_hand_over_is_followed_up_whatever_is_heard_of_the_first(
    partner: Api, house: Mailbox, late: str
) -> None:
    sessions = built(partner)
    send_all()
    [claim] = claims_of(sessions)
    refused = group_refused(claim)
    apply(refused)
    actions.resend(claim.session_id, user=None, reason="again")
    Claim.objects.update(next_step_at=timezone.now() - timedelta(seconds=1))
    lose(house)
    if late == "nothing":
        lifecycle.settle(sessions)
    else:
        apply(refused.replace("IK5*R*5~AK9*P*2*2*1~", "IK5*A~AK9*A*1*1*1~"), name="late.edi")
    [claim] = claims_of(sessions)
    assert (claim.step, claim.status) == (Claim.Step.SEND, "dispatch_unknown")
    assert claim.next_step_at
    assert sent(claim).transmission.handed_over_at is None


def reference_of(row: TransmittedClaim) -> str:
    """Our reference (BHT03) of the transaction set that a claim went in."""
    start = row.transmission.content.index(f"ST*837*{row.transaction_control_number.zfill(4)}*")
    return row.transmission.content[start:].split("BHT*0019*")[1].split("*")[1]


@pytest.mark.parametrize(("about", "status"), [(1, "sent"), (2, "clearinghouse_rejected")])
def test_a_refusal_counts_against_the_hand_over_that_it_names(
    partner: Api, house: Mailbox, about: int, status: str
) -> None:
    sessions = built(partner)
    send_all()
    [claim] = claims_of(sessions)
    apply(group_refused(claim))
    actions.resend(claim.session_id, user=None, reason="again")
    send_all()
    named = reference_of(TransmittedClaim.objects.get(claim=claim, ordinal=about))
    answer = payer_acknowledgement(claim, "A3:164:IL", sender="AY").replace("TRN*2*B1~", f"TRN*2*{named}~")
    apply(answer)
    [claim] = claims_of(sessions)
    assert (claim.times_sent, claim.status) == (2, status)


def test_a_refused_provider_is_an_answer_to_each_claim_of_the_set(partner: Api, house: Mailbox) -> None:
    sessions = built(partner, count=2)
    send_all()
    refused, _ = claims_of(sessions)
    body = (
        "BHT*0085*08*X1*20300125*1200*TH~HL*1**20*1~NM1*AY*2*HOUSE*****46*HOUSE~TRN*1*T9~"
        "DTP*050*D8*20300125~DTP*009*D8*20300125~HL*2*1*21*1~NM1*41*2*US*****46*X~"
        f"TRN*2*{reference_of(sent(refused))}~STC*A1:19*20300125*WQ*180~HL*3*2*19*0~"
        "NM1*85*2*X*****XX*1999999984~TRN*1*0~STC*A3:24:85*20300125*U*180~QTY*QC*1~AMT*YY*180~"
    )
    report = apply(envelope(body, kind="277", version="005010X214"))
    assert report["sets"][0]["unmatched"] == 0
    assert [claim.status for claim in claims_of(sessions)] == ["clearinghouse_rejected", "sent"]
    session = partner.get(f"/sessions/{refused.session_id}").json()
    assert session["status"] == "rejected"
