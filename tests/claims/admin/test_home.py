"""Home: the queues in numbers, deadlines, charts whose every number leads to its rows."""

import threading
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import DatabaseError, connection
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from claims import figures
from claims.admin.charts import HEIGHT, Part, columns, round_up
from claims.models import Claim, DailyFigure, WorkItem
from claims.work_list import place_of, tally
from tests.cast import day_of_service, partner_api
from tests.claims.admin import queries
from tests.claims.admin.staff import Desk, ended, item_of, newest
from tests.claims.admin.test_bulk_release import mended
from tests.claims.admin.test_correct import MEMBER_ID, opened, save
from tests.claims.admin.work import open_item


def line(answer, key: str):
    return next(each for _, lines in answer.context["queue_groups"] for each in lines if each.key == key)


def test_the_queues_are_told_in_numbers(partner, billing):
    open_item(partner, days_left=3, charge="140.00", assignee=billing.user)
    open_item(partner, days_left=60, charge="95.00")
    open_item(partner, snoozed_until=timezone.now() + timedelta(days=1))
    open_item(partner, closed_at=timezone.now(), assignee=billing.user)
    answer = billing.get("admin:index")
    numbers = line(answer, "rejected").numbers
    assert (numbers.open, numbers.mine, numbers.nobodys, numbers.due, numbers.snoozed) == (2, 1, 1, 1, 1)
    assert numbers.charges == Decimal("235.00")
    assert (answer.context["open_count"], answer.context["due_count"]) == (2, 1)
    assert answer.context["closed_by_me"] == 1


def test_who_closed_it_is_who_did_it(partner, billing, lead):
    corrected, refused = (ended(partner, member_id) for member_id in ("HELD2", "BAD999"))
    released = mended(partner, "HELD")
    lead.post("desk:session-take", released, item=item_of(released).pk)
    billing.post("desk:start", "held")
    billing.post("desk:session-release", released, reason="card seen")
    save(billing, corrected, opened(billing, corrected) | {MEMBER_ID: "W123456789"})
    assert "by Maya." in billing.get("desk:queue", "held").content.decode()
    billing.post("desk:session-resend", refused, reason="mended")
    assert billing.get("admin:index").context["closed_by_me"] == 3
    assert lead.get("admin:index").context["closed_by_me"] == 0


def test_a_snooze_that_is_over_counts_as_open_again(partner, billing):
    open_item(partner, snoozed_until=timezone.now() - timedelta(seconds=1))
    assert tally(billing.user)["rejected"].open == 1


def test_the_nearest_deadlines_are_named(partner, billing):
    for days in (9, 2, 20, 5, 7, 11):
        open_item(partner, days_left=days)
    left = [
        (item.file_by - timezone.localdate()).days
        for item, _ in billing.get("admin:index").context["deadlines"]
    ]
    assert left == [2, 5, 7, 9]


def test_before_the_charts_are_counted_no_rate_is_told(billing):
    page = billing.get("admin:index").content.decode()
    assert "The charts are counted within minutes." in page
    assert "judged claims" not in page


def test_without_a_judged_claim_no_rate_is_told(partner, billing):
    ended(partner, "SILENT")
    figures.rebuild()
    page = billing.get("admin:index").content.decode()
    assert "No claim was judged." in page
    assert "judged claims" not in page


def test_where_nothing_was_judged_before_no_rate_is_told_of_it(partner, billing):
    ended(partner, "DENIED")
    figures.rebuild()
    answer = billing.get("admin:index")
    assert "100.0% of 1 judged claims</p>" in answer.content.decode()
    assert [share.change for share in answer.context["pictures"].denied_by_payer] == [None]


def test_a_rate_of_before_is_told_beside_that_of_now(partner, billing):
    ended(partner, "DENIED")
    ended(partner, "PAID", session__dateOfService=day_of_service(100))
    figures.rebuild()
    assert "100.0% of 1 judged claims · was 0.0%</p>" in billing.get("admin:index").content.decode()


def test_nothing_due_is_the_number_nought(billing):
    assert "0 open · 0 run into a filing deadline" in billing.get("admin:index").content.decode()


def test_what_rests_is_not_among_the_alike(partner, billing):
    items = [open_item(partner, reason="CO-197", queue="denied") for _ in range(5)]
    resting = timezone.now() + timedelta(days=1)
    WorkItem.objects.filter(pk__in=[item.pk for item in items[:2]]).update(snoozed_until=resting)
    assert [cause.count for cause in billing.get("admin:index").context["causes"]] == [3]
    assert place_of(items[4], "denied", user=billing.user).alike == 2


