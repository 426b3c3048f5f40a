"""A report as JSON says the same as the file that it was made from."""

import json
from copy import deepcopy
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claims.clearinghouse.port import FileKind
from claims.clearinghouse.stedi import StediReport
from claims.x12.read_277ca import read_277ca
from claims.x12.read_835 import Remittance835
from claims.x12.remittance import RemittedClaim
from claims.x12.segments import TransactionSet, X12Error, X12File
from claims.x12.statuses import StatusResponse

HERE = Path(__file__).parent / "reports"


def read_json(name: str) -> dict[str, Any]:
    return json.loads((HERE / name).read_text())


def sets_of(report: Any, kind: FileKind) -> list[TransactionSet]:
    return list(StediReport(json.dumps(report).encode(), kind=kind))


def responses_in(report: Any) -> list[StatusResponse]:
    (transaction_set,) = sets_of(report, FileKind.STEDI_277_JSON)
    return list(read_277ca(transaction_set))


def remittance_in(report: Any) -> tuple[Remittance835, list[RemittedClaim], TransactionSet]:
    (transaction_set,) = sets_of(report, FileKind.STEDI_835_JSON)
    remittance = Remittance835(transaction_set)
    return remittance, list(remittance), transaction_set


@pytest.mark.parametrize("name", ["accepted", "rejected"])
def test_a_277_as_json_says_what_the_file_says(name: str) -> None:
    transaction_set = next(iter(X12File((HERE / f"{name}.277.edi").read_text())))
    expected = list(read_277ca(transaction_set))
    assert expected
    # The JSON has no dates of receipt, and no amounts and actions above the claim.
    got = responses_in(read_json(f"{name}.277.json"))
    assert [reduced(response) for response in got] == [reduced(response) for response in expected]


def reduced(response: StatusResponse) -> StatusResponse:
    source = replace(response.source, processed_on=None)
    statuses = response.statuses
    if response.level != "claim":
        statuses = tuple(replace(status, charge=None, action=None) for status in statuses)
    lines = tuple(
        replace(
            line,
            statuses=tuple(replace(status, effective_date=None, action=None) for status in line.statuses),
        )
        for line in response.lines
    )
    return replace(response, source=source, statuses=statuses, lines=lines)


def test_an_835_as_json_says_what_the_file_says() -> None:
    transaction_set = next(iter(X12File((HERE / "mixed.835.edi").read_text())))
    file = Remittance835(transaction_set)
    claims = list(file)
    assert transaction_set.problems == []
    report, claims_in_report, report_set = remittance_in(read_json("mixed.835.json"))
    assert report.header == file.header
    assert claims_in_report == claims
    assert report.provider_adjustments == file.provider_adjustments
    assert report.imbalances == file.imbalances == []
    assert report_set.problems == []


def test_a_report_that_does_not_add_up_is_seen() -> None:
    report = read_json("mixed.835.json")
    report["transactions"][0]["financialInformation"]["totalActualProviderPaymentAmount"] = "1.00"
    remittance, _, _ = remittance_in(report)
    assert [imbalance.stated for imbalance in remittance.imbalances] == [Decimal("1.00")]


def test_money_written_as_a_number_stays_exact() -> None:
    content = (HERE / "mixed.835.json").read_bytes().replace(b'"155.40"', b"155.40")
    (transaction_set,) = StediReport(content, kind=FileKind.STEDI_835_JSON)
    assert next(iter(Remittance835(transaction_set))).paid == Decimal("155.40")


@pytest.mark.parametrize("missing", ["financialInformation", "paymentAndRemitReassociationDetails"])
def test_an_835_without_its_payment_is_refused(missing: str) -> None:
    report = read_json("mixed.835.json")
    del report["transactions"][0][missing]
    remittance, claims, transaction_set = remittance_in(report)
    assert (remittance.header, claims) == (None, [])
    assert transaction_set.refusal is not None


def test_a_debit_is_negative() -> None:
    report = read_json("mixed.835.json")
    report["transactions"][0]["financialInformation"]["creditOrDebitFlagCode"] = "D"
    remittance, _, _ = remittance_in(report)
    assert remittance.header is not None
    assert remittance.header.amount < 0


def test_one_report_may_hold_several_payments() -> None:
    report = read_json("mixed.835.json")
    report["transactions"].append(deepcopy(report["transactions"][0]))
    assert len(sets_of(report, FileKind.STEDI_835_JSON)) == 2


@pytest.mark.parametrize("kind", [FileKind.STEDI_277_JSON, FileKind.STEDI_835_JSON])
@pytest.mark.parametrize(
    "content",
    [b"", b"nonsense", b"[]", b"{}", b'{"transactions": 1}', b'{"unavailable": "not_found"}', b"\xff"],
)
def test_what_is_no_report_is_refused_without_quoting_it(content: bytes, kind: FileKind) -> None:
    with pytest.raises(X12Error) as refusal:
        StediReport(content, kind=kind)
    assert "nonsense" not in str(refusal.value)


def test_text_cannot_become_a_segment_or_an_element() -> None:
    report = read_json("rejected.277.json")
    batch = report["transactions"][0]["payers"][0]["claimStatusTransactions"][0]
    patient = batch["claimStatusDetails"][0]["patientClaimStatusDetails"][0]
    status = patient["claims"][0]["claimStatus"]
    status["tradingPartnerClaimNumber"] = "X~STC*A2:20*20260101*WQ"
    (claim,) = [response for response in responses_in(report) if response.level == "claim"]
    assert claim.payer_control_number == "X~STC*A2:20*20260101*WQ"
    assert claim.is_rejected


def paths_of(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [path, *(found for key, child in children for found in paths_of(child, (*path, key)))]


REPORTS = [("rejected.277.json", FileKind.STEDI_277_JSON), ("mixed.835.json", FileKind.STEDI_835_JSON)]


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_report_of_any_shape_is_read_or_refused(data: st.DataObject) -> None:
    name, kind = data.draw(st.sampled_from(REPORTS))
    report = read_json(name)
    path = data.draw(st.sampled_from(paths_of(report)[1:]))
    node = report
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = data.draw(st.sampled_from([None, "", "x", 7, 1.5, True, [], {}, ["x"], [[]], [None]]))
    try:
        found = sets_of(report, kind)
    except X12Error:
        return
    for transaction_set in found:
        if kind is FileKind.STEDI_277_JSON:
            assert all(response.statuses is not None for response in read_277ca(transaction_set))
        else:
            assert all(claim.charge is not None for claim in Remittance835(transaction_set))
