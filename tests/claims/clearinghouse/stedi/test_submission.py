"""Handing claims over to Stedi, and what its answers mean."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from claims.clearinghouse.port import (
    ClearinghouseError,
    EditError,
    FileKind,
    InboundFile,
    NotFound,
    Outcome,
    Receipt,
    Refusal,
    Submission,
    Unknown,
)
from claims.clearinghouse.stedi import StediClearinghouse, StediSettings, Submitter, Transport, polling
from claims.clearinghouse.stedi import gateway as stedi_gateway
from claims.x12.claim import ProfessionalClaim, Usage
from tests.claims.clearinghouse.cast import GROUP, SOLO, claim_of, submission_of
from tests.claims.clearinghouse.stedi.server import (
    ACKNOWLEDGEMENT,
    Fault,
    StediServer,
    acknowledgement_of,
    refusal,
)

HANG = Fault(hangs=True, takes=True)
DROP = Fault(closes=True, takes=True)


@pytest.fixture
def submission() -> Submission:
    return submission_of(claim_of())


def error_of(gateway: StediClearinghouse, submission: Submission) -> ClearinghouseError:
    with pytest.raises(ClearinghouseError) as failure:
        gateway.submit(submission)
    return failure.value


@pytest.mark.parametrize(
    "claim",
    [
        claim_of(),
        claim_of(billing=SOLO),
        claim_of(billing=replace(GROUP, phone="")),
        claim_of(charges=("180.00", "45.50")),
        claim_of(frequency="7", payer_control_number="PCN-1"),
        claim_of(frequency="8", payer_control_number="PCN-1"),
    ],
    ids=["group", "solo", "without phone", "two lines", "replacement", "void"],
)
def test_every_shape_of_claim_is_taken(gateway: StediClearinghouse, claim: ProfessionalClaim) -> None:
    assert isinstance(gateway.submit(submission_of(claim)), Receipt)


def test_a_receipt_carries_their_id_their_answer_and_their_acknowledgement(
    server: StediServer, gateway: StediClearinghouse, submission: Submission
) -> None:
    receipt = gateway.submit(submission)
    answer = server.taken[submission.key][1].decode()
    reference = json.loads(answer)["claimReference"]["correlationId"]
    file = InboundFile(f"stedi-277-{reference}.edi", ACKNOWLEDGEMENT.encode(), FileKind.X12, reference)
    assert receipt == Receipt(reference, "test", answer, (file,))


def test_the_key_names_the_submission(
    server: StediServer, gateway: StediClearinghouse, submission: Submission
) -> None:
    assert gateway.submit(submission) == gateway.submit(submission)
    assert [request.headers["Idempotency-Key"] for request in server.requests] == [submission.key] * 2
    assert len(server.taken) == 1


@pytest.mark.parametrize("fault", [HANG, DROP], ids=["no answer", "connection closed"])
def test_an_answer_lost_after_the_bytes_were_taken_is_unknown_and_sending_again_makes_no_second_claim(
    server: StediServer,
    hasty: StediClearinghouse,
    gateway: StediClearinghouse,
    submission: Submission,
    fault: Fault,
) -> None:
    server.faults = [fault] * 3
    assert error_of(hasty, submission).outcome is Outcome.UNKNOWN
    server.faults = []
    assert isinstance(gateway.find(submission), Receipt)
    assert len(server.taken) == 1


def test_a_timeout_is_not_repeated_at_once(
    server: StediServer, hasty: StediClearinghouse, submission: Submission
) -> None:
    server.faults = [HANG]
    error_of(hasty, submission)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("fault", "code", "outcome"),
    [
        (Fault(500, b'{"message": "oops"}'), "server_error", Outcome.UNKNOWN),
        (Fault(500, b'{"message": "oops"}', takes=True), "server_error", Outcome.UNKNOWN),
        (Fault(503, b"", {"Retry-After": "120"}), "server_error", Outcome.UNKNOWN),
        (Fault(504, b"<html>gateway</html>"), "server_error", Outcome.UNKNOWN),
        (Fault(409, b"{}", {"Retry-After": "60"}, takes=True), "in_flight", Outcome.UNKNOWN),
        (Fault(429, b'{"code": "TOO_MANY_REQUESTS"}'), "too_many_requests", Outcome.NOT_TAKEN),
        (Fault(422, b'{"message": "key"}'), "key_reused", Outcome.PERMANENT),
        (Fault(401, b"{}"), "unauthorized", Outcome.PERMANENT),
        (Fault(403, refusal(http="403 FORBIDDEN")), "forbidden", Outcome.PERMANENT),
        (Fault(404, b"{}"), "not_found", Outcome.PERMANENT),
        (Fault(302, b"", {"Location": "http://127.0.0.1:1/"}), "unexpected_status", Outcome.PERMANENT),
        (Fault(400, b"<html>no</html>"), "bad_request", Outcome.PERMANENT),
        (Fault(200, b"<html>hello</html>", takes=True), "unreadable_answer", Outcome.UNKNOWN),
        (Fault(200, b"[]", takes=True), "unreadable_answer", Outcome.UNKNOWN),
        (Fault(200, b'{"status": "SUCC', takes=True), "unreadable_answer", Outcome.UNKNOWN),
        (Fault(200, b'{"status": "SUCCESS"}', takes=True), "unreadable_answer", Outcome.UNKNOWN),
        (Fault(200, b'{"status": "ERROR"}', takes=True), "unreadable_answer", Outcome.UNKNOWN),
        (Fault(200, refusal(http="500 INTERNAL_SERVER_ERROR")), "server_error", Outcome.UNKNOWN),
        (Fault(200, refusal(http="403 FORBIDDEN")), "forbidden", Outcome.PERMANENT),
        (Fault(takes=True, cut=20), "connection_broken", Outcome.UNKNOWN),
    ],
)
def test_what_an_answer_means(
    server: StediServer,
    gateway: StediClearinghouse,
    submission: Submission,
    fault: Fault,
    code: str,
    outcome: Outcome,
) -> None:
    server.faults = [fault] * 3
    error = error_of(gateway, submission)
    assert (error.code, error.outcome) == (code, outcome)


def test_an_answer_about_another_claim_is_no_receipt(
    server: StediServer, gateway: StediClearinghouse, submission: Submission
) -> None:
    gateway.submit(submission)
    other = server.taken[submission.key][1]
    server.faults = [Fault(200, other)]
    assert error_of(gateway, submission_of(claim_of())).outcome is Outcome.UNKNOWN


EDIT = {
    "code": "33",
    "description": "The billing provider tax id is invalid.",
    "followupAction": "Please Correct and Resubmit",
    "location": "Loop 2010AA, REF02",
}


@pytest.mark.parametrize("status", [200, 400, 422])
def test_edits_refuse_the_claim_whatever_the_status(
    server: StediServer, gateway: StediClearinghouse, submission: Submission, status: int
) -> None:
    body = refusal(EDIT)
    server.faults = [Fault(status, body)]
    text = "The billing provider tax id is invalid. Please Correct and Resubmit"
    error = EditError("33", text, "Loop 2010AA, REF02")
    assert gateway.submit(submission) == Refusal((error,), "", body.decode())


def test_a_body_that_the_schema_refuses_is_a_refusal_too(
    server: StediServer, gateway: StediClearinghouse, submission: Submission
) -> None:
    server.faults = [Fault(400, b'{"code": "VALIDATION", "message": "postalCode is too short"}')]
    refused = gateway.submit(submission)
    assert isinstance(refused, Refusal)
    assert refused.errors == (EditError("VALIDATION", "postalCode is too short"),)


def test_malformed_edits_are_still_a_refusal(
    server: StediServer, gateway: StediClearinghouse, submission: Submission
) -> None:
    server.faults = [Fault(400, b'{"status": "ERROR", "errors": ["odd"]}')]
    assert isinstance(gateway.submit(submission), Refusal)


def test_a_test_key_carries_no_real_claim(server: StediServer, gateway: StediClearinghouse) -> None:
    error = error_of(gateway, submission_of(claim_of(), usage=Usage.PRODUCTION))
    assert (error.code, error.outcome) == ("wrong_usage_for_key", Outcome.PERMANENT)
    assert server.requests == []


def test_one_claim_a_request(server: StediServer, gateway: StediClearinghouse) -> None:
    error = error_of(gateway, submission_of(claim_of(), claim_of()))
    assert (error.code, error.outcome) == ("one_claim_a_request", Outcome.PERMANENT)
    assert server.requests == []


class TestWhileTheKeyLives:
    @pytest.fixture(autouse=True)
    def hours_later(self, server: StediServer) -> None:
        server.now += timedelta(hours=22)

    def test_asking_is_posting_again(
        self, server: StediServer, gateway: StediClearinghouse, submission: Submission
    ) -> None:
        first = gateway.submit(submission)
        assert gateway.find(submission) == first
        assert len(server.taken) == 1

    def test_a_claim_that_is_refused_is_not_there(
        self, server: StediServer, gateway: StediClearinghouse, submission: Submission
    ) -> None:
        server.faults = [Fault(400, refusal(EDIT))]
        assert gateway.find(submission) == NotFound()

    @pytest.mark.parametrize("fault", [Fault(401, b"{}"), Fault(429, b"{}"), Fault(500, b"{}")])
    def test_no_failure_settles_it(
        self, server: StediServer, gateway: StediClearinghouse, submission: Submission, fault: Fault
    ) -> None:
        server.faults = [fault] * 3
        with pytest.raises(ClearinghouseError) as failure:
            gateway.find(submission)
        assert failure.value.outcome is Outcome.UNKNOWN


@pytest.mark.parametrize("later", [Fault(429, b"{}"), Fault(401, b"{}")], ids=["not taken", "permanent"])
def test_what_one_attempt_left_open_a_later_one_does_not_settle(
    server: StediServer, gateway: StediClearinghouse, submission: Submission, later: Fault
) -> None:
    server.faults = [Fault(closes=True, takes=True), later, later]
    assert error_of(gateway, submission).outcome is Outcome.UNKNOWN


class TestAfterTheKeysLife:
    @pytest.fixture(autouse=True)
    def a_day_later(self, server: StediServer) -> None:
        server.transactions, server.now = [], server.now + timedelta(hours=24)

    def test_a_claim_that_was_taken_is_found_by_its_acknowledgement(
        self, server: StediServer, gateway: StediClearinghouse, submission: Submission
    ) -> None:
        server.now = submission.first_attempt_at
        for other in (submission_of(claim_of()), submission):
            gateway.submit(other)
        server.now += timedelta(hours=24)
        reference = json.loads(server.taken[submission.key][1])["claimReference"]["correlationId"]
        assert gateway.find(submission) == Receipt(reference=reference, mode="test")

    def test_one_without_any_acknowledgement_never_arrived(
        self, server: StediServer, gateway: StediClearinghouse, submission: Submission
    ) -> None:
        server.add("835", {})
        server.add("277", {"transactions": []})
        assert gateway.find(submission) == NotFound()

    def test_when_nobody_answers_it_stays_unknown(
        self, server: StediServer, gateway: StediClearinghouse, submission: Submission
    ) -> None:
        server.faults = [Fault(500, b"{}")] * 3
        with pytest.raises(ClearinghouseError):
            gateway.find(submission)

    def test_a_search_has_an_end(
        self,
        server: StediServer,
        gateway: StediClearinghouse,
        submission: Submission,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(polling, "PAGE_SIZE", 1)
        server.seconds_a_report = stedi_gateway.LONGEST_FETCH.total_seconds() * 0.4
        for _ in range(4):
            server.add("277", {"transactions": []})
        assert gateway.find(submission) == Unknown()

    @pytest.mark.parametrize("is_there", [True, False])
    def test_a_long_search_goes_on_where_it_stopped(
        self,
        server: StediServer,
        gateway: StediClearinghouse,
        submission: Submission,
        monkeypatch: pytest.MonkeyPatch,
        is_there: bool,
    ) -> None:
        monkeypatch.setattr(polling, "PAGE_SIZE", 1)
        server.seconds_a_report = stedi_gateway.LONGEST_FETCH.total_seconds() * 0.4
        for _ in range(7):
            server.add("277", {"transactions": []})
        if is_there:
            number = submission.claims[0].patient_control_number
            server.add("277", acknowledgement_of(number, "01THERE"))
        assert [gateway.find(submission) for _ in range(2)] == [Unknown(), Unknown()]
        found = gateway.find(submission)
        assert found == (Receipt(reference="01THERE", mode="test") if is_there else NotFound())
        assert len(server.requests) == 2 * len(server.transactions) + (not is_there)

    def test_a_search_that_is_broken_off_goes_on_with_its_page(
        self,
        server: StediServer,
        gateway: StediClearinghouse,
        submission: Submission,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(polling, "PAGE_SIZE", 1)
        for _ in range(3):
            server.add("277", {"transactions": []})
        server.add("277", acknowledgement_of(submission.claims[0].patient_control_number, "01THERE"))
        report, asked = gateway._transport.get, []

        def until_the_time_is_up(url: str, *more: Any) -> Any:
            asked.append(f"{url}{more}")
            if len(asked) == 6:
                raise SoftTimeLimitExceeded
            return report(url, *more)

        monkeypatch.setattr(gateway._transport, "get", until_the_time_is_up)
        with pytest.raises(SoftTimeLimitExceeded):
            gateway.find(submission)
        assert gateway.find(submission) == Receipt(reference="01THERE", mode="test")
        assert len(asked) == len(set(asked)) + 2  # the page that was broken off, and its report

    def test_a_report_that_is_gone_hides_no_other_and_leaves_the_rest_unknown(
        self, server: StediServer, gateway: StediClearinghouse, submission: Submission
    ) -> None:
        gone = server.add("277", {"transactions": []})
        del server.reports[gone, "277"]
        assert gateway.find(submission) == Unknown()
        server.add("277", acknowledgement_of(submission.claims[0].patient_control_number, "01THERE"))
        assert gateway.find(submission) == Receipt(reference="01THERE", mode="test")


def test_no_error_quotes_the_claim_or_the_key(
    server: StediServer, gateway: StediClearinghouse, submission: Submission
) -> None:
    server.faults = [Fault(500, json.dumps(submission.x12).encode())] * 3
    shown = repr(error_of(gateway, submission)) + repr(submission)
    for secret in ("DOE", "JANE", "W123456789", "test_"):
        assert secret not in shown


def test_a_private_address_is_refused_outside_development(
    server: StediServer, gateway_with: Callable[..., StediClearinghouse], submission: Submission
) -> None:
    error = error_of(gateway_with(allow_private=False), submission)
    assert (error.code, error.outcome) == ("address_refused", Outcome.PERMANENT)
    assert server.requests == []


def test_a_name_that_cannot_be_resolved_is_not_taken(
    transport_with: Callable[..., Transport], submission: Submission
) -> None:
    settings = StediSettings(
        submitter=Submitter("X", "5125550100"),
        usage=Usage.TEST,
        healthcare_url="https://nowhere.invalid",
        core_url="https://nowhere.invalid",
    )
    gateway = StediClearinghouse(
        transport_with(allow_private=False), settings, clock=lambda: submission.first_attempt_at
    )
    assert error_of(gateway, replace(submission, attempt=2)).outcome is Outcome.NOT_TAKEN
