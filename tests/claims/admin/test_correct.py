"""Correcting a session: the interface's own sentences, before and after, one save, two people."""

import re
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone
from django.utils.formats import date_format

from billing.models import CodeSetRelease, PayerProfile
from billing.payers.directory import PayerDirectoryError, PayerHit
from claims.admin import payer_lookup
from claims.admin.changes import read_changes
from claims.models import Claim, CorrectionDraft, WorkItem
from claims.templatetags.desk import day
from partners.models import Partner
from providers.models import ChargeRate
from sessions_app.models import Session, SessionChange, SessionCode
from tests.cast import Api, day_of_service, issues_of
from tests.claims.admin import queries
from tests.claims.admin.staff import Desk, ended, newest
from tests.claims.process import run_until_quiet

MEMBER_ID, ZIP = "patient.insurance.memberId", "patient.address.zip"
PAYER_NAME, PAYER_ID = payer_lookup.PAYER_NAME, payer_lookup.PAYER_ID
DIAGNOSES, PROCEDURES = "session.diagnosisCodes", "session.procedureCodes"
SELECT = re.compile(r'<select[^>]*name="([^"]+)".*?</select>', re.S)


def form_of(answer: Any) -> dict[str, str]:
    """Every field of the correction as a browser would send it back."""
    html = answer.content.decode()
    fields: dict[str, str] = {}
    for tag in re.findall(r"<input[^>]*>", html):
        name = re.search(r'name="([^"]*)"', tag)
        if name and ("." in name[1] or name[1] in ("version", "digest", "queue")):
            value = re.search(r'value="([^"]*)"', tag)
            fields[name[1]] = value[1] if value else ""
    for block in SELECT.finditer(html):
        chosen = re.search(r'value="([^"]*)" selected', block[0])
        fields[block[1]] = chosen[1] if chosen else ""
    return fields


def opened(desk: Desk, session_id: UUID) -> dict[str, str]:
    answer = desk.get("desk:correct", session_id)
    assert answer.status_code == 200
    return form_of(answer)


def previewed(desk: Desk, session_id: UUID, fields: dict[str, str]) -> tuple[str, str]:
    """The right-hand card for these fields, and the digest on its button."""
    answer = desk.client.post(f"/admin/sessions_app/session/{session_id}/correct/preview/", fields)
    assert answer.status_code == 200
    page = answer.content.decode()
    digest = re.search(r'name="digest" value="([^"]*)"', page)
    assert digest
    return page, digest[1]


def save(desk: Desk, session_id: UUID, fields: dict[str, str]) -> Any:
    _, digest = previewed(desk, session_id, fields)
    return desk.client.post(
        f"/admin/sessions_app/session/{session_id}/correct/", {**fields, "digest": digest, "save": "1"}
    )


