"""What a payer or clearinghouse wrote beside its codes: kept for staff, encrypted, told to nobody else."""

from django.db import connection

from claims.desk import matching_actions
from claims.lifecycle import settle
from claims.models import Claim, ClaimSignal, WorkItem
from claims.signals import Signal
from partners.models import Partner
from sessions_app.models import SessionEvent
from tests.cast import Api
from tests.claims.admin.staff import ended, newest
from tests.claims.test_inbound import apply, payer_acknowledgement, status_of
from tests.operations.running import result, run

WORDS = "JANE SAMPLE NOT ON FILE"


def silent_claim(partner: Api) -> Claim:
    """A claim that was handed over and has no answer yet."""
    return newest(ended(partner, "SILENT"))


def refusal(claim: Claim, *, words: str = WORDS, status: str = "A3:33:IL") -> str:
    """A payer's 277CA with words beside its codes."""
    plain = f"STC*{status}*20300125*U*180"
    return payer_acknowledgement(claim, status).replace(plain, f"{plain}********{words}")


def test_they_are_kept_with_the_answer_and_plain_nowhere(partner: Api) -> None:
    claim = silent_claim(partner)
    apply(refusal(claim))
    row = claim.signals.get(kind="277CA")
    assert row.words == WORDS
    with connection.cursor() as cursor:
        cursor.execute("SELECT row_to_json(s)::text FROM claims_claimsignal AS s WHERE id = %s", [row.pk])
        (stored,) = cursor.fetchone()
    assert WORDS not in stored
    assert WORDS.encode().hex() not in stored


def test_an_answer_without_words_keeps_none(partner: Api) -> None:
    claim = silent_claim(partner)
    apply(payer_acknowledgement(claim, "A3:33:IL"))
    assert claim.signals.get(kind="277CA").words is None


def test_the_same_answer_with_other_words_is_the_same(partner: Api) -> None:
    claim = silent_claim(partner)
    apply(refusal(claim), "first.edi")
    apply(refusal(claim, words="ASK THE PATIENT"), "second.edi")
    row = claim.signals.get(kind="277CA")
    assert (row.repeats, row.words) == (1, WORDS)


def test_a_process_of_the_release_before_reads_what_is_stored(partner: Api) -> None:
    claim = silent_claim(partner)
    apply(refusal(claim))
    payload = claim.signals.get(kind="277CA").payload
    assert "words" not in payload
    assert Signal.from_json(payload).statuses[0].status == "33"


def test_they_change_nothing_of_what_comes_of_it(partner: Api) -> None:
    told, silent = silent_claim(partner), newest(ended(partner, "SILENTTOO"))
    apply(refusal(told), "told.edi")
    apply(payer_acknowledgement(silent, "A3:33:IL"), "silent.edi")
    settle([told.session_id, silent.session_id])
    assert status_of(partner, told) == status_of(partner, silent) == "rejected"
    items = WorkItem.objects.filter(session__in=[told.session_id, silent.session_id], closed_at=None)
    assert len(set(items.values_list("queue", "reason", "summary"))) == 1


def test_a_partner_reads_none_of_them(partner: Api) -> None:
    claim = silent_claim(partner)
    apply(refusal(claim))
    assert WORDS not in partner.get(f"/sessions/{claim.session_id}").content.decode()
    told = SessionEvent.objects.filter(session=claim.session_id).values_list("summary", flat=True)
    assert not [words for words in told if "SAMPLE" in words.upper()]


def test_an_answer_that_is_filed_and_taken_out_again_keeps_them(partner: Api) -> None:
    claim = silent_claim(partner)
    lost = refusal(claim).replace(claim.patient_control_number, "NOTOURS9", 1)
    apply(lost)
    row = ClaimSignal.objects.get(claim=None)
    assert row.words == WORDS
    filed = matching_actions.attach(row.pk, claim, user=None, stated=None)
    matching_actions.detach(filed.pk, user=None, reason="Another's.")
    assert ClaimSignal.objects.get(pk=row.pk).words == WORDS


def test_support_reads_them_with_phi_alone(partner: Api) -> None:
    claim = silent_claim(partner)
    apply(refusal(claim))
    Partner.objects.update(mode="live")
    session_id = str(claim.session_id)
    assert f'in its own words: "{WORDS}"' in run("show_session", session_id, "--phi").text
    answers = result("show_session", session_id, "--phi").document["claims"][0]["signals"]
    assert [answer["words"] for answer in answers] == [WORDS]
    for arguments in (("show_session", session_id), ("show_session", session_id, "--json")):
        assert WORDS not in run(*arguments).text
