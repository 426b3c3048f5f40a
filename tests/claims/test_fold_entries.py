"""What partners read on a session's timeline when an answer arrives."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from claims.fold.entries import TimelineEntry, entries_for
from claims.fold.versions import ClaimVersion, fold_session
from claims.signals import EventType, Signal, WorkflowState
from tests.claims.fold_cast import (
    acknowledgement,
    claim_answer,
    denial,
    inquiry,
    line,
    money,
    recoupment,
    remittance,
    reversal,
    ta1,
)
from tests.claims.fold_strategies import SIGNALS

COPAY = (money("CO", "45", "40"), money("PR", "3", "20"))
DEDUCTIBLE = (money("CO", "45", "60"), money("PR", "1", "120"))
ASK = (
    "What usually helps: Ask the payer whether it grants one afterwards; this service sends no authorization "
    "numbers. Tell billing staff what you find out."
)


def version(*signals: Signal, number: int = 1, **more: object) -> ClaimVersion:
    return ClaimVersion(number=number, workflow_state=WorkflowState.SENT, signals=signals, **more)


def told(*arrived: Signal, known: tuple[Signal, ...] = ()) -> list[TimelineEntry]:
    return entries_for([version(*known)], arrived, number=1, payer="Aetna")[1]


def only(*arrived: Signal, known: tuple[Signal, ...] = ()) -> tuple[str, str | None, str]:
    (entry,) = told(*arrived, known=known)
    return str(entry.type), entry.status and str(entry.status), entry.summary


PAID = ("claim.paid", "paid", "Aetna paid $120.00 of $180.00; the patient owes $20.00.")


@pytest.mark.parametrize(
    ("signal", "expected"),
    [
        (
            acknowledgement("A"),
            ("claim.acknowledged", None, "The clearinghouse received the claim's file and can read it."),
        ),
        (
            ta1("R"),
            (
                "claim.acknowledged",
                "submitted",
                "The clearinghouse can't read the claim's file. That is our fault, and billing staff send it "
                "again. Nothing to do.",
            ),
        ),
        (
            claim_answer("AY", "A1"),
            (
                "claim.acknowledged",
                "submitted",
                "The clearinghouse took the claim and passes it on to the payer.",
            ),
        ),
        (
            claim_answer("PR", "A0"),
            (
                "claim.noted",
                "submitted",
                "Aetna passed the claim on inside its house and has neither taken nor refused it yet.",
            ),
        ),
        (
            claim_answer("PR", "A2"),
            ("claim.accepted", "accepted", "Aetna took the claim and is going to decide on it."),
        ),
        (
            claim_answer("PR", "A4"),
            ("claim.noted", None, "Aetna can't find the claim. Billing staff look into it. Nothing to do."),
        ),
        (
            inquiry("F1"),
            (
                "claim.noted",
                None,
                "Asked, Aetna says that the claim is settled and paid. The remittance decides.",
            ),
        ),
        (remittance(adjustments=COPAY), PAID),
        (
            remittance(paid="0", adjustments=DEDUCTIBLE),
            (
                "claim.paid",
                "paid",
                "Aetna paid $0.00 of $180.00; the patient owes $120.00: it counts toward the deductible "
                "(PR-1).",
            ),
        ),
        (
            remittance(lines=(line(1, "120", "120"), line(2, "60", "0", money("CO", "97", "60")))),
            (
                "claim.paid",
                "paid",
                "Aetna paid $120.00 of $180.00. Not paid: it is paid as part of another service that day "
                "(CO-97).",
            ),
        ),
        (
            denial(),
            ("claim.denied", "denied", f"Denied by Aetna: no authorization is on file (CO-197). {ASK}"),
        ),
        (
            remittance("23", "0"),
            (
                "claim.noted",
                "accepted",
                "Aetna is not the payer for this claim and passed it on to another one. Nothing to do.",
            ),
        ),
        (
            remittance("25", "0"),
            ("claim.noted", None, "Aetna sent an estimate for the claim; nothing was decided or paid."),
        ),
        (
            recoupment(),
            (
                "claim.adjusted",
                None,
                "Aetna kept $120.00 from another payment on account of this claim: an earlier overpayment "
                "that it recovers (WO). The claim stays as it is.",
            ),
        ),
    ],
)
def test_what_each_answer_says(signal: Signal, expected: tuple[str, str | None, str]) -> None:
    known = (claim_answer("PR", "A2"),) if signal == recoupment() else ()
    assert only(signal, known=known) == expected


@pytest.mark.parametrize(
    ("source", "whom"),
    [
        ("AY", "The clearinghouse refused the claim before any payer saw it"),
        ("PR", "Aetna refused the claim before deciding on it"),
    ],
)
def test_a_refusal_gives_reason_and_remedy(source: str, whom: str) -> None:
    kind, status, summary = only(claim_answer(source, "A7", status="164"))
    assert (kind, status) == ("claim.rejected", "rejected")
    assert summary.startswith(f"{whom}: ")
    assert "(A7:164). What usually helps: " in summary


def test_a_denial_that_only_remarks_explain_gives_the_remarks() -> None:
    summary = only(denial("16", remarks=("N290",)))[2]
    assert "(CO-16); " in summary
    assert "(N290)." in summary


def test_a_reason_that_we_do_not_know_is_given_by_its_code() -> None:
    summary = only(denial("777"))[2]
    assert summary.startswith("Denied by Aetna: only the code tells the reason (CO-777). ")


def test_an_unknown_payer_begins_a_sentence_with_a_capital() -> None:
    (entry,) = entries_for([version()], [claim_answer("PR", "A2")], number=1)[1]
    assert entry.summary.startswith("The payer took")


def test_a_member_that_the_payer_does_not_know() -> None:
    kind, status, summary = only(remittance("4", "0", adjustments=(money("CO", "31", "180"),)))
    assert (kind, status) == ("claim.denied", "denied")
    assert "Check name, birth date and member ID" in summary


def test_a_reversal_alone() -> None:
    assert only(reversal(), known=(remittance(),)) == (
        "claim.reversed",
        "accepted",
        "Aetna took back its payment of $120.00. A new decision should follow, and billing staff watch "
        "for it.",
    )


def test_a_reversal_and_its_correction_are_told_in_order_whatever_the_order_of_arrival() -> None:
    entries = told(denial(day=20, batch="EFT2"), reversal(), known=(remittance(),))
    assert [(str(each.type), each.status) for each in entries] == [
        ("claim.reversed", None),
        ("claim.denied", "denied"),
    ]
    assert entries[0].summary == "Aetna took back its payment of $120.00 and decided anew."


def test_what_the_payer_adds_is_not_told_as_not_paid() -> None:
    assert only(remittance(paid="200", adjustments=(money("CO", "94", "-20"),)))[2] == (
        "Aetna paid $200.00 of $180.00. Added to the payment: the payer settled more than was "
        "charged (CO-94)."
    )


def test_an_amount_below_nothing_keeps_its_sign() -> None:
    summary = only(remittance(paid="-20", day=12, batch="EFT2", adjustments=COPAY), known=(remittance(),))[2]
    assert summary.startswith("Aetna paid -$20.00 of $180.00")


def test_a_payment_taken_back() -> None:
    known = remittance(), reversal(day=15, batch="EFT3")
    kind, status, summary = only(denial(day=20, batch="EFT2"), known=known)
    assert (kind, status) == ("claim.denied", "denied")
    assert summary.startswith("Aetna decided anew and takes its payment of $120.00 back: no authorization")


def test_a_payment_that_is_denied_and_not_taken_back() -> None:
    kind, status, summary = only(denial(day=20, batch="EFT2"), known=(remittance(),))
    assert (kind, status) == ("claim.denied", "denied")
    assert summary.startswith("Aetna decided anew and denies the claim that it had paid: no authorization")
    assert "$120.00 of what it paid hasn't gone back; billing staff look into it." in summary


@pytest.mark.parametrize("batch", ["EFT1", "EFT2"])
def test_a_denial_of_a_duplicate_is_only_noted(batch: str) -> None:
    denied = remittance(paid="0", day=10, batch=batch, pccn="DUP2", adjustments=(money("OA", "18", "180"),))
    note = (
        "claim.noted",
        None,
        "Aetna denied a duplicate of the claim: the payer has this claim already (OA-18). What it decided on "
        "the claim stays. Nothing to do.",
    )
    assert only(denied, known=(remittance(),)) == note
    together = [
        (str(each.type), each.status and str(each.status), each.summary)
        for each in told(remittance(), denied)
    ]
    assert note in together
    assert [each[1] for each in together if each[1]] == ["paid"]


def test_a_refusal_of_another_line_after_a_reversal_alone() -> None:
    paid = remittance(lines=(line(1, "120", "120"),), charge="120")
    rest = remittance(
        "1", "0", 25, batch="EFT5", lines=(line(2, "60", "0", money("CO", "97", "60")),), charge="60"
    )
    kind, status, summary = only(rest, known=(paid, reversal(lines=(line(1, "120", "120"),))))
    assert (kind, status) == ("claim.noted", None)
    assert summary.endswith("(CO-97). It took back what it had decided before, and a new decision is due.")


def test_a_payment_after_a_denial() -> None:
    assert only(remittance(day=20, batch="EFT2", adjustments=COPAY), known=(denial(),)) == PAID


def test_a_second_payment_moves_money_and_no_status() -> None:
    assert only(remittance(paid="20", day=12, batch="EFT2"), known=(remittance(),)) == (
        "claim.adjusted",
        None,
        "Aetna paid a further $20.00, $140.00 in all.",
    )


@pytest.mark.parametrize("late", [acknowledgement("A"), claim_answer("AY", "A3"), claim_answer("PR", "A2")])
def test_a_late_acknowledgement_is_only_noted(late: Signal) -> None:
    kind, status, summary = only(late, known=(remittance(),))
    assert (kind, status) == ("claim.noted", None)
    assert summary.endswith("This changes nothing.")


def test_a_remittance_that_a_later_one_overtook() -> None:
    kind, status, summary = only(denial(day=5, batch="EFT0"), known=(remittance(),))
    assert (kind, status) == ("claim.noted", None)
    assert summary.endswith("A later decision of the payer counts instead.")


def test_the_same_answer_again_is_only_noted() -> None:
    assert only(remittance(), known=(remittance(),)) == (
        "claim.noted",
        None,
        "The same answer came again; nothing changes.",
    )


def test_what_arrives_together_is_told_in_the_order_of_its_stages() -> None:
    entries = told(remittance(), claim_answer("PR", "A2", 3), acknowledgement("A"))
    assert [str(each.type) for each in entries] == ["claim.acknowledged", "claim.accepted", "claim.paid"]


def test_an_old_versions_refusal_is_a_note() -> None:
    versions = [version(), version(number=2)]
    (entry,) = entries_for(versions, [claim_answer("PR", "A7")], number=1, payer="Aetna")[1]
    assert (entry.type, entry.status) == (EventType.CLAIM_NOTED, None)
    assert entry.summary.startswith("About an earlier version of the claim: Aetna refused")


def test_an_old_versions_payment_is_more_than_a_note() -> None:
    versions = [version(claim_answer("PR", "A7")), version(number=2)]
    session, (entry,) = entries_for(versions, [remittance()], number=1, payer="Aetna")
    assert (str(entry.type), str(entry.status)) == ("claim.paid", "paid")
    assert str(session.session_status) == "paid"


def test_an_old_versions_reversal_promises_no_new_decision() -> None:
    versions = [version(remittance()), version(number=2, frequency="7")]
    (entry,) = entries_for(versions, [reversal()], number=1, payer="Aetna")[1]
    assert entry.summary == ("About an earlier version of the claim: Aetna took back its payment of $120.00.")


def test_a_version_still_in_the_house_does_not_make_the_one_before_it_old() -> None:
    queued = ClaimVersion(number=2, workflow_state=WorkflowState.QUEUED)
    (entry,) = entries_for([version(), queued], [claim_answer("PR", "A7")], number=1)[1]
    assert (str(entry.type), str(entry.status)) == ("claim.rejected", "rejected")


def test_a_void_that_the_payer_took() -> None:
    versions = [version(denial()), version(number=2, frequency="8")]
    note, voided = entries_for(versions, [claim_answer("PR", "A2")], number=2, payer="Aetna")[1]
    assert (note.type, note.status) == (EventType.CLAIM_NOTED, None)
    assert (str(voided.type), str(voided.status)) == ("claim.voided", "rejected")


def test_after_a_void_nobody_waits_for_a_new_decision() -> None:
    void = version(claim_answer("PR", "A2"), number=2, frequency="8")
    (taken_back,) = entries_for([version(remittance()), void], [reversal()], number=1, payer="Aetna")[1]
    assert (str(taken_back.type), taken_back.status) == ("claim.reversed", None)
    assert taken_back.summary == "About the voided claim: Aetna took back its payment of $120.00."


@settings(max_examples=80, deadline=None)
@given(SIGNALS)
def test_every_arrival_is_told_and_the_last_status_told_is_the_sessions(signals: list[Signal]) -> None:
    versions = [version()]
    shown = fold_session(versions).session_status
    for signal in signals:
        session, entries = entries_for(versions, [signal], number=1, payer="Aetna")
        versions = [replace(versions[0], signals=(*versions[0].signals, signal))]
        (entry,) = entries
        assert entry.summary.endswith(".")
        assert "None" not in entry.summary
        shown = entry.status or shown
        assert shown is session.session_status
