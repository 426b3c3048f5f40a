"""The purge: what is past its time goes, the legal record stays, a hold stops everything."""

import io
import json
import threading
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from claims import intake, pipeline, retention, tasks
from claims.desk import matching_actions
from claims.models import (
    AnswerMatch,
    Claim,
    ClaimSignal,
    CorrectionDraft,
    LegalHold,
    SandboxAnswer,
    Transmission,
    TransmittedClaim,
)
from claims.retention import PurgeIncomplete, purge
from partners.audit_chain import seal_records, verify_chain
from partners.models import AccessRecord, AccessSeal, IdempotencyRecord
from sessions_app.api.reading import read_correction
from sessions_app.models import (
    Session,
    SessionChange,
    SessionCode,
    SessionCodeChange,
    SessionEvent,
    SessionNote,
)
from tests.cast import REMOVED, Api, submission
from tests.claims.admin.staff import harborlight, newest, submitted_and_run
from tests.claims.process import run_until_quiet
from tests.claims.test_inbound import apply, remittance

pytestmark = pytest.mark.django_db
NOTE = "Patient reports worry on most days."
CODING = {
    "outcome": "coded",
    "diagnoses": [{"code": "F41.1", "evidence": [{"start": 0, "end": 7, "quote": "Patient"}]}],
}


@pytest.fixture
def ours(api: Api) -> Api:
    return api.onboarded()


def purged(**options: bool) -> dict[str, int]:
    return {each.kind: each.rows for each in purge(**options) if each.rows}


def with_note(client: Api, *, coded_days_ago: int, step: str = Claim.Step.FOLLOW) -> UUID:
    """A session whose note was coded so long ago, with its claim at this step."""
    session_id = UUID(client.submitted(session__diagnosisCodes=REMOVED, session__noteText=NOTE))
    SessionNote.objects.filter(pk=session_id).update(
        coded_at=timezone.now() - timedelta(days=coded_days_ago), coding=json.dumps(CODING)
    )
    Claim.objects.filter(session=session_id).update(step=step)
    return session_id


def make_old(session_id: object) -> None:
    Session.objects.filter(pk=session_id).update(updated_at=timezone.now() - timedelta(days=3000))


def send(session_id: object) -> None:
    """Write that the claim went out."""
    claim = Claim.objects.get(session=session_id)
    sent = Transmission.objects.create(
        partner_id=claim.partner_id,
        gateway="sandbox",
        interchange_control_number=1,
        group_control_number=1,
        file_name="1.837",
        content="ISA~",
        sha256=b"",
    )
    TransmittedClaim.objects.create(
        partner_id=claim.partner_id, transmission=sent, claim=claim, transaction_control_number="0001"
    )


def test_a_coded_note_goes_after_its_time_and_its_quotes_stay(ours: Api) -> None:
    old, young = with_note(ours, coded_days_ago=366), with_note(ours, coded_days_ago=364)
    assert purged() == {"notes": 1}
    note = SessionNote.objects.get(pk=old)
    assert note.text is None
    assert note.purged_at is not None
    assert json.loads(note.coding) == CODING
    assert SessionNote.objects.get(pk=young).text == NOTE


def test_the_quotes_go_with_the_note_where_that_is_set(ours: Api, settings) -> None:
    settings.NOTE_QUOTES = "purge"
    old = with_note(ours, coded_days_ago=366)
    purge()
    coding = json.loads(SessionNote.objects.get(pk=old).coding)
    assert coding["diagnoses"] == [{"code": "F41.1", "evidence": [{"start": 0, "end": 7, "quote": ""}]}]


def test_a_note_stays_while_its_claim_may_be_coded_again(ours: Api) -> None:
    with_note(ours, coded_days_ago=999, step=Claim.Step.HELD)
    assert purged() == {}


def test_a_session_that_never_became_a_claim_goes_whole(ours: Api) -> None:
    gone, kept = ours.submitted(), ours.submitted()
    ours.patch(f"/sessions/{gone}", {"session": {"diagnosisCodes": [{"code": "F41.1"}, {"code": "F32.9"}]}})
    make_old(gone)
    assert purged() == {"unsent_sessions": 1}
    assert [str(pk) for pk in Session.objects.values_list("pk", flat=True)] == [kept]
    for model in (SessionCode, SessionEvent, SessionCodeChange):
        assert not model.objects.filter(session_id=gone).exists()
    assert not SessionChange.objects.filter(pgh_obj_id=gone).exists()
    assert Claim.objects.count() == 1


