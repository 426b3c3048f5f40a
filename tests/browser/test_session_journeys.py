"""Journeys at one session, hands on mouse or keys: release, review, correct, match, override, two people."""

from collections.abc import Callable
from typing import Any

from django.urls import reverse
from django.utils import timezone

from claims.models import Claim, NoteReview, ViewRecord
from sessions_app.models import Session, SessionEvent
from tests.browser.looks import AT_1280, problems
from tests.cast import REMOVED, Api, day_of_service
from tests.claims.admin.staff import ended, item_of, newest
from tests.claims.admin.strays import stray_remittance
from tests.claims.process import run_until_quiet
from tests.claims.test_next_version import late_and_paid_twice

AtDesk = Callable[..., Any]
OPEN_NOTE = "Client seems low. Rule out major depression. Talked about work. 50 minutes, individual therapy."
SELECT_MUCH = """() => {
    const note = document.querySelector("#note-text");
    const walk = document.createTreeWalker(note, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const at = walk.currentNode.data.indexOf("much");
        if (at >= 0) getSelection().setBaseAndExtent(walk.currentNode, at, walk.currentNode, at + 4);
    }
}"""


def home(page: Any) -> None:
    page.goto(page.base + reverse("admin:index"))


def at(page: Any, name: str, *args: Any) -> None:
    page.goto(page.base + reverse(name, args=args))


def press(page: Any, key: str, *, leaves: bool = True) -> None:
    """Press a key that opens another page."""
    if not leaves:
        page.keyboard.press(key)
        return
    with page.expect_navigation():
        page.keyboard.press(key)


def posts(page: Any) -> list[str]:
    """The addresses that the page posts to from now on."""
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    return sent


def at_an_open_note(partner: Api, at_desk: AtDesk) -> tuple[Any, str]:
    """The page of a note that staff must settle, as the work list's key opens it, and its session."""
    session_id = partner.submitted(
        session__diagnosisCodes=REMOVED, session__durationMinutes=50, session__noteText=OPEN_NOTE
    )
    run_until_quiet()
    page = at_desk("billing")
    home(page)
    press(page, "n")
    return page, session_id


def test_a_held_session_is_released_by_choosing_its_payer(partner: Api, at_desk: AtDesk) -> None:
    session_id = partner.submitted(
        patient__insurance__payerName="Blue Cross Blue Shield", patient__insurance__payerId=REMOVED
    )
    run_until_quiet()
    page = at_desk("billing")
    home(page)
    press(page, "n")
    assert page.get_by_text("Likely fix").is_visible()
    press(page, "1")
    assert page.get_by_role("button", name="Save").is_enabled()
    press(page, "Control+Enter")
    session = Session.objects.get(pk=session_id)
    assert session.payer_id
    assert newest(session.pk).step == Claim.Step.CODE
    assert "billing staff" in SessionEvent.objects.filter(session=session).latest("id").summary
    assert page.problems == []


def test_a_dialog_is_sent_from_inside_its_field(partner: Api, at_desk: AtDesk) -> None:
    session_id = ended(partner, "REJECTED")
    page = at_desk("billing")
    at(page, "desk:session", session_id)
    press(page, "s", leaves=False)
    page.get_by_label("Waiting for").fill("the practice's call")
    press(page, "Control+Enter")
    assert item_of(session_id).snoozed_for == "the practice's call"
    assert page.problems == []


def test_a_message_that_is_sent_twice_at_once_leaves_once(partner: Api, at_desk: AtDesk) -> None:
    session_id = ended(partner, "REJECTED")
    page = at_desk("billing")
    at(page, "desk:session", session_id)
    sent = posts(page)
    press(page, "m", leaves=False)
    page.get_by_label("What the partner reads").fill("Thank you.")
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
        page.keyboard.press("Control+Enter")
    page.get_by_text("Written to the partner;").wait_for()
    assert [each for each in sent if "/message/" in each] == sent[:1]
    assert SessionEvent.objects.filter(session=session_id, summary="Thank you.").count() == 1
    assert page.problems == []


