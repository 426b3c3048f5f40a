"""Matching an answer without a claim: what agrees, what it comes to, money in its place, and back again."""

import re
from datetime import date
from decimal import Decimal
from uuid import UUID

import pytest
from django.urls import reverse

from claims.actions import ActionRefusedError
from claims.answer_source import find_stated
from claims.desk import matching_actions
from claims.models import AnswerMatch, ClaimSignal, LedgerEntry, RawFile, ViewRecord, WorkItem
from providers.models import AllowedAmount
from sessions_app.models import Session
from tests.cast import Api, partner_api
from tests.claims.admin.staff import Desk, ended, newest
from tests.claims.admin.strays import stray_remittance
from tests.claims.process import run_until_quiet
from tests.claims.test_inbound import apply, remittance


def test_the_page_says_what_the_payer_says_beside_the_claim_that_fits(partner: Api, billing: Desk) -> None:
    session_id, item = stray_remittance(partner)
    page = billing.get("desk:match", item.pk).content.decode()
    assert "AETNA paid $180.00 for a claim we can&#x27;t find" in page.replace("can't", "can&#x27;t")
    for fact in ("claim number, cut short", "member ID", "name", "date", "charge"):
        assert f"</span> {fact}</span>" in page
    assert newest(session_id).patient_control_number in page
    assert "The session becomes: paid, $180.00 from Aetna." in page
    assert re.search(r'type="radio"[^>]* checked', page)


def test_a_claim_that_could_be_meant_is_looked_at_before_it_is_chosen(partner: Api, billing: Desk) -> None:
    session_id, item = stray_remittance(partner)
    page = billing.get("desk:match", item.pk).content.decode()
    assert f'href="{reverse("desk:session", args=[session_id])}"' in page


def test_only_a_check_is_called_one(partner: Api, billing: Desk) -> None:
    _, item = stray_remittance(partner)
    assert re.search(
        r", check <span[^>]*>\d+</span>, claim 1 of 1", billing.get("desk:match", item.pk).content.decode()
    )
    file = RawFile.objects.get(file=item.inbound_file_id)
    file.content = bytes(file.content).replace(b"*CHK*", b"*ACH*")
    file.save()
    assert re.search(
        r", trace number <span[^>]*>\d+</span>", billing.get("desk:match", item.pk).content.decode()
    )


def test_matching_pays_the_session_in_one_step(partner: Api, billing: Desk) -> None:
    session_id, item = stray_remittance(partner)
    claim = newest(session_id)
    answer = billing.post("desk:match", item.pk, claim=claim.pk)
    assert answer.status_code == 302
    there = reverse("desk:session", args=[session_id])
    said = f'<span>Matched with claim <a href="{there}">{claim.patient_control_number}</a>.</span>'
    assert said in billing.client.get(answer.headers["Location"]).content.decode()
    claim.refresh_from_db()
    assert (claim.status, claim.paid) == ("paid", Decimal("180.00"))
    assert partner.get(f"/sessions/{session_id}").json()["status"] == "paid"
    entries = LedgerEntry.objects.filter(claim=claim)
    assert [(entry.kind, entry.line_number, entry.amount) for entry in entries] == [
        ("payment", 1, Decimal("180.00"))
    ]
    assert not WorkItem.objects.filter(queue="unmatched", closed_at=None).exists()
    kept = AnswerMatch.objects.get()
    assert kept.user == billing.user
    assert "member id" in kept.agreeing


def test_the_list_of_payments_counts_the_claims_that_wait_for_theirs(partner: Api, billing: Desk) -> None:
    session_id, item = stray_remittance(partner)
    cells = re.compile(r'class="[^"]*field-without_claim[^"]*"[^>]*>\s*([^<]*?)\s*<')

    def counted() -> list[str]:
        return cells.findall(billing.get("admin:claims_remittance_changelist").content.decode())

    assert counted().count("1") == 1
    billing.post("desk:match", item.pk, claim=newest(session_id).pk)
    assert "1" not in counted()


def test_the_same_file_again_changes_nothing_after_a_match(partner: Api, billing: Desk) -> None:
    session_id, item = stray_remittance(partner)
    billing.post("desk:match", item.pk, claim=newest(session_id).pk)
    from claims import inbound
    from claims.clearinghouse.port import InboundFile as Fetched

    row = ClaimSignal.objects.get(claim=newest(session_id), kind="835")
    again = row.inbound_file.content.replace(b"000000000*", b"000000000*")[:-1] + b"~\n"
    for file_id in inbound.store(
        "sandbox", [Fetched(name="again.edi", content=again, kind="x12", reference="again")]
    ):
        inbound.apply(file_id)
    assert not WorkItem.objects.filter(queue="unmatched", closed_at=None).exists()
    assert newest(session_id).paid == Decimal("180.00")


