"""From the bytes of a file to the signals in it."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from claims.signals import Signal, SignalKind
from claims.signals_from_x12 import (
    MOST_MESSAGES,
    signal_of_ta1,
    signals_of_999,
    signals_of_provider_adjustments,
    signals_of_remittance,
    signals_of_status,
)
from claims.x12.read_277ca import read_277ca
from claims.x12.read_835 import Remittance835
from claims.x12.read_999 import read_999
from claims.x12.read_ta1 import read_ta1
from claims.x12.segments import TransactionSet, X12File

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "data" / "edi"
TODAY = date(2026, 3, 1)
ENVELOPE = f"ISA*00*{'':10}*00*{'':10}*ZZ*{'PAYER':15}*ZZ*{'US':15}*260109*1200*^*00501*000000001*0*T*:~"


def only_set(body: str, *, guide: str = "", functional_id: str = "HP") -> TransactionSet:
    group = f"GS*{functional_id}*PAYER*US*20260109*1200*1*X*{guide}~" if guide else ""
    return next(iter(X12File(ENVELOPE + group + body)))


def remittances(body: str) -> tuple[list[Signal], list[Signal]]:
    transaction_set = only_set("ST*835*0001~" + body + "SE*9*0001~", guide="005010X221A1")
    remittance = Remittance835(transaction_set)
    assert remittance.header is not None
    claims = [signal for _, signal in signals_of_remittance(remittance.header, remittance, received_on=TODAY)]
    return claims, signals_of_provider_adjustments(
        remittance.header, remittance.provider_adjustments, received_on=TODAY
    )


PAYMENT = (
    "BPR*I*120*C*ACH*CTX*01*1*DA*1*1512345678**01*1*DA*1*20260109~TRN*1*EFT1*1512345678~"
    "N1*PR*AETNA*XV*60054~N1*PE*CALM HARBOR*XX*1999999984~LX*1~"
)
CLAIM = (
    "CLP*K7QX2M9ZB4TD1*1*180*120*20*12*AET1*11*1~"
    "SVC*HC:90837:95*180*120**1~DTM*472*20260102~CAS*CO*45*40~CAS*PR*3*20~REF*6R*K7QX2M9ZB4TD1L1~"
    "AMT*B6*140~LQ*HE*N130~"
)


def test_a_ta1_is_about_our_interchange() -> None:
    acknowledgement = read_ta1(only_set("TA1*000000017*260105*1200*R*024~IEA*0*000000001~"))
    signal = signal_of_ta1(acknowledgement, received_on=TODAY)
    assert (signal.kind, signal.interchange, signal.verdict) == (
        SignalKind.INTERCHANGE_ACKNOWLEDGEMENT,
        "17",
        "R",
    )
    assert signal.natural_key == "TA1|17|R"
    assert signal.remarks == ("note 024",)


def test_a_ta1_without_an_error_remarks_nothing() -> None:
    acknowledgement = read_ta1(only_set("TA1*000000017*260105*1200*A*000~IEA*0*000000001~"))
    assert signal_of_ta1(acknowledgement, received_on=TODAY).remarks == ()


BODY_999 = (
    "ST*999*0001*005010X231A1~AK1*HC*17*005010X222A1~AK2*837*0002*005010X222A1~IK5*R*5~"
    "AK9*{group}*3*3*2~SE*6*0001~"
)


@pytest.mark.parametrize(("group", "expected"), [("E", {"1": "E", "2": "R"}), ("P", {"2": "R"})])
def test_a_999_answers_for_the_sets_it_does_not_list_too(group: str, expected: dict[str, str]) -> None:
    acknowledgement = read_999(
        only_set(BODY_999.format(group=group), guide="005010X231A1", functional_id="FA")
    )
    signals = signals_of_999(acknowledgement, [1, 2], written_on=TODAY)
    assert {each.transaction_set: each.verdict for each in signals} == expected
    assert {each.natural_key for each in signals} == {
        f"999|17|{number}|{verdict}" for number, verdict in expected.items()
    }


def test_a_remitted_claim_keeps_its_money_exactly() -> None:
    ((signal,), _) = remittances(PAYMENT + CLAIM)
    assert (signal.patient_control_number, signal.payer_control_number) == ("K7QX2M9ZB4TD1", "AET1")
    assert (signal.charge, signal.paid, signal.patient_responsibility, signal.allowed) == (
        Decimal(180),
        Decimal(120),
        Decimal(20),
        Decimal(140),
    )
    assert signal.effective_date == date(2026, 1, 9)
    assert signal.batch == "60054|EFT1|1512345678"
    assert [str(each) for each in signal.every_adjustment] == ["CO-45", "PR-3"]
    (line,) = signal.lines
    assert (line.control_number, line.modifiers, line.remarks) == ("K7QX2M9ZB4TD1L1", ("95",), ("N130",))


def test_a_payers_silence_about_the_patients_share_is_not_nothing() -> None:
    ((signal,), _) = remittances(PAYMENT + CLAIM.replace("*120*20*12*", "*120**12*"))
    assert signal.patient_responsibility is None


def test_the_same_claim_twice_in_one_payment_is_two_statements() -> None:
    first, second = remittances(PAYMENT + CLAIM + CLAIM)[0]
    assert first.natural_key != second.natural_key


def test_the_same_payment_in_two_files_is_one_statement() -> None:
    assert remittances(PAYMENT + CLAIM) == remittances(PAYMENT + CLAIM)


def test_what_the_payer_keeps_lowers_the_payment() -> None:
    signal = remittances(PAYMENT + CLAIM + "PLB*1999999984*20261231*WO:AET1*120*L6*-3.10~")[1]
    assert [each.adjustments[0].amount for each in signal] == [Decimal(-120), Decimal("3.10")]
    assert [each.payer_control_number for each in signal] == ["AET1", ""]


def _answers(name: str) -> Iterator[Signal]:
    folder = SAMPLES / name
    if not folder.exists():
        pytest.skip("the sample files are not beside this checkout")
    for transaction_set in X12File(folder.read_bytes()):
        for response in read_277ca(transaction_set):
            yield from signals_of_status(response, received_on=TODAY)


def test_a_clearinghouses_mixed_answer() -> None:
    answers = {
        each.patient_control_number: (each.source, each.verdict, each.statuses[0].category)
        for each in _answers("277ca/own_clearinghouse_mixed_therapy.edi")
    }
    assert sorted(answers.values()) == [
        ("AY", "U", "A3"),
        ("AY", "U", "A7"),
        ("AY", "U", "A8"),
        ("AY", "WQ", "A1"),
        ("AY", "WQ", "A1"),
    ]


def test_a_payers_acceptance_brings_its_control_number() -> None:
    answers = list(_answers("277ca/own_payer_all_accepted_therapy.edi"))
    assert len(answers) == 2
    assert all(each.source == "PR" and each.payer_control_number for each in answers)


def acknowledged(statuses: str) -> Signal:
    """What one claim's 277CA says."""
    body = (
        "ST*277*0001*005010X214~BHT*0085*08*CH1*20260102*1015*TH~HL*1**20*1~NM1*PR*2*AETNA*****PI*60054~"
        f"TRN*1*CH1~HL*4*3*PT~NM1*QC*1*A*B****MI*W1~TRN*2*K7QX2M9ZB4TD1~{statuses}SE*9*0001~"
    )
    transaction_set = only_set(body, guide="005010X214", functional_id="HN")
    (response,) = read_277ca(transaction_set)
    (signal,) = signals_of_status(response, received_on=TODAY)
    return signal