def test_equal_causes_are_seen_together(partner, billing):
    for _ in range(3):
        open_item(partner, reason="CO-197", queue="denied")
    answer = billing.get("admin:index")
    assert [(cause.count, cause.reason) for cause in answer.context["causes"]] == [(3, "CO-197")]
    assert "denied/?reason=CO-197&amp;payer=Aetna" in answer.content.decode()


def test_equal_causes_ask_what_staff_do(partner, billing):
    for _ in range(3):
        open_item(partner, summary="No procedure follows: send its procedureCodes.")
    assert "No procedure follows: correct its procedures." in billing.get("admin:index").content.decode()


def test_home_costs_its_queries_however_much_there_is(partner, billing):
    open_item(partner, days_left=3)
    few = queries.of(lambda: billing.get("admin:index"))
    for _ in range(5):
        open_item(partner, days_left=3)
    figures.rebuild()
    assert queries.of(lambda: billing.get("admin:index")) == few
    assert few == [
        "claims_workitem",  # the counts of menu and queues
        "claims_workitem",  # the last fourteen days
        "claims_workitem",  # the nearest deadlines
        "partners_accessrecord",  # who saw them
        "claims_dailyfigure",
        "claims_dailyfigure",  # days to payment
        "claims_inboundfile",
        "claims_workitem",  # equal causes
    ]


def test_an_administrator_sees_no_work_and_no_patient(partner, settings):
    open_item(partner, days_left=3, patient__lastName="Quillfeather")
    page = Desk("administrator").get("admin:index")
    assert "queue_groups" not in page.context
    assert "Quillfeather" not in page.content.decode()


def test_every_link_of_the_charts_opens(partner, billing):
    for word in ("PAID", "DENIED", "SILENT"):
        ended(partner, word)
    figures.rebuild()
    pictures = billing.get("admin:index").context["pictures"]
    shares = [*pictures.receivables, *pictures.denied_by_payer, *pictures.denied_by_reason]
    addresses = {bar.address for bar in pictures.weeks.bars} | {share.address for share in shares}
    assert len(addresses) > 6
    for address in addresses:
        assert billing.client.get(address).status_code == 200, address


def test_a_bar_leads_to_as_many_rows_as_it_counts(partner, billing):
    for _ in range(2):
        partner.submitted(session__dateOfService=day_of_service(0))
    Claim.objects.update(status="denied")
    figures.rebuild()
    (bar,) = [bar for bar in billing.get("admin:index").context["pictures"].weeks.bars if bar.tone == "lost"]
    assert ": 2, Denied" in bar.words
    assert len(billing.client.get(bar.address).context["rows"]) == 2


def test_a_payments_bar_leads_to_exactly_the_sessions_that_waited_so_long(partner, billing):
    early, late = ended(partner, "PAIDA"), ended(partner, "PAIDB", session__dateOfService=day_of_service(40))
    assert {newest(early).paid_after_days, newest(late).paid_after_days} != {None}
    Claim.objects.filter(session_id=early).update(paid_after_days=7)
    Claim.objects.filter(session_id=late).update(paid_after_days=72)
    figures.rebuild()
    bars = billing.get("admin:index").context["pictures"].payment.bars
    rows = {
        bar.words: [row.session.pk for row in billing.client.get(bar.address).context["rows"]] for bar in bars
    }
    assert rows == {"1 paid within 5 to 9 days": [early], "1 paid within 70 days or more": [late]}


def test_a_denial_reason_leads_to_the_sessions_denied_for_it(partner, billing):
    missing = ended(partner, "DENIED")
    ended(partner, "DENIED29")
    figures.rebuild()
    (share,) = [
        share
        for share in billing.get("admin:index").context["pictures"].denied_by_reason
        if share.remark.startswith("CO-197")
    ]
    assert [row.session.pk for row in billing.client.get(share.address).context["rows"]] == [missing]


@pytest.mark.parametrize("measure", ["sessions", "charged", "paid", "odd"])
def test_charts_show_sessions_charges_and_payments(partner, billing, measure):
    ended(partner, "PAID")
    figures.rebuild()
    answer = billing.get("admin:index", query=f"?show={measure}")
    assert sum(sum(values) for _, values in answer.context["pictures"].table) > 0


