"""Commands for support engineers: what they find, what they do, and what they never print."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import get_commands, load_command_class
from django.db.backends.postgresql.psycopg_any import DateRange
from django.utils import timezone

from claims import pipeline, rechecks, work_queue
from claims.landing import Item
from claims.management.commands import stats
from claims.models import Claim, ClaimSignal, InboundFile, PollCursor, Transmission, WorkItem
from claims.signals import SignalKind
from partners.commands import SupportCommand
from partners.models import AccessRecord, Partner
from providers.models import ChargeRate, ChargeSchedule, Provider
from tests.cast import REMOVED, Api, day_of_service, submission
from tests.claims.process import run_until_quiet
from tests.operations.running import result, run

pytestmark = pytest.mark.django_db
PATIENT = ("Jane", "Doe", "W123456789", "1990-01-01", "Elm St", "F41.1")
SUPPORT = [
    "after_restore",
    "claim_edi",
    "create_partner",
    "doctor",
    "explain_session",
    "export_access",
    "export_evidence",
    "export_reviews",
    "find_session",
    "import_charges",
    "ingest",
    "issue_api_key",
    "legal_hold",
    "list_api_keys",
    "load_nppes",
    "make_sessions",
    "match_remittance",
    "poll_clearinghouse",
    "reprocess",
    "resend_claim",
    "revoke_api_key",
    "rotate_api_key",
    "rotate_keys",
    "show_session",
    "stats",
    "verify_audit",
    "void_claim",
]


@pytest.mark.parametrize("name", SUPPORT)
def test_help_has_an_example_and_the_exit_codes(name: str) -> None:
    command = load_command_class(get_commands()[name], name)
    assert isinstance(command, SupportCommand)
    text = command.create_parser("manage.py", name).format_help()
    assert f"manage.py {name}" in text.split("example:")[1]
    assert "exit codes: 0 done" in text
    assert "--json" in text
    assert ("--dry-run" in text) == (name in CHANGING)


CHANGING = {
    "after_restore",
    "import_charges",
    "ingest",
    "legal_hold",
    "load_nppes",
    "make_sessions",
    "match_remittance",
    "poll_clearinghouse",
    "reprocess",
    "resend_claim",
    "rotate_keys",
    "void_claim",
}


@pytest.mark.parametrize(
    "words",
    [
        ("show_session",),
        ("find_session",),
        ("explain_session",),
        ("show_session", "--json"),
        ("find_session", "--json"),
    ],
)
def test_no_patient_is_printed_unasked(ready_api: Api, words: tuple[str, ...]) -> None:
    session_id = ready_api.submitted()
    run_until_quiet()
    text = run(words[0], session_id, *words[1:]).text
    assert session_id in text
    assert not [word for word in PATIENT if word in text]


def test_with_phi_the_patient_is_shown_and_recorded(ready_api: Api) -> None:
    session_id = ready_api.submitted()
    shown = result("show_session", session_id, "--phi").document
    assert shown["patient"]["memberId"] == "W123456789"
    record = AccessRecord.objects.latest("id")
    assert [str(each) for each in record.session_ids] == [session_id]
    assert record.detail.startswith("show_session by ")


def test_a_claim_as_it_was_sent_is_patient_data_throughout(ready_api: Api) -> None:
    session_id = ready_api.submitted()
    assert run("claim_edi", session_id, "--phi").code == 3
    run_until_quiet()
    Partner.objects.update(mode="live")
    refused = run("claim_edi", session_id)
    assert (refused.code, "ISA" in refused.text) == (2, False)
    assert run("claim_edi", session_id, "--phi").text.startswith("ISA*00*")


def test_a_test_organizations_claim_is_printed_as_it_is(ready_api: Api) -> None:
    session_id = ready_api.submitted()
    run_until_quiet()
    assert run("claim_edi", session_id).text.startswith("ISA*00*")


def test_of_a_file_with_others_only_the_claims_own_part_is_printed(ready_api: Api) -> None:
    names = ("Klein", "Haddad", "Brandt")
    ids = [
        ready_api.submitted(patient__lastName=name, patient__insurance__memberId=f"W{name.upper()}")
        for name in names
    ]
    run_until_quiet()
    [whole] = Transmission.objects.values_list("content", flat=True)
    for session_id, name in zip(ids, names, strict=True):
        text = run("claim_edi", session_id, "--phi").text
        assert [each for each in names if each.upper() in text] == [name]
        kinds = [segment.split("*")[0] for segment in text.strip().split("~") if segment]
        assert (kinds[:3], kinds[-3:]) == (["ISA", "GS", "ST"], ["SE", "GE", "IEA"])
        assert all(f"{segment}~" in whole for segment in text.strip().split("~"))
        document = result("claim_edi", session_id, "--phi").document
        assert (document["content"], document["claimsInFile"]) == (text.strip(), 3)
        assert AccessRecord.objects.latest("id").session_ids == [UUID(session_id)]
    assert result("claim_edi", ids[0], "--claim-version", "2", "--phi").code == 3


@pytest.mark.parametrize("number", ["id", "external", "patient_control", "request"])
def test_a_session_is_found_by_any_of_its_numbers(ready_api: Api, number: str) -> None:
    answer = ready_api.post("/sessions", _body("ext-7"), headers={"X-Request-Id": "trace-7"})
    session_id = answer.json()["sessionId"]
    run_until_quiet()
    numbers = {
        "id": session_id,
        "external": "ext-7",
        "patient_control": str(Claim.objects.get().patient_control_number),
        "request": "trace-7",
    }
    assert result("show_session", numbers[number]).document["sessionId"] == session_id


def test_a_number_that_nothing_has_ends_with_3(api: Api) -> None:
    assert run("show_session", str(uuid4())).code == 3
    assert run("find_session", "nothing").code == 3


def test_find_session_filters(ready_api: Api) -> None:
    held = ready_api.submitted(patient__insurance__memberId="HELD", externalSessionId="one")
    ready_api.submitted(externalSessionId="two")
    run_until_quiet()
    claim = Claim.objects.get(session_id=held)
    assert claim.step == "held"
    rule = claim.findings.filter(severity="E").first().rule
    [row] = result(
        "find_session", "--step", "held", "--rule", rule, "--partner", ready_api.partner.slug
    ).document
    assert row["sessionId"] == held


def test_explain_names_the_rule_that_holds(ready_api: Api) -> None:
    held = ready_api.submitted(patient__insurance__memberId="HELD")
    run_until_quiet()
    rule = Claim.objects.get().findings.filter(severity="E").first().rule
    said = result("explain_session", held)
    assert said.code == 4
    assert said.document["stuck"] is True
    assert any(rule in reason for reason in said.document["why"])


@pytest.fixture
def without_gateway(ready_api: Api, settings: Any) -> str:
    """A live session, where no clearinghouse is set up."""
    settings.LIVE_GATEWAY, settings.LIVE_GATEWAY_BY_PAYER = "none", {}
    Partner.objects.update(mode="live")
    Provider.objects.update(mode="live")
    schedule = ChargeSchedule.objects.create(name="Live", scope="partner", partner=ready_api.partner)
    ChargeRate.objects.create(
        schedule=schedule, procedure_code="90837", unit_charge=180, valid=DateRange(date(2020, 1, 1), None)
    )
    session_id = ready_api.submitted()
    run_until_quiet()
    return session_id


def test_a_session_without_a_clearinghouse_is_explained_found_and_run_again(without_gateway: str) -> None:
    said = result("explain_session", without_gateway).document
    assert "No clearinghouse is set up" in said["why"][0]
    assert "LIVE_GATEWAY" in said["moves"][0]
    [row] = result("find_session", "--rule", "GTW-001").document
    assert row["sessionId"] == without_gateway
    assert len(result("reprocess", "--held-by", "GTW-001", "--dry-run").document) == 1


def test_it_goes_by_itself_once_there_is_one(without_gateway: str, settings: Any) -> None:
    assert rechecks.after_a_gateway() == 0
    settings.LIVE_GATEWAY_BY_PAYER = {"60054": "sandbox"}
    assert rechecks.after_a_gateway() == 0
    settings.LIVE_GATEWAY = "sandbox"
    assert rechecks.after_a_gateway() == 1
    while pipeline.advance():
        pass
    assert Claim.objects.get().gateway == "sandbox"


def test_explain_advises_no_override_that_would_help_nothing(ready_api: Api) -> None:
    unpriced = ready_api.submitted(session__procedureCodes=[{"code": "90899"}])
    noted = ready_api.submitted(
        patient__firstName="June",
        session__diagnosisCodes=REMOVED,
        session__durationMinutes=REMOVED,
        session__noteText="Worked on goals.",
    )
    run_until_quiet()
    moves = " ".join(result("explain_session", unpriced).document["moves"])
    assert "import_charges" in moves
    assert "overrides" not in moves
    moves = " ".join(result("explain_session", noted).document["moves"])
    assert "answer the question about its note" in moves
    assert "overrides" not in moves


def test_explain_says_what_a_followed_claim_waits_for(ready_api: Api) -> None:
    session_id = ready_api.submitted(patient__insurance__memberId="SILENT")
    run_until_quiet()
    said = result("explain_session", session_id)
    assert said.code == 0
    assert "poll_clearinghouse sandbox" in " ".join(said.document["moves"])


def test_explain_says_since_when_the_clearinghouse_can_not_be_polled(ready_api: Api) -> None:
    session_id = ready_api.submitted(patient__insurance__memberId="SILENT")
    run_until_quiet()
    failed_at = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
    PollCursor.objects.update(failed_at=failed_at, failure="no answer")
    why = " ".join(result("explain_session", session_id).document["why"])
    assert "; at 2026-03-04 05:06:07 UTC it failed: no answer." in why


def test_explain_says_which_files_the_last_poll_left_and_calls_it_no_failure(ready_api: Api) -> None:
    session_id = ready_api.submitted(patient__insurance__memberId="SILENT")
    run_until_quiet()
    polled_at = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
    left = "Left there: 9 bytes can't be read."
    PollCursor.objects.update(polled_at=polled_at, failed_at=polled_at, failure=left)
    why = " ".join(result("explain_session", session_id).document["why"])
    assert f"sandbox was last polled at 2026-03-04 05:06:07 UTC. {left}" in why
    assert ".." not in why
    assert "failed" not in why


def test_explain_of_a_paid_claim_names_what_is_open(ready_api: Api) -> None:
    session_id = ready_api.submitted()
    run_until_quiet()
    assert "Nothing more has to happen." in result("explain_session", session_id).document["moves"]
    claim = Claim.objects.select_related("session").get()
    work_queue.put_items([(Item(queue=WorkItem.Queue.ANSWERS, reason="unexpected", summary="…"), claim)])
    said = result("explain_session", session_id)
    assert (said.code, said.document["stuck"]) == (4, True)
    assert "Nothing more has to happen." not in said.text


def test_explain_tells_that_nobody_takes_a_claim(ready_api: Api) -> None:
    session_id = ready_api.submitted()
    Claim.objects.update(next_step_at=timezone.now() - timedelta(minutes=10))
    said = result("explain_session", session_id)
    assert said.code == 4
    assert "Nobody takes it" in " ".join(said.document["moves"])


def test_reprocess_lets_a_held_session_go_through_again(ready_api: Api) -> None:
    held = ready_api.submitted(patient__insurance__memberId="HELD")
    run_until_quiet()
    assert result("reprocess", held, "--dry-run").code == 0
    assert Claim.objects.get().step == "held"
    assert result("reprocess", held).document[0]["refused"] is False
    assert Claim.objects.get().step == "code"


def test_reprocess_takes_all_that_one_rule_holds(ready_api: Api) -> None:
    for number in range(3):
        ready_api.submitted(patient__insurance__memberId=f"HELD{number}")
    run_until_quiet()
    rule = Claim.objects.first().findings.filter(severity="E").first().rule
    assert len(result("reprocess", "--held-by", rule).document) == 3


def test_reprocess_leaves_alone_what_a_rule_only_warns_of(ready_api: Api) -> None:
    ready_api.submitted(patient__insurance__memberId="HELD")
    run_until_quiet()
    claim = Claim.objects.get()
    warning = claim.findings.filter(severity="W").first().rule
    assert result("reprocess", "--held-by", warning).code == 3
    assert Claim.objects.get().step == "held"


def test_a_dry_run_of_reprocess_says_what_holds_each_and_what_is_refused(ready_api: Api) -> None:
    held = ready_api.submitted(patient__insurance__memberId="HELD")
    run_until_quiet()
    assert "TEST-001 at" in run("reprocess", held, "--dry-run").text
    gone = ready_api.submitted()
    run_until_quiet()
    said = result("reprocess", held, gone, "--dry-run")
    assert (said.code, [row["refused"] for row in said.document]) == (4, [False, True])
    assert "was handed over" in said.document[1]["why"][0]
    assert Claim.objects.get(session=held).step == "held"


def test_reprocess_is_refused_once_a_claim_has_left(ready_api: Api) -> None:
    session_id = ready_api.submitted()
    run_until_quiet()
    assert run("reprocess", session_id).code == 1


def test_reprocess_of_nothing_is_wrong_usage(api: Api) -> None:
    assert run("reprocess").code == 2


def test_resend_before_any_answer_is_refused_in_words(ready_api: Api) -> None:
    session_id = ready_api.submitted(patient__insurance__memberId="SILENT")
    run_until_quiet()
    said = run("resend_claim", session_id, "--reason", "asked for")
    assert said.code == 1
    assert "neither rejected nor judged" in said.text


def test_a_dry_run_of_a_resend_changes_nothing(ready_api: Api) -> None:
    session_id = _rejected(ready_api)
    said = result("resend_claim", session_id, "--reason", "member corrected", "--dry-run")
    assert (said.code, said.document["version"]) == (0, 2)
    assert Claim.objects.count() == 1


def test_resend_opens_another_version(ready_api: Api) -> None:
    session_id = _rejected(ready_api)
    assert run("resend_claim", session_id, "--reason", "member corrected").code == 0
    assert Claim.objects.count() == 2


def test_void_names_why_it_can_not_be(ready_api: Api) -> None:
    session_id = ready_api.submitted()
    assert "Nothing was sent" in run("void_claim", session_id, "--reason", "twice").text


def test_stats_count_by_status(ready_api: Api) -> None:
    ready_api.submitted()
    ready_api.submitted(patient__insurance__memberId="HELD")
    run_until_quiet()
    counted = result("stats", "--partner", ready_api.partner.slug).document
    assert counted["sessions"] == {"paid": 1, "processing": 1}
    assert counted["claims"]["held"] == 1


def test_stats_say_that_what_is_open_may_be_older_and_what_is_left_out(
    ready_api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready_api.submitted(patient__insurance__memberId="HELD")
    run_until_quiet()
    assert "open now, whenever they began\n" in run("stats").text
    monkeypatch.setattr(stats, "MOST_KINDS", 0)
    assert "open now, whenever they began (1 rarer kinds left out)" in run("stats").text
    assert result("stats").document["openKindsLeftOut"] == 1


@pytest.mark.parametrize("days", ["0", "99999999999"])
def test_days_that_can_not_be_are_wrong_usage(api: Api, days: str) -> None:
    assert run("stats", "--days", days).code == 2


def test_poll_clearinghouse_applies_what_waits(ready_api: Api, settings: Any) -> None:
    [row] = result("poll_clearinghouse", "sandbox").document
    assert (row["gateway"], row["failure"]) == ("sandbox", "")
    assert run("poll_clearinghouse", "nowhere").code == 3


def _rejected(ready_api: Api) -> str:
    session_id = ready_api.submitted(patient__insurance__memberId="REJECTED")
    run_until_quiet()
    return session_id


def _body(external: str) -> dict[str, Any]:
    return submission(externalSessionId=external)


def test_an_answer_without_a_claim_is_listed_and_matched(ready_api: Api, tmp_path: Path) -> None:
    session_id = ready_api.submitted(patient__insurance__memberId="SILENT")
    other = ready_api.submitted(externalSessionId="other", session__dateOfService=day_of_service(14))
    run_until_quiet()
    waiting = ClaimSignal.objects.filter(
        claim__session_id=other, kind=SignalKind.CLAIM_ACKNOWLEDGEMENT
    ).first()
    assert waiting is not None
    ClaimSignal.objects.filter(pk=waiting.pk).update(claim=None, partner=None)
    assert [row["answer"] for row in result("match_remittance").document] == [waiting.pk]
    claim = Claim.objects.get(session_id=session_id)
    assert run("match_remittance", str(waiting.pk), "--claim", str(claim.pk), "--dry-run").code == 0
    assert ClaimSignal.objects.get(pk=waiting.pk).claim_id is None
    assert run("match_remittance", str(waiting.pk), "--claim", str(claim.patient_control_number)).code == 0
    assert ClaimSignal.objects.get(pk=waiting.pk).claim_id == claim.pk
    assert run("match_remittance").code == 0


def test_a_balance_that_is_carried_over_waits_for_no_claim(ready_api: Api) -> None:
    ready_api.submitted(patient__insurance__memberId="REVERSED")
    run_until_quiet()
    carried = ClaimSignal.objects.get(kind=SignalKind.PROVIDER_ADJUSTMENT, claim=None)
    report = InboundFile.objects.get(pk=carried.inbound_file_id).report
    assert sum(entry.get("unmatched", 0) for entry in report["sets"]) == 0
    assert result("match_remittance").document == []


def test_an_answer_that_has_a_claim_is_not_matched_again(ready_api: Api) -> None:
    ready_api.submitted()
    run_until_quiet()
    row = ClaimSignal.objects.order_by("pk").first()
    assert row is not None
    assert run("match_remittance", str(row.pk), "--claim", str(row.claim_id)).code == 1


@pytest.mark.parametrize("count", ["0", "10000001"])
def test_sessions_in_a_number_that_can_not_be_are_wrong_usage(db: None, count: str) -> None:
    said = run("make_sessions", count, "--dry-run")
    assert (said.code, said.text) == (2, "Give a number from 1 to 10,000,000.")


def test_sessions_are_never_made_beside_live_ones(api: Api) -> None:
    Partner.objects.filter(pk=api.partner.pk).update(mode="live")
    said = run("make_sessions", "10")
    assert (said.code, Partner.objects.count()) == (1, 1)
    assert "live" in said.text
