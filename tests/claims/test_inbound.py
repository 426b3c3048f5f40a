"""Files from clearinghouses: kept raw, applied once, one bad set apart; what matches nothing waits."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from django.db import DataError, connection
from django.test.utils import CaptureQueriesContext

from claims import inbound, posting
from claims.answer_source import find_stated
from claims.clearinghouse.port import FileKind
from claims.clearinghouse.port import InboundFile as FetchedFile
from claims.desk import matching_actions
from claims.models import (
    Claim,
    ClaimSignal,
    InboundFile,
    LedgerEntry,
    RawFile,
    Remittance,
    SandboxAnswer,
    TransmittedClaim,
    WorkItem,
)
from claims.reading import Statement
from tests.cast import Api, day_of_service
from tests.claims.admin.staff import ended, newest
from tests.claims.process import run_until_quiet

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "data" / "edi"


def apply(content: str | bytes, name: str = "file.edi") -> dict:
    """Store a file as if it had been fetched, apply it, and give its report."""
    data = content.encode() if isinstance(content, str) else content
    ids = inbound.store("sandbox", [FetchedFile(name, data, FileKind.X12, name)])
    return inbound.apply(ids[-1]) if ids else {}


def silent_claim(partner: Api) -> Claim:
    """A claim that was handed over and has no answer yet."""
    return newest(ended(partner, "SILENT"))


def remittance(
    claim: Claim,
    *,
    paid: str = "155.00",
    copay: str = "25.00",
    number: str = "",
    trace: str = "T1",
    transfer: str = "",
    payer: str = "60054",
    payee: str = "1999999984",
) -> str:
    """An 835 that pays one claim of $180.00."""
    line = claim.lines.get()
    body = (
        f"BPR*I*{transfer or paid}*C*ACH************20300120~TRN*1*{trace}*1525350500~DTM*405*20300120~"
        f"N1*PR*AETNA~REF*2U*{payer}~N1*PE*CALM HARBOR COUNSELING*XX*{payee}~LX*1~"
        f"CLP*{number or claim.patient_control_number}*1*180.00*{paid}*{copay}*CI*PAYER77*11*1~"
        f"SVC*HC:90837*180.00*{paid}**1~CAS*PR*3*{copay}~REF*6R*{line.line_control_number}~"
    )
    return envelope(body, kind="835", version="005010X221A1")


def payer_acknowledgement(
    claim: Claim, status: str, *, sender: str = "PR", payer_control_number: str = ""
) -> str:
    """A 277CA about one claim, accepted or refused by the category of its status (`A7:164:IL`)."""
    action = "U" if status[:2] in ("A3", "A6", "A7", "A8") else "WQ"
    body = (
        f"BHT*0085*08*X1*20300125*1200*TH~HL*1**20*1~NM1*{sender}*2*AETNA*****PI*60054~TRN*1*T9~"
        "DTP*050*D8*20300125~DTP*009*D8*20300125~HL*2*1*21*1~NM1*41*2*US*****46*X~TRN*2*B1~"
        "STC*A1:19*20300125*WQ*1~HL*3*2*19*1~NM1*85*2*X*****XX*1999999984~TRN*1*0~HL*4*3*PT~"
        f"NM1*QC*1*SAMPLE*JANE****MI*W1~TRN*2*{claim.patient_control_number}~"
        f"STC*{status}*20300125*{action}*180~"
    )
    reference = f"REF*1K*{payer_control_number}~" if payer_control_number else ""
    return envelope(body + reference, kind="277", version="005010X214")


def envelope(body: str, *, kind: str, version: str) -> str:
    code = {"835": "HP", "999": "FA", "277": "HN"}[kind]
    count = body.count("~") + 2
    return (
        f"ISA*00*{'':10}*00*{'':10}*ZZ*{'CLEARINGHOUSE':15}*ZZ*{'PARTNERBILLING':15}*300120*1200*^*00501*000000009*0*T*:~"
        f"GS*{code}*CLEARINGHOUSE*PARTNERBILLING*20300120*1200*9*X*{version}~"
        f"ST*{kind}*0001~{body}SE*{count}*0001~GE*1*9~IEA*1*000000009~"
    )


def status_of(partner: Api, claim: Claim) -> str:
    return partner.get(f"/sessions/{claim.session_id}").json()["status"]


def test_a_remittance_pays_the_claim_and_posts_to_the_ledger(partner: Api) -> None:
    claim = silent_claim(partner)
    report = apply(remittance(claim))
    assert report["sets"][0]["new"] == 1
    assert status_of(partner, claim) == "paid"
    entries = LedgerEntry.objects.filter(claim=claim).values_list("kind", "line_number", "amount")
    assert sorted(entries) == [("patient_share", 1, Decimal("25.00")), ("payment", 1, Decimal("155.00"))]


def test_a_file_that_could_not_be_read_is_not_said_to_go_again_where_the_payer_has_the_claim(
    partner: Api,
) -> None:
    claim = silent_claim(partner)
    apply(payer_acknowledgement(claim, "A2:20"), "taken.edi")
    group = TransmittedClaim.objects.select_related("transmission").get(claim=claim).transmission
    refused = f"AK1*HC*{group.group_control_number}*005010X222A1~AK9*R*1*1*0~"
    apply(envelope(refused, kind="999", version="005010X231A1"), "late.edi")
    session = partner.get(f"/sessions/{claim.session_id}").json()
    assert session["status"] == "accepted"
    assert session["timeline"][-1]["summary"] == (
        "The clearinghouse can't read the claim's file. This changes nothing."
    )


def test_answers_that_contradict_each_other_say_so_whichever_counts(partner: Api) -> None:
    claim = silent_claim(partner)
    apply(payer_acknowledgement(claim, "A2:20"), "taken.edi")
    apply(payer_acknowledgement(claim, "A3:33", sender="AY").replace("20300125", "20300126"), "refused.edi")
    assert status_of(partner, claim) == "accepted"
    item = WorkItem.objects.get(closed_at=None)
    assert (item.reason, item.summary) == (
        "conflicting_answers",
        "Two answers contradict each other; the claim goes by one of them.",
    )


def test_the_same_content_is_stored_and_applied_once(partner: Api) -> None:
    claim = silent_claim(partner)
    apply(remittance(claim))
    assert apply(remittance(claim), name="again.edi") == {}
    assert not InboundFile.objects.filter(name="again.edi").exists()
    assert RawFile.objects.count() == InboundFile.objects.count()
    assert LedgerEntry.objects.filter(claim=claim, kind="payment").count() == 1


def test_the_same_remittance_in_two_files_is_posted_once(partner: Api) -> None:
    claim = silent_claim(partner)
    apply(remittance(claim))
    report = apply(remittance(claim).replace("*1200*", "*1300*"), name="second.edi")
    assert report["sets"][0]["repeated remittance"] is True
    assert Remittance.objects.count() == 1
    assert LedgerEntry.objects.filter(claim=claim, kind="payment").count() == 1
    assert ClaimSignal.objects.get(claim=claim, kind="835").repeats == 1


def test_the_same_check_with_other_content_goes_to_a_person(partner: Api) -> None:
    claim = silent_claim(partner)
    apply(remittance(claim))
    report = apply(remittance(claim, paid="100.00", copay="80.00"), name="other.edi")
    assert "other content" in report["sets"][0]["refused"]
    assert Claim.objects.get(pk=claim.pk).paid == Decimal("155.00")
    assert WorkItem.objects.filter(queue="transport", inbound_file__name="other.edi").exists()


def test_a_payment_date_out_of_reach_is_left_out_and_named(partner: Api) -> None:
    claim = silent_claim(partner)
    reversal = remittance(claim, paid="-155.00", copay="-25.00", transfer="155.00")
    reversal = reversal.replace("*1*180.00*", "*22*-180.00*").replace("90837*180.00", "90837*-180.00")
    report = apply(reversal.replace("*155.00*C*ACH************20300120", "*155.00*D*ACH************99991231"))
    assert "BPR16 is no date" in report["sets"][0]["problems"]
    assert status_of(partner, claim) == "accepted"
    assert Remittance.objects.get().paid_on == date(2030, 1, 20)


def test_of_numbers_of_a_payer_that_are_too_long_the_beginning_is_kept(partner: Api) -> None:
    claim = silent_claim(partner)
    apply(payer_acknowledgement(claim, "A2:20", payer_control_number="K" * 120))
    assert Claim.objects.get(pk=claim.pk).payer_control_number == "K" * 50
    apply(remittance(claim, payer="6" * 120).replace("PAYER77", "X" * 120))
    claim.refresh_from_db()
    assert (claim.status, claim.payer_control_number) == ("paid", "X" * 50)
    assert Remittance.objects.get().payer_id == "6" * 80


@pytest.mark.parametrize(
    ("written", "instead", "words"),
    [
        ("TRN*1*T1*", f"TRN*1*{'T' * 51}*", "TRN02 is longer than 50 characters"),
        ("*1525350500~", f"*{'1' * 51}~", "TRN03 is longer than 50 characters"),
        ("CAS*PR*3*", "CAS*PRO*3*", "CAS01 is longer than 2 characters"),
        ("CAS*PR*3*", "CAS*PR*333333*", "CAS02 is longer than 5 characters"),
        ("CAS*PR*3*", "CAS*CO*45*99999999999~CAS*PR*3*", "CAS03 is no amount"),
        ("SE*", "PLB*1999999984*20301231*WOWOWO:X*0~SE*", "PLB03 is longer than 5 characters"),
    ],
)
def test_what_can_not_be_kept_whole_refuses_a_remittance_in_words(
    partner: Api, written: str, instead: str, words: str
) -> None:
    claim = silent_claim(partner)
    report = apply(remittance(claim).replace(written, instead))
    assert words in report["sets"][0]["refused"]
    assert not LedgerEntry.objects.exists()


def test_a_remittance_that_does_not_balance_is_refused_whole(partner: Api) -> None:
    claim = silent_claim(partner)
    report = apply(remittance(claim, transfer="154.00"))
    assert "doesn't balance" in report["sets"][0]["refused"]
    assert status_of(partner, claim) == "submitted"
    assert not LedgerEntry.objects.exists()
    assert Remittance.objects.get().state == Remittance.State.REFUSED


def test_a_remittance_is_kept_as_refused_once_however_often_its_file_is_tried(
    partner: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = silent_claim(partner)
    post = posting.post

    def trips_over_the_second(statement: Statement, *, file: InboundFile) -> posting.Posted:
        if statement.header.trace_number == "T2":
            raise ZeroDivisionError
        return post(statement, file=file)

    monkeypatch.setattr(posting, "post", trips_over_the_second)
    apply(remittance(claim, transfer="154.00") + remittance(claim, trace="T2"))
    file = InboundFile.objects.get(name="file.edi")
    while file.state == InboundFile.State.RECEIVED:
        inbound.apply(file.pk)
        file.refresh_from_db()
    assert file.attempts == inbound.MOST_ATTEMPTS
    assert Remittance.objects.get().state == Remittance.State.REFUSED


def test_a_refused_remittance_that_cannot_be_kept_holds_up_no_other(
    partner: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object, **options: object) -> None:
        raise DataError

    monkeypatch.setattr(posting, "keep_refused", full)
    claim = silent_claim(partner)
    apply(remittance(claim))
    later = ended(partner, "SILENT", session__dateOfService=day_of_service(14))
    other = Claim.objects.get(session_id=later)
    odd = remittance(claim, transfer="154.00", trace="T3")
    report = apply(odd + remittance(other, trace="T2"), name="odd.edi")
    assert "doesn't balance" in report["sets"][0]["refused"]
    assert status_of(partner, other) == "paid"


def test_one_bad_set_does_not_hold_up_the_others(partner: Api) -> None:
    claim = silent_claim(partner)
    bad = envelope("BPR*I*1*C~", kind="835", version="005010X221A1")
    report = apply(bad + remittance(claim))
    assert ["refused" in entry for entry in report["sets"]] == [True, False]
    assert status_of(partner, claim) == "paid"


def test_an_answer_for_an_unknown_claim_waits_for_a_person(partner: Api) -> None:
    claim = silent_claim(partner)
    report = apply(remittance(claim, number="NOBODYSCLAIM"))
    assert report["sets"][0]["unmatched"] == 1
    item = WorkItem.objects.get(queue="unmatched", closed_at=None)
    assert item.signal.claim is None
    assert status_of(partner, claim) == "submitted"


@pytest.mark.parametrize("length", [60, 420])
def test_an_answer_with_too_long_a_number_is_one_answer_however_often_it_comes(
    partner: Api, length: int
) -> None:
    text = remittance(silent_claim(partner), number="N" * length)
    apply(text)
    signal = ClaimSignal.objects.get()
    assert set(LedgerEntry.objects.values_list("signal", flat=True)) == {signal.pk}
    report = apply(text.replace("*1200*", "*1300*"), name="again.edi")
    assert report["sets"][0]["repeated remittance"] is True
    assert ClaimSignal.objects.get().repeats == 1
    assert find_stated(signal)


def test_a_control_number_with_something_added_is_still_ours(partner: Api) -> None:
    claim = silent_claim(partner)
    apply(remittance(claim, number=f"{claim.patient_control_number}X1"))
    assert status_of(partner, claim) == "paid"


def test_a_file_that_is_no_x12_is_refused_and_shown(partner: Api) -> None:
    report = apply(b"\x89PNG\r\n\x1a\n", name="picture.png")
    assert report["problems"]
    assert InboundFile.objects.get(name="picture.png").state == InboundFile.State.REFUSED
    assert WorkItem.objects.filter(inbound_file__name="picture.png").exists()


def test_a_second_worker_does_not_apply_a_file_again(partner: Api) -> None:
    claim = silent_claim(partner)
    (file_id,) = inbound.store("sandbox", [FetchedFile("x", remittance(claim).encode(), FileKind.X12, "x")])
    first = inbound.apply(file_id)
    assert inbound.apply(file_id) == first
    assert LedgerEntry.objects.filter(claim=claim, kind="payment").count() == 1


def test_files_of_one_poll_are_applied_in_the_order_in_which_they_came(partner: Api) -> None:
    # Where a row lands in its table says nothing: here the last lies first.
    InboundFile.objects.bulk_create(
        InboundFile(pk=10**9 + number, gateway="sandbox", sha256=bytes([number]) * 32, size=1)
        for number in (3, 2, 1)
    )
    waiting = [number for number in inbound.waiting_files() if number > 10**9]
    assert waiting == [10**9 + 1, 10**9 + 2, 10**9 + 3]


def test_what_the_sandbox_hands_out_is_taken_once(partner: Api) -> None:
    partner.submitted(patient__insurance__memberId="PAID")
    run_until_quiet()
    assert not SandboxAnswer.objects.filter(taken_at=None).exists()


def samples() -> Iterator[object]:
    if not SAMPLES.is_dir():
        yield pytest.param(None, marks=pytest.mark.skip(reason="../shared/data is not here"))
        return
    for path in sorted(SAMPLES.glob("*/*.edi")):
        yield pytest.param(path, id=f"{path.parent.name}/{path.stem}")


@pytest.mark.django_db
@pytest.mark.parametrize("path", list(samples()))
def test_every_sample_is_applied_or_refused_in_words(path: Path) -> None:
    report = apply(path.read_bytes(), name=path.name)
    file = InboundFile.objects.get(name=path.name)
    assert file.state != InboundFile.State.RECEIVED
    assert report["sets"] or report["problems"]
    for entry in report["sets"]:
        assert "failed" not in entry, entry
        assert {"new", "refused"} & entry.keys()


def silent_pair(partner: Api) -> list[TransmittedClaim]:
    """Two claims of one interchange that have no answer yet."""
    for days_ago in (7, 14):
        partner.submitted(
            patient__insurance__memberId="SILENT", session__dateOfService=day_of_service(days_ago)
        )
    run_until_quiet()
    pair = list(TransmittedClaim.objects.select_related("transmission", "claim").order_by("id"))
    assert len({each.transmission_id for each in pair}) == 1
    return pair


def test_a_refusal_of_one_set_is_about_the_claim_in_it_alone(partner: Api) -> None:
    first, second = silent_pair(partner)
    sent = first.transmission.content
    reference = sent.split("BHT*0019*00*")[1].split("*")[0]
    body = (
        "BHT*0085*08*1*20300110*1200*TH~HL*1**20*1~NM1*AY*2*CLEARINGHOUSE*****46*CH~TRN*1*1~"
        f"DTP*050*D8*20300110~DTP*009*D8*20300110~HL*2*1*21*0~NM1*41*2*OURS*****46*X~TRN*2*{reference}~"
        "STC*A3:24:41*20300110*U*180~"
    )
    apply(envelope(body, kind="277", version="005010X214"))
    assert Claim.objects.get(pk=first.claim_id).status == "clearinghouse_rejected"
    assert Claim.objects.get(pk=second.claim_id).status == "sent"


@pytest.mark.parametrize("number", ["²", "99999999999", "7X"])
def test_an_acknowledgement_of_no_envelope_of_ours_waits_for_a_person(partner: Api, number: str) -> None:
    silent_claim(partner)
    body = f"AK1*HC*{number}*005010X222A1~AK2*837*0001*005010X222A1~IK5*R*5~AK9*R*1*1*0~"
    report = apply(envelope(body, kind="999", version="005010X231A1"))
    assert report["sets"][0].get("unmatched") == 1 or report["sets"][0]["refused"]
    assert status_of(partner, Claim.objects.get()) == "submitted"


@pytest.mark.parametrize("verdicts", ["AR", "RA"])
def test_two_acknowledgements_that_contradict_each_other_are_no_repetition(
    partner: Api, verdicts: str
) -> None:
    claim = silent_claim(partner)
    sent = TransmittedClaim.objects.get()
    for verdict in verdicts:
        body = (
            f"AK1*HC*{sent.transmission.group_control_number}*005010X222A1~"
            f"AK2*837*{sent.transaction_control_number}*005010X222A1~IK5*{verdict}~AK9*{verdict}*1*1*1~"
        )
        apply(envelope(body, kind="999", version="005010X231A1"), name=verdict)
    assert Claim.objects.get(pk=claim.pk).status == "transport_rejected"
    assert ClaimSignal.objects.filter(claim=claim).count() == len(verdicts)


def test_many_acknowledged_sets_cost_as_many_statements_as_few(partner: Api) -> None:
    first, second = silent_pair(partner)
    group = first.transmission.group_control_number

    def statements(*sets: TransmittedClaim, name: str) -> int:
        each = "".join(f"AK2*837*{one.transaction_control_number}*005010X222A1~IK5*A~" for one in sets)
        body = f"AK1*HC*{group}*005010X222A1~{each}AK9*A*{len(sets)}*{len(sets)}*{len(sets)}~"
        ClaimSignal.objects.all().delete()
        with CaptureQueriesContext(connection) as asked:
            apply(envelope(body, kind="999", version="005010X231A1"), name=name)
        assert ClaimSignal.objects.count() >= len(sets)
        return len(asked)

    assert statements(first, second, name="two") == statements(first, name="one")


@pytest.mark.parametrize(
    ("whole", "cut", "words"),
    [
        ("GE*1*9~IEA*1*000000009~", "", "an interchange has no IEA"),
        ("GE*1*9~", "GE*2*9~", "GE counts other transaction sets than were sent"),
        ("IEA*1*000000009~", "IEA*1*000000009~ garbled", "the file holds text that is not part"),
    ],
)
def test_what_seems_to_be_missing_of_a_file_is_shown_to_a_person(
    partner: Api, whole: str, cut: str, words: str
) -> None:
    claim = silent_claim(partner)
    report = apply(remittance(claim).replace(whole, cut))
    assert any(words in problem for problem in report["problems"])
    assert InboundFile.objects.get(name="file.edi").state == InboundFile.State.PARTLY
    assert words in WorkItem.objects.get(queue="transport", closed_at=None).summary
    assert status_of(partner, claim) == "paid"


def test_an_envelope_that_only_mistakes_its_number_is_noted(partner: Api) -> None:
    report = apply(remittance(silent_claim(partner)).replace("IEA*1*000000009", "IEA*1*000000008"))
    assert report["notes"] == ["IEA02 is not the control number of ISA13"]
    assert InboundFile.objects.get(name="file.edi").state == InboundFile.State.APPLIED


def paid_claim(partner: Api) -> Claim:
    """A claim that was paid under the payer's number PAYER77."""
    claim = silent_claim(partner)
    apply(remittance(claim), "paid.edi")
    return claim


