"""The sender's own words, quoted where staff read its codes."""

from claims.models import Claim, WorkItem
from tests.cast import Api
from tests.claims.admin.staff import Desk, ended
from tests.claims.test_inbound import apply
from tests.claims.test_senders_words import WORDS, refusal

QUOTED = f"“{WORDS}”"


def part_of(page: str, head: str) -> str:
    return page.partition(f'id="{head}"')[2].partition("</section>")[0]


def test_what_is_wrong_quotes_them_beside_our_words_for_the_code(billing: Desk, claim: Claim) -> None:
    apply(refusal(claim))
    card = part_of(billing.page(claim.session_id), "problem-head")
    assert QUOTED in card
    assert "In the sender's own words:" in card
    assert "A3:33" in card


def test_each_answer_quotes_its_own(billing: Desk, claim: Claim) -> None:
    apply(refusal(claim))
    answers = part_of(billing.page(claim.session_id), "answers-head")
    assert QUOTED in answers
    assert "A3 · 33 · IL" in answers


def test_an_answer_without_words_quotes_nothing(partner: Api, billing: Desk) -> None:
    assert "In the sender's own words:" not in billing.page(ended(partner, "PAID1"))


def test_they_are_text_and_no_markup(billing: Desk, claim: Claim) -> None:
    apply(refusal(claim, words="<script>alert(1)</script>"))
    page = billing.page(claim.session_id)
    assert "<script>alert" not in page
    assert "“&lt;script&gt;alert(1)&lt;/script&gt;”" in page


def test_the_answers_page_quotes_them(billing: Desk, claim: Claim) -> None:
    apply(refusal(claim))
    row = claim.signals.get(kind="277CA")
    assert QUOTED in billing.get("desk:answer", claim.session_id, row.pk).content.decode()


def test_an_answer_without_a_claim_quotes_them(billing: Desk, claim: Claim) -> None:
    apply(refusal(claim).replace(claim.patient_control_number, "NOTOURS9", 1))
    item = WorkItem.objects.get(queue="unmatched", closed_at=None)
    page = billing.get("desk:match", item.pk).content.decode()
    assert QUOTED in part_of(page, "payer-says")


def test_a_files_page_shows_codes_alone(billing: Desk, claim: Claim) -> None:
    """Whoever looks at it has opened no session, and nothing is put on record."""
    apply(refusal(claim))
    row = claim.signals.get(kind="277CA")
    page = billing.get("desk:inbound-file", row.inbound_file_id).content.decode()
    assert "A3 · 33 · IL" in page
    assert WORDS not in page


def test_a_rehearsed_refusal_has_words_too(partner: Api, billing: Desk) -> None:
    for member_id in ("REJECTED", "CHREJECT"):
        card = part_of(billing.page(ended(partner, member_id)), "problem-head")
        assert "“MEMBER ID NOT ON FILE”" in card
