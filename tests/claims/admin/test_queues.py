"""The queues' pages: order, filters, paging, words, start, and the queries that they cost."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from claims.models import WorkItem
from tests.cast import partner_api
from tests.claims.admin import queries
from tests.claims.admin.staff import ended, item_of, newest
from tests.claims.admin.strays import stray_remittance
from tests.claims.admin.work import open_item


def shown(answer) -> list[int]:
    return [row.item.pk for row in answer.context["rows"]]


def test_a_queue_shows_its_rows_in_order_with_their_words(partner, billing):
    late, near = open_item(partner, days_left=40), open_item(partner, days_left=3)
    answer = billing.get("desk:queue", "rejected")
    assert shown(answer) == [near.pk, late.pk]
    page = answer.content.decode()
    assert "there is nothing to appeal" in page
    assert "3 d" in page
    assert "The payer doesn&#x27;t know this member ID." in page


def test_another_queues_rows_are_not_in_it(partner, billing):
    open_item(partner, "denied")
    assert shown(billing.get("desk:queue", "rejected")) == []


def test_an_empty_queue_says_so_and_offers_no_start(partner, billing):
    page = billing.get("desk:queue", "rejected").content.decode()
    assert "Nothing is rejected." in page
    assert reverse("desk:start", args=["rejected"]) not in page


def test_a_queue_of_which_the_filters_leave_nothing_offers_no_start(partner, billing):
    open_item(partner)
    page = billing.get("desk:queue", "rejected", query="?payer=Cigna").content.decode()
    assert "Nothing here fits the filters." in page
    assert reverse("desk:start", args=["rejected"]) not in page


def test_an_unknown_queue_is_not_there_and_leads_home(billing):
    answer = billing.get("desk:queue", "nonsense")
    assert (answer.status_code, answer["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert f'<a href="{reverse("admin:index")}">Home</a>' in answer.content.decode()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?show=mine", {"mine"}),
        ("?show=nobody", {"plain", "due", "old", "cigna"}),
        ("?show=due", {"due"}),
        ("?show=snoozed", {"snoozed"}),
        ("?payer=Cigna", {"cigna"}),
        ("?age=7", {"old"}),
        ("?reason=A3:33", {"plain"}),
        ("?show=odd&age=9x", {"plain", "mine", "due", "old", "cigna"}),
    ],
)
def test_filters_narrow_a_queue(partner, billing, query, expected):
    items = {
        "plain": open_item(partner, reason="A3:33"),
        "mine": open_item(partner, assignee=billing.user),
        "due": open_item(partner, days_left=14),
        "snoozed": open_item(partner, snoozed_until=timezone.now() + timedelta(days=1)),
        "old": open_item(partner, opened_at=timezone.now() - timedelta(days=8)),
        "cigna": open_item(partner, payer_name="Cigna"),
    }
    assert set(shown(billing.get("desk:queue", "rejected", query=query))) == {
        items[name].pk for name in expected
    }


def test_a_partner_is_a_filter(partner, billing):
    rival = partner_api("Rival", submission_delay=timedelta()).onboarded(provider__npi="1245319599")
    mine = open_item(partner)
    open_item(rival, providerNpi="1245319599")
    answer = billing.get("desk:queue", "rejected", query=f"?partner={partner.partner.slug}")
    assert shown(answer) == [mine.pk]


def test_paging_shows_every_row_once_whatever_the_ties(partner, billing, monkeypatch):
    monkeypatch.setattr("claims.admin.queues.ROWS", 3)
    same = timezone.now()
    for days, charge in [
        (5, "1"),
        (5, "1"),
        (5, "2"),
        (None, "3"),
        (None, "3"),
        (9, "1"),
        (9, "1"),
        (5, "1"),
    ]:
        open_item(partner, days_left=days, charge=charge, opened_at=same)
    seen, query = [], ""
    while True:
        answer = billing.get("desk:queue", "rejected", query=f"?{query}")
        seen += shown(answer)
        query = answer.context["next_query"]
        if not query:
            break
    assert sorted(seen) == sorted(WorkItem.objects.values_list("pk", flat=True))
    assert len(seen) == 8


@pytest.mark.parametrize("after", ["x", "-1", "9" * 30, "٣", "%00"])
def test_an_odd_place_to_begin_shows_the_first_page(partner, billing, after):
    item = open_item(partner)
    assert shown(billing.get("desk:queue", "rejected", query=f"?after={after}")) == [item.pk]


def test_no_name_stands_in_a_title_or_an_address(partner, billing):
    open_item(partner, patient__lastName="Quillfeather")
    page = billing.get("desk:queue", "rejected").content.decode()
    head = page.split("</head>")[0]
    assert "Quillfeather" not in head
    assert not [address for address in page.split('href="')[1:] if "uillfeather" in address.split('"')[0]]


def test_start_leases_the_most_urgent_item_and_opens_its_session(partner, billing):
    open_item(partner, days_left=40)
    near = open_item(partner, days_left=2)
    answer = billing.post("desk:start", "rejected")
    assert answer.status_code == 302
    assert str(near.session_id) in answer["Location"]
    assert WorkItem.objects.get(pk=near.pk).leased_by == billing.user


def test_start_on_nothing_says_so(partner, billing):
    answer = billing.client.post(reverse("desk:start_any"), follow=True)
    assert "Nothing here is free" in answer.content.decode()


def test_who_has_an_item_open_is_told(partner, billing, lead):
    open_item(partner, leased_by=lead.user, leased_at=timezone.now())
    assert "Maya" in billing.get("desk:queue", "rejected").content.decode().split("<main")[1]


def test_a_queue_costs_five_queries_however_long_it_is(partner, billing):
    open_item(partner)
    few = queries.of(lambda: billing.get("desk:queue", "rejected"))
    for _ in range(6):
        open_item(partner)
    assert queries.of(lambda: billing.get("desk:queue", "rejected")) == few
    assert few == [
        "claims_workitem",  # the rows, with session, partner and people
        "sessions_app_sessioncode",
        "partners_accessrecord",  # whose names are shown
        "claims_workitem",  # what the filters offer
        "claims_workitem",  # the counts of the menu
    ]


def test_leads_see_who_works_on_what(partner, lead, billing):
    open_item(partner, assignee=billing.user, days_left=3)
    load = lead.get("desk:people").context["people"]
    assert [(each.taken, each.due) for each in load] == [(1, 1)]


def test_what_somebody_only_looks_at_is_not_their_work(partner, lead, billing):
    open_item(partner, assignee=billing.user, charge="95.00")
    open_item(partner, leased_by=lead.user, leased_at=timezone.now(), days_left=3)
    answer = lead.get("desk:people")
    load = [
        (each.taken, each.due, each.charges, each.looking_at, each.oldest is None)
        for each in answer.context["people"]
    ]
    assert load == [(1, 0, Decimal("95.00"), 0, False), (0, 0, Decimal(0), 1, True)]
    assert 'role="region" aria-label="People, rows"' in answer.content.decode()


def test_an_item_says_where_it_stands_and_leads_to_its_neighbours(partner, billing):
    near, middle, far = (open_item(partner, days_left=days) for days in (1, 5, 9))
    page = billing.get("desk:session", middle.session_id, query="?queue=rejected").content.decode()
    assert "2 of 3 · nearest deadline first" in page
    start = reverse("desk:start", args=["rejected"])
    for name, neighbour in (("before", near), ("after", far)):
        answer = billing.client.post(start, {name: middle.pk})
        assert str(neighbour.session_id) in answer["Location"]


def test_behind_the_last_item_comes_the_first_again(partner, billing):
    first, last = open_item(partner, days_left=1), open_item(partner, days_left=9)
    start = reverse("desk:start", args=["rejected"])
    assert str(first.session_id) in billing.client.post(start, {"after": last.pk})["Location"]
    WorkItem.objects.filter(pk=first.pk).update(closed_at=timezone.now())
    answer = billing.client.post(start, {"after": last.pk}, follow=True)
    assert "Nothing here is free" in answer.content.decode()


def test_support_reads_the_lists_and_starts_nothing(partner, support):
    note, answer = open_item(partner, "notes"), stray_remittance(partner)[1]
    rejected = open_item(partner)
    pages = [support.get("admin:index")]
    pages += [support.get("desk:queue", key) for key in ("notes", "unmatched", "rejected", "deadlines")]
    for page in pages:
        words = page.content.decode().split("<main")[1]
        assert "/next/" not in words
        rows = [row.replace("&amp;", "&") for row in re.findall(r'<th scope="row"><a href="([^"]+)"', words)]
        assert {support.client.get(row).status_code for row in rows} <= {200}
    assert [len(page.context["rows"]) for page in pages[1:4]] == [1, 1, 1]
    opened = support.get("desk:session", rejected.session_id, query="?queue=rejected").content.decode()
    assert "/next/" not in opened
    assert 'data-item=""' in opened
    support.post("desk:heartbeat", item=rejected.pk)
    assert support.post("desk:start", "rejected").status_code == 403
    assert not WorkItem.objects.filter(pk__in=[note.pk, answer.pk, rejected.pk], leased_by=support.user)


@pytest.mark.parametrize("key", ["mine", "deadlines"])
def test_a_list_across_queues_shows_what_rests_in_it(partner, billing, key):
    awake, resting = (open_item(partner, days_left=3, assignee=billing.user) for _ in range(2))
    WorkItem.objects.filter(pk=resting.pk).update(snoozed_until=timezone.now() + timedelta(days=2))
    answer = billing.get("desk:queue", key)
    assert shown(answer) == [awake.pk]
    assert re.search(r'<a class="pill" href="\?show=snoozed">Snoozed', answer.content.decode())
    assert shown(billing.get("desk:queue", key, query="?show=snoozed")) == [resting.pk]


def test_before_the_first_item_there_is_nothing(partner, billing):
    first = open_item(partner)
    answer = billing.client.post(reverse("desk:start", args=["rejected"]), {"before": first.pk}, follow=True)
    assert "Nothing before it is free." in answer.content.decode()


def test_an_empty_queue_says_when_the_last_one_was_done(partner, billing):
    open_item(partner, closed_at=timezone.now(), assignee=billing.user)
    page = billing.get("desk:queue", "rejected").content.decode()
    assert "Nothing is rejected. The last one was done at " in page
    assert "by Maya." in page


def test_what_a_rule_holds_has_its_deadline_and_its_charge_from_the_first(partner):
    session_id = ended(partner, "HELD")
    item, claim = item_of(session_id), newest(session_id)
    assert item.file_by is not None
    assert item.file_by == claim.file_by
    assert item.charge == Decimal("180.00")


def test_every_reason_is_offered_in_words_with_its_code_behind(partner, billing):
    for reason in ("A7:164:IL", "claim_not_found", "CO-197", "CO-294", "DX-002", "ValueError"):
        open_item(partner, reason=reason)
    page = billing.get("desk:queue", "rejected").content.decode().replace("&#x27;", "'")
    names = page.partition('<select name="reason"')[2].partition("</select>")[0]
    assert re.findall(r'<option value="[^"]+"[^>]*>([^<]*)', names) == [
        "CO-294",
        "Claim not found",
        "No authorization is on file (CO-197)",
        "Not met: Every diagnosis is billable on the date of service (DX-002)",
        "The member ID of the insured person isn't what the payer has (A7:164:IL)",
        "ValueError",
    ]


def test_answers_without_a_claim_say_how_they_are_sorted(partner, billing):
    stray_remittance(partner)
    assert "largest amount first</span>" in billing.get("desk:queue", "unmatched").content.decode()


def test_an_empty_list_of_my_work_says_where_work_is(partner, billing):
    page = billing.get("desk:queue", "mine").content.decode()
    assert "You have taken nothing. Take what you have open, or choose rows of a queue" in page
    assert reverse("desk:start", args=["mine"]) not in page


@pytest.mark.parametrize(("queue", "offered"), [("held", False), ("rejected", True)])
def test_what_never_left_is_not_offered_to_be_sent_again(partner, lead, queue, offered):
    open_item(partner, queue)
    page = lead.get("desk:queue", queue).content.decode()
    assert ('value="resend"' in page) == offered


def test_answers_of_no_partner_are_not_offered_a_message(partner, billing):
    stray_remittance(partner)
    assert 'value="message"' not in billing.get("desk:queue", "unmatched").content.decode()


def test_an_answer_without_a_claim_is_listed_by_the_number_that_it_names(partner, billing):
    _, item = stray_remittance(partner)
    page = billing.get("desk:queue", "unmatched").content.decode()
    assert f">Claim {item.signal.patient_control_number}</a></th>" in page
    heads = re.findall(r'<th scope="col"[^>]*>([^<]+)</th>', page)
    assert heads == ["Names", "What is wrong", "Payer", "Amount", "Age", "With"]


def test_an_answer_without_a_claim_is_not_filtered_by_a_deadline_that_it_hasnt(partner, billing):
    stray_remittance(partner)
    page = billing.get("desk:queue", "unmatched").content.decode()
    assert "Nobody&#x27;s 1" in page
    assert "Due in 14 days" not in page
    assert "Time to file is over" not in page
