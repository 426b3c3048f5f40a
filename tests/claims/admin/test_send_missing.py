"""A file that nobody can be asked about: a person has looked, and says that it never arrived."""

from uuid import UUID

import pytest
from django.urls import reverse

from claims.models import Claim, Transmission, WorkItem
from claims.unreturned import show_unreturned
from partners.commands import Exit
from sessions_app.models import SessionChange
from tests.cast import Api
from tests.claims.admin.staff import Desk, newest
from tests.claims.admin.test_session_actions import said
from tests.claims.test_hand_over import a_while_ago, built, in_the_sandboxes_place
from tests.claims.test_inbound import apply, payer_acknowledgement
from tests.claims.test_sent_again import Mailbox, lose, send_all
from tests.operations.running import result

ASKED = {"reason": "their list ends before it", "looked": "on"}


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Mailbox:
    return in_the_sandboxes_place(Mailbox(), monkeypatch)


@pytest.fixture
def lost(partner: Api, house: Mailbox) -> list[UUID]:
    """Sessions whose claims went into one file that perhaps never arrived."""
    sessions = built(partner, count=3)
    lose(house)
    send_all()
    assert not house.delivered
    return sessions


def test_a_file_that_is_not_there_goes_out_whole_and_as_it_was(
    lost: list[UUID], house: Mailbox, billing: Desk
) -> None:
    before = Transmission.objects.get()
    billing.post("desk:session-missing", lost[0], **ASKED)
    send_all()
    [delivered] = house.delivered
    assert (delivered.key, delivered.x12, len(delivered.claims)) == (str(before.pk), before.content, 3)
    assert {newest(session_id).status for session_id in lost} == {"sent"}


def test_who_said_so_and_why_stands_with_every_session_of_the_file(
    lost: list[UUID], partner: Api, billing: Desk
) -> None:
    billing.post("desk:session-missing", lost[0], **ASKED)
    for session_id in lost:
        told = partner.get(f"/sessions/{session_id}").json()["timeline"][-1]
        assert (told["type"], told["status"]) == ("claim.noted", None)
        assert ASKED["reason"] in told["summary"]
        change = SessionChange.objects.get(pgh_obj=session_id)
        assert (change.pgh_label, change.pgh_context) == ("resent", {"user": billing.user.pk})


def test_it_is_said_once_and_is_the_work_of_nobody_else(
    lost: list[UUID], partner: Api, billing: Desk
) -> None:
    for _ in range(2):
        billing.post("desk:session-missing", lost[0], **ASKED)
    for session_id in lost:
        timeline = partner.get(f"/sessions/{session_id}").json()["timeline"]
        assert sum(ASKED["reason"] in told["summary"] for told in timeline) == 1
    taken = WorkItem.objects.filter(assignee=billing.user).values_list("session", flat=True)
    assert set(taken) <= {lost[0]}


def test_after_another_unknown_outcome_it_is_asked_about_again(
    lost: list[UUID], house: Mailbox, billing: Desk
) -> None:
    billing.post("desk:session-missing", lost[0], **ASKED)
    lose(house)
    send_all()
    assert not house.delivered
    assert newest(lost[0]).status == "dispatch_unknown"


@pytest.mark.parametrize(
    ("given", "why"), [({"looked": "on"}, "Say why"), ({"reason": "their list"}, "Tick that you have looked")]
)
def test_without_a_reason_or_a_look_nothing_is_sent(
    lost: list[UUID], house: Mailbox, billing: Desk, given: dict[str, str], why: str
) -> None:
    answer = billing.post("desk:session-missing", lost[0], **given)
    assert why in said(answer)
    send_all()
    assert not house.delivered


def test_what_an_answer_has_proven_to_be_there_is_not_sent(
    lost: list[UUID], house: Mailbox, billing: Desk
) -> None:
    apply(payer_acknowledgement(newest(lost[1]), "A2:20"))
    for session_id in lost[:2]:
        assert "nothing to send" in said(billing.post("desk:session-missing", session_id, **ASKED))
    send_all()
    assert not house.delivered


@pytest.mark.parametrize(("role", "allowed"), [("billing", True), ("support", False)])
def test_whoever_may_send_again_may_do_it(lost: list[UUID], role: str, allowed: bool) -> None:
    desk = Desk(role)
    assert (reverse("desk:session-missing", args=[lost[0]]) in desk.page(lost[0])) is allowed
    answer = desk.post("desk:session-missing", lost[0], **ASKED)
    assert (answer.status_code == 403) is not allowed


def test_the_page_names_the_file_to_look_for(lost: list[UUID], billing: Desk) -> None:
    page = billing.page(lost[0])
    assert Transmission.objects.get().file_name in page
    assert "2 other claims" in page


def test_a_task_says_that_only_a_person_can_find_out(lost: list[UUID]) -> None:
    WorkItem.objects.all().delete()
    a_while_ago("dispatch_unknown")
    show_unreturned()
    words = set(WorkItem.objects.values_list("summary", flat=True))
    assert len(words) == 1
    assert "can't be asked" in words.pop()
    assert Claim.objects.filter(lease=None, next_step_at__isnull=False).count() == 3


def test_support_is_told_that_nothing_moves_it(lost: list[UUID]) -> None:
    said = result("explain_session", str(lost[0]))
    assert said.code == Exit.ATTENTION
    assert "can't be asked" in said.document["moves"][0]
