"""One session's page: what it says of each state, what it hides, what it records."""

import ast
import base64
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings as project
from django.db import connection
from django.urls import reverse

from claims import actions, pipeline, submission
from claims.models import Claim, RawFile, ViewRecord
from tests.cast import REMOVED, Api, day_of_service
from tests.claims.admin import queries
from tests.claims.admin.staff import Desk, ended, item_of, newest, submitted_and_run
from tests.claims.process import run_until_quiet
from tests.claims.test_inbound import apply, payer_acknowledgement, remittance
from tests.flows.test_main_job import NOTE

PAGES = Path(__file__).resolve().parents[3] / "claims" / "admin"
NEW_KEY = "new:" + base64.b64encode(b"n" * 32).decode()
WRITES = {"save", "update", "delete", "create", "bulk_create", "bulk_update"}


@pytest.mark.parametrize(
    ("member_id", "words"),
    [
        ("PAID1", "Aetna paid $180.00."),
        ("REJECTED", "Aetna sent the claim back before anyone judged it, so there is nothing to appeal."),
        ("CHREJECT", "The clearinghouse sent the claim back before anyone judged it"),
        ("DENIED", "Aetna judged it and paid nothing."),
        ("UNKNOWN", "Patient not known"),
        ("BAD999", "The clearinghouse couldn&#x27;t read our file."),
        (
            "HELD",
            "This is a rehearsal: a test member ID that begins with HELD is held until it is corrected.",
        ),
        ("SILENT", "Nothing has come back yet."),
        ("TAKEBACK", "Aetna paid it, decided anew and denies it."),
    ],
)
def test_the_page_says_where_a_session_stands(
    partner: Api, billing: Desk, member_id: str, words: str
) -> None:
    assert words in billing.page(ended(partner, member_id))


def test_what_is_held_before_a_claim_is_built_is_charged_nothing_yet(partner: Api, billing: Desk) -> None:
    page = billing.page(ended(partner, "HELD"))
    assert "<dt>Charged</dt><dd>nothing yet<small>no claim is built</small></dd>" in page


def test_a_refusal_of_the_clearinghouse_says_in_which_words(partner: Api, billing: Desk) -> None:
    page = billing.page(ended(partner, "EDIT"))
    card = page.partition('id="problem-head"')[2].partition("</section>")[0]
    assert "The sandbox refuses this claim because its member ID begins with EDIT." in card
    assert "edit 33, patient.insurance.memberId" in card


def test_what_the_partner_finds_out_staff_correct_and_send_again(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "REJECTED")
    assert (
        "Ask the partner to compare it with the insurance card, then correct it and send the claim again."
        in billing.page(session_id)
    )
    message = partner.get(f"/sessions/{session_id}").json()["message"]
    assert message.endswith("Compare it with the insurance card. Tell billing staff what you find out.")


def test_staff_are_told_what_they_do_at_the_desk(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "PAID", session__durationMinutes=10)
    page = billing.page(session_id)
    card = page.partition('id="problem-head"')[2].partition("What the partner reads")[0]
    assert "If another service took place, correct its procedures and the session goes on." in card
    assert "procedureCodes and" not in card
    assert "send its procedureCodes" in partner.get(f"/sessions/{session_id}").json()["message"]


def test_what_rules_had_warned_of_is_said_in_words(partner: Api, billing: Desk) -> None:
    page = billing.page(ended(partner, "REJECTED"))
    told = page.partition("had warned:")[2].partition("</summary>")[0]
    assert re.fullmatch(r" The member ID doesn.+\. \(INS-002\) And [0-9]+ more\.", told)


@pytest.mark.parametrize(("member_id", "shown"), [("PAID1", False), ("HELD", False), ("DENIED", True)])
def test_what_rules_had_warned_of_stands_where_it_was_refused(
    partner: Api, billing: Desk, member_id: str, shown: bool
) -> None:
    session_id = ended(partner, member_id)
    if member_id == "PAID1":
        apply(remittance(newest(session_id), trace="T2", paid="100.00", copay="80.00"))
        assert item_of(session_id).queue == "answers"
    assert ("had warned" in billing.page(session_id)) == shown


def test_a_denial_says_who_must_act(partner: Api, billing: Desk) -> None:
    page = billing.page(ended(partner, "DENIED"))
    assert "no authorization" in page.lower()
    assert "The partner must act; we can&#x27;t." in page
    assert "CO-197" in page


def test_an_unreadable_file_is_shown_with_the_place_that_is_wrong(partner: Api, billing: Desk) -> None:
    assert re.search(r"999 segment [0-9]+ N3 error 3", billing.page(ended(partner, "BAD999")))


