"""Finding and fetching what came in."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest

from billing.circuit import CircuitBreaker
from claims.clearinghouse.port import ClearinghouseError, FileKind, InboundFile, Outcome
from claims.clearinghouse.stedi import StediClearinghouse, polling
from claims.clearinghouse.stedi import gateway as stedi_gateway
from claims.x12.claim import Usage
from tests.claims.clearinghouse.stedi.server import Fault, StediServer


def test_reports_come_as_they_are(server: StediServer, gateway: StediClearinghouse) -> None:
    acknowledged = server.add("277", b'{"a": 1.10}')
    paid = server.add("835", b'{"b": 2.50}')
    fetched = gateway.fetch("")
    assert [(file.name, file.content, file.kind, file.reference) for file in fetched.files] == [
        (f"stedi-277-{acknowledged}.json", b'{"a": 1.10}', FileKind.STEDI_277_JSON, acknowledged),
        (f"stedi-835-{paid}.json", b'{"b": 2.50}', FileKind.STEDI_835_JSON, paid),
    ]


def test_what_is_not_for_us_is_passed_over(server: StediServer, gateway: StediClearinghouse) -> None:
    server.add("999", b"")
    server.add("837", b"", direction="OUTBOUND")
    server.add("277", b"", mode="production")
    server.add("277", b"", release="005010X212")
    server.add("277", b"", x12="odd")
    wanted = server.add("277", {})
    assert [file.reference for file in gateway.fetch("").files] == [wanted]


def test_a_production_key_sees_production(
    server: StediServer, gateway_with: Callable[..., StediClearinghouse]
) -> None:
    server.mode = "production"
    server.add("277", {})
    assert len(gateway_with(usage=Usage.PRODUCTION).fetch("").files) == 1


def test_the_cursor_goes_on_where_it_stopped(server: StediServer, gateway: StediClearinghouse) -> None:
    server.add("277", {})
    first = gateway.fetch("")
    nothing = gateway.fetch(first.next_cursor)
    newer = server.add("835", {})
    second = gateway.fetch(nothing.next_cursor)
    assert (first.more, nothing.files, nothing.more) == (True, (), False)
    assert [file.reference for file in second.files] == [newer]


def test_an_old_cursor_brings_the_same_files_again(server: StediServer, gateway: StediClearinghouse) -> None:
    server.add("277", {})
    (file,) = gateway.fetch("").files
    gateway.acknowledge(file)
    assert gateway.fetch("").files == (file,)


def test_pages_follow_each_other(
    server: StediServer, gateway: StediClearinghouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(polling, "PAGE_SIZE", 2)
    added = [server.add("277", {}) for _ in range(5)]
    fetched, cursor, more = [], "", True
    while more:
        page = gateway.fetch(cursor)
        fetched += [file.reference for file in page.files]
        cursor, more = page.next_cursor, page.more
    assert fetched == added


def test_without_page_tokens_the_time_of_the_newest_is_the_cursor(
    server: StediServer, gateway: StediClearinghouse
) -> None:
    server.page_tokens = False
    server.add("277", {}, at=server.now - timedelta(hours=2))
    first = gateway.fetch("")
    newer = server.add("277", {}, at=server.now - timedelta(hours=1))
    second = gateway.fetch(first.next_cursor)
    assert newer in [file.reference for file in second.files]
    server.transactions = []
    assert gateway.fetch(second.next_cursor).next_cursor == second.next_cursor


def test_polling_without_page_tokens_comes_to_an_end(
    server: StediServer, gateway: StediClearinghouse
) -> None:
    server.page_tokens = False
    server.add("277", {}, at=server.now - timedelta(hours=2))
    pages = [gateway.fetch("")]
    while pages[-1].more and len(pages) < 5:
        pages.append(gateway.fetch(pages[-1].next_cursor))
    assert len(pages) == 2


def test_no_start_is_asked_for_that_is_younger_than_a_minute(
    server: StediServer, gateway: StediClearinghouse
) -> None:
    assert gateway.fetch(f"since:{server.now.isoformat()}").files == ()


def test_a_report_that_is_not_there_is_passed_on_as_what_named_it(
    server: StediServer, gateway: StediClearinghouse
) -> None:
    missing, present = server.add("277", b""), server.add("835", {})
    first, second = gateway.fetch("").files
    told = json.loads(first.content)
    assert (told["unavailable"], told["item"]["transactionId"]) == ("not_found", missing)
    assert second.reference == present


@pytest.mark.parametrize(
    "fault",
    [Fault(500, b"{}"), Fault(401, b"{}"), Fault(200, b'{"transactions": [')],
    ids=["500", "401", "cut"],
)
def test_a_report_that_cannot_be_had_now_holds_the_cursor(
    server: StediServer, gateway: StediClearinghouse, fault: Fault
) -> None:
    server.add("277", {})
    server.faults = [Fault(takes=True), fault, fault, fault]
    with pytest.raises(ClearinghouseError):
        gateway.fetch("")
    server.faults = []
    assert len(gateway.fetch("").files) == 1


def test_the_others_of_a_page_come_while_one_fails_and_is_asked_for_again(
    server: StediServer, gateway: StediClearinghouse
) -> None:
    broken, present = server.add("277", {}), server.add("835", {})
    server.broken.add(broken)
    held = gateway.fetch("")
    assert [file.reference for file in held.files] == [present]
    assert (held.next_cursor, held.more) == ("", False)
    assert held.left == (f"report {broken} can't be had now (server_error)",)
    server.broken.clear()
    whole = gateway.fetch(held.next_cursor)
    assert {file.reference for file in whole.files} == {broken, present}
    assert (whole.next_cursor != "", whole.left) == (True, ())


def fetched_after_tries(gateway: StediClearinghouse) -> tuple[InboundFile, ...]:
    """What comes once a report was asked for often enough."""
    for _ in range(stedi_gateway.MOST_TRIES - 1):
        assert gateway.fetch("").left
    return gateway.fetch("").files


def test_a_report_that_always_fails_while_others_come_is_passed_on_as_what_named_it(
    server: StediServer, gateway: StediClearinghouse
) -> None:
    broken, present = server.add("277", {}), server.add("835", {})
    server.broken.add(broken)
    first, second = sorted(fetched_after_tries(gateway), key=lambda file: file.name)
    told = json.loads(first.content)
    assert (told["unavailable"], told["item"]["transactionId"]) == ("server_error", broken)
    assert second.reference == present
    server.add("835", {})
    assert len(gateway.fetch("").files) == 3


def test_several_reports_that_always_fail_are_passed_on_and_keep_no_claim_from_going(
    server: StediServer, gateway_with: Callable[..., StediClearinghouse]
) -> None:
    circuit = CircuitBreaker(failures=10)
    gateway = gateway_with(circuit=circuit)
    server.broken.update([server.add("277", {}) for _ in range(4)])
    present = server.add("835", {})
    for poll in range(2 * stedi_gateway.MOST_TRIES - 1):
        if poll < len(server.broken) / stedi_gateway.BROKEN_A_POLL:  # each is met once before the good one
            with pytest.raises(ClearinghouseError):
                gateway.fetch("")
        else:
            fetched = gateway.fetch("")
            assert [file.reference for file in fetched.files if file.reference not in server.broken] == [
                present
            ]
            assert fetched.left
        assert circuit.wait() is None
    files = gateway.fetch("").files
    assert {file.reference for file in files} == {*server.broken, present}
    asked = len(server.requests)
    assert gateway.fetch("").files == files
    assert len(server.requests) == asked + 2


def test_a_report_that_fails_counts_also_where_another_answer_ends_the_poll(
    server: StediServer, gateway: StediClearinghouse
) -> None:
    server.broken.add(server.add("277", {}))
    server.add("835", {})
    server.faults = [Fault(takes=True), *[Fault(500, b"{}")] * 3, Fault(401, b"{}")]
    with pytest.raises(ClearinghouseError) as failure:
        gateway.fetch("")
    assert failure.value.code == "unauthorized"
    for _ in range(stedi_gateway.MOST_TRIES - 2):
        assert gateway.fetch("").left
    assert len(gateway.fetch("").files) == 2


def test_while_no_report_can_be_had_none_is_left_within_a_day(
    server: StediServer, gateway: StediClearinghouse
) -> None:
    server.broken.add(server.add("277", {}))
    for _ in range(stedi_gateway.MOST_TRIES + 1):
        with pytest.raises(ClearinghouseError):
            gateway.fetch("")
    server.now += timedelta(days=1, seconds=1)
    assert len(gateway.fetch("").files) == 1


def test_odd_items_do_not_hold_up_the_page(server: StediServer, gateway: StediClearinghouse) -> None:
    server.faults = [Fault(200, b'{"items": ["odd", 7, null, {}, {"x12": {"metadata": []}}]}')]
    assert gateway.fetch("").files == ()


@pytest.mark.parametrize("body", [b"{}", b'{"items": {}}', b"[]", b"nonsense"])
def test_a_page_that_cannot_be_read_is_raised(
    server: StediServer, gateway: StediClearinghouse, body: bytes
) -> None:
    server.faults = [Fault(200, body)]
    with pytest.raises(ClearinghouseError) as failure:
        gateway.fetch("")
    assert (failure.value.code, failure.value.outcome) == ("unreadable_answer", Outcome.NOT_TAKEN)


def test_reports_that_take_long_are_handed_over_a_few_at_a_time(
    server: StediServer, gateway: StediClearinghouse
) -> None:
    server.seconds_a_report = stedi_gateway.LONGEST_FETCH.total_seconds() * 0.6
    names = [server.add("277", {}) for _ in range(5)]
    came, cursor, more = [], "", True
    while more:
        fetched = gateway.fetch(cursor)
        for file in fetched.files:
            gateway.acknowledge(file)
        came.append([file.reference for file in fetched.files])
        cursor, more = fetched.next_cursor, fetched.more and bool(fetched.files)
    assert came[:3] == [names[:2], names[2:4], names[4:]]
    assert sum(names[0] in request.path for request in server.requests) == 1


def test_what_was_not_stored_is_handed_over_again(server: StediServer, gateway: StediClearinghouse) -> None:
    server.seconds_a_report = stedi_gateway.LONGEST_FETCH.total_seconds() * 0.6
    names = [server.add("277", {}) for _ in range(3)]
    first, second = gateway.fetch(""), gateway.fetch("")
    assert [[file.reference for file in fetched.files] for fetched in (first, second)] == [names[:2]] * 2
    assert (first.next_cursor, first.more) == ("", True)
