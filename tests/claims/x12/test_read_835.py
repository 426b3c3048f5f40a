"""The 835: payment, claims, lines, adjustments, and whether it all adds up."""

import tracemalloc
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.x12.read_835 import Remittance835
from claims.x12.remittance import (
    Adjustment,
    BalanceScope,
    Imbalance,
    ProviderAdjustment,
    RemittanceName,
    RemittedClaim,
    RemittedLine,
)
from claims.x12.segments import Problem, ProblemCode, X12File
from tests.claims.x12.envelopes import in_group

HEADER = (
    "BPR*I*95*C*ACH*CCP*01*111000025*DA*222*1512345678**01*021000089*DA*333*20260122~TRN*1*8826*1512345678~"
    "REF*EV*HARBORLT~DTM*405*20260120~N1*PR*AETNA*XV*60054~N3*PO BOX 1~N4*LEXINGTON*KY*40512~REF*2U*60055~"
    "PER*BL*PROVIDER SERVICES*TE*8005550100~N1*PE*CALM HARBOR*XX*1999999984~REF*TJ*123456789~LX*1~"
)
CLAIM = (
    "CLP*K7QX*1*165*95*30*12*EA1*11*1~CAS*CO*253*1~NM1*QC*1*DOE*JANE****MI*W1~NM1*74*1*DOUGH*****C*W2~"
    "NM1*82*1*RIVERA*ANA****XX*1234567893~MOA***MA01*MA18~REF*F8*ORIGINAL~DTM*232*20251230~DTM*233*20251231~"
    "DTM*050*20260105~AMT*AU*125~"
)
LINE = (
    "SVC*HC:90837:95*165*96*0900*1*HC:90834*2~DTM*472*20251230~CAS*CO*45*39~CAS*PR*3*30*1~REF*6R*K7QXL1~"
    "AMT*B6*126~LQ*HE*N130~LQ*HE*MA130~"
)
WHOLE = HEADER + CLAIM + LINE


class Reading:
    """Everything that was read of one 835."""

    def __init__(self, body: str) -> None:
        for transaction_set in X12File(in_group("835", body, functional_id="HP", version="005010X221A1")):
            self.remittance = Remittance835(transaction_set)
            self.header = self.remittance.header
            self.claims: list[RemittedClaim] = list(self.remittance)
            self.adjustments: list[ProviderAdjustment] = self.remittance.provider_adjustments
            self.imbalances: list[Imbalance] = self.remittance.imbalances
            self.problems: list[Problem] = transaction_set.problems
            self.refused = transaction_set.refusal is not None


def test_the_header_names_payment_payer_and_payee() -> None:
    reading = Reading(WHOLE)
    header = reading.header
    assert header is not None
    assert (header.amount, header.method) == (Decimal(95), "ACH")
    assert (header.trace_number, header.trace_company_id) == ("8826", "1512345678")
    assert (header.payment_date, header.production_date) == (date(2026, 1, 22), date(2026, 1, 20))
    assert (header.payer.name, header.payer.identifier, header.payer_id) == ("AETNA", "60054", "60054")
    assert (header.payee.identifier, header.payee.reference("TJ")) == ("1999999984", "123456789")
    assert reading.problems == []


@pytest.mark.parametrize(
    ("payer", "payer_id"),
    [
        ("N1*PR*AETNA*XV*60054~REF*2U*7", "60054"),
        ("N1*PR*AETNA~REF*2U*7", "7"),
        ("N1*PR*AETNA", "1512345678"),
    ],
)
def test_the_payer_is_named_as_well_as_the_file_does(payer: str, payer_id: str) -> None:
    body = f"BPR*H*0*C*NON************20260122~TRN*1*8826*1512345678~{payer}~LX*1~"
    header = Reading(body).header
    assert header is not None
    assert header.payer_id == payer_id


def test_a_claim_carries_numbers_amounts_names_and_remarks() -> None:
    [claim] = Reading(WHOLE).claims
    assert (claim.position, claim.patient_control_number, claim.status_code) == (1, "K7QX", "1")
    assert (claim.charge, claim.paid, claim.patient_responsibility) == (
        Decimal(165),
        Decimal(95),
        Decimal(30),
    )
    assert claim.payer_control_number == "EA1"
    assert claim.adjustments == (Adjustment("CO", "253", Decimal(1)),)
    assert claim.name("74") == RemittanceName("74", "DOUGH", "", "W2")
    assert claim.name("TT") is None
    assert claim.remark_codes == ("MA01", "MA18")
    assert (claim.service_from, claim.service_to) == (date(2025, 12, 30), date(2025, 12, 31))
    assert (claim.patient_share, claim.allowed) == (Decimal(30), Decimal(126))