def test_the_payers_complaint_is_marked_in_the_claim(partner: Api, billing: Desk) -> None:
    page = billing.page(ended(partner, "REJECTED"))
    assert re.search(r'<tr class="complaint">.{0,200}NM1\*IL\*1\*DOE\*JANE', page, re.S)


def test_another_id_that_was_paid_is_a_likely_fix(partner: Api, billing: Desk) -> None:
    ended(partner, "W123456789", session__dateOfService=day_of_service(20))
    page = billing.page(ended(partner, "REJECTED"))
    assert "was paid by Aetna under another ID." in page
    assert "W123456789" in page


def test_the_patients_other_sessions_are_found_while_field_keys_rotate(
    partner: Api, billing: Desk, settings: Any
) -> None:
    first = ended(partner, "PAID1", session__dateOfService=day_of_service(20))
    settings.FIELD_KEYS = f"{NEW_KEY},{project.FIELD_KEYS}"
    page = billing.page(submitted_and_run(partner, "PAID1", patient__firstName="Janet"))
    assert "<dt>Other sessions</dt><dd>1, 1 paid" in page
    assert reverse("desk:session", args=(first,)) in page


def test_another_patients_paid_session_is_no_fix(partner: Api, billing: Desk) -> None:
    ended(partner, "W123456789", patient__firstName="Omar", session__dateOfService=day_of_service(20))
    assert "under another ID" not in billing.page(ended(partner, "REJECTED"))


def test_payers_that_fit_the_name_are_likely_fixes(partner: Api, billing: Desk) -> None:
    session_id = partner.submitted(
        patient__insurance__payerName="Blue Cross", patient__insurance__payerId=REMOVED
    )
    run_until_quiet()
    page = billing.page(session_id)
    assert len(re.findall(r"<button[^>]*data-key=\"[1-5]\">Blue Cross", page)) >= 2
    assert "fit the payer&#x27;s name. Choose one and the session goes on." in page


def test_why_this_price(partner: Api, billing: Desk) -> None:
    assert "Sample charges (test organizations only): 90837 since" in billing.page(ended(partner, "PAID1"))


def test_a_session_that_is_not_built_yet_says_when_it_will_be(partner: Api, billing: Desk) -> None:
    page = billing.page(ended(partner, "HELD"))
    assert "No claim yet: it is built when the session is released." in page
    assert "None yet: nothing was sent." in page
    assert "gave none" not in page
    assert "none<small>nothing was sent yet</small>" in page


def test_codes_name_their_source(partner: Api, billing: Desk) -> None:
    page = billing.page(ended(partner, "PAID1"))
    assert "Sent by the partner" in page
    assert "From 55 minutes" in page
    assert "Generalized anxiety" in page


@pytest.fixture
def noted(partner: Api) -> str:
    changes = {"diagnosisCodes": REMOVED, "durationMinutes": REMOVED, "noteText": NOTE}
    return str(ended(partner, "W123456789", **{f"session__{name}": each for name, each in changes.items()}))


def test_the_note_is_closed_until_it_is_opened(noted: str, billing: Desk) -> None:
    page = billing.page(noted)
    assert "worry log" not in page
    assert "The note is closed. Opening it is recorded." in page


def test_opening_the_note_is_written_down_and_shows_its_evidence(noted: str, billing: Desk) -> None:
    answer = billing.post("desk:session-note", noted)
    page = answer.content.decode()
    assert "worry log" in page
    marks = re.findall(r'data-mark="(\d)"[^>]*>([^<]+)<', page)
    assert ("1", "Generalized anxiety disorder (F41.1") in [(n, t.rstrip(")")) for n, t in marks]
    assert 'class="not-coded"' in page
    assert ViewRecord.objects.filter(session_id=noted, what="note", user=billing.user).count() == 1


def test_a_note_opens_by_post_alone(noted: str, billing: Desk) -> None:
    answer = billing.get("desk:session-note", noted)
    assert answer.headers["Location"] == reverse("desk:session", args=[noted])
    assert not ViewRecord.objects.filter(session_id=noted, what="note").exists()


def test_support_sees_no_note_and_no_file(noted: str, support: Desk) -> None:
    page = support.page(noted)
    assert "Open the note" not in page
    assert "NM1*IL" not in page
    assert support.post("desk:session-note", noted).status_code == 403
    assert support.get("desk:claim", noted, 1).status_code == 403


def test_support_reads_the_codes_and_nothing_else_that_was_read_in_a_note(
    noted: str, billing: Desk, support: Desk
) -> None:
    said = ("Read and not coded", "another person&#x27;s", "Code and words agree", "minutes, in the note")
    opened, closed = billing.page(noted), support.page(noted)
    assert [words for words in said if words in opened] == list(said)
    assert [words for words in said if words in closed] == []
    assert "F41.1" in closed