def test_nothing_is_preselected_where_a_fact_differs(partner: Api, billing: Desk) -> None:
    _, item = stray_remittance(partner, member_id="SILENT")
    row = item.signal
    raw = RawFile.objects.get(file=row.inbound_file)
    raw.content = raw.content.replace(b"DOE*JANE", b"ROE*JANE")
    raw.save(update_fields=["content"])
    page = billing.get("desk:match", item.pk).content.decode()
    assert not re.search(r'type="radio"[^>]* checked', page)
    assert 'class="agree not"' in page


def test_an_answer_for_another_organization_is_not_offered_nor_taken(partner: Api, billing: Desk) -> None:
    rival = partner_api("Rival").onboarded(
        provider__npi="1245319599", practice__npi="1245319599", practice__name="Other"
    )
    session_id, item = stray_remittance(partner, payee="1245319599")
    assert (
        newest(session_id).patient_control_number not in billing.get("desk:match", item.pk).content.decode()
    )
    with pytest.raises(ActionRefusedError, match="another organization"):
        matching_actions.attach(
            item.signal_id, newest(session_id), user=billing.user, stated=find_stated(item.signal)
        )
    assert rival.partner


def test_an_answer_for_an_npi_that_nobody_bills_under_is_offered_no_claim(
    partner: Api, billing: Desk
) -> None:
    session_id, item = stray_remittance(partner, payee="1245319599")
    number = newest(session_id).patient_control_number
    assert number not in billing.get("desk:match", item.pk).content.decode()
    assert matching_actions.propose(item.signal, find_stated(item.signal), also=number) == []
    with pytest.raises(ActionRefusedError, match="another organization"):
        matching_actions.attach(
            item.signal_id, newest(session_id), user=billing.user, stated=find_stated(item.signal)
        )


def test_a_number_cut_into_its_random_part_agrees_so_far(partner: Api, billing: Desk) -> None:
    session_id, item = stray_remittance(partner, keep=11)
    number = newest(session_id).patient_control_number
    page = billing.get("desk:match", item.pk).content.decode()
    first = page.split('class="choice"')[1]
    assert number in first
    assert '<span class="agree"><span aria-hidden="true">✓</span> claim number, 11 characters</span>' in first
    assert "agree not" not in first
    assert re.search(r'type="radio"[^>]* checked', page)


def test_the_card_says_by_what_its_claims_were_found(partner: Api, billing: Desk) -> None:
    session_id, item = stray_remittance(partner)
    Session.objects.filter(pk=session_id).update(date_of_service=date(2026, 1, 2))
    page = billing.get("desk:match", item.pk).content.decode()
    assert newest(session_id).patient_control_number in page
    assert "same organization · by a number, or ±3 days" in page


@pytest.mark.parametrize("text", ["hl-88213", "Quillfeather, Zoe"])
def test_another_claim_is_found_by_its_patient_and_its_partners_id(
    partner: Api, billing: Desk, text: str
) -> None:
    _, item = stray_remittance(partner)
    wanted = partner.submitted(
        externalSessionId="hl-88213", patient__lastName="Quillfeather", patient__firstName="Zoë"
    )
    run_until_quiet()
    number = newest(UUID(wanted)).patient_control_number
    assert number not in billing.get("desk:match", item.pk).content.decode()
    page = billing.post("desk:match", item.pk, number=text).content.decode()
    assert _numbers(page)[0] == number
    billing.post("desk:match", item.pk, number=text, claim=newest(UUID(wanted)).pk)
    assert AnswerMatch.objects.get().claim.patient_control_number == number


def test_of_a_patients_many_claims_the_one_that_fits_best_comes_first(partner: Api, billing: Desk) -> None:
    session_id, item = stray_remittance(partner)
    for number in range(9):
        ended(partner, f"SILENT{number}")
    page = billing.post("desk:match", item.pk, number="Doe").content.decode()
    assert _numbers(page)[0] == newest(session_id).patient_control_number


def test_whoever_matched_undoes_it_at_once_or_later(partner: Api, billing: Desk) -> None:
    session_id, item = stray_remittance(partner)
    answer = billing.post("desk:match", item.pk, claim=newest(session_id).pk)
    matched = AnswerMatch.objects.get()
    page = billing.client.get(answer.headers["Location"]).content.decode()
    assert f'action="{reverse("desk:match-undo", args=[matched.pk])}"' in page
    answer_page = billing.get("desk:answer", session_id, item.signal_id).content.decode()
    assert "Undo the match" in answer_page
    reason = re.search(r'name="reason" value="([^"]+)"', page)
    assert reason
    billing.post("desk:match-undo", matched.pk, reason=reason[1])
    assert newest(session_id).status == "sent"
    matched.refresh_from_db()
    assert (matched.undone_by, matched.undone_because) == (billing.user, reason[1])