@pytest.mark.parametrize("payee", ["XX*1999999984", "FI*123456789", "FI*12-3456789"])
def test_the_payers_number_alone_finds_the_claim_where_nothing_speaks_against_it(
    partner: Api, payee: str
) -> None:
    claim = paid_claim(partner)
    apply(remittance(claim, number="0", trace="T2").replace("XX*1999999984", payee))
    assert ClaimSignal.objects.filter(claim=claim, kind="835").count() == 2


@pytest.mark.parametrize(
    "instead",
    [
        {"*XX*1999999984~": "*XX*1245319599~"},
        {"*XX*1999999984~": "*FI*987654321~"},
        {"*XX*1999999984~": "~"},
        {"180.00": "190.00", "*25.00": "*35.00"},
        {"~SVC*": "~NM1*QC*1*ROE*KARL****MI*X9~SVC*"},
    ],
    ids=["payee", "payee's tax ID", "no payee", "charge", "patient"],
)
def test_the_payers_number_alone_does_not_find_a_claim_that_another_fact_contradicts(
    partner: Api, instead: dict[str, str]
) -> None:
    claim = paid_claim(partner)
    other = remittance(claim, number="NOTOURS", trace="T2", payer="62308")
    for said, other_words in instead.items():
        other = other.replace(said, other_words)
    apply(other)
    assert ClaimSignal.objects.filter(claim=claim, kind="835").count() == 1
    assert WorkItem.objects.filter(queue=WorkItem.Queue.UNMATCHED, closed_at=None).count() == 1


