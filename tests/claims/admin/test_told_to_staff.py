"""What pages tell staff: words that are true of this session, and links and buttons that lead somewhere."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from claims.admin.note_marks import not_coded
from claims.models import InboundFile, TypedRemittance, WorkItem
from tests.cast import REMOVED, Api
from tests.claims.admin.staff import Desk, ended, newest
from tests.claims.admin.test_correct import MEMBER_ID, opened, save
from tests.claims.admin.test_post import COPAY, DENIAL, post, typed
from tests.claims.admin.work import open_item
from tests.claims.process import run_until_quiet
from tests.claims.test_inbound import apply, remittance, silent_claim

OPEN_NOTE = "Client seems low. Rule out major depression. Talked about work. 50 minutes, individual therapy."


def words(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def posted(lead: Desk, partner: Api, **fields: str) -> TypedRemittance:
    claim = newest(ended(partner, "SILENT"))
    assert post(lead, claim, typed(**fields)).status_code == 302
    return TypedRemittance.objects.select_related("claim").get()


DENIED = dict.fromkeys(COPAY, REMOVED) | DENIAL | {"trace_number": ""}


def answer_of(desk: Desk, row: TypedRemittance) -> str:
    return desk.get("desk:answer", row.claim.session_id, row.signal_id).content.decode()


def test_what_was_posted_by_hand_is_headed_by_what_it_is(partner: Api, lead: Desk) -> None:
    page = answer_of(lead, posted(lead, partner, **DENIED))
    assert "<title>Posted by hand |" in page
    assert re.search(r"<h1>\s*Decision of ", page)
    assert "Payment of" not in page
    assert "Payer's number PAPER1" in words(page)


def test_whoever_reads_what_was_posted_by_hand_opened_no_file(partner: Api, lead: Desk) -> None:
    row = posted(lead, partner)
    answer_of(lead, row)
    assert "opened a raw file" not in lead.page(row.claim.session_id)


def test_what_was_posted_and_taken_back_is_still_found(
    partner: Api, lead: Desk, billing: Desk, support: Desk
) -> None:
    row = posted(lead, partner)
    session_id = row.claim.session_id
    link = reverse("desk:answer", args=[session_id, row.signal_id])
    lead.post("desk:typed-undo", row.pk, reason="the wrong claim")
    card = billing.page(session_id).split('id="answers-head"')[1]
    assert "0 touched this claim" in card
    assert link in card
    assert "the wrong claim" in answer_of(billing, row)
    assert link not in support.page(session_id)


def test_a_session_by_telephone_is_not_said_to_be_by_video(partner: Api, billing: Desk) -> None:
    by_telephone = {"code": "90837", "modifier": "93"}
    session_id = ended(
        partner, "SILENT93", session__placeOfService="telehealth", session__procedureCodes=[by_telephone]
    )
    page = words(billing.page(session_id))
    assert "by telephone by" in page
    assert "by video" not in page


def test_what_answers_a_void_announces_no_new_decision(partner: Api, lead: Desk) -> None:
    session_id = ended(partner, "PAIDVOID")
    version = newest(session_id).version
    lead.post("desk:session-void", session_id, reason="billed in error", version=str(version))
    run_until_quiet()
    page = lead.page(session_id)
    assert newest(session_id).status == "voided"
    assert "took back its payment of $180.00." in page
    assert "ew decision" not in page


def test_a_note_that_asks_is_to_be_answered_and_not_corrected(partner: Api, lead: Desk) -> None:
    session_id = ended(
        partner,
        "NOTE1",
        session__diagnosisCodes=REMOVED,
        session__durationMinutes=50,
        session__noteText=OPEN_NOTE,
    )
    page = words(lead.page(session_id))
    assert "there would be no claim to send. Answer its question." in page
    assert "Note to review" in page


def file_page(desk: Desk) -> str:
    file = InboundFile.objects.latest("pk")
    return words(desk.get("desk:inbound-file", file.pk).content.decode())


@pytest.mark.parametrize(
    ("concept", "written"),
    [
        ("ptsd", "PTSD"),
        ("bipolar_ii", "Bipolar II"),
        ("avoidant_pd", "Avoidant personality disorder"),
        ("major_depressive_disorder", "Major depressive disorder"),
        ("code_f10_120", "F10.120"),
        ("", "A condition"),
    ],
)
def test_what_was_read_and_not_coded_is_named_as_people_write_it(concept: str, written: str) -> None:
    (shown,) = not_coded({"rejected": [{"concept": concept, "code": "", "why": "negated"}]})
    assert shown.what == written


def test_a_file_that_was_refused_counts_for_nothing(billing: Desk) -> None:
    apply("ISA*no more of it came")
    page = file_page(billing)
    assert "Nothing of it counts." in page
    assert "What could be read of it counts." not in page
    assert "x12 from sandbox: refused as a whole." in billing.get("admin:index").content.decode()


def test_of_a_file_that_broke_off_what_was_read_counts(partner: Api, billing: Desk) -> None:
    apply(remittance(silent_claim(partner)).rpartition("IEA")[0])
    page = file_page(billing)
    assert "What could be read of it counts." in page
    assert "Nothing of it counts." not in page
    assert "refused as a whole" not in billing.get("admin:index").content.decode()


@pytest.mark.parametrize("queue", ["silent", "refused"])
def test_nothing_is_offered_to_many_that_none_of_them_takes(partner: Api, lead: Desk, queue: str) -> None:
    open_item(partner, queue)
    open_item(partner, "rejected")
    offered = 'value="resend"'
    assert offered in lead.get("desk:queue", "rejected").content.decode()
    assert offered not in lead.get("desk:queue", queue).content.decode()


def test_whoever_may_open_no_queue_is_led_to_none(partner: Api, lead: Desk, settings: object) -> None:
    open_item(partner, "held", reason="DX-003")
    queue = reverse("desk:queue", args=["held"])
    held = f'{queue}?reason=DX-003"'
    administrator = Desk("administrator")
    assert held in lead.get("desk:rules").content.decode()
    assert held not in administrator.get("desk:rules").content.decode()
    assert administrator.get("desk:queue", "held").status_code == 403


def test_many_that_are_late_are_said_to_be(partner: Api, lead: Desk) -> None:
    items = [ended(partner, "REJECTED1"), ended(partner, "REJECTED2")]
    late, timely = (WorkItem.objects.get(session=session_id, closed_at=None) for session_id in items)
    WorkItem.objects.filter(pk=late.pk).update(file_by=timezone.localdate() - timedelta(days=1))
    page = lead.post("desk:bulk", "rejected", deed="resend", item=[late.pk, timely.pk]).content.decode()
    assert page.count("Will be sent: version 2, a new claim.") == 2
    assert page.count("Its time to file is over.") == 1


def test_a_version_that_is_not_the_newest_is_named_where_it_is_posted_to(partner: Api, lead: Desk) -> None:
    session_id = ended(partner, "REJECTEDA7")
    assert "Post a payment…" in lead.page(session_id)
    save(lead, session_id, opened(lead, session_id) | {MEMBER_ID: "PAID1", "why": "read from the card"})
    run_until_quiet()
    assert newest(session_id).status == "paid"
    assert "Post a payment to version 1…" in lead.page(session_id)


@pytest.mark.parametrize(
    ("member_id", "said", "unsaid"),
    [
        ("DENIED29", "It is for us to put right.", "Nothing to do."),
        ("DENIED197", "The partner tells us what it finds out.", "Tell billing staff"),
        ("BAD999", "That is our fault: send it again.", "Nothing to do."),
    ],
)
def test_an_answer_tells_staff_what_is_theirs_to_do(
    partner: Api, billing: Desk, member_id: str, said: str, unsaid: str
) -> None:
    card = words(billing.page(ended(partner, member_id)).split('id="answers-head"')[1].split("</section>")[0])
    assert said in card
    assert unsaid not in card


def test_a_refusal_at_the_door_is_headed_by_what_happened(partner: Api, billing: Desk) -> None:
    page = billing.page(ended(partner, "EDIT1"))
    assert '<h3 class="wrong">The clearinghouse refused the claim.</h3>' in page
    assert "history says in which words" not in page


def test_what_was_paid_twice_is_said_in_its_sum(partner: Api, billing: Desk) -> None:
    claim = silent_claim(partner)
    for trace in ("T1", "T2"):
        apply(remittance(claim, paid="180.00", copay="0.00", trace=trace), f"{trace}.edi")
    page = words(billing.page(claim.session_id))
    assert "In all $360.00 was paid for $180.00 charged." in page