def test_a_colleagues_match_is_a_leads_to_undo(partner: Api, billing: Desk) -> None:
    session_id, item = stray_remittance(partner)
    billing.post("desk:match", item.pk, claim=newest(session_id).pk)
    another = Desk("billing")
    assert "Undo the match" not in another.get("desk:answer", session_id, item.signal_id).content.decode()
    assert another.post("desk:match-undo", AnswerMatch.objects.get().pk, reason="x").status_code == 403


def test_a_match_is_undone_by_a_lead_with_a_reason(partner: Api, billing: Desk, lead: Desk) -> None:
    session_id, item = stray_remittance(partner)
    billing.post("desk:match", item.pk, claim=newest(session_id).pk)
    matched = AnswerMatch.objects.get()
    lead.post("desk:match-undo", matched.pk, reason=" ")
    assert newest(session_id).status == "paid"
    lead.post("desk:match-undo", matched.pk, reason="another session of hers")
    claim = newest(session_id)
    assert (claim.status, claim.paid, claim.payer_control_number) == ("sent", None, "")
    assert not LedgerEntry.objects.filter(claim=claim).exists()
    again = WorkItem.objects.get(queue="unmatched", closed_at=None)
    assert again.signal == matched.signal
    assert again.summary == "An 835 was matched by mistake and names a claim that we can't find."
    matched.refresh_from_db()
    assert (matched.undone_by, matched.undone_because) == (lead.user, "another session of hers")
    timeline = partner.get(f"/sessions/{session_id}").json()["timeline"]
    assert any("taken out again" in entry["summary"] for entry in timeline)


def test_what_it_allowed_counts_no_more_after_an_undo(partner: Api, billing: Desk, lead: Desk) -> None:
    session_id, item = stray_remittance(partner)
    before = AllowedAmount.objects.values_list("procedure_code", "allowed", "paid_on").get()
    row = item.signal
    row.payload |= {"allowed": "33.00", "effective_date": "2031-01-31"}
    row.save(update_fields=["payload"])
    billing.post("desk:match", item.pk, claim=newest(session_id).pk)
    assert str(AllowedAmount.objects.get().paid_on) == "2031-01-31"
    lead.post("desk:match-undo", AnswerMatch.objects.get().pk, reason="another session of hers")
    assert AllowedAmount.objects.values_list("procedure_code", "allowed", "paid_on").get() == before


def test_it_can_be_matched_again_after_an_undo(partner: Api, billing: Desk, lead: Desk) -> None:
    session_id, item = stray_remittance(partner)
    billing.post("desk:match", item.pk, claim=newest(session_id).pk)
    lead.post("desk:match-undo", AnswerMatch.objects.get().pk, reason="a mistake")
    again = WorkItem.objects.get(queue="unmatched", closed_at=None)
    billing.post("desk:match", again.pk, claim=newest(session_id).pk)
    assert newest(session_id).status == "paid"
    assert LedgerEntry.objects.filter(claim=newest(session_id)).count() == 1


def test_two_people_match_one_answer_once(partner: Api, billing: Desk, lead: Desk) -> None:
    session_id, item = stray_remittance(partner)
    billing.post("desk:match", item.pk, claim=newest(session_id).pk)
    answer = lead.post("desk:match", item.pk, claim=newest(session_id).pk)
    assert answer.status_code == 409
    assert AnswerMatch.objects.count() == 1


def test_what_is_not_ours_is_set_aside_with_a_reason(partner: Api, billing: Desk) -> None:
    session_id, item = stray_remittance(partner)
    billing.post("desk:match-dismiss", item.pk, reason="")
    assert WorkItem.objects.filter(pk=item.pk, closed_at=None).exists()
    billing.post("desk:match-dismiss", item.pk, reason="another biller's")
    item.refresh_from_db()
    assert item.closed_at
    assert newest(session_id).status == "sent"


def test_another_claim_is_found_by_number(partner: Api, billing: Desk) -> None:
    session_id, item = stray_remittance(partner, keep=4)
    number = newest(session_id).patient_control_number
    assert number in billing.post("desk:match", item.pk, number=number).content.decode()


