"""What a payer decided reads line by line where the claim is: amounts, reasons in words, check and day."""

import re

import pytest

from claims.models import Claim
from tests.cast import Api
from tests.claims.admin import queries
from tests.claims.admin.staff import Desk, ended, newest
from tests.claims.test_inbound import apply, envelope


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page).replace("&#x27;", "'").split())


def decided(claim: Claim, line: str, *, said: str = "1*180.00*119.00*25.00", trace: str = "77120443") -> None:
    """Apply an 835 about one claim; `line` is what follows its service line."""
    paid = said.split("*")[2]
    body = (
        f"BPR*I*{paid}*C*ACH************20300120~TRN*1*{trace}*1525350500~DTM*405*20300120~"
        "N1*PR*AETNA~REF*2U*60054~N1*PE*CALM HARBOR COUNSELING*XX*1999999984~LX*1~"
        f"CLP*{claim.patient_control_number}*{said}*CI*PAYER77*11*1~{line}"
    )
    assert apply(envelope(body, kind="835", version="005010X221A1"))["sets"][0].get("new") == 1


PARTLY = "SVC*HC:90837*180.00*119.00**1~CAS*CO*45*36.00~CAS*PR*3*25.00~AMT*B6*144.00~"


def answer_of(desk: Desk, claim: Claim) -> str:
    row = claim.signals.get(kind="835")
    return desk.get("desk:answer", claim.session_id, row.pk).content.decode()


def test_each_line_of_an_835_says_what_was_paid_and_why_not_the_rest(claim: Claim, billing: Desk) -> None:
    decided(claim, PARTLY)
    page = answer_of(billing, claim)
    explained = text_of(page.partition('id="explained"')[2].partition('id="raw"')[0])
    assert (
        "90837 $180.00 $144.00 $36.00 the charge is above the contract's amount (CO-45) "
        "$25.00 it is the patient's copay (PR-3) $119.00"
    ) in explained
    assert "Check or EFT 77120443" in explained
    assert "Payment date January 20, 2030" in explained
    assert "Payer's number PAYER77" in explained
    raw = page.partition('id="raw"')[2]
    assert "CAS*CO*45*36.00" in raw


def test_the_sessions_page_says_it_too_whoever_reads_it(claim: Claim, support: Desk) -> None:
    decided(claim, PARTLY)
    card = text_of(
        support.page(claim.session_id).partition('id="answers-head"')[2].partition("</section>")[0]
    )
    assert (
        "Decided on Jan 20, 2030, check 77120443: charged $180.00, allowed $144.00, written down $36.00, "
        "patient's share $25.00, paid $119.00."
    ) in card
    assert "it is the patient's copay (PR-3)" in card


def test_what_is_denied_is_not_called_written_down(claim: Claim, billing: Desk) -> None:
    decided(claim, "SVC*HC:90837*180.00*0**1~CAS*CO*197*180.00~", said="1*180.00*0*0")
    page = text_of(answer_of(billing, claim))
    assert "Not paid" in page
    assert "$180.00 no authorization is on file (CO-197)" in page
    assert "not paid $180.00, paid $0.00." in text_of(billing.page(claim.session_id))


def test_what_the_payer_does_not_state_as_allowed_is_said_to_be_worked_out(
    claim: Claim, billing: Desk
) -> None:
    decided(claim, PARTLY.replace("AMT*B6*144.00~", ""))
    assert "$144.00 paid and the patient's share; the payer states none" in text_of(answer_of(billing, claim))


def test_an_adjustment_of_the_claim_as_a_whole_has_a_row(claim: Claim, billing: Desk) -> None:
    decided(claim, "CAS*PR*3*25.00~SVC*HC:90837*180.00*180.00**1~", said="1*180.00*155.00*25.00")
    page = text_of(answer_of(billing, claim))
    assert "The claim as a whole" in page
    assert "All $180.00" in page


def test_a_reversal_says_what_it_takes_back(partner: Api, billing: Desk) -> None:
    claim = newest(ended(partner, "REVERSED"))
    rows = claim.signals.filter(kind="835")
    row = next(each for each in rows if each.payload["claim_status_code"] == "22")
    page = text_of(billing.get("desk:answer", claim.session_id, row.pk).content.decode())
    assert "An earlier decision is taken back" in page
    assert "-$180.00" in page


def test_a_code_without_words_is_said_to_have_none(claim: Claim, billing: Desk) -> None:
    decided(claim, "SVC*HC:90837*180.00*119.00**1~CAS*CO*294*61.00~LQ*HE*N999~", said="1*180.00*119.00*0")
    page = text_of(answer_of(billing, claim))
    assert "$61.00 only the code tells the reason (CO-294)" in page
    assert "N999" in page


@pytest.mark.parametrize(
    ("member_id", "kind", "says"),
    [
        ("REJECTED", "277CA", "before deciding on it: the member ID of the insured person"),
        ("PLB", "PLB", "An earlier overpayment that it recovers (WO)."),
    ],
)
def test_other_answers_are_in_words_above_their_segments(
    partner: Api, billing: Desk, member_id: str, kind: str, says: str
) -> None:
    claim = newest(ended(partner, member_id))
    row = claim.signals.filter(kind=kind).latest("pk")
    page = text_of(billing.get("desk:answer", claim.session_id, row.pk).content.decode())
    assert says in page


def test_the_page_of_an_answer_asks_little(claim: Claim, billing: Desk) -> None:
    decided(claim, PARTLY)
    row = claim.signals.get(kind="835")
    asked = queries.of(lambda: billing.get("desk:answer", claim.session_id, row.pk))
    assert len(asked) <= 8 + 1, asked
