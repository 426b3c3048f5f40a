"""Both kinds of 277: who answers about what, with which statuses."""

from datetime import date
from decimal import Decimal

import pytest

from claims.x12.read_277ca import LONGEST_MESSAGE, read_277ca
from claims.x12.segments import ProblemCode, X12File
from claims.x12.statuses import (
    LineStatus,
    ResponseAction,
    ResponseLevel,
    Status,
    StatusCode,
    StatusGuide,
    StatusResponse,
)
from tests.claims.x12.envelopes import in_group

CLEARINGHOUSE = (
    "BHT*0085*08*CH1*20260102*1015*TH~HL*1**20*1~NM1*AY*2*EXAMPLE CLEARINGHOUSE*****46*CLRHSE~"
    "TRN*1*CH1~DTP*050*D8*20260101~DTP*009*D8*20260102~"
)
PAYER = CLEARINGHOUSE.replace("NM1*AY*2*EXAMPLE CLEARINGHOUSE*****46*CLRHSE", "NM1*PR*2*AETNA*****PI*60054")
BATCH = (
    "HL*2*1*21*1~NM1*41*2*HARBOR LIGHT*****46*HARBORLT~TRN*2*B77-0001~STC*A1:19:PR*20260102*WQ*330~"
    "QTY*90*1~QTY*AA*2~AMT*YU*165~AMT*YY*165~"
)
PROVIDER = "HL*3*2*19*1~NM1*85*2*HARBOR LIGHT*****XX*1234567893~TRN*1*0~REF*TJ*123456789~QTY*QA*1~AMT*YU*165~"
CLAIM = (
    "HL*4*3*PT~NM1*QC*1*RIVERA*ANA****MI*W123456789~TRN*2*K7QX~STC*A2:20:PR*20260102*WQ*165~"
    "REF*1K*E1013A0001~REF*D9*CH0001041~DTP*472*D8*20251230~"
)
REJECTED = (
    "HL*5*3*PT~NM1*QC*1*OLSEN*KARI****MI*XYZ~TRN*2*P0S0~"
    "STC*A7:255*20260102*U*150******A7:476:82*A3:21*CALL US~"
    "DTP*472*RD8*20251229-20251230~SVC*HC:90834:95*150*****1~STC*A7:454*20260102*U~REF*FJ*P0S0L1~"
    "DTP*472*D8*20251229~"
)
INQUIRY = (
    "BHT*0010*08*Q1*20260102*0810*DG~HL*1**20*1~NM1*PR*2*ABC*****PI*12345~HL*2*1*21*1~NM1*41*2*XYZ*****46*X67E~"
    "HL*3*2*19*1~NM1*1P*2*HOME*****XX*1666666661~HL*4*3*22*1~NM1*IL*1*MANN*JOHN****MI*345678901~"
    "HL*5*4*23~NM1*QC*1*MANN*JOSEPH~TRN*2*OURTRACE~STC*F2:88:QC*20260101**150*0~REF*1K*0516~REF*EJ*K7QX~"
)


def responses_to(body: str, version: str = "005010X214") -> tuple[list[StatusResponse], list[ProblemCode]]:
    for transaction_set in X12File(in_group("277", body, functional_id="HN", version=version)):
        return list(read_277ca(transaction_set)), [problem.code for problem in transaction_set.problems]
    raise AssertionError("no set was found")


def test_a_response_names_who_answers_in_which_report() -> None:
    [response], _ = responses_to(CLEARINGHOUSE + CLAIM)
    source = response.source
    assert source.guide is StatusGuide.ACKNOWLEDGEMENT
    assert source.party == "AY"
    assert (source.name, source.identifier) == ("EXAMPLE CLEARINGHOUSE", "CLRHSE")
    assert (source.trace_number, source.processed_on) == ("CH1", date(2026, 1, 2))


def test_the_payer_is_told_apart_from_the_clearinghouse() -> None:
    [response], _ = responses_to(PAYER + CLAIM)
    assert response.source.party == "PR"
    assert response.source.identifier == "60054"


def test_a_batch_is_answered_under_our_own_reference() -> None:
    [response], problems = responses_to(PAYER + BATCH)
    assert (response.level, response.trace_number) == (ResponseLevel.BATCH, "B77-0001")
    assert response.patient_control_number == ""
    assert problems == []


