"""Every sample TA1, 999, 277 and 835 says what its README line promises, or is refused clearly."""

from collections.abc import Callable
from decimal import Decimal

import pytest

from claims.x12.read_999 import SyntaxOutcome
from claims.x12.read_ta1 import InterchangeOutcome
from claims.x12.remittance import BalanceScope
from claims.x12.segments import ProblemCode
from claims.x12.statuses import StatusGuide
from tests.claims.x12.samples import SAMPLES, Sample, needs_samples

pytestmark = needs_samples


def is_999(outcome: SyntaxOutcome, group: int, sets: dict[int, SyntaxOutcome]) -> Callable[[Sample], None]:
    """Expect one 999 about the group and its sets."""

    def check(sample: Sample) -> None:
        [found] = sample.groups
        assert found is not None
        assert (found.outcome, found.control_number) == (outcome, group)
        assert {item.control_number: item.outcome for item in found.sets} == sets
        assert sample.problems == []

    return check


A, R = SyntaxOutcome.ACCEPTED, SyntaxOutcome.REJECTED


def accepted_though_the_envelope_is_off(sample: Sample) -> None:
    is_999(A, 17456, {1: A})(sample)
    assert sample.file_codes == [ProblemCode.CONTROL_NUMBER_MISMATCH]


def partly_accepted(sample: Sample) -> None:
    is_999(SyntaxOutcome.PARTLY_ACCEPTED, 78, {1: A, 2: R, 3: A})(sample)
    group = sample.groups[0]
    assert group is not None
    assert group.faults_of(2) == ("segment 31 SV101-2 error 7",)


def bad_character(sample: Sample) -> None:
    is_999(R, 13360001, {1: R})(sample)
    group = sample.groups[0]
    assert group is not None
    [fault] = group.faults_of(1)
    assert "<LF>" not in fault


def two_acknowledgements(sample: Sample) -> None:
    assert [(item.interchange_control_number, item.outcome) for item in sample.interchanges if item] == [
        (659, InterchangeOutcome.ACCEPTED),
        (660, InterchangeOutcome.ACCEPTED),
    ]


def one_acknowledgement(sample: Sample) -> None:
    [found] = sample.interchanges
    assert found is not None
    assert (found.interchange_control_number, found.note_code) == (77, "000")


def emedny_accepted(sample: Sample) -> None:
    claim = sample.status_of("5781")
    assert [code.category for code in claim.statuses[0].codes] == ["A2"]
    assert claim.payer_control_number == "1107000000014420"
    assert claim.service_from is not None
    assert claim.service_from.year == 1001


def dental_accepted(sample: Sample) -> None:
    assert sample.status_of("12345").source.party == "AY"
    assert not any(response.is_rejected for response in sample.responses)


def mixed_levels(sample: Sample) -> None:
    refused = [response.level for response in sample.responses if response.is_rejected]
    assert refused == ["provider", "claim", "claim"]
    assert len(sample.responses) == 10
    line = sample.status_of("PATIENT22222").lines[0]
    assert (line.procedure_code, line.modifiers, line.statuses[0].codes[0].category) == (
        "99213",
        ("26", "27"),
        "A8",
    )


def clearinghouse_mixed(sample: Sample) -> None:
    rejected = {
        item.patient_control_number: item.is_rejected for item in sample.responses if item.level == "claim"
    }
    assert rejected == {"HL-1041": False, "HL-1042": False, "HL-1043": True, "HL-1044": True, "HL-1045": True}
    assert sample.status_of("HL-1044").lines[0].statuses[0].codes[0].status == "454"


def payer_accepted_all(sample: Sample) -> None:
    assert sample.status_of("HL-1041").payer_control_number == "E1013A0001"
    assert sample.status_of("HL-1042").payer_control_number == "E1013A0002"
    assert not any(response.is_rejected for response in sample.responses)