REFUSED = "STC*A3:33:IL*20260102*U*165********MEMBER ID NOT ON FILE~"


def test_the_words_of_the_claim_and_of_its_lines_are_kept_each_once() -> None:
    more = "STC*A3:21*20260102*U*165********MEMBER ID NOT ON FILE~"
    lines = "SVC*HC:90837*165~STC*A3:454*20260102*U*********NO SUCH CODE~"
    assert acknowledged(REFUSED + more + lines).words == ("MEMBER ID NOT ON FILE", "NO SUCH CODE")


def test_no_answer_brings_more_words_than_somebody_reads() -> None:
    many = "".join(f"STC*A3:33*20260102*U*165********LINE {number}~" for number in range(50))
    assert len(acknowledged(many).words) == MOST_MESSAGES


def test_with_or_without_the_words_it_is_the_same_statement() -> None:
    silent = acknowledged(REFUSED.replace("********MEMBER ID NOT ON FILE", ""))
    told = acknowledged(REFUSED)
    assert (silent.words, told.words) == ((), ("MEMBER ID NOT ON FILE",))
    assert silent == told
    assert silent.natural_key == told.natural_key


def test_the_words_stand_in_no_json_and_in_no_repr() -> None:
    """A process of the release before reads the JSON, and it is plain in the database."""
    told = acknowledged(REFUSED)
    assert "ON FILE" not in str(told.as_json()) + repr(told)
    assert told.as_columns()["words"] == "MEMBER ID NOT ON FILE"


def test_a_clearinghouse_says_in_words_what_it_refuses() -> None:
    words = {each.words for each in _answers("277ca/own_clearinghouse_mixed_therapy.edi")}
    assert ("MEMBER ID NOT ON FILE",) in words


def test_a_refused_submission_gives_one_signal_for_all_its_claims() -> None:
    (answer,) = _answers("277ca/receiver_rejected_hdi.edi")
    assert (answer.patient_control_number, answer.statuses[0].category) == ("", "A3")
    assert answer.of_claim("K7QX2M9ZB4TD1").patient_control_number == "K7QX2M9ZB4TD1"


def test_an_answer_to_an_inquiry_is_told_from_an_acknowledgement() -> None:
    answers = list(_answers("277_status/claim_level_paid_denied.edi"))
    assert answers
    assert {each.kind for each in answers} == {SignalKind.STATUS_INQUIRY}


@pytest.mark.parametrize("kind", ["277ca", "277_status", "835", "999", "ta1"])
def test_every_sample_gives_signals_that_can_be_stored(kind: str) -> None:
    if not SAMPLES.exists():
        pytest.skip("the sample files are not beside this checkout")
    stored = []
    for path in sorted((SAMPLES / kind).glob("*.edi")):
        for transaction_set in X12File(path.read_bytes()):
            stored += _signals_of(transaction_set)
    assert stored
    assert all(Signal.from_json(each.as_json()) == each for each in stored)


def _signals_of(transaction_set: TransactionSet) -> list[Signal]:
    if transaction_set.refusal is not None:
        return []
    match transaction_set.kind:
        case "TA1":
            answer = read_ta1(transaction_set)
            return [signal_of_ta1(answer, received_on=TODAY)] if answer else []
        case "999":
            group = read_999(transaction_set)
            numbers = [each.control_number for each in group.sets] if group else []
            return signals_of_999(group, numbers, written_on=TODAY) if group else []
        case "277":
            return [
                signal
                for response in read_277ca(transaction_set)
                for signal in signals_of_status(response, received_on=TODAY)
            ]
        case "835":
            remittance = Remittance835(transaction_set)
            if remittance.header is None:
                return []
            return [
                signal
                for _, signal in signals_of_remittance(remittance.header, remittance, received_on=TODAY)
            ] + signals_of_provider_adjustments(
                remittance.header, remittance.provider_adjustments, received_on=TODAY
            )
    return []
