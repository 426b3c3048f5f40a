"""The list of sessions: newest first, under filters, page by page, without counting."""

import re
import threading
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from claims.desk.session_search import TooSlow, Wanted, newest_sessions
from claims.models import Claim
from claims.staff_words import STATUS_GROUPS, STATUS_READINGS
from tests.cast import day_of_service, partner_api
from tests.claims.admin import queries
from tests.claims.admin.staff import ended
from tests.claims.process import run_until_quiet


def shown(answer) -> list[str]:
    return [str(row.session.pk) for row in answer.context["rows"]]


def having(session_id: str, status: str, *, version: int = 1) -> str:
    claim = Claim.objects.get(session_id=session_id, version=1)
    if version == 1:
        Claim.objects.filter(pk=claim.pk).update(status=status)
    else:
        Claim.objects.create(
            session_id=session_id,
            partner_id=claim.partner_id,
            version=version,
            status=status,
            window_ends_at=timezone.now(),
        )
    return session_id


def test_the_newest_come_first(partner, billing):
    ids = [partner.submitted() for _ in range(3)]
    assert shown(billing.get("desk:sessions")) == ids[::-1]


def test_paging_shows_each_once(partner, billing, monkeypatch):
    monkeypatch.setattr("claims.admin.sessions.ROWS", 2)
    ids = [partner.submitted() for _ in range(5)]
    seen, query = [], ""
    while True:
        answer = billing.get("desk:sessions", query=f"?{query}")
        seen += shown(answer)
        query = answer.context["next_query"]
        if not query:
            break
    assert seen == ids[::-1]


def test_a_status_means_that_of_the_newest_version(partner, billing):
    denied = having(partner.submitted(), "denied")
    resent = having(having(partner.submitted(), "denied"), "sent", version=2)
    assert shown(billing.get("desk:sessions", query="?status=denied")) == [denied]
    assert shown(billing.get("desk:sessions", query="?status=with_payer")) == [resent]


def test_a_group_of_statuses_is_one_list_in_one_order(partner, billing):
    ids = [having(partner.submitted(), status) for status in ("denied", "taken_back", "member_unknown")]
    having(partner.submitted(), "paid")
    assert shown(billing.get("desk:sessions", query="?status=denied")) == ids[::-1]


def test_partner_payer_and_days_narrow(partner, billing):
    rival = partner_api("Rival", submission_delay=timedelta()).onboarded(provider__npi="1245319599")
    theirs = rival.submitted(providerNpi="1245319599")
    old = partner.submitted(session__dateOfService=day_of_service(40))
    cigna = partner.submitted(patient__insurance__payerName="Cigna")
    assert shown(billing.get("desk:sessions", query=f"?partner={rival.partner.slug}")) == [theirs]
    assert shown(billing.get("desk:sessions", query="?payer=Cigna")) == [cigna]
    day = day_of_service(40)
    assert shown(billing.get("desk:sessions", query=f"?from={day}&to={day}")) == [old]
    assert shown(billing.get("desk:sessions", query=f"?to={day}")) == [old]


@pytest.mark.parametrize(
    "query",
    [
        "?status=odd",
        "?partner=nobody",
        "?from=tomorrow",
        "?to=2030-13-01",
        "?waited=9-5",
        "?waited=0-90",
        "?waited=9-5&status=denied",
    ],
)
def test_a_filter_that_makes_no_sense_is_said(partner, billing, query):
    partner.submitted()
    answer = billing.get("desk:sessions", query=query)
    assert answer.context["problem"]
    assert shown(answer) == []


@pytest.mark.parametrize("query", ["?after=x", "?status=%00", "?payer=%00%00", "?payer=" + "x" * 4000])
def test_odd_values_break_nothing(partner, billing, query):
    partner.submitted()
    assert billing.get("desk:sessions", query=query).status_code == 200


def test_nothing_is_counted(partner, billing):
    partner.submitted()
    with CaptureQueriesContext(connection) as captured:
        billing.get("desk:sessions")
    counting = [query["sql"] for query in captured.captured_queries if "COUNT(" in query["sql"].upper()]
    assert [sql for sql in counting if "sessions_app_session" in sql or "claims_claim " in sql] == []


def test_a_list_costs_nine_queries_however_long_it_is(partner, billing):
    partner.submitted()
    few = queries.of(lambda: billing.get("desk:sessions"))
    for _ in range(4):
        partner.submitted()
    assert queries.of(lambda: billing.get("desk:sessions")) == few
    assert few == [
        "partners_partner",
        "sessions_app_session",  # the ids of the page
        "partners_accessrecord",  # whose names are shown
        "sessions_app_session",
        "claims_claim",
        "claims_workitem",  # which kind of held
        "sessions_app_sessioncode",
        "billing_payer",
        "claims_workitem",  # the counts of the menu
    ]


def test_what_would_take_too_long_is_stopped(partner, monkeypatch):
    monkeypatch.setattr(
        "claims.desk.session_search.NEWEST", "SELECT pg_sleep(5), {conditions}, %(after)s, %(limit)s"
    )
    monkeypatch.setattr("claims.desk.session_search.MOST_MILLISECONDS", 20)
    with pytest.raises(TooSlow):
        newest_sessions(Wanted(), after=None, limit=2)


def test_a_database_that_is_lost_is_not_the_filters_fault(partner, monkeypatch):
    monkeypatch.setattr(
        "claims.desk.session_search.NEWEST",
        "SELECT pg_terminate_backend(pg_backend_pid()), {conditions}, %(after)s, %(limit)s",
    )
    found = []

    def look() -> None:
        try:
            newest_sessions(Wanted(), after=None, limit=2)
        except Exception as error:
            found.append(type(error))
        finally:
            connection.close()

    looking = threading.Thread(target=look)
    looking.start()
    looking.join()
    assert found == [OperationalError]


def test_every_status_is_in_one_group_and_has_its_words():
    grouped = [status for group in STATUS_GROUPS.values() for status in group.statuses]
    assert len(grouped) == len(set(grouped))
    assert {*grouped, "voided"} == set(STATUS_READINGS)


def test_no_two_single_statuses_of_the_filter_read_alike(billing):
    page = billing.get("desk:sessions").content.decode()
    words = re.findall(r"<option[^>]*>([^<]+)", page.split('label="One"')[1].split("</optgroup>")[0])
    assert len(words) == len(set(words))


@pytest.mark.parametrize(
    ("member_id", "left"), [("PAID1", "–"), ("DEDUCTIBLE1", "–"), ("DENIED1", r"\d+ d"), ("HELD1", r"\d+ d")]
)
def test_days_are_left_only_where_something_is_to_be_filed(partner, billing, member_id, left):
    ended(partner, member_id)
    page = billing.get("desk:sessions").content.decode()
    (cells,) = re.findall(r"<tr data-row>(.*?)</tr>", page)
    assert re.fullmatch(left, re.findall(r"<td[^>]*>([^<]*)</td>", cells)[-2])


def test_of_what_is_voided_nothing_is_to_be_filed(partner, lead):
    session_id = ended(partner, "PAID1")
    lead.post("desk:session-void", session_id, reason="by mistake")
    run_until_quiet()
    page = lead.page(session_id)
    assert "Voided" in page
    assert "nothing is to be filed" in page
    assert "nothing paid yet" not in page