def test_every_opening_of_the_page_is_written_down(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "PAID1")
    billing.page(session_id)
    page = billing.page(session_id)
    assert ViewRecord.objects.filter(session_id=session_id, what="page", user=billing.user).count() == 2
    assert "Maya opened the session" in page


def test_no_patient_stands_in_title_or_address(partner: Api, billing: Desk) -> None:
    page = billing.page(ended(partner, "REJECTED"))
    title = re.search(r"<title>(.*?)</title>", page)
    assert title
    assert "Doe" not in title[1]
    addresses = re.findall(r'(?:href|action)="([^"]*)"', page)
    assert not [each for each in addresses if "Doe" in each or "REJECTED" in each]


def test_an_unknown_session_is_not_found(billing: Desk) -> None:
    assert billing.get("desk:session", uuid4()).status_code == 404
    assert billing.post("desk:session-release", uuid4()).status_code == 404
    assert billing.post("desk:review-undo", 1).status_code == 404


def test_what_a_session_lacks_is_an_error_and_no_wrong_address(partner: Api, billing: Desk) -> None:
    session_id = partner.submitted()
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('app.purging', 'on', true)")
        Claim.objects.get(session=session_id).delete()
        cursor.execute("SELECT set_config('app.purging', '', true)")
    with pytest.raises(Claim.DoesNotExist):
        billing.post("desk:session-release", session_id)


def test_somebody_elses_open_page_is_said(partner: Api, billing: Desk, lead: Desk) -> None:
    session_id = ended(partner, "REJECTED")
    lead.user.first_name, lead.user.last_name = "Priya", "Shah"
    lead.user.save()
    lead.page(session_id)
    assert "Priya Shah has this open since" in billing.page(session_id)


def test_one_version_of_the_claim_is_explained_and_raw(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "PAID1")
    page = billing.get("desk:claim", session_id, 1).content.decode()
    assert "Insured: JANE DOE, member ID PAID1" in page
    assert "CLM*" + newest(session_id).patient_control_number in page
    assert ViewRecord.objects.filter(session_id=session_id, what="claim").count() == 1