def forwarded_only(sample: Sample) -> None:
    [status] = sample.status_of("NOT-OURS-9").statuses
    assert (status.codes[0].category, status.is_rejected) == ("A0", False)


def whole_batch_rejected(sample: Sample) -> None:
    [response] = sample.responses
    assert (response.level, response.is_rejected, response.statuses[0].codes[0].entity) == (
        "batch",
        True,
        "41",
    )


def emedny_rejected(sample: Sample) -> None:
    assert [response.is_rejected for response in sample.responses] == [False, True]
    assert sample.responses[1].statuses[0].codes[0].status == "562"


def therapy_accepted(sample: Sample) -> None:
    assert [response.statuses[0].codes[0].category for response in sample.responses] == ["A0", "A1"]
    assert sample.status_of("111222333").source.party == "AY"


def guide_example(sample: Sample) -> None:
    claims = [response for response in sample.responses if response.level == "claim"]
    assert [claim.is_rejected for claim in claims] == [False, True, True]
    assert claims[1].lines[0].control_number == "11"
    assert set(claims[2].patient_control_number) == {"0"}


def cut_off(sample: Sample) -> None:
    assert sample.refused == [ProblemCode.TRUNCATED]
    assert sample.responses == []


def is_inquiry_answer(numbers: list[str], categories: list[str]) -> Callable[[Sample], None]:
    """Expect the answer to an inquiry, with these claims and first categories of all responses."""

    def check(sample: Sample) -> None:
        assert {response.source.guide for response in sample.responses} == {StatusGuide.INQUIRY_RESPONSE}
        found = [item.patient_control_number for item in sample.responses if item.level == "claim"]
        assert found == numbers
        assert [item.statuses[0].codes[0].category for item in sample.responses] == categories

    return check


def balances(*, claims: int, reasons: list[str], payer: str, statuses: str = "") -> Callable[[Sample], None]:
    """Expect an 835 that adds up, with these adjustment reasons and claim statuses."""

    def check(sample: Sample) -> None:
        assert sample.scopes == []
        assert sample.refused == []
        assert len(sample.claims) == claims
        assert sample.reasons == reasons
        assert sample.remittances[0].header is not None
        assert sample.remittances[0].header.payer_id == payer
        if statuses:
            assert [claim.status_code for claim in sample.claims] == statuses.split()

    return check


def every_field(sample: Sample) -> None:
    [claim] = sample.claims
    assert claim.name("74") is not None
    assert claim.name("TT") is not None
    assert claim.remark_codes == ("MA01", "MA07")
    assert claim.lines[0].remark_codes == ("M1", "M2")
    assert claim.lines[0].control_number == "A123"
    assert sample.scopes == [BalanceScope.CLAIM, BalanceScope.PAYMENT]


def without_envelope(sample: Sample) -> None:
    assert ProblemCode.NO_ENVELOPE in sample.codes
    assert sample.refused == []
    assert sample.scopes == []
    [claim] = sample.claims
    assert claim.patient_share == Decimal("142.54")
    assert [line.submitted_procedure_code for line in claim.lines[:2]] == ["59410", "59410"]


def denied(sample: Sample) -> None:
    balances(claims=1, reasons=["OA-252"], payer="1234567890", statuses="4")(sample)
    assert sample.claims[0].lines[0].remark_codes == ("M143",)


def stated_payment_is_another(sample: Sample) -> None:
    assert sample.scopes == [BalanceScope.PAYMENT]
    assert sample.reasons == ["PR-1"]


def ohio(sample: Sample) -> None:
    assert ProblemCode.UNUSUAL_VERSION in sample.codes
    assert sample.scopes == [BalanceScope.PAYMENT]
    assert {"CO-29", "CR-18", "OA-23"} <= set(sample.reasons)
    assert [claim.status_code for claim in sample.claims] == [
        "1", "4", "4", "2", "4", "1", "25", "22", "22", "22",
    ]  # fmt: skip