def test_a_line_carries_our_number_what_was_paid_for_and_why_not_all() -> None:
    [claim] = Reading(WHOLE).claims
    assert claim.lines == (
        RemittedLine(
            procedure_code="90837",
            modifiers=("95",),
            charge=Decimal(165),
            paid=Decimal(96),
            submitted_procedure_code="90834",
            service_from=date(2025, 12, 30),
            service_to=date(2025, 12, 30),
            control_number="K7QXL1",
            allowed=Decimal(126),
            adjustments=(Adjustment("CO", "45", Decimal(39)), Adjustment("PR", "3", Decimal(30))),
            remark_codes=("N130", "MA130"),
        ),
    )


def test_what_a_line_leaves_out_has_its_default() -> None:
    [claim] = Reading(
        HEADER + "CLP*K7QX*1*95*95**12*EA1~SVC*HC:90837*95*95~DTM*150*20260101~DTM*151*20260102~"
    ).claims
    [line] = claim.lines
    assert line.submitted_procedure_code == "90837"
    assert (line.modifiers, line.control_number, line.allowed) == ((), "", None)
    assert (claim.service_from, claim.service_to) == (date(2026, 1, 1), date(2026, 1, 2))
    assert (claim.patient_responsibility, claim.allowed) == (Decimal(0), None)


def test_one_cas_holds_up_to_six_reasons() -> None:
    [claim] = Reading(HEADER + "CLP*K7QX*1*195*95**12*EA1~CAS*CO*45*40**59*30*1*253*10**237*20~").claims
    assert [(item.reason, item.amount) for item in claim.adjustments] == [
        ("45", Decimal(40)),
        ("59", Decimal(30)),
        ("253", Decimal(10)),
        ("237", Decimal(20)),
    ]


def test_a_reversal_is_told_by_its_status_and_negative_amounts() -> None:
    reading = Reading(
        HEADER + "CLP*K7QX*22*-165*-95**12*EA1~CAS*CO*45*-70~LX*2~CLP*K7QX*1*165*190**12*EA2~CAS*CO*45*-25~"
    )
    assert [claim.is_reversal for claim in reading.claims] == [True, False]
    assert [claim.position for claim in reading.claims] == [1, 2]
    assert reading.imbalances == []


def test_provider_adjustments_lower_the_payment() -> None:
    body = WHOLE.replace("BPR*I*95", "BPR*I*80") + "PLB*1999999984*20261231*WO:EA0*20*72*-5~"
    reading = Reading(body)
    assert reading.adjustments == [
        ProviderAdjustment("1999999984", "WO", "EA0", Decimal(20)),
        ProviderAdjustment("1999999984", "72", "", Decimal(-5)),
    ]
    assert reading.imbalances == []


@pytest.mark.parametrize(
    ("body", "imbalance"),
    [
        (WHOLE.replace("BPR*I*95", "BPR*I*96"), Imbalance(BalanceScope.PAYMENT, Decimal(96), Decimal(95))),
        (
            WHOLE.replace("BPR*I*95*C", "BPR*I*95*D"),
            Imbalance(BalanceScope.PAYMENT, Decimal(-95), Decimal(95)),
        ),
        (
            WHOLE.replace("CAS*CO*253*1", "CAS*CO*253*2"),
            Imbalance(BalanceScope.CLAIM, Decimal(95), Decimal(94), 1),
        ),
        (
            WHOLE.replace("*165*96*0900", "*165*97*0900"),
            Imbalance(BalanceScope.LINE, Decimal(97), Decimal(96), 1, 1),
        ),
        (
            WHOLE.replace("CLP*K7QX*1*165*95", "CLP*K7QX*1*166*95").replace("CO*253*1", "CO*253*2"),
            Imbalance(BalanceScope.CLAIM_LINES, Decimal(166), Decimal(165), 1),
        ),
    ],
)
def test_every_total_that_does_not_add_up_is_told(body: str, imbalance: Imbalance) -> None:
    assert Reading(body).imbalances == [imbalance]


@given(
    st.lists(
        st.tuples(
            st.decimals("0.01", 9999, places=2),
            st.lists(st.decimals(-999, 999, places=2), max_size=7),
            st.lists(st.decimals(-999, 999, places=2), max_size=3),
        ),
        min_size=1,
        max_size=5,
    ),
    st.lists(st.decimals(-999, 999, places=2), max_size=4),
)
def test_a_remittance_that_adds_up_to_the_cent_is_never_called_out_of_balance(
    parts: list[tuple[Decimal, list[Decimal], list[Decimal]]], withheld: list[Decimal]
) -> None:
    claims, total = "", Decimal(0)
    for charge, line_amounts, claim_amounts in parts:
        line_paid = charge - sum(line_amounts, Decimal(0))
        paid = line_paid - sum(claim_amounts, Decimal(0))
        total += paid
        claims += f"CLP*K7QX*1*{charge}*{paid}**12*EA1~" + cas_of(claim_amounts)
        claims += f"SVC*HC:90837*{charge}*{line_paid}~" + cas_of(line_amounts)
    plb = "".join(f"PLB*1*20261231*WO:1*{amount}~" for amount in withheld)
    payment = total - sum(withheld, Decimal(0))
    reading = Reading(HEADER.replace("BPR*I*95", f"BPR*I*{payment}") + claims + plb)
    assert reading.imbalances == []
    assert reading.problems == []
    assert reading.remittance.paid_total == total
    assert reading.remittance.claim_count == len(parts)


