"""Who works on what: the next free item, leases, taking, handing out, snoozing."""

from datetime import timedelta

import pytest
from django.utils import timezone

from claims import assignment
from claims.models import WorkItem
from claims.work_list import EVERYTHING, place_of, tally
from tests.claims.admin.work import open_item


def refreshed(item: WorkItem) -> WorkItem:
    return WorkItem.objects.get(pk=item.pk)


def test_the_nearest_deadline_comes_first_then_the_largest_charge_then_the_oldest(partner, billing):
    old = timezone.now() - timedelta(days=3)
    none = open_item(partner, days_left=None, charge="900.00")
    small = open_item(partner, days_left=5, charge="95.00")
    large_new = open_item(partner, days_left=5, charge="220.00")
    large_old = open_item(partner, days_left=5, charge="220.00", opened_at=old)
    near = open_item(partner, days_left=1, charge="1.00")
    order, after = [], None
    while (item := assignment.lease_next("rejected", user=billing.user, after=after)) is not None:
        order.append(item.pk)
        after = item.pk
    assert order == [near.pk, large_old.pk, large_new.pk, small.pk, none.pk]
    back = []
    while (item := assignment.lease_next("rejected", user=billing.user, before=after)) is not None:
        back.append(item.pk)
        after = item.pk
    assert back == order[-2::-1]
    places = [
        place_of(each, "rejected", user=billing.user).place
        for each in (near, large_old, large_new, small, none)
    ]
    assert places == [1, 2, 3, 4, 5]


def test_two_people_get_two_items(partner, billing, lead):
    open_item(partner), open_item(partner)
    first = assignment.lease_next("rejected", user=billing.user)
    second = assignment.lease_next("rejected", user=lead.user)
    assert first.pk != second.pk
    assert assignment.lease_next("rejected", user=lead.user, after=second.pk) is None


def test_whoever_starts_again_gets_the_same_item_back(partner, billing):
    open_item(partner)
    first = assignment.lease_next("rejected", user=billing.user)
    assert assignment.lease_next("rejected", user=billing.user).pk == first.pk


def test_a_lease_that_nobody_renewed_is_over_after_five_minutes(partner, billing, lead):
    item = open_item(partner)
    assignment.lease_next("rejected", user=billing.user)
    WorkItem.objects.update(leased_at=timezone.now() - timedelta(minutes=5, seconds=1))
    assert assignment.lease_next("rejected", user=lead.user).pk == item.pk


def test_a_heartbeat_renews_the_lease(partner, billing, lead):
    item = open_item(partner)
    assignment.lease_next("rejected", user=billing.user)
    WorkItem.objects.update(leased_at=timezone.now() - timedelta(minutes=4))
    assert billing.post("desk:heartbeat", item=item.pk).status_code == 204
    assert refreshed(item).leased_at > timezone.now() - timedelta(minutes=1)
    assert not assignment.renew_lease(item.pk, user=lead.user)


def test_what_another_has_taken_is_not_free(partner, billing, lead):
    item = open_item(partner)
    assert assignment.take([item.pk], user=lead.user) == {item.pk: "With Maya now."}
    assert assignment.lease_next("rejected", user=billing.user) is None
    assert assignment.lease_next("rejected", user=lead.user).pk == item.pk


def test_taking_leaves_what_another_has(partner, billing, lead):
    item = open_item(partner, assignee=lead.user)
    assert assignment.take([item.pk], user=billing.user) == {item.pk: "Maya has it."}
    assert refreshed(item).assignee == lead.user


def test_taking_what_was_passed_on_keeps_its_words_and_who_has_it_open(partner, billing, lead):
    item = open_item(partner)
    assignment.hand_to([item.pk], to=billing.user, by=lead.user, words="Ask them for the card.")
    assignment.lease(item.pk, user=billing.user)
    assignment.take([item.pk], user=billing.user)
    taken = refreshed(item)
    assert (taken.handed_by, taken.handed_with) == (lead.user, "Ask them for the card.")
    assert taken.leased_by == billing.user


def test_a_lead_hands_work_on(partner, billing, lead):
    item = open_item(partner, assignee=lead.user)
    assignment.hand_to([item.pk], to=billing.user)
    assert refreshed(item).assignee == billing.user


def test_nobody_takes_what_is_closed(partner, billing):
    item = open_item(partner, closed_at=timezone.now())
    assert assignment.take([item.pk], user=billing.user) == {item.pk: "Closed meanwhile: nothing to do."}


def test_a_snoozed_item_rests_and_comes_back_to_whoever_snoozed_it(partner, billing, lead):
    item = open_item(partner)
    assignment.snooze([item.pk], user=billing.user, until=timezone.now() + timedelta(days=1), reason="asked")
    assert assignment.lease_next("rejected", user=billing.user) is None
    WorkItem.objects.update(snoozed_until=timezone.now())
    assert assignment.lease_next("rejected", user=lead.user) is None
    assert assignment.lease_next("rejected", user=billing.user).pk == item.pk


def test_a_snooze_can_be_ended(partner, billing):
    item = open_item(partner, snoozed_until=timezone.now() + timedelta(days=3), assignee=billing.user)
    assert assignment.wake([item.pk]) == 1
    assert refreshed(item).snoozed_until is None


@pytest.mark.parametrize("key", ["deadlines", "mine", "all"])
def test_lists_across_queues_have_a_next_item_too(partner, billing, key):
    item = open_item(partner, days_left=3, assignee=billing.user)
    assert assignment.lease_next(key, user=billing.user).pk == item.pk


def test_what_can_still_be_filed_in_time_comes_before_what_is_over(partner, billing):
    over, due = open_item(partner, days_left=-200), open_item(partner, days_left=5)
    assert assignment.lease_next(EVERYTHING, user=billing.user) == due
    assert assignment.lease_next(EVERYTHING, user=billing.user, after=due.pk) is None
    WorkItem.objects.filter(pk=due.pk).update(closed_at=timezone.now())
    assert assignment.lease_next(EVERYTHING, user=billing.user) == over


def test_what_is_over_runs_into_no_deadline_and_is_listed_by_itself(partner, billing):
    over, due = open_item(partner, days_left=-1), open_item(partner, days_left=0)
    for key, query, listed in (
        ("deadlines", "", [due]),
        ("rejected", "?show=due", [due]),
        ("rejected", "?show=over", [over]),
        ("rejected", "", [over, due]),
    ):
        rows = billing.get("desk:queue", key, query=query).context["rows"]
        assert [row.item for row in rows] == listed
    numbers = tally(billing.user)["rejected"]
    assert (numbers.open, numbers.due, numbers.over) == (2, 1, 1)