def therapy_denials(sample: Sample) -> None:
    reasons = ["CO-197", "CO-29", "PR-96", "CO-16", "OA-18", "CO-22", "PR-27"]
    balances(claims=7, reasons=reasons, payer="87726")(sample)
    assert [claim.lines[0].remark_codes for claim in sample.claims] == [
        (), (), ("N130",), ("MA130", "N290"), (), ("N598",), (),
    ]  # fmt: skip


def therapy_paid(sample: Sample) -> None:
    reasons = ["CO-45", "PR-3", "CO-45", "PR-1", "CO-45"]
    balances(claims=3, reasons=reasons, payer="60054", statuses="1 1 1")(sample)
    assert [claim.patient_share for claim in sample.claims] == [Decimal(30), Decimal("104.5"), Decimal(0)]


def two_payers(sample: Sample) -> None:
    assert [item.header.payer_id for item in sample.remittances if item.header] == ["60054", "62308"]
    assert [item.header.method for item in sample.remittances if item.header] == ["ACH", "CHK"]
    assert sample.scopes == []
    assert sample.reasons == ["CO-45", "PR-3", "CO-45", "PR-2"]


def pharmacy(sample: Sample) -> None:
    balances(claims=3, reasons=["CO-27", "CO-16", "CO-91", "CO-45"], payer="1000000000")(sample)
    [withheld] = sample.remittances[0].provider_adjustments
    assert (withheld.reason, withheld.amount) == ("WO", Decimal("3.99"))


def reversed_and_corrected(sample: Sample) -> None:
    balances(claims=2, reasons=["CO-45", "CO-45"], payer="1141797357", statuses="22 1")(sample)
    assert [claim.paid for claim in sample.claims] == [Decimal("-627.97"), Decimal("629.54")]
    assert [claim.remark_codes for claim in sample.claims] == [("N689",), ("N419",)]


def another_component_separator(sample: Sample) -> None:
    balances(claims=1, reasons=["OA-23", "OA-94"], payer="1566339911")(sample)
    assert sample.claims[0].lines[0].procedure_code == "55669"


def three_payees(sample: Sample) -> None:
    assert [len(item.provider_adjustments) for item in sample.remittances] == [0, 0, 6]
    assert sample.scopes == []
    assert sample.refused == []
    assert sample.codes == {ProblemCode.COUNT_MISMATCH}
    assert [claim.status_code for claim in sample.claims] == ["4", "2", "4"]


def provider_bonus(sample: Sample) -> None:
    balances(claims=2, reasons=["CO-45", "PR-3", "CO-45", "PR-3"], payer="1262721578")(sample)
    [adjustment] = sample.remittances[0].provider_adjustments
    assert (adjustment.reason, adjustment.reference, adjustment.amount) == ("90", "", Decimal("3.95"))


def unknown_segment(sample: Sample) -> None:
    unknown = [problem.segment for problem in sample.problems if problem.code is ProblemCode.UNKNOWN_SEGMENT]
    assert unknown == ["N1", "N1", "PLX"]
    assert sample.scopes == []


def refused_as(code: ProblemCode) -> Callable[[Sample], None]:
    """Expect a refusal that leaves nothing of the file behind."""

    def check(sample: Sample) -> None:
        assert sample.refused == [code]
        assert sample.claims == []
        assert sample.remittances[0].header is None

    return check