def cas_of(amounts: list[Decimal]) -> str:
    """Write amounts as CAS segments of up to six reasons each."""
    rows = [amounts[start : start + 6] for start in range(0, len(amounts), 6)]
    return "".join("CAS*CO" + "".join(f"*45*{amount}*" for amount in row) + "~" for row in rows)


@pytest.mark.parametrize(
    ("right", "wrong", "segment"),
    [
        ("BPR*I*95", "BPR*I*9,5", "BPR"),
        ("CLP*K7QX*1*165", "CLP*K7QX*1*1_65", "CLP"),
        ("CAS*CO*45*39", "CAS*CO*45*39USD", "CAS"),
        ("SVC*HC:90837:95*165*96", "SVC*HC:90837:95*165*NaN", "SVC"),
    ],
)
def test_an_amount_that_totals_need_and_that_is_none_refuses_the_set(
    right: str, wrong: str, segment: str
) -> None:
    reading = Reading(WHOLE.replace(right, wrong))
    assert reading.refused
    assert [(problem.code, problem.segment) for problem in reading.problems] == [
        (ProblemCode.MALFORMED_ELEMENT, segment)
    ]


@pytest.mark.parametrize(
    ("right", "wrong", "code", "segment"),
    [
        ("AMT*B6*126", "AMT*B6*MUCH", ProblemCode.MALFORMED_ELEMENT, "AMT"),
        ("DTM*472*20251230", "DTM*472*20251330", ProblemCode.MALFORMED_ELEMENT, "DTM"),
        ("CLP*K7QX*1*", "CLP*K7QX*7*", ProblemCode.MALFORMED_ELEMENT, "CLP"),
        ("LQ*HE*N130", "ZZZ*1", ProblemCode.UNKNOWN_SEGMENT, "ZZZ"),
        ("REF*F8*ORIGINAL", "N1*PE*X", ProblemCode.UNKNOWN_SEGMENT, "N1"),
        ("REF*EV*HARBORLT", "XX*1", ProblemCode.UNKNOWN_SEGMENT, "XX"),
        ("LX*1~CLP", "LX*1~REF*1*2~CLP", ProblemCode.UNKNOWN_SEGMENT, "REF"),
    ],
)
def test_what_else_is_malformed_is_told_where_it_stands(
    right: str, wrong: str, code: ProblemCode, segment: str
) -> None:
    body = WHOLE.replace(right, wrong)
    reading = Reading(body)
    assert not reading.refused
    assert reading.imbalances == []
    [problem] = reading.problems
    assert (problem.code, problem.segment) == (code, segment)
    segments = ("ST~" + body).split("~")
    assert segments[problem.position - 1].startswith(segment)


def test_a_missing_amount_counts_as_nothing_and_is_told() -> None:
    reading = Reading(HEADER + "CLP*K7QX*1*95*95**12*EA1~SVC*HC:90837*95*95~SVC*HC:90785~")
    assert [problem.code for problem in reading.problems] == [ProblemCode.MISSING_ELEMENT] * 2
    assert reading.imbalances == []


@pytest.mark.parametrize("missing", ["TRN*1*8826*1512345678~", HEADER[: HEADER.index("TRN")]])
def test_without_payment_or_trace_number_the_set_is_refused_and_read_no_further(missing: str) -> None:
    reading = Reading(WHOLE.replace(missing, ""))
    assert reading.header is None
    assert reading.claims == []
    assert reading.refused


def test_an_835_without_claims_may_still_move_money() -> None:
    reading = Reading(HEADER + "PLB*1999999984*20261231*FB:1*-95~")
    assert reading.claims == []
    assert reading.imbalances == []


def test_a_claim_that_the_end_of_the_file_cuts_is_not_given() -> None:
    content = in_group("835", WHOLE, functional_id="HP", version="005010X221A1")
    for transaction_set in X12File(content[: content.index("LQ*HE")]):
        assert list(Remittance835(transaction_set)) == []
        assert transaction_set.refusal is not None


def test_patient_data_stay_out_of_the_repr() -> None:
    shown = repr(Reading(WHOLE).claims)
    assert "K7QX" in shown
    for value in ("DOE", "JANE", "W1", "DOUGH", "W2"):
        assert f"'{value}'" not in shown


def test_memory_does_not_grow_with_the_number_of_claims() -> None:
    def peak(claims: int) -> int:
        content = in_group(
            "835", HEADER + (CLAIM + LINE) * claims, functional_id="HP", version="005010X221A1"
        )
        file = X12File(content)
        tracemalloc.start()
        read = sum(1 for transaction_set in file for _ in Remittance835(transaction_set))
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert read == claims
        return used

    assert peak(1600) < 1.3 * peak(400)