def test_a_day_is_counted_by_the_newest_version(partner):
    ended(partner, "DENIED")
    ended(partner, "PAID")
    figures.rebuild()
    rows = {row.status: row for row in DailyFigure.objects.all()}
    assert {status: row.sessions for status, row in rows.items()} == {"denied": 1, "paid": 1}
    assert rows["denied"].reason == "CO-197"
    assert (rows["denied"].paid, rows["paid"].paid) == (Decimal(0), rows["paid"].charged)
    assert sum(rows["paid"].paid_within) == 1
    assert sum(rows["denied"].paid_within) == 0


def test_only_changed_days_are_counted_again(partner):
    partner.submitted(session__dateOfService=day_of_service(9))
    figures.rebuild()
    Claim.objects.update(last_updated_at=timezone.now() - timedelta(hours=1))
    partner.submitted(session__dateOfService=day_of_service(3))
    assert figures.rebuild() == 1
    assert DailyFigure.objects.values("day").distinct().count() == 2


def test_the_day_that_a_session_left_is_counted_again(partner):
    day = timezone.now().date() - timedelta(days=5)
    session_id = ended(partner, "HELD", session__dateOfService=str(day))
    figures.rebuild()
    assert DailyFigure.objects.filter(day=day).exists()
    partner.patch(f"/sessions/{session_id}", {"session": {"dateOfService": str(day - timedelta(days=1))}})
    figures.rebuild()
    assert set(DailyFigure.objects.values_list("day", flat=True)) == {day - timedelta(days=1)}


def test_what_a_count_that_broke_off_left_is_counted_by_the_next(partner):
    for days_ago in (3, 9, 15):
        partner.submitted(session__dateOfService=day_of_service(days_ago))
    figures.rebuild()
    hour = timedelta(hours=1)
    DailyFigure.objects.update(counted_at=timezone.now() - 3 * hour)
    Claim.objects.update(status="denied", last_updated_at=timezone.now() - hour)
    begun = []

    def break_off(execute, sql, params, many, context):
        if sql.startswith("DELETE") and "claims_dailyfigure" in sql:
            begun.append(sql)
            if len(begun) == 2:
                raise DatabaseError
        return execute(sql, params, many, context)

    with connection.execute_wrapper(break_off), pytest.raises(DatabaseError):
        figures.rebuild()
    figures.rebuild()
    assert set(DailyFigure.objects.values_list("status", flat=True)) == {"denied"}


@pytest.mark.django_db(transaction=True)
def test_a_count_leaves_the_days_to_one_that_is_at_them():
    partner = partner_api("Harborlight").onboarded()
    partner.submitted()
    counted = []

    def count_too():
        try:
            counted.append(figures.rebuild())
        except DatabaseError as error:
            counted.append(error)
        finally:
            connection.close()

    other = threading.Thread(target=count_too)

    def meanwhile(execute, sql, params, many, context):
        result = execute(sql, params, many, context)
        if "INSERT INTO claims_dailyfigure" in sql:
            other.start()
            other.join(2)
        return result

    with connection.execute_wrapper(meanwhile):
        assert figures.rebuild() == 1
    other.join(10)
    assert counted == [0]
    assert DailyFigure.objects.filter(partner=None).count() == 1


def test_counting_a_day_twice_changes_nothing(partner):
    partner.submitted()
    figures.rebuild()
    before = list(DailyFigure.objects.values_list("day", "status", "sessions", "charged"))
    assert figures.rebuild() == 1
    assert list(DailyFigure.objects.values_list("day", "status", "sessions", "charged")) == before


@given(st.lists(st.lists(st.integers(0, 10**7), max_size=6), min_size=1, max_size=12))
def test_bars_are_stacked_within_the_chart(columns_of_values):
    parts = [[Part(value, "good", "", "") for value in column] for column in columns_of_values]
    chart = columns(parts, labels=["" for _ in parts])
    assert all(bar.y >= 0 and bar.y + bar.height <= HEIGHT for bar in chart.bars)
    assert len(chart.bars) == sum(value > 0 for column in columns_of_values for value in column)


@given(st.floats(0, 10**12))
def test_an_axis_ends_on_a_number_of_four_even_steps(value):
    end = round_up(value)
    assert end >= value
    assert end % 4 == 0
    assert end <= max(value * 2.5, 4)


def test_receivables_say_that_they_are_what_payers_have(partner, billing):
    waiting, refused = ended(partner, "SILENT"), ended(partner, "REJECTED1")
    figures.rebuild()
    page = billing.get("admin:index").content.decode()
    assert newest(waiting).total_charge == newest(refused).total_charge
    assert f"${newest(waiting).total_charge:.0f} with payers, days from service" in page
