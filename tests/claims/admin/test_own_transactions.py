"""Each POST of the back office as production takes it: within no transaction but those that it opens."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.messages import constants, get_messages
from django.urls import reverse
from django.utils import timezone

from claims.admin.bulk import DEEDS
from claims.admin.urls import urlpatterns
from claims.models import AnswerMatch, Claim, ClaimSignal, NoteReview, Transmission, TypedRemittance
from claims.watchdog import watch
from sessions_app.models import Session
from tests.cast import Api
from tests.claims.admin.staff import Desk, ended, item_of, newest
from tests.claims.admin.strays import stray_remittance
from tests.claims.admin.test_answer_tasks import adjusted
from tests.claims.admin.test_correct import MEMBER_ID, opened, previewed
from tests.claims.admin.test_post import previewed as payment_previewed
from tests.claims.admin.test_post import typed
from tests.claims.admin.test_refused_files import refused
from tests.claims.admin.test_review import suspected_note
from tests.claims.admin.test_roles import arguments

Form = tuple[list[Any], dict[str, Any]]
"""What the address names, and the fields that are sent to it."""
SOON = (timezone.localdate() + timedelta(days=3)).isoformat()


def of_session(member_id: str, **fields: Any) -> Callable[[Api, Desk], Form]:
    return lambda partner, desk: ([ended(partner, member_id)], fields)


def a_silent_payer(partner: Api, desk: Desk) -> Form:
    session_id = ended(partner, "SILENT")
    Claim.objects.filter(session=session_id).update(submitted_at=timezone.now() - timedelta(days=14))
    watch()
    return [session_id], {"reason": "their provider line", "asked": "on"}


def of_work(**fields: Any) -> Callable[[Api, Desk], Form]:
    def form(partner: Api, desk: Desk) -> Form:
        item = item_of(ended(partner, "REJECTED"))
        return [item.session_id], {"item": item.pk, **fields}

    return form


def of_note(**fields: Any) -> Callable[[Api, Desk], Form]:
    def form(partner: Api, desk: Desk) -> Form:
        item = suspected_note(partner)
        return [item.pk], {"version": item.session.version, **fields}

    return form


def of_stray(**fields: Any) -> Callable[[Api, Desk], Form]:
    return lambda partner, desk: ([stray_remittance(partner)[1].pk], fields)


def of_queue(**fields: Any) -> Callable[[Api, Desk], Form]:
    def form(partner: Api, desk: Desk) -> Form:
        session_id = ended(partner, "HELD" if fields.get("deed") == "release" else "REJECTED")
        Session.objects.filter(pk=session_id).update(member_id="PAID1")
        item = item_of(session_id)
        return [item.queue], {"item": item.pk, "person": desk.user.pk, "text": "because", **fields}

    return form


def a_colleague(partner: Api, desk: Desk) -> Form:
    return [ended(partner, "HELD")], {"person": Desk("billing").user.pk, "words": "please"}


def a_correction(partner: Api, desk: Desk) -> Form:
    session_id = ended(partner, "HELD")
    fields = opened(desk, session_id) | {MEMBER_ID: "W123456789"}
    _, digest = previewed(desk, session_id, fields)
    return [session_id], {**fields, "digest": digest, "save": "1"}


def a_match(partner: Api, desk: Desk) -> Form:
    session_id, item = stray_remittance(partner)
    return [item.pk], {"claim": newest(session_id).pk}


def a_match_made(partner: Api, desk: Desk) -> Form:
    named, fields = a_match(partner, desk)
    desk.post("desk:match", *named, **fields)
    return [AnswerMatch.objects.get().pk], {"reason": "another session's"}


def a_stray_dismissed(partner: Api, desk: Desk) -> Form:
    item = stray_remittance(partner)[1]
    desk.post("desk:match-dismiss", item.pk, reason="another biller's")
    return [item.pk], {}


def a_payment(partner: Api, desk: Desk) -> Form:
    claim = newest(ended(partner, "SILENT"))
    return [claim.session_id, claim.version], payment_previewed(desk, claim, typed())


def a_payment_made(partner: Api, desk: Desk) -> Form:
    named, fields = a_payment(partner, desk)
    desk.post("desk:session-post", *named, **fields)
    return [TypedRemittance.objects.get().pk], {"reason": "a slip"}


def a_review_made(partner: Api, desk: Desk) -> Form:
    desk.post("desk:review", suspected_note(partner).pk, diagnosis="F32.9", answer="confirm")
    return [NoteReview.objects.get().pk], {}


def a_file(partner: Api, desk: Desk) -> Form:
    return [ClaimSignal.objects.filter(claim__session=ended(partner, "PAID1")).first().inbound_file_id], {}


def a_refused_file(partner: Api, desk: Desk) -> Form:
    return [refused().inbound_file_id], {"reason": "it came again"}


def a_lost_file(partner: Api, desk: Desk) -> Form:
    session_id = ended(partner, "SILENT")
    Transmission.objects.filter(claims__claim__session=session_id).update(handed_over_at=None)
    Claim.objects.filter(session=session_id).update(step="send", status="dispatch_unknown")
    return [session_id], {"reason": "their list ends before it", "looked": "on"}


def of_answer(partner: Api, desk: Desk) -> Form:
    item = adjusted(partner)
    return [item.session_id], {"item": item.pk}


def of_refusal(partner: Api, desk: Desk) -> Form:
    item = item_of(ended(partner, "REJECTED"))
    return [item.session_id], {"item": item.pk, "answer": item.signal_id, "reason": "written off"}


def a_mended_session(partner: Api, desk: Desk) -> Form:
    session_id = ended(partner, "HELD")
    Session.objects.filter(pk=session_id).update(member_id="W123456789")
    return [session_id], {"reason": "card seen"}


def of_answer_done(partner: Api, desk: Desk) -> Form:
    named, fields = of_answer(partner, desk)
    desk.post("desk:session-done", *named, **fields)
    return named, fields


POSTS: dict[str, list[Callable[[Api, Desk], Form]]] = {
    "session-release": [a_mended_session],
    "session-release-preview": [a_mended_session],
    "session-override": [of_session("HELD", rule="TEST-001", reason="seen")],
    "session-aside": [of_session("HELD", reason="not a service")],
    "session-resend": [of_session("BAD999", reason="mended")],
    "session-missing": [a_lost_file],
    "session-unknown": [a_silent_payer],
    "session-void": [of_session("PAID1", reason="by mistake")],
    "session-post": [a_payment],
    "typed-undo": [a_payment_made],
    "session-message": [of_session("PAID1", text="Thank you.")],
    "session-snooze": [of_work(until=SOON, reason="card")],
    "session-wake": [of_work()],
    "session-take": [of_work()],
    "session-done": [of_answer, of_refusal],
    "session-undone": [of_answer_done],
    "session-pass": [a_colleague],
    "session-note": [lambda partner, desk: ([suspected_note(partner).session_id], {})],
    "correct": [a_correction],
    "correct-preview": [of_session("HELD")],
    "review": [
        of_note(diagnosis="F32.9", answer="confirm"),
        of_note(question="Which?", answer="ask"),
        of_note(reason="A phone call.", answer="not_billable"),
    ],
    "review-undo": [a_review_made],
    "match": [a_match, of_stray(number="X")],
    "match-undo": [a_match_made],
    "match-snooze": [of_stray(until=SOON)],
    "match-wake": [of_stray()],
    "match-dismiss": [of_stray(reason="another biller's")],
    "match-again": [a_stray_dismissed],
    "inbound-file-raw": [a_file],
    "inbound-file-done": [a_refused_file],
    "start": [of_queue()],
    "start_any": [lambda partner, desk: ([], {})],
    "heartbeat": [lambda partner, desk: ([], {"item": item_of(ended(partner, "REJECTED")).pk})],
    "export": [of_queue()],
    "bulk": [of_queue(deed=deed) for deed in DEEDS],
    "bulk_do": [of_queue(deed=deed) for deed in DEEDS],
    "find": [lambda partner, desk: ([], {"text": "doe"})],
    "rule-payer": [lambda partner, desk: (["PAT-004"], {"payer": "60054", "holds": "1"})],
}


def test_the_table_names_every_page_that_takes_a_post(lead: Desk) -> None:
    allowed = {
        pattern.name: lead.client.put(reverse(f"desk:{pattern.name}", kwargs=arguments(pattern)))["Allow"]
        for pattern in urlpatterns
    }
    assert {name for name, methods in allowed.items() if "POST" in methods} == set(POSTS)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("name", "number"), [(name, each) for name in POSTS for each in range(len(POSTS[name]))]
)
def test_a_post_does_what_it_says(partner: Api, lead: Desk, name: str, number: int) -> None:
    named, fields = POSTS[name][number](partner, lead)
    answer = lead.post(f"desk:{name}", *named, **fields)
    assert answer.status_code < 400
    said = get_messages(answer.wsgi_request)
    assert [str(each) for each in said if each.level >= constants.WARNING] == []
    if "/bulk/" in answer.headers.get("Location", ""):
        lines = lead.client.get(answer.headers["Location"]).context["lines"]
        assert [line.words for line in lines if line.refusal] == []
        assert len(lines) == 1
