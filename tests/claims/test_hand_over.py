"""Handing over: leases that end, answers that come late, payers that are sick, partners that are many."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, TypeVar
from uuid import UUID

import pytest
from django.conf import settings as django_settings
from django.db import InternalError, OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from claims import gateways, heartbeats, inbound, pipeline, submission, tasks, transmission, unreturned
from claims.clearinghouse.port import (
    Capabilities,
    ClearinghouseError,
    EditError,
    InboundFile,
    NotFound,
    Outcome,
    Receipt,
    Refusal,
    Submission,
)
from claims.landing import Item
from claims.models import Claim, Transmission, WorkItem
from claims.models import InboundFile as StoredFile
from tests.cast import REMOVED, Api, partner_api
from tests.claims.admin.staff import harborlight
from tests.claims.test_inbound import apply, payer_acknowledgement, remittance

HURRIED_PAYER, SICK_PAYER = "60054", "62308"
House = TypeVar("House", bound="Clearinghouse")


class Clearinghouse:
    """Takes whatever comes, unless told otherwise; remembers every delivery."""

    name = "sandbox"
    capabilities = Capabilities(max_claims_per_interchange=1, can_find=True)

    def __init__(self) -> None:
        self.delivered: list[Submission] = []
        self.during: Callable[[], None] = lambda: None
        self.failure: Exception | None = None

    def submit(self, submission: Submission) -> Receipt:
        during, self.during = self.during, lambda: None
        during()
        if self.failure:
            raise self.failure
        self.delivered.append(submission)
        return Receipt(reference=submission.key, mode="test")

    def find(self, submission: Submission) -> Receipt | NotFound:
        known = any(each.key == submission.key for each in self.delivered)
        return Receipt(reference=submission.key, mode="test") if known else NotFound()

    def payers(self) -> list[str]:
        return [each.claims[0].payer.payer_id for each in self.delivered]


def in_the_sandboxes_place(made: House, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setitem(gateways.BUILDERS, "sandbox", lambda: made)
    return made


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Clearinghouse:
    return in_the_sandboxes_place(Clearinghouse(), monkeypatch)


@pytest.fixture
def partner(db: None, settings: Any) -> Api:
    settings.SANDBOX_SPEED = 1  # a failed hand-over waits as long as a live one
    return harborlight()


def built(partner: Api, *, payer: str = HURRIED_PAYER, count: int = 1) -> list[UUID]:
    numbers = range(count)
    members = [f"W{payer}{number:04d}" for number in numbers]
    ids = [
        UUID(
            partner.submitted(
                patient__insurance__payerId=payer,
                patient__insurance__memberId=member,
                patient__firstName=f"Jane{'abcdefghijklmnopqrstuvwxyz'[number % 26]}",
            )
        )
        for number, member in zip(numbers, members, strict=True)
    ]
    while pipeline.advance():
        pass
    return ids


def end_leases() -> None:
    Claim.objects.exclude(lease=None).update(next_step_at=timezone.now() - timedelta(seconds=1))


def test_a_claim_that_is_being_handed_over_says_so(partner: Api, house: Clearinghouse) -> None:
    [session_id] = built(partner)
    shown: list[Any] = []
    house.during = lambda: shown.append(partner.get(f"/sessions/{session_id}").json())
    submission.send(house.name)
    assert shown[0]["claim"]["status"] == "dispatching"
    words = "The claim is being handed over and can't be changed any more. Nothing to do."
    assert shown[0]["message"] == words
    assert partner.get(f"/sessions/{session_id}").json()["message"].startswith("The claim is handed over")


def test_a_hand_overs_task_ends_before_its_lease() -> None:
    assert tasks.send.soft_time_limit < tasks.send.time_limit < django_settings.LEASE_SECONDS


def test_a_receipt_that_comes_after_the_lease_is_believed(partner: Api, house: Clearinghouse) -> None:
    built(partner)

    def another_takes_over() -> None:
        end_leases()
        Claim.objects.update(lease=UUID(int=7), attempts=2)

    house.during = another_takes_over
    submission.send("sandbox")
    claim = Claim.objects.get()
    assert (claim.step, claim.status) == (Claim.Step.FOLLOW, "sent")
    assert not submission.send("sandbox")
    assert len(house.delivered) == 1


def test_two_workers_at_one_claim_send_one_interchange(partner: Api, house: Clearinghouse) -> None:
    built(partner)

    def another_takes_over() -> None:
        end_leases()
        submission.send("sandbox")

    house.during = another_takes_over
    submission.send("sandbox")
    end_leases()
    submission.send("sandbox")
    assert Transmission.objects.count() == 1
    assert {each.key for each in house.delivered} == {str(Transmission.objects.get().pk)}


def test_a_failure_that_comes_after_the_lease_gives_nothing_up(partner: Api, house: Clearinghouse) -> None:
    built(partner)

    def another_takes_over() -> None:
        Claim.objects.update(lease=UUID(int=7))

    house.during = another_takes_over
    house.failure = ClearinghouseError("unreachable", outcome=Outcome.NOT_TAKEN)
    submission.send("sandbox")
    assert Transmission.objects.get().given_up_at is None
    assert Claim.objects.get().lease == UUID(int=7)


def test_an_answer_that_overtakes_the_receipt_is_believed_over_a_failure(
    partner: Api, house: Clearinghouse
) -> None:
    (session_id,) = built(partner)
    house.during = lambda: apply(remittance(Claim.objects.get(session_id=session_id)))
    house.failure = ClearinghouseError("timeout", outcome=Outcome.UNKNOWN)
    submission.send("sandbox")
    claim = Claim.objects.get(session_id=session_id)
    assert (claim.status, claim.step, claim.next_step_at) == ("paid", "follow", None)


def test_a_receipt_that_answers_have_overtaken_changes_no_status(partner: Api, house: Clearinghouse) -> None:
    (session_id,) = built(partner)
    house.during = lambda: apply(remittance(Claim.objects.get(session_id=session_id)))
    submission.send("sandbox")
    session = partner.get(f"/sessions/{session_id}").json()
    told = [(each["type"], each["status"]) for each in session["timeline"]][-2:]
    assert told == [("claim.paid", "paid"), ("claim.submitted", None)]
    assert session["status"] == "paid"


@pytest.mark.parametrize("what", ["another failure", "a receipt"])
def test_what_is_tried_again_leaves_a_claim_alone_that_was_answered_meanwhile(
    partner: Api, house: Clearinghouse, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(house, "capabilities", Capabilities(max_claims_per_interchange=50, can_find=True))
    answered, silent = built(partner, count=2)
    house.failure = ClearinghouseError("timeout", outcome=Outcome.UNKNOWN)
    submission.send("sandbox")
    Claim.objects.update(next_step_at=timezone.now())
    house.during = lambda: apply(payer_acknowledgement(Claim.objects.get(session_id=answered), "A2:20"))
    if what == "a receipt":
        house.failure = None
    assert submission.send("sandbox")
    claim = Claim.objects.get(session_id=answered)
    assert (claim.step, claim.status, claim.next_step_at) == (Claim.Step.FOLLOW, "payer_accepted", None)
    other = Claim.objects.get(session_id=silent).status
    assert other == ("sent" if what == "a receipt" else "dispatch_unknown")
    assert all(len(each.claims) == 2 for each in house.delivered)


def test_a_payment_is_known_again_after_its_claim_got_another_number(
    partner: Api, house: Clearinghouse
) -> None:
    (session_id,) = built(partner)
    house.failure = ClearinghouseError("unreachable", outcome=Outcome.NOT_TAKEN)
    submission.send("sandbox")
    claim = Claim.objects.get()
    assert partner.patch(f"/sessions/{session_id}", {"patient": {"lastName": "Roe"}}).status_code == 200
    paid = remittance(claim, number=f"{claim.patient_control_number}X1")
    assert apply(paid)["sets"][0]["unmatched"] == 0
    pipeline.advance()
    assert Claim.objects.get().patient_control_number != claim.patient_control_number
    report = apply(paid.replace("*1200*", "*1300*"), name="again.edi")
    assert report["sets"][0].get("repeated remittance"), report


def test_an_unexpected_error_leaves_the_outcome_unknown(partner: Api, house: Clearinghouse) -> None:
    built(partner)
    house.failure = ZeroDivisionError()
    submission.send("sandbox")
    assert Claim.objects.get().status == "dispatch_unknown"
    house.failure = None
    Claim.objects.update(next_step_at=timezone.now())
    submission.send("sandbox")
    assert len(house.delivered) == 1
    assert Claim.objects.get().status == "sent"


def test_a_hand_over_that_is_broken_off_again_and_again_is_shown(partner: Api, house: Clearinghouse) -> None:
    built(partner)
    Claim.objects.update(status="dispatching", attempts=submission.ATTEMPTS_BEFORE_STAFF)
    shown: list[str] = []
    house.during = lambda: shown.extend(WorkItem.objects.values_list("reason", flat=True))
    submission.send("sandbox")
    assert shown == ["broken off"]


def a_while_ago(status: str) -> None:
    """Let a hand-over have that status since longer than one comes back in."""
    since = timezone.now() - unreturned.COMES_BACK_WITHIN - timedelta(seconds=1)
    Claim.objects.update(status=status, status_changed_at=since)


@pytest.mark.parametrize("status", ["dispatching", "dispatch_unknown"])
def test_a_hand_over_that_does_not_come_back_is_shown_until_it_does(
    partner: Api, house: Clearinghouse, status: str
) -> None:
    built(partner)
    house.failure = ClearinghouseError("timeout", outcome=Outcome.UNKNOWN)
    submission.send("sandbox")
    tasks.sweep()
    assert not WorkItem.objects.exists()
    a_while_ago(status)
    tasks.sweep()
    tasks.sweep()
    item = WorkItem.objects.get()
    assert (item.queue, item.closed_at) == (WorkItem.Queue.TRANSPORT, None)
    assert "by itself" in item.summary
    house.failure = None
    Claim.objects.update(next_step_at=timezone.now())
    submission.send("sandbox")
    item.refresh_from_db()
    assert item.closed_at is not None


@pytest.mark.parametrize("what", ["a refusal", "a connection that fails"])
def test_what_comes_of_a_slow_hand_over_closes_its_task(
    partner: Api, house: Clearinghouse, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    built(partner)
    house.failure = ClearinghouseError("timeout", outcome=Outcome.UNKNOWN)
    submission.send("sandbox")
    a_while_ago("dispatch_unknown")
    tasks.sweep()
    Claim.objects.update(next_step_at=timezone.now())
    if what == "a refusal":
        refusal = Refusal(errors=(EditError(code="33", text="No."),))
        monkeypatch.setattr(house, "find", lambda submission: refusal)
    else:
        house.failure = ClearinghouseError("unreachable", outcome=Outcome.NOT_TAKEN)
    submission.send("sandbox")
    assert not WorkItem.objects.filter(queue=WorkItem.Queue.TRANSPORT, closed_at=None).exists()


@pytest.mark.parametrize(
    ("text", "reason"),
    [("The provider is not enrolled with this payer.", "enrollment"), ("A bad ZIP.", "edit 33")],
)
def test_a_refusal_for_enrollment_is_told_from_others(
    partner: Api, house: Clearinghouse, monkeypatch: pytest.MonkeyPatch, text: str, reason: str
) -> None:
    built(partner)
    refusal = Refusal(errors=(EditError(code="33", text=text),))
    monkeypatch.setattr(house, "submit", lambda submission: refusal)
    submission.send("sandbox")
    item = WorkItem.objects.get(closed_at=None)
    assert item.reason == reason
    assert text not in item.summary


def test_what_the_clearinghouse_says_of_a_claim_stands_in_its_history_alone(
    partner: Api, house: Clearinghouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    [session_id] = built(partner)
    text = "Subscriber DOE, JANE is not found."
    refusal = Refusal(errors=(EditError(code="33", text=text),))
    monkeypatch.setattr(house, "submit", lambda submission: refusal)
    submission.send("sandbox")
    item = WorkItem.objects.get(closed_at=None)
    words = "The clearinghouse refused the claim (edit 33); the session's history says in which words."
    assert (item.summary, item.reason) == (words, "edit 33")
    assert text in partner.get(f"/sessions/{session_id}").json()["timeline"][-1]["summary"]


@pytest.mark.parametrize(
    ("code", "location", "reason"),
    [
        ("33", "subscriber.memberId", "edit 33, patient.insurance.memberId"),
        ("E0x7", "", "edit E0x7"),
        ("", "practice.zip", "edit"),
        ("DOE, JANE", "claimInformation.serviceLines.0", "edit, session.procedureCodes"),
    ],
)
def test_refusals_for_one_edit_at_one_field_are_alike(
    partner: Api,
    house: Clearinghouse,
    monkeypatch: pytest.MonkeyPatch,
    code: str,
    location: str,
    reason: str,
) -> None:
    built(partner)
    refusal = Refusal(errors=(EditError(code=code, text="No.", location=location),))
    monkeypatch.setattr(house, "submit", lambda submission: refusal)
    submission.send("sandbox")
    assert WorkItem.objects.get(closed_at=None).reason == reason


def test_a_reason_is_as_long_as_a_work_item_keeps_it() -> None:
    item = Item(queue=WorkItem.Queue.REFUSED, reason="edit " + "x" * 80, summary="")
    assert len(item.reason) == WorkItem._meta.get_field("reason").max_length


def test_many_that_do_not_come_back_cost_few_statements(partner: Api, house: Clearinghouse) -> None:
    built(partner, count=3)
    a_while_ago("dispatch_unknown")
    with CaptureQueriesContext(connection) as captured:
        unreturned.show_unreturned()
    assert WorkItem.objects.count() == 3
    assert len([each for each in captured.captured_queries if "workitem" in each["sql"]]) == 2


def write_into_a_replica() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")
        cursor.execute("UPDATE claims_claim SET attempts = 0")


def lose_the_database() -> None:
    raise OperationalError


@pytest.mark.django_db
@pytest.mark.parametrize("fail", [lose_the_database, write_into_a_replica])
def test_a_receipt_outlasts_a_database_that_is_away_for_a_moment(
    monkeypatch: pytest.MonkeyPatch, fail: Callable[[], None]
) -> None:
    tries: list[float] = []

    def record() -> None:
        tries.append(1)
        if len(tries) < 3:
            fail()

    monkeypatch.setattr(
        submission, "connection", type("Connection", (), {"in_atomic_block": False, "close": int})
    )
    monkeypatch.setattr(submission.time, "sleep", lambda seconds: None)
    submission._insist(record)
    assert len(tries) == 3


def test_a_fault_of_ours_is_no_database_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[float] = []

    def record() -> None:
        tries.append(1)
        raise InternalError

    monkeypatch.setattr(submission.time, "sleep", lambda seconds: None)
    with pytest.raises(InternalError):
        submission._insist(record)
    assert len(tries) == 1


def test_answers_that_come_with_a_receipt_outlast_a_database_that_is_away_for_a_moment(
    partner: Api, house: Clearinghouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(partner)
    answer = InboundFile(name="a.999", content=b"ISA", kind="x12", reference="a")
    receipt = Receipt(reference="r", mode="test", inbound=(answer,))
    monkeypatch.setattr(house, "submit", lambda submission: receipt)
    store, away = inbound.store, iter([OperationalError()])

    def stored(*given: Any) -> list[int]:
        for error in away:
            raise error
        return store(*given)

    monkeypatch.setattr(inbound, "store", stored)
    outside = {"in_atomic_block": False, "close": int, "cursor": connection.cursor}
    monkeypatch.setattr(submission, "connection", type("Connection", (), outside))
    monkeypatch.setattr(submission.time, "sleep", lambda seconds: None)
    submission.send("sandbox")
    assert Claim.objects.get().status == "sent"
    assert StoredFile.objects.count() == 1


@pytest.mark.parametrize("what", ["a failure", "an unknown outcome"])
def test_a_clearinghouse_that_asks_for_days_is_asked_again_within_the_hour(
    partner: Api, house: Clearinghouse, what: str
) -> None:
    built(partner)
    outcome = Outcome.UNKNOWN if what == "an unknown outcome" else Outcome.NOT_TAKEN
    house.failure = ClearinghouseError("busy", outcome=outcome, retry_after=timedelta(seconds=999_999))
    submission.send("sandbox")
    assert Claim.objects.get().next_step_at <= timezone.now() + timedelta(hours=1)


def test_a_sick_payer_keeps_no_other_waiting(partner: Api, house: Clearinghouse) -> None:
    built(partner, payer=SICK_PAYER, count=5)
    house.failure = ClearinghouseError("timeout", outcome=Outcome.UNKNOWN)
    tried = 0
    while submission.send("sandbox"):
        tried += 1
    assert tried == submission.OF_ONE_PAYER
    house.failure = None
    built(partner, payer=HURRIED_PAYER)
    assert submission.send("sandbox")
    assert house.payers() == [HURRIED_PAYER]


def test_a_sick_payer_that_sessions_name_without_its_id_keeps_no_other_waiting(
    partner: Api, house: Clearinghouse
) -> None:
    def named(payer: str) -> None:
        for number in range(3):
            partner.submitted(
                patient__insurance__payerId=REMOVED,
                patient__insurance__payerName=payer,
                patient__insurance__memberId=f"W{payer}{number}",
                patient__firstName=f"{payer}{'abc'[number]}",
            )
        while pipeline.advance():
            pass

    named("Cigna")
    house.failure = ClearinghouseError("timeout", outcome=Outcome.UNKNOWN)
    tried = 0
    while submission.send("sandbox"):
        tried += 1
    assert tried == submission.OF_ONE_PAYER
    house.failure = None
    named("Aetna")
    assert submission.send("sandbox")
    assert house.payers() == ["60054"]


def test_a_sick_clearinghouse_leaves_two_processes_to_the_others(
    partner: Api, house: Clearinghouse, settings: Any
) -> None:
    settings.GATEWAY_PROCESSES = 4
    for payer in (HURRIED_PAYER, SICK_PAYER, "87726"):
        built(partner, payer=payer)
    begun: list[bool] = []

    def another_process() -> None:
        house.during = another_process
        begun.append(submission.send("sandbox"))

    house.during = another_process
    assert submission.send("sandbox")
    assert begun == [False, True]
    house.during = lambda: None
    assert submission.send("sandbox")


def test_whoever_speaks_for_long_takes_no_more_processes(
    partner: Api, house: Clearinghouse, settings: Any
) -> None:
    settings.GATEWAY_PROCESSES = 3
    for payer in (HURRIED_PAYER, SICK_PAYER):
        built(partner, payer=payer)
    begun: list[bool] = []

    def two_minutes_later() -> None:
        Claim.objects.update(status_changed_at=timezone.now() - timedelta(minutes=2))
        begun.append(submission.send("sandbox"))

    house.during = two_minutes_later
    submission.send("sandbox")
    assert begun == [False]


def test_another_machine_with_gateways_hands_over_more(
    partner: Api, house: Clearinghouse, settings: Any
) -> None:
    settings.GATEWAY_PROCESSES = 2
    for payer in (HURRIED_PAYER, SICK_PAYER):
        built(partner, payer=payer)
    for machine in ("one", "two"):
        heartbeats.beat("gateways", machine)
    heartbeats.counted.cache_clear()
    begun: list[bool] = []
    house.during = lambda: begun.append(submission.send("sandbox"))
    submission.send("sandbox")
    for machine in ("one", "two"):
        heartbeats.stop("gateways", machine)
    heartbeats.counted.cache_clear()
    assert begun == [True]


def test_a_payer_that_is_well_again_gets_its_claims(partner: Api, house: Clearinghouse) -> None:
    built(partner, payer=SICK_PAYER, count=4)
    house.failure = ClearinghouseError("timeout", outcome=Outcome.UNKNOWN)
    while submission.send("sandbox"):
        pass
    house.failure = None
    Claim.objects.filter(status="dispatch_unknown").update(next_step_at=timezone.now())
    while submission.send("sandbox"):
        pass
    assert len(house.delivered) == 4


def test_ten_sessions_of_one_partner_do_not_wait_for_hundreds_of_another(
    partner: Api, house: Clearinghouse
) -> None:
    few = partner_api("Few", submission_delay=timedelta()).onboarded(provider__npi="1888888884")
    for number in range(3 * pipeline.BATCH):
        partner.submitted(patient__insurance__memberId=f"W1{number:08d}")
    for number in range(10):
        few.submitted(patient__insurance__memberId=f"W2{number:08d}", providerNpi="1888888884")
    pipeline.advance()
    assert Claim.objects.filter(partner=few.partner, step=Claim.Step.SEND).count() == 10
    handed_over = 0
    while Claim.objects.filter(partner=few.partner, step=Claim.Step.SEND).exists():
        handed_over += submission.send("sandbox")
    assert handed_over < 3 * pipeline.OF_ONE_PARTNER


def test_one_session_of_a_partner_does_not_wait_for_those_of_two_others(
    partner: Api, house: Clearinghouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "OF_ONE_PARTNER", 1)
    monkeypatch.setattr(pipeline, "BATCH", 2)
    other = partner_api("Other", submission_delay=timedelta()).onboarded(provider__npi="1888888884")
    late = partner_api("Late", submission_delay=timedelta()).onboarded(provider__npi="1777777776")
    for number in range(20):
        partner.submitted(patient__insurance__memberId=f"W1{number:08d}")
        other.submitted(patient__insurance__memberId=f"W2{number:08d}", providerNpi="1888888884")
    late.submitted(providerNpi="1777777776")
    while not Claim.objects.filter(partner=late.partner, step=Claim.Step.SEND).exists():
        pipeline.advance()
    assert Claim.objects.exclude(step=Claim.Step.SEND).exists()


def test_a_batch_ends_though_the_planner_counts_on_a_single_claim(
    partner: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "BATCH", 2)
    partner.submitted(patient__insurance__memberId="W100000000")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE claims_claim, partners_partner")
    for number in range(1, 6):
        partner.submitted(patient__insurance__memberId=f"W1{number:08d}")
    assert len(pipeline.advance()) == 2


def test_an_answer_is_recorded_without_looking_through_the_claims(partner: Api, house: Clearinghouse) -> None:
    built(partner)
    with CaptureQueriesContext(connection) as said:
        assert submission.send("sandbox")
    locking = [query["sql"] for query in said if "FOR UPDATE" in query["sql"]]
    # Which claims an interchange holds is a statement of its own; joined into the one that locks them, an
    # unlucky plan reads every claim, or each as often as there are others.
    assert locking
    assert not any("claims_transmittedclaim" in sql for sql in locking)


def test_a_database_clock_says_when_a_lease_ends(
    partner: Api, house: Clearinghouse, monkeypatch: Any
) -> None:
    built(partner)
    late = timezone.now() - timedelta(hours=1)
    monkeypatch.setattr(timezone, "now", lambda: late)
    ended: list[bool] = []
    house.during = lambda: ended.append(submission.send("sandbox"))
    submission.send("sandbox")
    assert ended == [False]


def test_an_envelope_that_does_not_add_up_never_leaves(
    partner: Api, house: Clearinghouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = transmission.write_837p
    monkeypatch.setattr(
        transmission, "write_837p", lambda *given, **named: write(*given, **named).replace("~SE*", "~SE*9")
    )
    partner.submitted()
    pipeline.advance()
    submission.send("sandbox")
    assert not house.delivered
    assert not Transmission.objects.exists()
    assert WorkItem.objects.get(closed_at=None).reason == "EnvelopeBroken"