EXPECTED: dict[str, Callable[[Sample], None]] = {
    "999/accepted.edi": accepted_though_the_envelope_is_off,
    "999/accepted_emedny.edi": is_999(A, 28, {28: A}),
    "999/own_therapy_batch_accepted_3_sets.edi": is_999(A, 77, {1: A, 2: A, 3: A}),
    "999/own_therapy_batch_partial.edi": partly_accepted,
    "999/rejected_emedny_ik3.edi": is_999(R, 28, {28: R}),
    "999/rejected_with_ik4_bad_char.edi": bad_character,
    "ta1/accepted_two_4010.edi": two_acknowledgements,
    "ta1/own_accepted_5010.edi": one_acknowledgement,
    "277ca/accepted_payer_emedny.edi": emedny_accepted,
    "277ca/dental_accepted_clearinghouse.edi": dental_accepted,
    "277ca/mixed_all_levels_hdi.edi": mixed_levels,
    "277ca/own_clearinghouse_mixed_therapy.edi": clearinghouse_mixed,
    "277ca/own_payer_all_accepted_therapy.edi": payer_accepted_all,
    "277ca/own_unknown_claim_number.edi": forwarded_only,
    "277ca/receiver_rejected_hdi.edi": whole_batch_rejected,
    "277ca/rejected_payer_emedny.edi": emedny_rejected,
    "277ca/therapy_accepted_clearinghouse.edi": therapy_accepted,
    "277ca/tr3_ex1_clearinghouse_mixed.edi": guide_example,
    "277ca/truncated_no_claims.edi": cut_off,
    "277_status/claim_level_paid_denied.edi": is_inquiry_answer(
        ["SM123456", "J0234567", "MA345678"], ["P3", "F0", "F2"]
    ),
    "277_status/information_receiver_level.edi": is_inquiry_answer([], ["E0"]),
    "277_status/many_claims_imsweb.edi": is_inquiry_answer(
        ["12345", "12346", "12347", "12348", "12349", "12340", "12341", "12342"], ["A1"] * 8
    ),
    "277_status/provider_level.edi": is_inquiry_answer(["SM123456"], ["P3", "E0"]),
    "835/all_fields_hdi.edi": every_field,
    "835/bare_st_bcbsnc.edi": without_envelope,
    "835/denial_hdi.edi": denied,
    "835/managed_care_two_claims_pr1.edi": balances(
        claims=2, reasons=["CO-A2", "PR-1", "CO-A2", "PR-1", "CO-45"], payer="1935665544"
    ),
    "835/minimal_hdi.edi": stated_payment_is_another,
    "835/ohio_bh_h0005_many_claims.edi": ohio,
    "835/own_therapy_denials_zero_pay.edi": therapy_denials,
    "835/own_therapy_paid_copay_deductible.edi": therapy_paid,
    "835/own_two_payers_two_interchanges.edi": two_payers,
    "835/own_zero_pay_deductible_and_predetermination.edi": balances(
        claims=2, reasons=["PR-1", "OA-101"], payer="62308", statuses="1 25"
    ),
    "835/pharmacy_plb_wo_emedny.edi": pharmacy,
    "835/professional_paid_denied_partial_emedny.edi": balances(
        claims=3, reasons=["CO-29", "CO-29", "CO-251", "CO-251"], payer="1000000000", statuses="1 2 2"
    ),
    "835/reversal_and_correction_emedny.edi": reversed_and_corrected,
    "835/secondary_cob_oa23_oa94.edi": another_component_separator,
    "835/secondary_two_claims.edi": balances(
        claims=2, reasons=["OA-23", "OA-23", "PR-1", "PR-2", "CO-42"], payer="1559123456", statuses="2 2"
    ),
    "835/three_sets_denials_plb.edi": three_payees,
    "835/two_claims_copay_plb90.edi": provider_bonus,
    "835/two_claims_hdi.edi": balances(claims=2, reasons=["PR-1", "PR-1"], payer="1935665544"),
    "835/unknown_segment_plxx.edi": unknown_segment,
    "835/validation_issues_hdi.edi": refused_as(ProblemCode.MISSING_ELEMENT),
    "835/wrong_version_4010.edi": refused_as(ProblemCode.WRONG_VERSION),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_an_inbound_file_says_what_its_readme_line_promises(name: str) -> None:
    EXPECTED[name](Sample(name))


def test_every_sample_is_expected_here() -> None:
    present = {f"{path.parent.name}/{path.name}" for path in SAMPLES.glob("*/*.edi")}
    assert {name for name in present if not name.startswith("837p/")} == set(EXPECTED)