def test_a_notes_codes_are_confirmed(partner: Api, at_desk: AtDesk) -> None:
    page, session_id = at_an_open_note(partner, at_desk)
    assert page.get_by_role("button", name="Confirm and next").is_disabled()
    press(page, "1", leaves=False)
    press(page, "c")
    label = NoteReview.objects.get()
    assert label.user == page.desk.user
    assert newest(label.session_id).step == Claim.Step.CODE
    assert ViewRecord.objects.filter(session=session_id, what="note").exists()
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Taken back:").wait_for()
    assert newest(label.session_id).session.codes.filter(source="staff").count() == 0
    assert page.problems == []


def test_no_digit_and_no_enter_sends_a_question_to_the_partner(partner: Api, at_desk: AtDesk) -> None:
    page, session_id = at_an_open_note(partner, at_desk)
    sent = posts(page)
    for key in "2", "Enter":
        press(page, key, leaves=False)
    page.get_by_label("Another diagnosis").fill("F41.1")
    page.get_by_label("Another diagnosis").press("Enter")
    page.get_by_label("Another diagnosis").blur()
    for key in "3456789":
        press(page, key, leaves=False)
    words = page.get_by_label("What Harborlight reads")
    words.wait_for()
    page.locator("#question:focus").wait_for(state="attached")
    assert sent == []
    words.fill("Which depression, and how severe?")
    press(page, "Control+Enter")
    assert NoteReview.objects.get().outcome == "asked"
    told = SessionEvent.objects.filter(session=session_id).latest("id").summary
    assert told == "Which depression, and how severe?"
    assert page.problems == []


def test_a_dialogs_key_leaves_the_form_behind_it_alone(partner: Api, at_desk: AtDesk) -> None:
    page, _ = at_an_open_note(partner, at_desk)
    page.get_by_text("Ask the clinician").click()
    page.get_by_role("button", name="Not billable").click()
    page.get_by_label("Why").fill("A phone call of ten minutes.")
    press(page, "Control+Enter")
    assert NoteReview.objects.get().outcome == "not_billable"


def test_enter_in_a_field_of_a_correction_sends_nothing(partner: Api, at_desk: AtDesk) -> None:
    session_id = ended(partner, "REJECTED")
    page = at_desk("billing")
    at(page, "desk:session", session_id)
    press(page, "e")
    sent = posts(page)
    with page.expect_response("**/correct/preview/"):
        page.get_by_label("ZIP").press("Enter")
    page.get_by_label("ZIP").fill("78704")
    with page.expect_response("**/correct/preview/"):
        page.get_by_label("ZIP").press("Enter")
    page.locator("ins", has_text="78704").wait_for()
    assert all(each.endswith("/correct/preview/") for each in sent)
    assert newest(session_id).version == 1
    press(page, "Control+Enter")
    assert newest(session_id).version == 2


def test_selected_words_become_the_evidence_of_the_answer(partner: Api, at_desk: AtDesk) -> None:
    session_id = partner.submitted(
        session__diagnosisCodes=REMOVED,
        session__durationMinutes=50,
        session__noteText=OPEN_NOTE.replace("Talked", "\n\nTalked 🙂 much"),
    )
    run_until_quiet()
    page = at_desk("billing")
    at(page, "desk:review", Session.objects.get(pk=session_id).work_items.get(closed_at=None).pk)
    page.get_by_label("Another code").check()
    page.get_by_label("Another diagnosis").fill("F32.9, F41.1")
    page.get_by_label("Another diagnosis").press("Home")
    page.evaluate(SELECT_MUCH)
    page.get_by_role("button", name="The selected words are the evidence").click()
    assert page.locator("#evidence q").inner_text() == "much"
    assert page.locator("#evidence b").inner_text() == "F32.9"
    page.get_by_label("Another diagnosis").fill("F32.9, F41")
    page.get_by_label("Another diagnosis").blur()
    press(page, "c")
    assert page.get_by_label("Another diagnosis").input_value() == "F32.9, F41"
    assert page.get_by_text("F41 is a heading.").is_visible()
    assert page.locator("#evidence q").inner_text() == "much"
    page.evaluate(SELECT_MUCH)
    page.get_by_role("button", name="The selected words are the evidence").click()
    page.get_by_role("button", name="not this").last.click()
    page.get_by_label("Another diagnosis").fill("F32.9, F41.1")
    page.get_by_label("Another diagnosis").blur()
    press(page, "c")
    (kept,) = NoteReview.objects.get().evidence
    assert kept["code"] == "F32.9"
    text = Session.objects.get(pk=session_id).note.text
    assert text[kept["start"] : kept["end"]] == "much"
    assert ["400" in each for each in page.problems] == [True]