def test_a_provider_of_whom_nothing_is_said_gives_no_response() -> None:
    responses, _ = responses_to(PAYER + BATCH + PROVIDER + CLAIM)
    assert [response.level for response in responses] == [ResponseLevel.BATCH, ResponseLevel.CLAIM]
    refused, _ = responses_to(PAYER + PROVIDER + "STC*A3:24:85*20260102*U*150~")
    assert [(response.level, response.provider_id) for response in refused] == [
        (ResponseLevel.PROVIDER, "1234567893")
    ]
    assert refused[0].is_rejected


def test_what_stands_below_a_batch_carries_its_reference() -> None:
    below, _ = responses_to(PAYER + BATCH + PROVIDER + "STC*A3:24:85*20260102*U*150~" + CLAIM)
    assert [response.batch_reference for response in below] == ["B77-0001"] * 3
    after, _ = responses_to(PAYER + BATCH + CLEARINGHOUSE + REJECTED)
    assert [response.batch_reference for response in after] == ["B77-0001", ""]


def test_an_accepted_claim_carries_its_numbers() -> None:
    [response], problems = responses_to(PAYER + PROVIDER + CLAIM)
    assert response.level is ResponseLevel.CLAIM
    assert response.patient_control_number == "K7QX"
    assert response.payer_control_number == "E1013A0001"
    assert response.provider_id == "1234567893"
    assert (response.service_from, response.service_to) == (date(2025, 12, 30), date(2025, 12, 30))
    assert response.statuses == (
        Status(
            codes=(StatusCode("A2", "20", "PR"),),
            effective_date=date(2026, 1, 2),
            action=ResponseAction.ACCEPT,
            charge=Decimal(165),
            payment=None,
        ),
    )
    assert not response.is_rejected
    assert problems == []


def test_a_rejected_claim_carries_all_codes_and_those_of_its_lines() -> None:
    [response], problems = responses_to(CLEARINGHOUSE + REJECTED)
    [status] = response.statuses
    assert status.codes == (StatusCode("A7", "255"), StatusCode("A7", "476", "82"), StatusCode("A3", "21"))
    assert response.is_rejected
    assert (response.service_from, response.service_to) == (date(2025, 12, 29), date(2025, 12, 30))
    [line] = response.lines
    assert line == LineStatus("90834", ("95",), Decimal(150), "P0S0L1", line.statuses)
    assert line.statuses[0].codes == (StatusCode("A7", "454"),)
    assert problems == []


@pytest.mark.parametrize(
    ("status", "rejected"),
    [
        ("A2:20*20260102*WQ", False),
        ("A2:20*20260102*U", True),
        ("A7:562:85*20260102*WQ", True),
        ("A2:20*20260102*WQ*1******A3:187", False),
        ("A4:35*20260102", False),
        ("A0:17:AY*20260102*WQ", False),
    ],
)
def test_action_and_first_category_decide_about_rejection(status: str, rejected: bool) -> None:
    [response], _ = responses_to(PAYER + f"HL*4*3*PT~NM1*QC*1*A*B****MI*W1~TRN*2*K7QX~STC*{status}~")
    assert response.is_rejected is rejected


def test_one_patient_may_have_several_claims() -> None:
    second = "TRN*2*P0S0~STC*A3:33:IL*20260102*U*165~"
    responses, _ = responses_to(PAYER + CLAIM + second)
    assert [response.patient_control_number for response in responses] == ["K7QX", "P0S0"]
    assert [response.payer_control_number for response in responses] == ["E1013A0001", ""]
    assert {response.member_id for response in responses} == {"W123456789"}


def test_several_statuses_of_one_claim_stay_with_it() -> None:
    [response], _ = responses_to(PAYER + CLAIM + "STC*A5:65*20260103*WQ~")
    assert [status.codes[0].category for status in response.statuses] == ["A2", "A5"]


def test_an_answer_to_an_inquiry_is_told_apart_and_names_our_claim_by_its_account_number() -> None:
    [response], problems = responses_to(INQUIRY, "005010X212")
    assert response.source.guide is StatusGuide.INQUIRY_RESPONSE
    assert (response.trace_number, response.patient_control_number) == ("OURTRACE", "K7QX")
    assert response.payer_control_number == "0516"
    assert response.statuses[0].action is None
    assert response.statuses[0].payment == 0
    assert (response.last_name, response.first_name, response.member_id) == ("MANN", "JOSEPH", "345678901")
    assert problems == []


