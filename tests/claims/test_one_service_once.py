"""One service leaves once: sessions that arrive together, and a claim that is out although nobody said so."""

import base64
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings as project
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from billing.models import NcciPair
from claims import actions, gateways, history, intake, pipeline, rechecks
from claims.clearinghouse.port import ClearinghouseError, Outcome
from claims.clearinghouse.sandbox.gateway import SandboxClearinghouse
from claims.models import Claim, Finding, NoteReview, WorkItem
from partners.auth import forget_callers
from sessions_app.api.reading import read_correction
from tests.cast import REMOVED, Api
from tests.claims.admin.staff import Desk, ended, item_of, newest, submitted_and_run
from tests.claims.process import run_until_quiet
from tests.claims.test_inbound import apply, payer_acknowledgement
from tests.operations.running import result

NOTE = "Individual psychotherapy, 55 minutes, in the office.\nDiagnosis: F41.1 Generalized anxiety disorder."
BY_NOTE = {
    "session__noteText": NOTE,
    "session__diagnosisCodes": REMOVED,
    "session__durationMinutes": REMOVED,
}
NEW_KEY = "new:" + base64.b64encode(b"n" * 32).decode()
BY_MINUTES = {"session__durationMinutes": 53}


def run_to_the_end() -> None:
    """Run what is due, and a second later what waited for an earlier session."""
    for _ in range(3):
        run_until_quiet()
        Claim.objects.filter(step=Claim.Step.CHECK).update(next_step_at=timezone.now() - timedelta(seconds=1))
    run_until_quiet()


@pytest.mark.parametrize("given", [BY_MINUTES, BY_NOTE], ids=["minutes", "note"])
def test_of_sessions_that_arrive_together_one_is_billed(partner: Api, given: dict[str, Any]) -> None:
    sessions = [UUID(partner.submitted(patient__insurance__memberId="PAIDTWICE", **given)) for _ in range(4)]
    run_to_the_end()
    claims = [newest(each) for each in sessions]
    assert [claim.status for claim in claims] == ["paid", "held", "held", "held"]
    assert all("DUP-001" in {each.rule for each in claim.findings.all()} for claim in claims[1:])


def test_a_later_session_does_not_wait_for_an_earlier_one_of_another_day(partner: Api) -> None:
    day = timezone.now().date() - timedelta(days=9)
    for days_later in (0, 1):
        partner.submitted(
            patient__insurance__memberId="PAIDTWICE",
            session__dateOfService=str(day + timedelta(days=days_later)),
            **BY_MINUTES,
        )
    pipeline.advance()
    assert set(Claim.objects.values_list("step", flat=True)) == {Claim.Step.SEND}


def test_while_field_keys_rotate_one_is_billed(partner: Api, settings: Any) -> None:
    first = another(partner)
    run_until_quiet()
    settings.FIELD_KEYS = f"{NEW_KEY},{project.FIELD_KEYS}"
    second = another(partner)
    run_to_the_end()
    assert (newest(first).status, newest(second).status) == ("paid", "held")
    assert "DUP-001" in {each.rule for each in newest(second).findings.all()}


def test_while_field_keys_rotate_sessions_of_one_day_share_its_lock(partner: Api, settings: Any) -> None:
    sessions = [another(partner)]
    settings.FIELD_KEYS = f"{NEW_KEY},{project.FIELD_KEYS}"
    sessions.append(another(partner))
    assert len({bytes(newest(each).session.member_id_index) for each in sessions}) == 2
    with transaction.atomic(), connection.cursor() as cursor:
        history.lock_days([pipeline.work_of(newest(each)) for each in sessions])
        held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
        cursor.execute(held)
        assert cursor.fetchone() == (1,)