def test_a_claim_that_was_sent_is_kept_whole(ours: Api) -> None:
    session_id = ours.submitted()
    send(session_id)
    make_old(session_id)
    assert purged() == {}
    assert SessionEvent.objects.filter(session_id=session_id).exists()


def test_a_session_that_an_answer_was_matched_with_by_mistake_is_kept_whole(db: None) -> None:
    session_id = harborlight().submitted()
    pipeline.advance()
    claim = newest(UUID(session_id))
    apply(remittance(claim, number="NOBODYSCLAIM"))
    matching_actions.attach(ClaimSignal.objects.get().pk, claim, user=None, stated=None)
    matching_actions.detach(AnswerMatch.objects.get().pk, user=None, reason="another session")
    make_old(session_id)
    assert "unsent_sessions" not in purged()
    assert AnswerMatch.objects.get().claim == claim


def test_a_kind_that_fails_keeps_no_other_from_going(ours: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(batch: list[object]) -> None:
        raise DatabaseError

    kinds = [replace(kind, purge=fail) if kind.name == "notes" else kind for kind in retention.KINDS]
    monkeypatch.setattr(retention, "KINDS", kinds)
    with_note(ours, coded_days_ago=366)
    make_old(ours.submitted())
    AccessRecord.objects.create(what="page", session_ids=[], at=timezone.now() - timedelta(days=3000))
    seal_records()
    with pytest.raises(PurgeIncomplete, match="notes"):
        purge()
    assert SessionNote.objects.get().text == NOTE
    assert Session.objects.count() == 1
    assert not AccessRecord.objects.filter(at__lt=timezone.now() - timedelta(days=2999)).exists()
    with pytest.raises(CommandError, match="notes"):
        call_command("purge", stdout=io.StringIO())


def test_a_task_whose_time_is_over_ends_the_purge(ours: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def over(batch: list[object]) -> None:
        raise SoftTimeLimitExceeded

    kinds = [replace(kind, purge=over) if kind.name == "notes" else kind for kind in retention.KINDS]
    monkeypatch.setattr(retention, "KINDS", kinds)
    with_note(ours, coded_days_ago=366)
    make_old(ours.submitted())
    with pytest.raises(SoftTimeLimitExceeded):
        purge()
    assert Session.objects.count() == 2


def test_a_purge_that_is_too_much_for_one_task_goes_on_in_the_next(
    ours: Api, settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    hinted: list[object] = []
    monkeypatch.setattr(tasks, "hint", hinted.append)
    monkeypatch.setattr(retention, "BATCH", 1)
    for _ in range(2):
        with_note(ours, coded_days_ago=366)
        make_old(ours.submitted())
    limit, settings.CELERY_TASK_SOFT_TIME_LIMIT = settings.CELERY_TASK_SOFT_TIME_LIMIT, 0
    tasks.purge()
    settings.CELERY_TASK_SOFT_TIME_LIMIT = limit
    assert hinted == [tasks.purge]
    assert SessionNote.objects.filter(text=None).count() == 1
    assert Session.objects.count() == 3
    tasks.purge()
    assert hinted == [tasks.purge]
    assert not SessionNote.objects.exclude(text=None).exists()
    assert Session.objects.count() == 2


@pytest.mark.parametrize(
    ("error", "goes_on"),
    [(DatabaseError, True), (SoftTimeLimitExceeded, False)],
    ids=["fails", "time is over"],
)
def test_what_a_purge_cut_short_goes_on_in_the_next_task_also_where_a_kind_fails(
    ours: Api, settings, monkeypatch: pytest.MonkeyPatch, error: type[Exception], goes_on: bool
) -> None:
    def fail(batch: list[object]) -> None:
        raise error

    kinds = [replace(kind, purge=fail) if kind.name == "notes" else kind for kind in retention.KINDS]
    monkeypatch.setattr(retention, "KINDS", kinds)
    monkeypatch.setattr(retention, "BATCH", 1)
    hinted: list[object] = []
    monkeypatch.setattr(tasks, "hint", hinted.append)
    with_note(ours, coded_days_ago=366)
    for _ in range(2):
        make_old(ours.submitted())
    settings.CELERY_TASK_SOFT_TIME_LIMIT = 0
    with pytest.raises(PurgeIncomplete if goes_on else error):
        tasks.purge()
    assert hinted == ([tasks.purge] if goes_on else [])
    assert Session.objects.count() == (2 if goes_on else 3)


def test_a_hold_stops_every_purge_until_it_is_lifted(ours: Api) -> None:
    noted, unsent = with_note(ours, coded_days_ago=999), ours.submitted()
    for session_id in (noted, unsent):
        make_old(session_id)
        call_command("legal_hold", str(session_id), "--reason", "Audit 2031-17", stdout=io.StringIO())
    assert purged() == {}
    for session_id in (noted, unsent):
        call_command("legal_hold", str(session_id), "--lift", stdout=io.StringIO())
    assert purged()["unsent_sessions"] == 2
    assert not LegalHold.objects.exists()


@pytest.mark.parametrize("name", ["notes", "unsent_sessions", "correction_drafts"])
def test_a_hold_that_comes_while_the_purge_chooses_stops_it(
    ours: Api, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    session_id = with_note(ours, coded_days_ago=999)
    make_old(session_id)
    user = User.objects.create_user("biller", password=None)
    long_ago = timezone.now() - timedelta(days=999)
    CorrectionDraft.objects.create(
        session_id=session_id, user=user, version=1, values="{}", saved_at=long_ago
    )
    (kind,) = (each for each in retention.KINDS if each.name == name)

    def chosen_just_before(before: datetime) -> QuerySet[Any]:
        past = kind.past(before)
        if not LegalHold.objects.exists():
            past = past.model.objects.filter(pk__in=list(past.values_list("pk", flat=True)))
            call_command("legal_hold", str(session_id), "--reason", "Audit 2031-17", stdout=io.StringIO())
        return past

    monkeypatch.setattr(retention, "KINDS", [replace(kind, past=chosen_just_before)])
    assert purged() == {}
    assert LegalHold.objects.get(lifted_at=None).session.note.text == NOTE
    assert CorrectionDraft.objects.exists()


def test_a_session_that_is_corrected_while_the_purge_chooses_stays(
    ours: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    session_id = ours.submitted()
    make_old(session_id)
    (kind,) = (each for each in retention.KINDS if each.name == "unsent_sessions")

    def chosen_just_before(before: datetime) -> QuerySet[Any]:
        chosen = list(kind.past(before).values_list("pk", flat=True))
        if not chosen:
            return kind.past(before)
        Session.objects.filter(pk=session_id).update(updated_at=timezone.now())
        return Session.objects.filter(pk__in=chosen)

    monkeypatch.setattr(retention, "KINDS", [replace(kind, past=chosen_just_before)])
    assert purged() == {}
    assert Session.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_purge_passes_by_a_session_on_which_a_hold_is_being_placed(ours: Api) -> None:
    session_id = ours.submitted()
    make_old(session_id)
    found: list[dict[str, int]] = []

    def purge_beside() -> None:
        found.append(purged())
        connection.close()

    with transaction.atomic():
        call_command("legal_hold", session_id, "--reason", "Audit 2031-17", stdout=io.StringIO())
        beside = threading.Thread(target=purge_beside)
        beside.start()
        beside.join(timeout=20)
    beside.join()
    assert found == [{}]
    assert LegalHold.objects.filter(session=session_id, lifted_at=None).exists()


def test_a_hold_needs_a_reason_and_is_placed_once(ours: Api) -> None:
    session_id = ours.submitted()
    with pytest.raises(CommandError, match="--reason"):
        call_command("legal_hold", session_id)
    call_command("legal_hold", session_id, "--reason", "Audit", stdout=io.StringIO())
    with pytest.raises(CommandError, match="already"):
        call_command("legal_hold", session_id, "--reason", "Audit")


def test_history_is_deleted_by_the_purge_alone(ours: Api) -> None:
    session_id = ours.submitted()
    make_old(session_id)
    purge()
    ours.submitted()
    with pytest.raises(DatabaseError), transaction.atomic():
        SessionEvent.objects.all().delete()


def test_idempotency_records_go_after_a_day(ours: Api) -> None:
    for key in ("old", "young"):
        ours.post("/sessions", submission(), headers={"Idempotency-Key": key})
    IdempotencyRecord.objects.filter(key="old").update(created_at=timezone.now() - timedelta(hours=25))
    assert purged() == {"idempotency_records": 1}
    assert [record.key for record in IdempotencyRecord.objects.all()] == ["young"]


def test_files_that_the_sandbox_has_handed_out_go(db: None) -> None:
    long_ago = timezone.now() - timedelta(days=400)
    for name, taken_at in (("taken", long_ago), ("waiting", None)):
        SandboxAnswer.objects.create(name=name, content="ISA~", available_at=long_ago, taken_at=taken_at)
    assert purged() == {"sandbox_answers": 1}
    assert SandboxAnswer.objects.get().name == "waiting"


def test_old_days_of_the_access_record_go_and_the_rest_stays_provable(db: None) -> None:
    now = timezone.now()
    for days in (3000, 2500, 3, 0):
        AccessRecord.objects.create(what="page", session_ids=[], at=now - timedelta(days=days))
    seal_records()
    assert purged() == {"access_records": 2}
    assert AccessSeal.objects.count() == 2
    verdict = verify_chain()
    assert (verdict.records, verdict.faults) == (2, ())
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE partners_accessrecord DISABLE TRIGGER audit_is_kept")
        cursor.execute("DELETE FROM partners_accessrecord WHERE at < now() - interval '2 days'")
    assert verify_chain().faults


def test_access_records_stay_from_the_first_that_names_a_held_session(ours: Api) -> None:
    held, now = UUID(ours.submitted()), timezone.now()
    for days, named in ((3000, []), (2500, [held]), (2400, []), (0, [])):
        AccessRecord.objects.create(what="page", session_ids=named, at=now - timedelta(days=days))
    LegalHold.objects.create(session_id=held, reason="A court asks")
    seal_records()
    assert purged(dry_run=True)["access_records"] == 1
    assert purged() == {"access_records": 1}
    assert verify_chain().faults == ()
    LegalHold.objects.update(lifted_at=now)
    assert purged() == {"access_records": 2}


def test_a_dry_run_counts_and_changes_nothing(ours: Api) -> None:
    with_note(ours, coded_days_ago=366)
    make_old(ours.submitted())
    output = io.StringIO()
    call_command("purge", "--dry-run", "--json", stdout=output)
    rows = {each["kind"]: each["rows"] for each in json.loads(output.getvalue())}
    assert (rows["notes"], rows["unsent_sessions"]) == (1, 1)
    assert SessionNote.objects.get().text == NOTE
    assert Session.objects.count() == 2


def test_a_schedule_of_0_keeps_for_ever(ours: Api, settings) -> None:
    settings.RETENTION_DAYS = dict.fromkeys(settings.RETENTION_DAYS, 0)
    make_old(with_note(ours, coded_days_ago=9999))
    assert purged() == {}


def test_a_claim_whose_note_is_gone_is_sent_again_with_the_codes_that_the_note_gave(
    db: None, settings: object
) -> None:
    settings.SANDBOX_SPEED = 1e9
    note = (
        "Individual psychotherapy, 55 minutes, in the office.\nDiagnosis: F41.1 Generalized anxiety disorder."
    )
    only_a_note = {
        "session__noteText": note,
        "session__diagnosisCodes": REMOVED,
        "session__durationMinutes": REMOVED,
    }
    session_id = submitted_and_run(harborlight(), "DENIED", **only_a_note)
    SessionNote.objects.update(coded_at=timezone.now() - timedelta(days=366))
    assert purged() == {"notes": 1}
    correction, _ = read_correction({"patient": {"insurance": {"groupNumber": "G2"}}})
    intake.correct_and_resend(session_id, correction=correction, user=None, reason="group number")
    run_until_quiet()
    claim = newest(session_id)
    assert (claim.version, claim.step) == (2, Claim.Step.FOLLOW)
    codes = SessionCode.objects.filter(session=session_id).values_list("code", "source")
    assert set(codes) == {("F41.1", "note"), ("90837", "note")}