def test_a_rejection_is_sent_again_with_the_likely_fix(partner: Api, at_desk: AtDesk) -> None:
    ended(partner, "W123456789", session__dateOfService=day_of_service(20))
    session_id = ended(partner, "REJECTED")
    page = at_desk("billing")
    home(page)
    press(page, "n")
    press(page, "1")
    assert page.get_by_text("Not a replacement: nobody judged version 1.").is_visible()
    press(page, "Control+Enter")
    claim = newest(session_id)
    assert (claim.version, claim.frequency) == (2, "1")
    assert Session.objects.get(pk=session_id).member_id == "W123456789"


def test_a_typed_correction_is_previewed_as_it_is_typed(partner: Api, at_desk: AtDesk) -> None:
    session_id = ended(partner, "REJECTED")
    page = at_desk("billing")
    at(page, "desk:session", session_id)
    press(page, "e")
    save = page.get_by_role("button", name="Save and send version 2")
    page.get_by_label("ZIP").fill("7870")
    page.locator(".errorlist", has_text="Must be exactly 5 digits.").wait_for()
    assert save.is_disabled()
    page.get_by_label("ZIP").fill("78704")
    page.get_by_label("Member ID", exact=True).fill("W123456789")
    page.locator("ins", has_text="W123456789").wait_for()
    assert page.get_by_text("was REJECTED").is_visible()
    with page.expect_navigation():
        save.click()
    session = Session.objects.get(pk=session_id)
    assert (session.member_id, session.patient_zip) == ("W123456789", "78704")
    assert page.problems == []


def test_an_answer_with_all_facts_agreeing_is_matched_by_one_key(partner: Api, at_desk: AtDesk) -> None:
    session_id, _ = stray_remittance(partner)
    page = at_desk("billing")
    at(page, "desk:queue", "unmatched")
    press(page, "n")
    assert page.get_by_text("The session becomes: paid, $180.00 from Aetna.").is_visible()
    press(page, "c")
    assert newest(session_id).status == "paid"
    assert page.problems == []


def test_a_lead_overrides_what_holds(partner: Api, at_desk: AtDesk) -> None:
    session_id = ended(partner, "HELD")
    page = at_desk("billing lead")
    home(page)
    press(page, "n")
    page.get_by_label("TEST-001").check()
    page.get_by_role("button", name="Override").click()
    assert newest(session_id).step == Claim.Step.HELD, "refused without a reason"
    page.locator("#override-reason").fill("rehearsed on the phone")
    with page.expect_navigation():
        page.get_by_role("button", name="Override").click()
    run_until_quiet()
    at(page, "desk:session", session_id)
    assert page.get_by_text("TEST-001 was overridden").is_visible()


def test_a_release_says_first_what_it_would_come_to(partner: Api, at_desk: AtDesk) -> None:
    held, mended = ended(partner, "HELD"), ended(partner, "HELD2")
    Session.objects.filter(pk=mended).update(member_id="PAID2")
    page = at_desk("billing")
    dialog = page.locator("#release")
    at(page, "desk:session", held)
    press(page, "r", leaves=False)
    dialog.get_by_text("Stays: it would be held again.").wait_for()
    assert dialog.get_by_role("button", name="Release").is_disabled()
    at(page, "desk:session", mended)
    press(page, "r", leaves=False)
    dialog.get_by_text("Will go on: nothing holds it any more.").wait_for()
    page.locator("#release-reason").fill("card seen")
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    assert newest(mended).step == Claim.Step.CODE
    assert page.problems == []