def test_a_claim_that_an_answer_proves_to_be_out_is_not_handed_over_again(
    partner: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed_over = []
    submit = SandboxClearinghouse.submit

    def taken_and_denied(self: SandboxClearinghouse, submission: Any) -> Any:
        handed_over.append(submission.key)
        receipt = submit(self, submission)
        if len(handed_over) == 1:
            raise ClearinghouseError("unavailable", outcome=Outcome.NOT_TAKEN)
        return receipt

    monkeypatch.setattr(type(gateways.gateway("sandbox")), "submit", taken_and_denied)
    session_id = submitted_and_run(partner, "PAID")
    claim = newest(session_id)
    assert (claim.status, claim.step, claim.next_step_at) == ("paid", Claim.Step.FOLLOW, None)
    run_until_quiet()
    assert len(handed_over) == 1


def test_a_claim_that_was_refused_at_the_door_and_is_answered_asks_nobody(partner: Api) -> None:
    session_id = ended(partner, "EDIT")
    assert item_of(session_id).queue == WorkItem.Queue.REFUSED
    apply(payer_acknowledgement(newest(session_id), "A2:20"))
    claim = newest(session_id)
    assert (claim.status, claim.step) == ("payer_accepted", Claim.Step.FOLLOW)
    assert set(WorkItem.objects.filter(closed_at=None).values_list("reason", flat=True)) <= {
        "answer_before_dispatch"
    }


def another(partner: Api, member_id: str = "PAIDTWICE", **changes: Any) -> UUID:
    """A session of one patient and day."""
    return UUID(partner.submitted(patient__insurance__memberId=member_id, **BY_MINUTES, **changes))


def message_of(partner: Api, session_id: UUID) -> str:
    return str(partner.get(f"/sessions/{session_id}").json()["message"])


def test_a_session_whose_note_is_of_another_day_holds_no_other(partner: Api) -> None:
    day = timezone.now().date() - timedelta(days=40)
    mistaken = another(partner, session__noteText=f"Date of service: {day}\n{NOTE}")
    run_until_quiet()
    assert {each.rule for each in newest(mistaken).findings.filter(severity="E")} == {"NOTE-005"}
    assert rechecks.after_other_sessions() == 0
    right = another(partner, session__noteText=NOTE)
    run_until_quiet()
    assert newest(right).status == "paid"
    partner.patch(f"/sessions/{mistaken}", {"session": {"dateOfService": str(day)}})
    run_until_quiet()
    assert newest(mistaken).status == "paid"


@pytest.fixture
def patient_with_two(partner: Api) -> tuple[UUID, UUID]:
    """Two sessions of one day: the first waits for corrections, for which the second is held."""
    partner.partner.submission_delay = timedelta(hours=1)
    partner.partner.save(update_fields=["submission_delay"])
    forget_callers()
    first, second = another(partner), another(partner)
    run_to_the_end()
    assert (newest(first).status, newest(second).status) == ("queued", "held")
    return first, second


def test_who_waits_for_another_session_reads_that_it_has_not_left(
    partner: Api, patient_with_two: tuple[UUID, UUID]
) -> None:
    said = message_of(partner, patient_with_two[1])
    assert "Another session that waits here, sent before this one, bills 90837" in said
    assert "already bills" not in said


def test_who_waits_for_another_session_is_not_stuck_and_nobody_is_told_to_override(
    partner: Api, patient_with_two: tuple[UUID, UUID]
) -> None:
    said = result("explain_session", str(patient_with_two[1]))
    assert (said.code, said.document["stuck"]) == (0, False)
    assert "for another session of that day" in said.document["why"][0]
    assert "looked at again by itself" in said.document["moves"][0]
    assert "override" not in said.text


def goes_on(partner: Api, session_id: UUID) -> bool:
    """Whether the next look lets it go on, and its timeline says so."""
    rechecks.after_other_sessions()
    pipeline.advance()
    told = [entry["summary"] for entry in partner.get(f"/sessions/{session_id}").json()["timeline"]]
    said = "No other session of this day stands in its way any more." in told
    assert said == (newest(session_id).status != "held")
    return said


def test_a_session_goes_on_once_the_other_moved_to_another_day(
    partner: Api, patient_with_two: tuple[UUID, UUID]
) -> None:
    first, second = patient_with_two
    assert not goes_on(partner, second)
    moved = {"session": {"dateOfService": str(timezone.now().date() - timedelta(days=2))}}
    assert partner.patch(f"/sessions/{first}", moved).status_code == 200
    assert goes_on(partner, second)
    assert rechecks.after_other_sessions() == 0


def test_a_session_goes_on_in_whatever_words_it_was_held(
    partner: Api, patient_with_two: tuple[UUID, UUID]
) -> None:
    first, second = patient_with_two
    assert Finding.objects.filter(claim__session=second).update(message="Two are one too many.")
    moved = {"session": {"dateOfService": str(timezone.now().date() - timedelta(days=2))}}
    partner.patch(f"/sessions/{first}", moved)
    assert goes_on(partner, second)


def test_many_that_wait_are_looked_at_in_few_statements_a_batch(
    partner: Api, patient_with_two: tuple[UUID, UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert rechecks.after_other_sessions() == 0
        return len(asked)

    alone = statements()
    for _ in range(2):
        another(partner, session__noteText=NOTE)
    run_to_the_end()
    assert [claim.status for claim in Claim.objects.all()].count("held") == 3
    assert statements() == alone
    monkeypatch.setattr(rechecks, "AT_ONCE", 1)
    free = rechecks._free
    looked_at: list[UUID] = []
    monkeypatch.setattr(rechecks, "_free", lambda ids: looked_at.extend(ids) or free(ids))
    rechecks.after_other_sessions()
    assert set(looked_at) == {claim.pk for claim in Claim.objects.filter(status="held")}


def test_lines_of_its_own_that_exclude_each_other_are_not_looked_at_again(partner: Api) -> None:
    codes = [{"code": "90837"}, {"code": "90834"}]
    session_id = ended(partner, "PAIDTWICE", session__procedureCodes=codes, session__durationMinutes=REMOVED)
    assert {each.rule for each in newest(session_id).findings.filter(severity="E")} == {"CPT-005"}
    assert rechecks.after_other_sessions() == 0


def test_a_session_goes_on_once_the_other_is_rejected(partner: Api) -> None:
    first = another(partner, "REJECTED")
    pipeline.advance()
    second = another(partner, "REJECTED")
    pipeline.advance()
    assert newest(second).status == "held"
    run_until_quiet()
    assert newest(first).status == "payer_rejected"
    assert goes_on(partner, second)


def test_a_session_goes_on_once_staff_ended_the_other(partner: Api, settings: Any) -> None:
    settings.STAFF_SECOND_FACTOR = False
    unread = {"session__diagnosisCodes": REMOVED, "session__noteText": "Individual therapy. Anxiety?"}
    first = UUID(partner.submitted(patient__insurance__memberId="PAIDTWICE", **unread, **BY_MINUTES))
    run_until_quiet()
    second = another(partner)
    run_until_quiet()
    assert newest(second).status == "held"
    Desk("billing").post("desk:review", item_of(first).pk, answer="not_billable", reason="Sent twice.")
    assert goes_on(partner, second)


def test_a_session_that_is_let_go_while_another_is_checked_is_not_billed_twice(
    partner: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = timezone.now().date() - timedelta(days=40)
    first = another(partner, session__noteText=f"Date of service: {day}\n{NOTE}")
    run_until_quiet()
    second = another(partner)
    read = history.other_claims
    meanwhile = iter([lambda: actions.override(first, user=None, rules=["NOTE-005"], reason="a slip")])

    def read_before(works: Any) -> Any:
        found = read(works)
        for act in meanwhile:  # once: behind what was read, and before it lands
            act()
            pipeline.advance()
        return found

    monkeypatch.setattr(history, "other_claims", read_before)
    pipeline.advance()
    monkeypatch.undo()
    assert newest(first).step == Claim.Step.SEND
    run_to_the_end()
    assert (newest(first).status, newest(second).status) == ("paid", "held")


def test_what_staff_ended_is_not_looked_at_again(partner: Api, patient_with_two: tuple[UUID, UUID]) -> None:
    first, second = patient_with_two
    ended = NoteReview.Outcome.NOT_BILLABLE
    NoteReview.objects.create(
        partner=partner.partner, session_id=second, outcome=ended, reasons=[], offered=[], taken=[]
    )
    WorkItem.objects.filter(session=second).update(closed_at=timezone.now())
    moved = {"session": {"dateOfService": str(timezone.now().date() - timedelta(days=2))}}
    assert partner.patch(f"/sessions/{first}", moved).status_code == 200
    assert rechecks.after_other_sessions() == 0


def corrected_to(session_id: UUID, day: str) -> Claim:
    correction, _ = read_correction({"session": {"dateOfService": day}})
    intake.correct_and_resend(session_id, correction=correction, user=None, reason="wrong day")
    run_until_quiet()
    return newest(session_id)


def test_a_replacement_is_held_that_bills_what_another_session_of_its_new_day_billed(partner: Api) -> None:
    today = timezone.now().date()
    days = [str(today - timedelta(days=ago)) for ago in (9, 2)]
    family = {"session__procedureCodes": [{"code": "90847"}], "session__durationMinutes": REMOVED}
    first, _ = (ended(partner, "DENIED50A", **family, session__dateOfService=day) for day in days)
    replacement = corrected_to(first, days[1])
    assert (replacement.version, replacement.status) == (2, "held")
    assert {row.rule for row in replacement.findings.filter(severity="E")} == {"DUP-001"}


def test_what_waits_for_a_new_envelope_is_billed_already(partner: Api) -> None:
    first = ended(partner, "BAD999A", **BY_MINUTES)
    assert newest(first).status == "transport_rejected"
    second = ended(partner, "BAD999A", **BY_MINUTES)
    assert newest(second).status == "held"
    held_by = {row.rule for row in newest(second).findings.filter(severity="E")}
    assert held_by == {"DUP-001"}
    assert rechecks.after_other_sessions() == 0
    actions.resend(first, user=None, reason="a new envelope")
    run_until_quiet()
    assert newest(second).step == Claim.Step.HELD


def test_a_visit_beside_an_evaluation_of_the_day_is_held_until_that_ends(partner: Api) -> None:
    evaluation = {"session__procedureCodes": [{"code": "90792"}], "session__durationMinutes": REMOVED}
    visit = {"session__procedureCodes": [{"code": "99213"}], "session__durationMinutes": REMOVED}
    first = ended(partner, "SILENT", **evaluation)
    second = ended(partner, "SILENT", **visit)
    assert {row.rule for row in newest(second).findings.filter(severity="E")} == {"CPT-010"}
    apply(payer_acknowledgement(newest(first), "A7:164:IL"), "refused.edi")
    assert rechecks.after_other_sessions() == 1
    run_until_quiet()
    assert newest(second).status == "sent"


def test_the_quarterly_edits_hold_for_two_sessions_of_a_day(partner: Api) -> None:
    day = timezone.now().date() - timedelta(days=900)
    NcciPair.objects.create(column_one="90853", column_two="96130", modifier_indicator="0", valid_from=day)
    for code in ("90853", "96130"):
        given = {"session__procedureCodes": [{"code": code}], "session__durationMinutes": REMOVED}
        last = ended(partner, "SILENT", **given)
    assert {row.rule for row in newest(last).findings.filter(severity="E")} == {"NCCI-004"}
