"""Lists that show patients' names to staff leave one record of all that they show."""

from uuid import UUID

import pytest

from claims.models import Remittance, WorkItem
from partners.models import AccessRecord
from tests.cast import Api
from tests.claims.admin.staff import Desk, ended, harborlight
from tests.claims.admin.strays import stray_remittance


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