def test_a_rule_is_made_to_hold_for_a_payer_only_when_asked_back(partner: Api, at_desk: AtDesk) -> None:
    session_id = ended(partner, "REJECTED")
    page = at_desk("billing lead")
    at(page, "desk:session", session_id)
    sent = posts(page)
    page.get_by_text("Our rules had warned").click()
    page.get_by_role("button", name="Make it a hold for Aetna").first.click()
    page.get_by_text("every session of every partner for Aetna").first.wait_for()
    assert [each for each in sent if "/claimrule/" in each] == []
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    assert page.get_by_text("holds what it warned of for Aetna, from the next check on.").is_visible()
    assert page.problems == []


def test_two_people_at_one_session(partner: Api, at_desk: AtDesk) -> None:
    session_id = ended(partner, "HELD")
    first, second = at_desk("billing"), at_desk("billing lead")
    at(first, "desk:session", session_id)
    at(second, "desk:session", session_id)
    assert second.get_by_text("has this open since").is_visible()
    for page in (first, second):
        press(page, "e")
    second.get_by_label("ZIP").fill("78704")
    second.locator("ins", has_text="78704").wait_for()
    first.get_by_label("Member ID", exact=True).fill("HELD2")
    first.locator("ins", has_text="HELD2").wait_for()
    with first.expect_navigation():
        first.get_by_role("button", name="Save").click()
    second.locator("ins", has_text="78704").wait_for()
    with second.expect_navigation():
        second.get_by_role("button", name="Save").click()
    assert second.get_by_text("Nothing of yours was saved.").is_visible()
    with second.expect_navigation():
        second.get_by_role("button", name="Put mine on top").click()
    with second.expect_navigation():
        second.get_by_role("button", name="Save").click()
    session = Session.objects.get(pk=session_id)
    assert (session.member_id, session.patient_zip) == ("HELD2", "78704")


def test_a_code_and_its_words_point_at_each_other(partner: Api, at_desk: AtDesk) -> None:
    from tests.flows.test_main_job import NOTE

    session_id = partner.submitted(
        session__diagnosisCodes=REMOVED, session__durationMinutes=REMOVED, session__noteText=NOTE
    )
    run_until_quiet()
    page = at_desk("billing")
    at(page, "desk:session", session_id)
    press(page, "o")
    page.locator("[data-code='1']").focus()
    assert "ring" in (page.locator("[data-mark='1']").first.get_attribute("class") or "")
    press(page, "v", leaves=False)
    assert page.locator("#raw").is_visible()
    assert page.problems == []


def test_pages_are_accessible(partner: Api, at_desk: AtDesk) -> None:
    ended(partner, "W123456789", session__dateOfService=day_of_service(20))
    rejected, held, silent = (ended(partner, each) for each in ("REJECTED", "HELD", "SILENT2"))
    noted = partner.submitted(
        session__diagnosisCodes=REMOVED, session__durationMinutes=50, session__noteText=OPEN_NOTE
    )
    run_until_quiet()
    _, item = stray_remittance(partner)
    page = at_desk("billing lead")
    answer = newest(rejected).signals.filter(kind="277CA").first()
    review = Session.objects.get(pk=noted).work_items.get(closed_at=None)
    found = {}
    for name, *args in (
        ("desk:session", rejected),
        ("desk:session", held),
        ("desk:correct", rejected),
        ("desk:review", review.pk),
        ("desk:match", item.pk),
        ("desk:claim", rejected, 1),
        ("desk:answer", rejected, answer.pk),
        ("desk:inbound-file", answer.inbound_file_id),
        ("desk:session-pass", held),
        ("desk:session-post", silent, 1),
    ):
        at(page, name, *args)
        if lines := problems(page):
            found[name] = lines
    assert found == {}
    assert page.problems == []


