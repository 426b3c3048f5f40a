"""Lists that show patients' names to staff leave one record of all that they show."""

import re
from collections import Counter
from html import unescape
from urllib.parse import urljoin
from uuid import UUID

import pytest
import redis
from django.core.cache import cache
from django.http import HttpResponse
from django.urls import Resolver404, resolve

from claims.models import Remittance, ViewRecord, WorkItem
from partners.models import AccessRecord
from tests.cast import Api
from tests.claims.admin.staff import Desk, ended, harborlight
from tests.claims.admin.strays import stray_remittance
from tests.claims.admin.test_correct import opened
from tests.claims.admin.work import open_item

MARK = "Quillfeather"
MOST_ALIKE = 2
"""Addresses that are followed of one view."""
SET_UP = re.compile(r"/admin/(?:billing|providers|logout)/")


@pytest.fixture
def partner(db: None, settings: object) -> Api:
    settings.SANDBOX_SPEED = 1e9
    settings.STAFF_SECOND_FACTOR = False
    return harborlight()


def recorded() -> list[tuple[str, list[UUID]]]:
    rows = AccessRecord.objects.filter(what="list", user__isnull=False).order_by("id")
    return [(row.detail, sorted(row.session_ids)) for row in rows]


def test_the_list_of_sessions(partner: Api) -> None:
    both = sorted(ended(partner, member) for member in ("PAID1", "HELD"))
    Desk("billing").get("admin:sessions_app_session_changelist")
    assert recorded() == [("sessions", both)]


def test_a_queue(partner: Api) -> None:
    held = ended(partner, "HELD")
    queue = WorkItem.objects.get(session=held, closed_at=None).queue
    Desk("billing").get("desk:queue", queue)
    assert recorded() == [(f"queue {queue}", [held])]


def test_what_was_found(partner: Api) -> None:
    both = sorted(ended(partner, member) for member in ("PAID1", "HELD"))
    desk = Desk("billing")
    desk.client.get(desk.post("desk:find", text="Doe")["Location"])
    assert recorded() == [("found", both)]


def test_a_remittance(partner: Api) -> None:
    paid = ended(partner, "PAID1")
    remittance = Remittance.objects.get()
    Desk("billing").get("desk:remittance", remittance.pk)
    assert recorded() == [(f"remittance {remittance.pk}", [paid])]


def test_the_claims_that_an_answer_may_be_for(partner: Api) -> None:
    session_id, item = stray_remittance(partner)
    Desk("billing").get("desk:match", item.pk)
    ((detail, shown),) = recorded()
    assert detail == f"claims for answer {item.signal_id}"
    assert session_id in shown


def test_a_list_of_nobody_leaves_no_record(partner: Api) -> None:
    Desk("billing").get("desk:queue", "held")
    assert recorded() == []


def written() -> int:
    return ViewRecord.objects.count() + AccessRecord.objects.filter(user__isnull=False).count()


def test_the_nearest_deadlines_on_the_home_page(partner: Api) -> None:
    item = open_item(partner, days_left=3)
    Desk("support").get("admin:index")
    assert recorded() == [("home", [item.session_id])]


def test_many_at_once_before_and_after(partner: Api) -> None:
    items = [open_item(partner), open_item(partner, "held")]
    both = sorted(item.session_id for item in items)
    desk, chosen = Desk("support"), [item.pk for item in items]
    assert desk.post("desk:bulk", "held", deed="message", item=chosen).status_code == 200
    assert recorded() == [("bulk held", both)]
    answer = desk.post("desk:bulk_do", "held", deed="message", item=chosen, text="Hello.")
    for seen in (2, 3):
        desk.client.get(answer["Location"])
        assert recorded() == [("bulk held", both)] * seen


def test_a_result_that_could_not_be_kept(partner: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise redis.ConnectionError

    item = open_item(partner)
    monkeypatch.setattr(cache, "set", away)
    assert Desk("billing").post("desk:bulk", "rejected", deed="take", item=[item.pk]).status_code == 200
    assert recorded() == [("bulk rejected", [item.session_id])]


def test_a_correction_previewed_without_its_page(partner: Api) -> None:
    held = ended(partner, "HELD")
    desk = Desk("billing")
    fields = opened(Desk("billing lead"), held)
    mine = ViewRecord.objects.filter(user=desk.user, session=held, what="page")
    for _ in range(2):
        assert desk.post("desk:correct-preview", held, **fields).status_code == 200
        assert mine.count() == 1


def test_every_page_that_names_a_patient_leaves_a_record(partner: Api) -> None:
    """Follows every link of the back office: a page made tomorrow is held to it too."""
    for member in ("PAID1", "HELD", "REJECTED"):
        ended(partner, member, patient__lastName=MARK)
    open_item(partner, days_left=3, patient__lastName=MARK)
    stray_remittance(partner)
    desk = Desk("billing lead")
    waiting, seen = ["/admin/"], Counter[str]()
    met, named, silent = {"/admin/"}, 0, []
    while waiting:
        address = waiting.pop(0)
        before = written()
        answer = desk.client.get(address)
        assert answer.status_code < 500, address
        page = _text(answer)
        if MARK in page:
            named += 1
            if written() == before:
                silent.append(address)
        for found in [*re.findall(r'href="([^"]+)"', page), answer.get("Location", "")]:
            link = urljoin(address, unescape(found)).partition("#")[0]
            if not link.startswith("/admin/") or link in met or SET_UP.match(link):
                continue
            met.add(link)
            seen[view := _view(link)] += 1
            if seen[view] <= MOST_ALIKE:
                waiting.append(link)
    assert silent == []
    assert named >= 8


def _view(link: str) -> str:
    path = link.partition("?")[0]
    try:
        return resolve(path).route
    except Resolver404:
        return path


def _text(answer: HttpResponse) -> str:
    return "" if answer.streaming else answer.content.decode()
