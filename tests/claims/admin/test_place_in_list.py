"""What a list is narrowed to, and the page of it, stays with its items: next, back, place."""

import re
from datetime import timedelta
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.urls import reverse
from django.utils import timezone

from claims.models import WorkItem
from tests.claims.admin.strays import stray_remittance
from tests.claims.admin.work import open_item

AETNA = "?payer=Aetna&reason=CO-29"


@pytest.fixture
def mixed(partner) -> dict[str, WorkItem]:
    """Denials by days left, those of the filter between others."""
    return {
        "humana": open_item(partner, "denied", days_left=1, payer_name="Humana", reason="CO-29"),
        "first": open_item(partner, "denied", days_left=2, reason="CO-29"),
        "other": open_item(partner, "denied", days_left=3, reason="CO-197"),
        "second": open_item(partner, "denied", days_left=4, reason="CO-29"),
    }


def asked(address: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(address.replace("&amp;", "&")).query))


def crumbs(page: str) -> str:
    return page.split('class="crumbs"')[1].split('class="page-head')[0]


def list_of(page: str) -> str:
    found = re.search(r'<a href="([^"]*)" data-key="u"', crumbs(page))
    assert found is not None
    return found[1].replace("&amp;", "&")


def action_of(page: str, key: str = "denied") -> str:
    found = re.search(rf'action="({reverse("desk:start", args=[key])}[^"]*)"', page)
    assert found is not None
    return found[1].replace("&amp;", "&")


def test_a_row_opens_with_its_filter_and_counts_in_it(mixed, billing):
    listed = billing.get("desk:queue", "denied", query=AETNA)
    address = listed.context["rows"][1].address
    assert asked(address) == {
        "queue": "denied",
        "payer": "Aetna",
        "reason": "CO-29",
        "item": str(mixed["second"].pk),
    }
    page = billing.client.get(address).content.decode()
    assert "2 of 2" in crumbs(page)
    assert "Aetna, CO-29" in crumbs(page)


def test_next_and_previous_stay_within_the_filter(mixed, billing):
    opened = billing.client.get(billing.get("desk:queue", "denied", query=AETNA).context["rows"][0].address)
    start = action_of(opened.content.decode())
    following = billing.client.post(start, {"after": mixed["first"].pk})["Location"]
    assert str(mixed["second"].session_id) in following
    assert asked(following)["payer"] == "Aetna"
    assert (
        str(mixed["first"].session_id)
        in billing.client.post(start, {"before": mixed["second"].pk})["Location"]
    )
    around = billing.client.post(start, {"after": mixed["second"].pk})["Location"]
    assert str(mixed["first"].session_id) in around


def test_start_opens_what_fits_the_filter(mixed, billing):
    listed = billing.get("desk:queue", "denied", query=AETNA).content.decode()
    opened = billing.client.post(action_of(listed))["Location"]
    assert str(mixed["first"].session_id) in opened
    assert asked(opened)["reason"] == "CO-29"


def test_where_nothing_that_fits_is_free_the_list_keeps_its_filter(mixed, billing):
    answer = billing.client.post(reverse("desk:start", args=["denied"]) + "?payer=Cigna")
    assert answer["Location"] == reverse("desk:queue", args=["denied"]) + "?payer=Cigna"


def test_back_leads_to_the_filtered_list_and_its_page(mixed, billing, monkeypatch):
    monkeypatch.setattr("claims.admin.queues.ROWS", 1)
    listed = billing.get("desk:queue", "denied", query=f"{AETNA}&after={mixed['first'].pk}")
    page = billing.client.get(listed.context["rows"][0].address).content.decode()
    back = billing.client.get(list_of(page))
    assert [row.item.pk for row in back.context["rows"]] == [mixed["second"].pk]


def test_a_page_begins_at_its_place_though_the_row_before_is_done(mixed, billing):
    WorkItem.objects.filter(pk=mixed["first"].pk).update(closed_at=timezone.now())
    listed = billing.get("desk:queue", "denied", query=f"?after={mixed['first'].pk}")
    assert [row.item.pk for row in listed.context["rows"]] == [mixed["other"].pk, mixed["second"].pk]