def test_what_is_looked_for_comes_first_and_brings_nothing_else(partner: Api, billing: Desk) -> None:
    _, item = stray_remittance(partner)
    others = [newest(ended(partner, f"SILENT{each}")).patient_control_number for each in range(2)]
    offered = _numbers(billing.get("desk:match", item.pk).content.decode())
    for number in others:
        page = billing.post("desk:match", item.pk, number=number).content.decode()
        assert _numbers(page) == [number, *(each for each in offered if each != number)]


def _numbers(page: str) -> list[str]:
    return re.findall(r'<small class="said"><a class="mono" href="[^"]*">(\w+)', page)


def test_a_number_that_no_claim_has_is_said_to_be_none(partner: Api, billing: Desk) -> None:
    _, item = stray_remittance(partner)
    offered = billing.get("desk:match", item.pk).content.decode()
    page = billing.post("desk:match", item.pk, number="NOBODYS1").content.decode()
    assert "has “NOBODYS1” as its number" in page
    assert page.count('name="claim"') == offered.count('name="claim"')
    assert "as its number" not in offered


def test_support_matches_nothing(partner: Api, support: Desk) -> None:
    _, item = stray_remittance(partner)
    assert support.get("desk:match", item.pk).status_code == 403


def test_an_adjustment_says_what_it_moves_and_what_is_filed(partner: Api, billing: Desk) -> None:
    claim = newest(ended(partner, "SILENT"))
    text = remittance(claim, number="NOTOURS", transfer="100.00")
    apply(text.replace("~SE*", "~PLB*1999999984*20301231*WO:UNKNOWN77*55.00*CS:OTHER88*0.00~SE*"))
    item = WorkItem.objects.get(queue="unmatched", signal__payload__payer_control_number="UNKNOWN77")
    assert (item.payer_name, item.charge) == ("AETNA", Decimal("55.00"))
    assert item.summary == (
        "AETNA kept $55.00 from another payment: an earlier overpayment that it recovers (WO). "
        "It names a claim that we can't find."
    )
    page = billing.post("desk:match", item.pk, number=claim.patient_control_number).content.decode()
    assert "AETNA kept $55.00 from another payment" in page
    assert "An earlier overpayment that it recovers (WO)" in page
    assert "PLB*1999999984*20301231*WO:UNKNOWN77*55.00</pre>" in page
    assert "$55.00 of another payment is filed with this claim; it stays: sent." in page
    assert "claim number<span" not in page
    assert "no claim has it" not in page
    assert "OTHER88" not in page


def test_an_adjustment_for_another_organization_is_not_offered_nor_taken(partner: Api, billing: Desk) -> None:
    rival = partner_api("Rival").onboarded(
        provider__npi="1245319599", practice__npi="1245319599", practice__name="Other"
    )
    claim = newest(ended(partner, "SILENT"))
    apply(
        remittance(claim, number="NOTOURS", transfer="100.00", payee="1245319599").replace(
            "SE*", "PLB*1245319599*20301231*WO:UNKNOWN77*55.00~SE*"
        )
    )
    item = WorkItem.objects.get(queue="unmatched", reason="PLB", closed_at=None)
    page = billing.get(
        "desk:match", item.pk, query=f"?number={claim.patient_control_number}"
    ).content.decode()
    assert f'value="{claim.pk}"' not in page
    stated = find_stated(item.signal)
    with pytest.raises(ActionRefusedError, match="another organization"):
        matching_actions.attach(item.signal_id, claim, user=billing.user, stated=stated)
    assert rival.partner


def test_a_balance_that_is_carried_over_is_posted_and_asks_nobody(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "REVERSED")
    carried = LedgerEntry.objects.get(reason="FB")
    assert (carried.claim, carried.kind, carried.amount) == (None, "provider_level", Decimal("180.00"))
    assert newest(session_id).paid == 0
    assert not WorkItem.objects.filter(queue="unmatched").exists()
    page = billing.get("desk:remittance", carried.remittance_id).content.decode()
    assert "$180.00" in page
    assert "match it" not in page


def test_a_remittance_says_which_of_its_claims_wait_to_be_matched(
    partner: Api, billing: Desk, support: Desk
) -> None:
    session_id, item = stray_remittance(partner)
    payment = item.signal.entries.latest("id").remittance_id
    link = f'no claim yet: <a href="{reverse("desk:match", args=[item.pk])}">match it</a>'
    assert link in billing.get("desk:remittance", payment).content.decode()
    assert link not in support.get("desk:remittance", payment).content.decode()
    billing.post("desk:match", item.pk, claim=newest(session_id).pk)
    assert "no claim yet" not in billing.get("desk:remittance", payment).content.decode()