@pytest.mark.parametrize(("payer", "found"), [("60054", 1), ("62308", 0)])
def test_the_payers_number_is_that_of_the_payer_to_whom_the_claim_was_billed(
    partner: Api, payer: str, found: int
) -> None:
    claim = silent_claim(partner)
    apply(payer_acknowledgement(claim, "A2:20", payer_control_number="PAYER77"), "taken.edi")
    line = f"REF*6R*{claim.lines.get().line_control_number}~"
    other = remittance(claim, number="NOTOURS", payer=payer).replace(line, "").replace("SE*16*", "SE*15*")
    apply(other)
    assert ClaimSignal.objects.filter(claim=claim, kind="835").count() == found


def test_a_payment_is_known_again_after_a_person_said_which_claim_it_is_about(partner: Api) -> None:
    claim = silent_claim(partner)
    paid = remittance(claim, number="NOTOURS").replace("~SVC*", "~NM1*QC*1*DOE*JANE****MI*SILENT~SVC*")
    apply(paid.replace("SE*16*", "SE*17*"))
    row = ClaimSignal.objects.get()
    matching_actions.attach(row.pk, claim, user=None, stated=find_stated(row))
    report = apply(paid.replace("*1200*", "*1300*").replace("SE*16*", "SE*17*"), name="again.edi")
    assert report["sets"][0].get("repeated remittance"), report
    assert ClaimSignal.objects.get().repeats == 1


@pytest.mark.parametrize(("payer", "found"), [("60054", 1), ("62308", 0)])
@pytest.mark.parametrize("named_by", ["payer's number", "our number"])
def test_a_provider_adjustment_finds_the_claim_that_its_payer_paid(
    partner: Api, payer: str, found: int, named_by: str
) -> None:
    claim = paid_claim(partner)
    named = "PAYER77" if named_by == "payer's number" else claim.patient_control_number
    other = remittance(claim, number="NOTOURS", trace="T2", payer=payer, transfer="100.00")
    apply(other.replace("PAYER77", "PAYER88").replace("SE*", f"PLB*1999999984*20301231*WO:{named}*55.00~SE*"))
    assert ClaimSignal.objects.filter(claim=claim, kind="PLB").count() == found


def test_a_test_file_moves_no_live_claim(partner: Api) -> None:
    claim = silent_claim(partner)
    Claim.objects.filter(pk=claim.pk).update(mode="production")
    report = apply(remittance(claim))
    assert "marked as a test" in report["sets"][0]["refused"]
    claim.refresh_from_db()
    assert (claim.status, claim.paid) == ("sent", None)
    assert not LedgerEntry.objects.filter(claim=claim).exists()