def test_no_place_is_told_in_a_list_that_the_item_is_not_in(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    assert billing.get("desk:session", session_id, query="?queue=held").context["place"] == "1 of 1"
    assert billing.get("desk:session", session_id, query="?queue=denied").context["place"] == ""


def test_an_answer_is_raw_without_the_files_other_claims(partner: Api, billing: Desk) -> None:
    session_id, other = ended(partner, "PAID1"), ended(partner, "PAID2")
    row = newest(session_id).signals.get(kind="835")
    page = billing.get("desk:answer", session_id, row.pk).content.decode()
    assert newest(session_id).patient_control_number in page
    assert newest(other).patient_control_number not in page
    assert ViewRecord.objects.filter(session_id=session_id, what="raw_file").count() == 1
    assert billing.get("desk:answer", other, row.pk).status_code == 404


def test_an_inbound_file_says_what_it_changed(partner: Api, billing: Desk, support: Desk) -> None:
    session_id = ended(partner, "PAID1")
    row = newest(session_id).signals.get(kind="835")
    page = billing.get("desk:inbound-file", row.inbound_file_id).content.decode()
    assert "1 new, 0 known already." in page
    assert reverse("desk:session", args=[session_id]) in page
    assert "ISA*" not in page
    assert "ISA*00*" in billing.post("desk:inbound-file-raw", row.inbound_file_id).content.decode()
    seen = ViewRecord.objects.get(what="raw_file", detail=f"inbound file {row.inbound_file_id}")
    assert (seen.user, seen.session_id) == (billing.user, session_id)
    assert support.post("desk:inbound-file-raw", row.inbound_file_id).status_code == 403


@pytest.mark.parametrize(
    ("member_id", "kind", "says"),
    [
        (
            "REJECTED",
            "277CA",
            "before deciding on it: the member ID of the insured person isn't what the payer",
        ),
        (
            "DENIED",
            "835",
            "Decided as the first insurer. Not paid in full, because no authorization is on file (CO-197).",
        ),
        (
            "PARTIAL",
            "835",
            "Not paid in full, because the charge is above the contract's amount (CO-45)",
        ),
        ("PAID1", "277CA", "took the claim and is going to decide on it."),
        ("PAID1", "999", "The clearinghouse received the claim's file and can read it."),
        ("PLB", "PLB", "An earlier overpayment that it recovers (WO)."),
    ],
)
def test_an_inbound_file_says_what_its_codes_mean(
    partner: Api, support: Desk, member_id: str, kind: str, says: str
) -> None:
    rows = newest(ended(partner, member_id)).signals.exclude(natural_key="")
    row = rows.filter(kind=kind).latest("pk")
    page = support.get("desk:inbound-file", row.inbound_file_id).content.decode().replace("&#x27;", "'")
    assert says in page
    assert "This changes nothing" not in page
    assert "$" not in page.split('id="answers-head"')[1]


@pytest.mark.parametrize(("member_id", "queue"), [("PAID1", ""), ("REJECTED", "rejected"), ("HELD", "held")])
def test_the_page_asks_fourteen_questions_beside_the_frames_own(
    partner: Api, lead: Desk, member_id: str, queue: str
) -> None:
    session_id = ended(partner, member_id)
    asked = queries.of(lambda: lead.get("desk:session", session_id, query=f"?queue={queue}"))
    assert len(asked) <= 14 + 1, asked


def test_page_modules_write_nothing_by_themselves() -> None:
    found = [
        f"{path.name}:{node.lineno}"
        for path in PAGES.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in WRITES
        and (node.func.attr == "save" or "objects" in ast.unparse(node.func))
    ]
    assert found == []


def test_the_name_that_the_payer_corrects_is_a_likely_fix(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "DENIED")
    raw = RawFile.objects.get(file=newest(session_id).signals.get(kind="835").inbound_file)
    before, patient, after = raw.content.partition(b"NM1*QC*1*DOE*JANE")
    raw.content = before + b"NM1*74*1*ROE*JANE~" + patient + after
    raw.save(update_fields=["content"])
    page = billing.page(session_id)
    assert "Aetna corrects what we sent." in page
    assert '<ins class="added mono">ROE</ins>' in page


def test_a_list_that_we_do_not_have_opens_nothing(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    answer = billing.get("desk:session", session_id, query="?queue=../../evil")
    assert answer.status_code == 200
    assert "evil" not in answer.content.decode()


def test_a_long_history_is_cut_with_a_link_to_all(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "PAID1")
    for number in range(20):
        billing.post("desk:session-message", session_id, text=f"Message {number:02d}.")
    page = billing.page(session_id)
    assert "Session received" not in page
    assert f"/admin/sessions_app/session/{session_id}/change/?all=1" in page
    assert "Session received" in billing.get("desk:session", session_id, query="?all=1").content.decode()


def test_the_page_says_what_an_earlier_version_was_paid(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "PAID")
    paid = newest(session_id)
    actions.resend(session_id, user=None, reason="corrected")
    page = billing.page(session_id)
    assert "nothing paid yet" not in page
    assert f"version 1 was paid ${paid.paid}" in page
    assert f'of version 1: <span class="mono">{paid.payer_control_number}</span>' in page


def test_a_refused_void_is_called_that(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "PAID")
    actions.void(session_id, user=None, reason="billed by mistake")
    pipeline.advance()
    submission.send("sandbox")
    apply(payer_acknowledgement(newest(session_id), "A7:35"))
    assert item_of(session_id).summary == "The payer refused to void the claim."


def test_a_reason_that_we_have_no_words_for_is_told_as_unknown(partner: Api, billing: Desk) -> None:
    page = billing.page(ended(partner, "DENIED294"))
    assert "gives reason CO-294, which we don&#x27;t know." in page
    assert "We can put this right" not in page


def test_what_takes_the_ground_from_under_a_session_is_said_first(partner: Api, billing: Desk) -> None:
    note = "Client did not show for appointment. Called, left voicemail."
    session_id = ended(partner, "PAID", session__noteText=note, session__diagnosisCodes=REMOVED)
    item = item_of(session_id)
    assert item.reason == "NOTE-004"
    page = billing.page(session_id)
    assert page.index(item.summary[:30]) < page.index("The session has no diagnosis")


def test_the_session_that_it_repeats_comes_before_newer_ones(partner: Api, billing: Desk) -> None:
    days = [day_of_service(40), day_of_service(1), day_of_service(2), day_of_service(3)]
    first, *_ = [partner.submitted(session__dateOfService=day) for day in days]
    repeated = partner.submitted(session__dateOfService=days[0])
    page = billing.page(repeated)
    others = re.findall(r'/session/([0-9a-f-]+)/change/">\w+ \d+, \d{4}', page)
    assert (len(others), others[0]) == (3, first)


def test_a_refused_file_is_said_once_to_go_again(partner: Api, billing: Desk) -> None:
    page = billing.page(ended(partner, "BAD999"))
    assert page.count("Nothing is wrong with what the session says") == 1
