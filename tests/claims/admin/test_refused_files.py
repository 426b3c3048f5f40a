"""A file that was not applied in full: its page says what helps, and a person takes it off the list."""

from django.urls import reverse

from claims.models import WorkItem
from tests.cast import Api
from tests.claims.admin.staff import Desk
from tests.claims.test_inbound import apply, remittance, silent_claim


def refused() -> WorkItem:
    apply("ISA*no more of it came")
    return WorkItem.objects.get(queue="transport", inbound_file__isnull=False)


def test_its_page_says_what_helps(partner: Api, billing: Desk, support: Desk) -> None:
    item = refused()
    page = billing.get("desk:inbound-file", item.inbound_file_id).content.decode()
    assert "Ask the clearinghouse to send it again" in page
    done = reverse("desk:inbound-file-done", args=[item.inbound_file_id])
    assert done in page
    assert done not in support.get("desk:inbound-file", item.inbound_file_id).content.decode()


def test_a_person_takes_it_off_the_list_and_its_page_keeps_why(partner: Api, billing: Desk) -> None:
    item = refused()
    billing.post("desk:inbound-file-done", item.inbound_file_id, reason="The payer sent it anew.")
    item.refresh_from_db()
    assert item.closed_at
    assert item.assignee == billing.user
    page = billing.get("desk:inbound-file", item.inbound_file_id).content.decode()
    assert "The payer sent it anew." in page
    assert reverse("desk:inbound-file-done", args=[item.inbound_file_id]) not in page


def test_without_a_reason_it_stays(partner: Api, billing: Desk) -> None:
    item = refused()
    answer = billing.post("desk:inbound-file-done", item.inbound_file_id, reason=" ")
    assert "Say why" in billing.client.get(answer["Location"]).content.decode()
    item.refresh_from_db()
    assert item.closed_at is None


def test_the_second_of_two_people_is_told(partner: Api, billing: Desk, lead: Desk) -> None:
    item = refused()
    lead.post("desk:inbound-file-done", item.inbound_file_id, reason="It came again.")
    answer = billing.post("desk:inbound-file-done", item.inbound_file_id, reason="Looked at.")
    assert "Somebody has dealt with this already." in billing.client.get(answer["Location"]).content.decode()
    item.refresh_from_db()
    assert item.assignee == lead.user


def test_what_it_says_of_no_known_claim_stays_on_the_list(partner: Api, billing: Desk) -> None:
    apply(remittance(silent_claim(partner), number="NOBODYS1").rpartition("IEA")[0])
    unmatched = WorkItem.objects.get(queue="unmatched")
    billing.post("desk:inbound-file-done", unmatched.inbound_file_id, reason="Looked at.")
    assert list(WorkItem.objects.filter(closed_at=None)) == [unmatched]


def test_a_file_that_was_applied_in_full_asks_nothing_itself(partner: Api, billing: Desk) -> None:
    apply(remittance(silent_claim(partner), number="NOBODYS1"))
    unmatched = WorkItem.objects.get(queue="unmatched")
    page = billing.get("desk:inbound-file", unmatched.inbound_file_id).content.decode()
    assert reverse("desk:inbound-file-done", args=[unmatched.inbound_file_id]) not in page