def test_levels_may_begin_again_for_another_source() -> None:
    responses, _ = responses_to(CLEARINGHOUSE + CLAIM + PAYER + CLAIM.replace("K7QX", "P0S0"))
    assert [response.source.party for response in responses] == ["AY", "PR"]


def test_patient_data_stay_out_of_the_repr() -> None:
    [response], _ = responses_to(PAYER + CLAIM)
    assert (response.last_name, response.first_name, response.member_id) == ("RIVERA", "ANA", "W123456789")
    for value in ("RIVERA", "ANA", "W123456789"):
        assert value not in repr(response)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ("STC*A2*20260102*WQ~", ProblemCode.MALFORMED_ELEMENT),
        ("STC*A2:20*2026010*WQ~", ProblemCode.MALFORMED_ELEMENT),
        ("STC*A2:20*20260102*?~", ProblemCode.MALFORMED_ELEMENT),
        ("STC*A2:20*20260102*WQ*TEN~", ProblemCode.MALFORMED_ELEMENT),
        ("DTP*472*D8*20269999~", ProblemCode.MALFORMED_ELEMENT),
        ("ZZZ*1~", ProblemCode.UNKNOWN_SEGMENT),
        ("HL*9*1*XX~TRN*2*1~", ProblemCode.STRAY_SEGMENT),
        ("HL*9*1*PT~STC*A2:20*20260102*WQ~", ProblemCode.STRAY_SEGMENT),
        ("HL*9*1*19~SVC*HC:90837*1~", ProblemCode.STRAY_SEGMENT),
        ("HL*9*1*PT~TRN*2*NOTHING~", ProblemCode.MISSING_ELEMENT),
    ],
)
def test_what_is_malformed_is_told_and_the_rest_still_read(wrong: str, code: ProblemCode) -> None:
    responses, problems = responses_to(PAYER + CLAIM + wrong)
    assert responses[0].patient_control_number == "K7QX"
    assert problems == [code]


def test_a_truncated_set_is_refused_once_it_has_been_read() -> None:
    content = in_group("277", PAYER + CLAIM, functional_id="HN", version="005010X214")
    for transaction_set in X12File(content[: content.index("SE*")]):
        assert len(list(read_277ca(transaction_set))) == 1
        assert transaction_set.refusal is not None
        assert transaction_set.refusal.code is ProblemCode.TRUNCATED


def test_a_277_of_another_guide_is_refused_and_gives_nothing() -> None:
    responses, problems = responses_to(PAYER + CLAIM, "005010X228")
    assert responses == []
    assert problems == [ProblemCode.WRONG_VERSION]


def told(element: str) -> Status:
    """The one status of a claim whose STC12 is this."""
    [response], _ = responses_to(
        PAYER + f"HL*4*3*PT~NM1*QC*1*A*B****MI*W1~TRN*2*K7QX~STC*A3:33:IL*20260102*U*165********{element}~"
    )
    [status] = response.statuses
    return status


def test_a_status_keeps_what_its_sender_wrote_beside_the_codes() -> None:
    assert told("  MEMBER ID NOT ON FILE ").message == "MEMBER ID NOT ON FILE"
    assert told("").message == ""


def test_a_line_keeps_its_own_message() -> None:
    stated = "STC*A7:454*20260102*U*********NO SUCH CODE~REF*FJ"
    [response], problems = responses_to(
        CLEARINGHOUSE + REJECTED.replace("STC*A7:454*20260102*U~REF*FJ", stated)
    )
    assert [status.message for status in response.statuses] == ["CALL US"]
    assert [status.message for status in response.lines[0].statuses] == ["NO SUCH CODE"]
    assert problems == []


def test_a_message_is_one_line_whatever_its_sender_put_in() -> None:
    assert told("NOT\tON\x0bFILE\x1b[31m \u202eEVIL\u2028END").message == "NOT ON FILE [31m EVIL END"


def test_a_message_that_is_too_long_is_cut_and_shows_it() -> None:
    assert told("A" * LONGEST_MESSAGE).message == "A" * LONGEST_MESSAGE
    cut = told("A" * 5000).message
    assert (len(cut), cut[-2:]) == (LONGEST_MESSAGE, "A…")


def test_a_message_may_name_a_patient_and_is_shown_by_no_repr() -> None:
    status = told("JANE SAMPLE NOT ON FILE")
    assert "SAMPLE" not in repr(status)