def test_a_page_on_which_nothing_is_left_is_the_first(mixed, billing):
    answer = billing.get("desk:queue", "denied", query=f"?payer=Aetna&after={mixed['second'].pk}")
    assert answer["Location"] == reverse("desk:queue", args=["denied"]) + "?payer=Aetna"


@pytest.mark.parametrize(
    ("query", "said"),
    [("", "4"), (AETNA, "2 of 4"), ("?show=snoozed", "1 snoozed"), ("?payer=Cigna", "0 of 4")],
)
def test_the_heading_counts_what_the_filter_leaves(mixed, partner, billing, query, said):
    open_item(partner, "denied", snoozed_until=timezone.now() + timedelta(days=1))
    page = billing.get("desk:queue", "denied", query=query).content.decode()
    assert f'Denied <span class="quiet">{said}</span>' in page


def test_what_rests_is_walked_through_in_its_own_list(mixed, partner, billing):
    later = timezone.now() + timedelta(days=1)
    near, far = (open_item(partner, "denied", days_left=days, snoozed_until=later) for days in (5, 6))
    listed = billing.get("desk:queue", "denied", query="?show=snoozed")
    page = billing.client.get(listed.context["rows"][0].address).content.decode()
    assert "1 of 2" in crumbs(page)
    following = billing.client.post(action_of(page), {"after": near.pk})["Location"]
    assert str(far.session_id) in following


def test_a_deed_goes_on_within_the_filter(mixed, billing):
    opened = billing.client.get(billing.get("desk:queue", "denied", query=AETNA).context["rows"][0].address)
    came = re.search(r'name="queue" value="([^"]*)"', opened.content.decode())
    assert came is not None
    until = (timezone.localdate() + timedelta(days=1)).isoformat()
    answer = billing.post(
        "desk:session-snooze",
        mixed["first"].session_id,
        item=mixed["first"].pk,
        queue=came[1].replace("&amp;", "&"),
        until=until,
    )
    assert str(mixed["second"].session_id) in answer["Location"]
    assert asked(answer["Location"])["payer"] == "Aetna"


def test_the_pages_of_a_session_lead_back_with_the_filter(mixed, billing):
    query = "?queue=denied&payer=Aetna"
    for name in ("desk:session-pass", "desk:correct"):
        page = billing.get(name, mixed["first"].session_id, query=query).content.decode()
        assert (
            f"{reverse('desk:session', args=[mixed['first'].session_id])}{query}".replace("&", "&amp;")
            in page
        )


@pytest.mark.parametrize("key", ["unmatched", "mine"])
def test_an_answer_without_a_claim_keeps_the_list_that_it_was_opened_from(partner, billing, key):
    _, item = stray_remittance(partner)
    WorkItem.objects.filter(pk=item.pk).update(assignee=billing.user)
    query = "?show=snoozed" if key == "mine" else f"?payer={item.payer_name}"
    if key == "mine":
        WorkItem.objects.filter(pk=item.pk).update(snoozed_until=timezone.now() + timedelta(days=1))
    listed = billing.get("desk:queue", key, query=query)
    page = billing.client.get(listed.context["rows"][0].address).content.decode()
    assert list_of(page) == reverse("desk:queue", args=[key]) + query.replace(" ", "+")
    assert action_of(page, key).endswith(query.replace(" ", "+"))
    assert "1 of 1" in crumbs(page)


def test_what_is_taken_from_a_filtered_list_leaves_it_filtered(mixed, billing):
    page = billing.get("desk:queue", "denied", query="?payer=Aetna").content.decode()
    found = re.search(rf'action="({reverse("desk:bulk", args=["denied"])}[^"]*)"', page)
    assert found is not None
    chosen = {"deed": "snooze", "item": mixed["first"].pk}
    preview = billing.client.post(found[1].replace("&amp;", "&"), chosen).content.decode()
    assert list_of(preview) == reverse("desk:queue", args=["denied"]) + "?payer=Aetna"
    assert f'{reverse("desk:bulk_do", args=["denied"])}?payer=Aetna"' in preview