def test_a_held_session_is_corrected_and_goes_on(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    fields = opened(billing, session_id) | {MEMBER_ID: "W123456789", "why": "read from the card"}
    page, _ = previewed(billing, session_id, fields)
    assert "This is a rehearsal" in page
    assert "Gone." in page
    assert save(billing, session_id, fields).status_code == 302
    run_until_quiet()
    assert newest(session_id).status == "paid"


def test_a_rejected_session_is_corrected_and_sent_as_a_new_claim(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "REJECTED")
    fields = opened(billing, session_id) | {MEMBER_ID: "W123456789"}
    page, _ = previewed(billing, session_id, fields)
    assert "a new claim, version 2" in page
    assert "Not a replacement: nobody judged version 1." in page
    assert re.search(r"NM1\*IL, 09</dt><dd><del[^>]*>REJECTED</del> <ins[^>]*>W123456789</ins>", page)
    save(billing, session_id, fields)
    run_until_quiet()
    claim = newest(session_id)
    assert (claim.version, claim.frequency, claim.status) == (2, "1", "paid")


def test_a_denied_session_goes_out_as_a_replacement(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "DENIED")
    fields = opened(billing, session_id) | {MEMBER_ID: "W123456789"}
    page, _ = previewed(billing, session_id, fields)
    assert "a replacement, version 2" in page
    save(billing, session_id, fields)
    assert newest(session_id).frequency == Claim.Frequency.REPLACEMENT


def test_a_save_that_sends_opens_the_next_free_item(partner: Api, billing: Desk) -> None:
    first, second = ended(partner, "REJECTED"), ended(partner, "REJECTEDB")
    assert str(first) in billing.post("desk:start", "rejected").headers["Location"]
    fields = opened(billing, first) | {MEMBER_ID: "W123456789", "queue": "rejected"}
    assert str(second) in save(billing, first, fields).headers["Location"]
    assert not WorkItem.objects.filter(session=first, closed_at=None).exists()


def test_what_is_said_of_one_session_on_the_page_of_the_next_leads_back_to_it(
    partner: Api, billing: Desk
) -> None:
    first, second = ended(partner, "REJECTED"), ended(partner, "REJECTEDB")
    billing.post("desk:start", "rejected")
    fields = opened(billing, first) | {MEMBER_ID: "W123456789", "queue": "rejected"}
    page = billing.client.get(save(billing, first, fields).headers["Location"]).content.decode()
    assert str(second) in page
    said = re.search(r'class="notice success">(.*?)</p>', page)
    assert said
    assert "Version 2 is on its way." in said[1]
    assert f'<a href="/admin/sessions_app/session/{first}/change/">The one before</a>' in said[1]


def test_a_new_version_that_a_rule_will_hold_is_not_said_to_be_on_its_way(
    partner: Api, billing: Desk
) -> None:
    session_id = ended(partner, "REJECTED1")
    save(billing, session_id, opened(billing, session_id) | {MEMBER_ID: "HELD1"})
    page = billing.page(session_id)
    assert "Version 2 is saved. It will be held: " in page
    assert "(TEST-001)" in page
    assert 'class="notice warning"><span>Version 2 is saved.' in page
    assert "Version 2 is on its way." not in page


def test_what_was_paid_is_not_replaced_as_it_is_without_a_word(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "PAID")
    fields = opened(billing, session_id)
    page, _ = previewed(billing, session_id, fields)
    assert "Nothing is changed, and it was paid: say why it is to be replaced." in page
    assert save(billing, session_id, fields).status_code == 400
    assert newest(session_id).version == 1
    assert save(billing, session_id, fields | {"why": "the payer asked for it once more"}).status_code == 302
    assert newest(session_id).frequency == Claim.Frequency.REPLACEMENT


UNCHANGED = "Nothing on the claim has changed since it was {}: the same answer is likely."


@pytest.mark.parametrize(("member_id", "how"), [("REJECTED", "rejected"), ("DENIED", "denied")])
def test_what_was_refused_does_not_go_out_as_it_is_without_a_word(
    partner: Api, billing: Desk, member_id: str, how: str
) -> None:
    session_id = ended(partner, member_id)
    fields = opened(billing, session_id)
    page, _ = previewed(billing, session_id, fields)
    assert UNCHANGED.format(how) in page
    corrected, _ = previewed(billing, session_id, fields | {MEMBER_ID: "W123456789"})
    assert "Nothing on the claim has changed" not in corrected
    assert save(billing, session_id, fields).status_code == 302
    assert newest(session_id).version == 2


@pytest.mark.parametrize("member_id", ["HELD", "PAID"])
def test_what_nobody_refused_is_not_said_to_be_as_it_was_refused(
    partner: Api, billing: Desk, member_id: str
) -> None:
    session_id = ended(partner, member_id)
    page, _ = previewed(billing, session_id, opened(billing, session_id))
    assert "Nothing on the claim has changed" not in page


def test_a_correction_is_left_for_the_list_that_it_was_opened_from(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    back = f'href="/admin/sessions_app/session/{session_id}/change/?queue=deadlines"'
    drawn = billing.get("desk:correct", session_id, query="?queue=deadlines").content.decode()
    fields = opened(billing, session_id) | {"queue": "deadlines"}
    card, _ = previewed(billing, session_id, fields)
    assert (drawn.count(back), card.count(back)) == (2, 1)
    late = fields | {"version": "0", "digest": "x", "save": "1"}
    conflict = billing.client.post(f"/admin/sessions_app/session/{session_id}/correct/", late)
    assert (conflict.status_code, conflict.content.decode().count(back)) == (409, 2)


def test_staff_give_a_code_its_units_and_keep_them(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    fields = opened(billing, session_id) | {PROCEDURES: "90839, 90840 x 2"}
    save(billing, session_id, fields)
    assert units_of(session_id) == [("90839", 1), ("90840", 2)]
    again = opened(billing, session_id)
    assert again[PROCEDURES] == "90839, 90840 x 2"
    save(billing, session_id, again | {PROCEDURES: "90839 90840x2, 90785"})
    assert units_of(session_id) == [("90839", 1), ("90840", 2), ("90785", 1)]
    page, _ = previewed(billing, session_id, again | {PROCEDURES: "90839, 90840 x 0"})
    assert "Units are 1 to 99." in page


def test_a_code_that_a_partner_sends_again_keeps_the_units_that_it_has(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    save(billing, session_id, opened(billing, session_id) | {PROCEDURES: "90839, 90840 x 2"})
    codes = [{"code": "90839"}, {"code": "90840"}, {"code": "90785"}]
    partner.patch(f"/sessions/{session_id}", {"session": {"procedureCodes": codes}})
    assert units_of(session_id) == [("90839", 1), ("90840", 2), ("90785", 1)]


def test_lines_of_one_code_keep_the_units_of_their_own(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    save(billing, session_id, opened(billing, session_id) | {PROCEDURES: "96127, 96127-59 x 3"})
    codes = [{"code": "96127"}, {"code": "96127", "modifier": "59"}]
    partner.patch(f"/sessions/{session_id}", {"session": {"procedureCodes": codes}})
    assert units_of(session_id) == [("96127", 1), ("96127", 3)]


def test_units_are_told_in_the_history_of_changes(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    save(billing, session_id, opened(billing, session_id) | {PROCEDURES: "90839, 90840"})
    save(billing, session_id, opened(billing, session_id) | {PROCEDURES: "90839, 90840 x 2"})
    changes = read_changes(Session.objects.get(pk=session_id))
    assert any("90840 x 2" in part for change in changes for moved in change.was for part in moved)


def test_a_diagnosis_that_ends_in_x_and_digits_is_no_number_of_units(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    page, _ = previewed(billing, session_id, opened(billing, session_id) | {DIAGNOSES: "F41.1, S06.0X1"})
    assert "S06.0X1" in page


def units_of(session_id: UUID) -> list[tuple[str, int]]:
    rows = SessionCode.objects.filter(session=session_id, kind="procedure").order_by("position")
    return [(row.code, row.units) for row in rows]


@pytest.mark.parametrize(
    ("path", "text", "body"),
    [
        (ZIP, "7870", {"patient": {"address": {"zip": "7870"}}}),
        ("patient.lastName", "", {"patient": {"lastName": None}}),
        ("patient.dateOfBirth", "2026-13-01", {"patient": {"dateOfBirth": "2026-13-01"}}),
        ("session.dateOfService", "2999-01-01", {"session": {"dateOfService": "2999-01-01"}}),
        (DIAGNOSES, "F41", {"session": {"diagnosisCodes": [{"code": "F41"}]}}),
        (DIAGNOSES, "F41.1, F41.1", {"session": {"diagnosisCodes": [{"code": "F41.1"}, {"code": "F41.1"}]}}),
        (PROCEDURES, "9083", {"session": {"procedureCodes": [{"code": "9083"}]}}),
    ],
)
def test_the_sentences_are_the_interfaces_own(
    partner: Api, billing: Desk, path: str, text: str, body: dict[str, Any]
) -> None:
    session_id = ended(partner, "HELD")
    wanted = issues_of(partner.patch(f"/sessions/{session_id}", body))
    fields = opened(billing, session_id) | {path: text}
    page, digest = previewed(billing, session_id, fields)
    told = dict(re.findall(r'<li data-path="([^"]*)">([^<]*)</li>', page))
    assert {key: value.replace("&#x27;", "'") for key, value in told.items()} == wanted
    assert digest == ""
    answer = save(billing, session_id, fields)
    assert answer.status_code == 400
    assert "before this can be saved" in answer.content.decode()


def test_a_problem_that_the_change_brings_is_said_before_it_is_saved(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "REJECTED")
    page, _ = previewed(billing, session_id, opened(billing, session_id) | {MEMBER_ID: "HELD"})
    assert "It would be held: This is a rehearsal" in page
    assert "Save version 2, held" in page
    assert "Save and send" not in page
    assert "It stays here until nothing holds it." in page


def test_a_warning_of_another_code_is_not_gone_and_new(partner: Api, billing: Desk) -> None:
    CodeSetRelease.objects.update(valid_from=timezone.localdate())
    session_id = ended(partner, "REJECTED", session__dateOfService=day_of_service(1))
    page, _ = previewed(billing, session_id, opened(billing, session_id) | {DIAGNOSES: "F32.0"})
    assert (
        "Still a warning: No ICD-10-CM release is loaded for the date of service, so F32.0 is checked" in page
    )
    assert "New warning" not in page
    assert "Gone." not in page


def test_what_was_never_warned_of_before_is_not_said_to_be_as_before(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "REJECTED", session__dateOfService=day_of_service(10))
    PayerProfile.objects.filter(payer__payer_id="60054").update(timely_filing_days=12)
    page, _ = previewed(billing, session_id, opened(billing, session_id))
    before = re.search(r"warnings? as before: ([^<]*)", page)
    assert before
    assert "TFL-001" not in before[1]
    assert re.search(r"A warning since the last check, with or without a change: [^<]*\(TFL-001\)", page)


def test_a_changed_price_is_shown(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    page, _ = previewed(billing, session_id, opened(billing, session_id) | {PROCEDURES: "90834"})
    before, after = re.findall(r"\$([0-9.]+)</(?:del|ins)>", page)[-2:]
    assert float(before) > float(after)


def test_the_charge_is_compared_with_the_one_that_was_sent(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "REJECTED")
    ChargeRate.objects.filter(procedure_code="90837").update(unit_charge="200.00")
    page, _ = previewed(billing, session_id, opened(billing, session_id) | {MEMBER_ID: "W123456789"})
    assert re.search(r"<dt>Charge</dt><dd><del[^>]*>\$180.00</del> <ins[^>]*>\$200.00</ins>", page)


@pytest.mark.parametrize(
    ("days", "said"), [(9, "The time to file ended on "), (11, "The time to file ends before that, on ")]
)
def test_a_preview_says_that_the_time_to_file_is_over_when_it_could_leave(
    partner: Api, billing: Desk, days: int, said: str
) -> None:
    session_id = waiting(partner, session__dateOfService=day_of_service(10))
    PayerProfile.objects.filter(payer__payer_id="60054").update(timely_filing_days=days)
    page, _ = previewed(billing, session_id, opened(billing, session_id))
    assert f"{said}{date_format(timezone.localdate() + timedelta(days=days - 10))}." in page


def test_a_deadline_that_is_over_is_said_of_what_stays_here_too(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD", session__dateOfService=day_of_service(10))
    PayerProfile.objects.filter(payer__payer_id="60054").update(
        timely_filing_days=9, timely_filing_confirmed=True
    )
    page, _ = previewed(billing, session_id, opened(billing, session_id))
    assert "It stays here until nothing holds it. The time to file ended on " in page


def test_the_deadline_is_that_of_the_payer_and_the_day_that_are_typed(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "REJECTED")
    PayerProfile.objects.filter(payer__payer_id="60054").update(timely_filing_days=30)
    fields = opened(billing, session_id) | {"session.dateOfService": day_of_service(3)}
    page, _ = previewed(billing, session_id, fields)
    assert f"Deadline {date_format(timezone.localdate() + timedelta(days=27))}." in page


def test_what_leaves_on_another_day_says_which(partner: Api, billing: Desk) -> None:
    session_id = waiting(partner)
    page, _ = previewed(billing, session_id, opened(billing, session_id))
    assert f"Leaves on about {day(timezone.localdate() + timedelta(days=2))}, " in page


def waiting(partner: Api, **changes: Any) -> UUID:
    """A session whose claim leaves in two days."""
    Partner.objects.filter(pk=partner.partner.pk).update(submission_delay=timedelta(days=2))
    return UUID(partner.submitted(**changes))


def test_a_preview_changes_nothing_but_keeps_a_draft(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "REJECTED")
    before = Session.objects.values().get(pk=session_id)
    previewed(billing, session_id, opened(billing, session_id) | {MEMBER_ID: "W1", PROCEDURES: "90834"})
    assert Session.objects.values().get(pk=session_id) == before
    assert Claim.objects.filter(session=session_id).count() == 1
    assert "You began to correct this." in billing.page(session_id)
    answer = billing.get("desk:correct", session_id, query="?draft=1")
    assert form_of(answer)[MEMBER_ID] == "W1"


def test_saving_forgets_the_draft(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    save(billing, session_id, opened(billing, session_id) | {MEMBER_ID: "W123456789"})
    assert not CorrectionDraft.objects.exists()


def test_a_draft_is_its_writers_alone(partner: Api, billing: Desk, lead: Desk) -> None:
    session_id = ended(partner, "REJECTED")
    previewed(billing, session_id, opened(billing, session_id) | {MEMBER_ID: "W1"})
    assert "You began to correct this." not in lead.page(session_id)


def test_a_button_of_an_older_preview_saves_nothing(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    fields = opened(billing, session_id) | {MEMBER_ID: "W123456789"}
    _, digest = previewed(billing, session_id, fields)
    answer = billing.client.post(
        f"/admin/sessions_app/session/{session_id}/correct/",
        {**fields, MEMBER_ID: "W999999999", "digest": digest, "save": "1"},
    )
    assert answer.status_code == 409
    assert Session.objects.get(pk=session_id).member_id == "HELD"


def test_the_second_of_two_people_is_told_and_nothing_is_lost(
    partner: Api, billing: Desk, lead: Desk
) -> None:
    session_id = ended(partner, "HELD")
    mine = opened(billing, session_id) | {ZIP: "78704", MEMBER_ID: "MINE"}
    lead.user.first_name, lead.user.last_name = "Priya", "Shah"
    lead.user.save()
    save(lead, session_id, opened(lead, session_id) | {MEMBER_ID: "HELD2"})
    answer = billing.client.post(
        f"/admin/sessions_app/session/{session_id}/correct/", {**mine, "digest": "x", "save": "1"}
    )
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Priya Shah changed this at" in page
    assert "Nothing of yours was saved." in page
    session = Session.objects.get(pk=session_id)
    assert (session.member_id, session.patient_zip) == ("HELD2", "78702")
    on_top = billing.client.post(f"/admin/sessions_app/session/{session_id}/correct/", {**mine, "mine": "1"})
    fields = form_of(on_top)
    assert (fields[MEMBER_ID], fields[ZIP]) == ("HELD2", "78704")
    assert save(billing, session_id, fields).status_code == 302
    session.refresh_from_db()
    assert (session.member_id, session.patient_zip) == ("HELD2", "78704")


def test_a_save_that_loses_the_race_for_the_row_is_a_conflict(
    partner: Api, billing: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    session_id = ended(partner, "HELD")
    fields = opened(billing, session_id) | {ZIP: "78704"}
    _, digest = previewed(billing, session_id, fields)
    from claims.desk import corrections

    real = corrections.carry_out

    def overtaken(*args: Any, **settings: Any) -> None:
        Session.objects.filter(pk=session_id).update(version=9)
        real(*args, **settings)

    monkeypatch.setattr(corrections, "carry_out", overtaken)
    answer = billing.client.post(
        f"/admin/sessions_app/session/{session_id}/correct/", {**fields, "digest": digest, "save": "1"}
    )
    assert answer.status_code == 409
    assert Session.objects.get(pk=session_id).patient_zip == "78702"


def test_a_claim_that_waits_for_its_answer_is_locked_in_words(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "SILENT")
    page = billing.get("desk:correct", session_id).content.decode()
    assert "It is on its way to the payer. You can correct it when an answer is in." in page
    assert "It can be voided once the payer has given its number." in page
    Claim.objects.filter(session=session_id).update(status="payer_accepted")
    page = billing.get("desk:correct", session_id).content.decode()
    assert "It is with the payer. You can correct it when an answer is in." in page
    Claim.objects.filter(session=session_id).update(payer_control_number="PAYER77")
    page = billing.get("desk:correct", session_id).content.decode()
    assert "You can correct it when an answer is in, or void it." in page
    fields = opened(billing, session_id) | {MEMBER_ID: "W123456789"}
    answer = save(billing, session_id, fields)
    assert answer.status_code == 400
    assert "or void it. Nothing was saved." in answer.content.decode()
    assert Session.objects.get(pk=session_id).member_id == "SILENT"


def test_codes_that_staff_change_say_so(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    save(billing, session_id, opened(billing, session_id) | {DIAGNOSES: "F41.1, Z63.0"})
    codes = SessionCode.objects.filter(session=session_id, kind="diagnosis").order_by("position")
    assert [(row.code, row.source) for row in codes] == [("F41.1", "staff"), ("Z63.0", "staff")]
    page = billing.page(session_id)
    assert "Maya changed diagnosis codes" in page


def test_triggers_write_down_who_changed_what_and_why(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    save(billing, session_id, opened(billing, session_id) | {MEMBER_ID: "HELD2", "why": "digit missing"})
    change = SessionChange.objects.get(pgh_obj=session_id)
    assert change.member_id == "HELD"
    assert change.pgh_context == {"user": billing.user.pk, "why": "digit missing"}
    page = billing.page(session_id)
    assert "Maya changed member ID" in page
    assert "digit missing" in page
    assert "digit missing" not in str(partner.get(f"/sessions/{session_id}").json())


def test_a_change_by_statement_is_written_down_too(partner: Api) -> None:
    session_id = ended(partner, "HELD")
    Session.objects.filter(pk=session_id).update(patient_city="Waco")
    change = SessionChange.objects.get(pgh_obj=session_id)
    assert (change.patient_city, change.pgh_context) == ("Austin", None)


def test_encrypting_a_member_id_anew_is_no_change(partner: Api) -> None:
    session = Session.objects.get(pk=ended(partner, "HELD"))
    session.save(update_fields=["member_id", "member_id_index"])
    assert not SessionChange.objects.exists()


def test_the_likely_fix_fills_the_form_without_naming_the_patient_in_an_address(
    partner: Api, billing: Desk
) -> None:
    ended(partner, "W123456789")
    session_id = ended(partner, "REJECTED")
    answer = billing.post("desk:correct", session_id, fix="1")
    assert form_of(answer)[MEMBER_ID] == "W123456789"
    assert "Save version 2, held" in answer.content.decode()  # a second session of the same visit


def test_a_preview_asks_at_most_thirteen_questions(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "REJECTED")
    fields = opened(billing, session_id) | {MEMBER_ID: "W123456789"}
    asked = queries.of(lambda: billing.post("desk:correct-preview", session_id, **fields))
    assert len(asked) <= 13, asked


def test_without_codes_the_form_asks_for_what_it_has_fields_for(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    page = save(billing, session_id, opened(billing, session_id) | {DIAGNOSES: ""}).content.decode()
    assert "The session needs a diagnosis and a procedure: enter what is missing." in page
    assert "session.noteText" not in page


def test_a_payer_is_looked_up_and_fills_both_of_its_fields(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    typed = opened(billing, session_id) | {MEMBER_ID: "W123456789", "why": "new card"}
    page = billing.post("desk:correct", session_id, **typed, payer="cigna", look="1").content.decode()
    assert f'name="{MEMBER_ID}" type="text" value="W123456789"' in page
    assert "new card</textarea>" in page
    hit = re.search(r'name="take" value="(62308)">(Cigna[^<]*?) <span', page)
    assert hit
    taken = form_of(billing.post("desk:correct", session_id, **typed, payer="cigna", take=hit[1]))
    assert (taken[PAYER_NAME], taken[PAYER_ID], taken[MEMBER_ID]) == (hit[2], "62308", "W123456789")
    assert taken[f"was.{PAYER_ID}"] == "60054"
    assert save(billing, session_id, taken).status_code == 302
    assert Session.objects.get(pk=session_id).payer_id == "62308"


def test_a_lookup_that_finds_no_payer_or_fails_says_so(
    partner: Api, billing: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    session_id = ended(partner, "HELD")
    typed = opened(billing, session_id)

    def looked_up(text: str) -> str:
        return billing.post("desk:correct", session_id, **typed, payer=text, look="1").content.decode()

    assert "No payer has “Zzyzxqqq” as its name or ID." in looked_up("Zzyzxqqq")
    assert "Enter a name or an ID, like Aetna or 60054." in looked_up(" ")

    def fails(text: str) -> list[PayerHit]:
        raise PayerDirectoryError("unreachable")

    monkeypatch.setattr(payer_lookup, "search", fails)
    assert "The payer search failed." in looked_up("Aetna")


def test_a_payer_that_there_is_not_changes_nothing(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    typed = opened(billing, session_id)
    assert form_of(billing.post("desk:correct", session_id, **typed, take="nobody")) == typed


def test_a_payer_that_is_not_known_is_to_be_looked_up_where_it_can_be(partner: Api, billing: Desk) -> None:
    session_id = ended(partner, "HELD")
    fields = opened(billing, session_id) | {PAYER_NAME: "Nobody Mutual", PAYER_ID: "99XX9"}
    page, _ = previewed(billing, session_id, fields)
    assert "Look it up on the correction form, and choose it there." in page
    assert "payer search" not in page