def test_a_payment_on_paper_is_posted_once_its_preview_was_seen(partner: Api, at_desk: AtDesk) -> None:
    claim = newest(ended(partner, "SILENT"))
    page = at_desk("billing lead")
    page.set_viewport_size({"width": 1366, "height": 768})
    at(page, "desk:session", claim.session_id)
    with page.expect_navigation():
        page.get_by_role("link", name="Post a payment…").click()
    page.get_by_label("Paid", exact=True).fill("120")
    for place, (group, reason, amount) in enumerate((("CO", "45", "35"), ("PR", "3", "25")), 1):
        named = f"Line 1, adjustment {place}:"
        page.get_by_label(f"{named} group").select_option(group)
        page.get_by_label(f"{named} reason").fill(reason)
        page.get_by_label(f"{named} amount").fill(amount)
    page.locator("#paid-on").fill(timezone.localdate().isoformat())
    page.locator("#trace-number").fill("4711")
    page.locator("#origin").select_option("paper")
    page.locator("#reason").fill("letter of Monday")
    sent = posts(page)
    page.keyboard.press("Enter")
    assert sent == []
    with page.expect_navigation():
        page.get_by_role("button", name="Preview").click()
    assert page.get_by_text("Collect it from the patient.").is_visible()
    assert problems(page, AT_1280) == []
    press(page, "Control+Enter")
    assert newest(claim.session_id).status == "paid"
    assert page.problems == []


def test_of_two_paid_versions_a_lead_chooses_the_one_that_a_void_takes_back(
    partner: Api, at_desk: AtDesk
) -> None:
    session_id = late_and_paid_twice(partner)
    page = at_desk("billing lead")
    at(page, "desk:session", session_id)
    page.get_by_role("button", name="Void…").click()
    page.get_by_label("Why (the partner reads it)").last.fill("paid twice")
    press(page, "Control+Enter", leaves=False)
    assert newest(session_id).version == 2
    assert problems(page, AT_1280) == []
    page.get_by_label("(version 1)").check()
    page.get_by_label("Why (the partner reads it)").last.focus()
    press(page, "Control+Enter")
    assert (newest(session_id).frequency, newest(session_id).replaces.version) == ("8", 1)
    assert page.problems == []


def test_a_note_and_its_question_fit_a_tablet(partner: Api, at_desk: AtDesk) -> None:
    page, _ = at_an_open_note(partner, at_desk)
    page.set_viewport_size({"width": 768, "height": 1024})
    assert page.evaluate("document.documentElement.scrollWidth") == 768


def test_a_preview_that_cannot_be_made_says_so_in_its_card(partner: Api, at_desk: AtDesk) -> None:
    page = at_desk("billing")
    at(page, "desk:correct", ended(partner, "REJECTED"))
    page.route("**/preview/**", lambda route: route.abort())
    page.get_by_label("ZIP").fill("78704")
    page.get_by_text("The preview could not be made, so nothing can be saved.").last.wait_for()
    assert page.locator("#preview [data-failed]").is_visible()
    page.unroute("**/preview/**")
    page.get_by_label("ZIP").fill("78705")
    page.locator("ins", has_text="78705").wait_for()
    assert page.locator("[data-failed]").count() == 0


def test_another_code_is_typed_before_it_can_be_confirmed(partner: Api, at_desk: AtDesk) -> None:
    noted = partner.submitted(
        session__diagnosisCodes=REMOVED, session__durationMinutes=50, session__noteText=OPEN_NOTE
    )
    run_until_quiet()
    page = at_desk("billing")
    at(page, "desk:review", Session.objects.get(pk=noted).work_items.get(closed_at=None).pk)
    page.locator("[name=diagnosis][value=other]").check()
    assert page.locator("[data-confirm]").is_disabled()
    page.locator("#other-diagnosis").fill("F41.1")
    assert page.locator("[data-confirm]").is_enabled()