def test_what_a_payment_keeps_has_its_sign_before_the_dollars(partner: Api, billing: Desk) -> None:
    claim = newest(ended(partner, "PLB1"))
    payment = LedgerEntry.objects.get(claim=claim, kind="provider_level").remittance_id
    assert f">-${claim.paid}<" in billing.get("desk:remittance", payment).content.decode()


def test_an_answer_that_was_filed_says_where_and_offers_nothing(partner: Api, billing: Desk) -> None:
    session_id, item = stray_remittance(partner)
    billing.post("desk:match", item.pk, claim=newest(session_id).pk)
    page = billing.get("desk:match", item.pk).content.decode()
    assert "What became of it" in page
    assert reverse("desk:session", args=[session_id]) in page
    assert " by Maya, " in page
    for words in ("Match and next", "Not ours", "Look for another", "a claim we can"):
        assert words not in page


def test_an_answer_that_is_not_ours_says_why(partner: Api, billing: Desk) -> None:
    _, item = stray_remittance(partner)
    billing.post("desk:match-dismiss", item.pk, reason="another biller's")
    page = billing.get("desk:match", item.pk).content.decode()
    assert "Not ours: another biller&#x27;s" in page
    assert "Match and next" not in page


def test_an_answer_whose_match_was_undone_leads_to_its_open_item(
    partner: Api, billing: Desk, lead: Desk
) -> None:
    session_id, item = stray_remittance(partner)
    billing.post("desk:match", item.pk, claim=newest(session_id).pk)
    lead.post("desk:match-undo", AnswerMatch.objects.get().pk, reason="wrong patient")
    again = WorkItem.objects.get(queue="unmatched", closed_at=None)
    answer = billing.get("desk:match", item.pk)
    assert answer.headers["Location"] == reverse("desk:match", args=[again.pk])


def test_a_match_from_before_an_undo_says_that_nothing_was_saved(
    partner: Api, billing: Desk, lead: Desk
) -> None:
    session_id, item = stray_remittance(partner)
    billing.post("desk:match", item.pk, claim=newest(session_id).pk)
    lead.post("desk:match-undo", AnswerMatch.objects.get().pk, reason="wrong patient")
    address = reverse("desk:match", args=[item.pk])
    answer = lead.client.post(address, {"claim": str(newest(session_id).pk)}, follow=True)
    assert "and the match undone. Nothing was saved" in answer.content.decode()
    assert AnswerMatch.objects.filter(undone_at=None).count() == 0


def test_who_opens_an_answer_that_was_filed_has_seen_its_session(
    partner: Api, billing: Desk, lead: Desk
) -> None:
    session_id, item = stray_remittance(partner)
    billing.post("desk:match", item.pk, claim=newest(session_id).pk)
    lead.get("desk:match", item.pk)
    seen = ViewRecord.objects.filter(user=lead.user).get()
    assert (seen.session_id, seen.what) == (session_id, ViewRecord.What.RAW_FILE)


def test_what_was_set_aside_by_mistake_waits_for_its_claim_again(partner: Api, billing: Desk) -> None:
    session_id, item = stray_remittance(partner)
    billing.post("desk:match-dismiss", item.pk, reason="another biller's")
    address = reverse("desk:match-again", args=[item.pk])
    assert address in billing.get("admin:index").content.decode()  # the Undo
    assert address in billing.get("desk:match", item.pk).content.decode()
    billing.client.post(address)
    again = WorkItem.objects.get(queue="unmatched", closed_at=None)
    assert (again.signal_id, again.summary, again.assignee) == (item.signal_id, item.summary, billing.user)
    billing.post("desk:match", again.pk, claim=newest(session_id).pk)
    assert newest(session_id).status == "paid"


def test_what_was_not_set_aside_is_not_taken_up_again(partner: Api, billing: Desk) -> None:
    session_id, item = stray_remittance(partner)
    billing.post("desk:match-again", item.pk)
    billing.post("desk:match", item.pk, claim=newest(session_id).pk)
    billing.post("desk:match-again", item.pk)
    assert not WorkItem.objects.filter(queue="unmatched", closed_at=None).exists()


def test_who_filed_an_answer_and_took_it_out_stands_on_the_sessions_page(
    partner: Api, billing: Desk, lead: Desk
) -> None:
    session_id, item = stray_remittance(partner)
    billing.post("desk:match", item.pk, claim=newest(session_id).pk)
    assert "Maya filed an answer with its claim" in lead.page(session_id)
    lead.post("desk:match-undo", AnswerMatch.objects.get().pk, reason="wrong patient")
    page = lead.page(session_id)
    assert "Maya took an answer out of its claim" in page
    assert "wrong patient" in page
