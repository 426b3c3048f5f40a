"""Each hot query goes by an index and touches few rows, in a year's 10,000 sessions (some 200,000 rows)."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from claims import gauges, inbound, pipeline, submission, watchdog
from claims.clearinghouse.port import InboundFile as Fetched
from claims.desk.session_search import find_sessions
from claims.models import Claim, InboundFile
from claims.support import finding
from claims.support.made.lives import LIVES
from claims.support.made.sessions import TABLES, Maker
from claims.x12.claim import ProfessionalClaim
from partners import auth
from partners.keys import issue_key
from partners.models import Partner
from sessions_app.models import Session, SessionEvent
from tests.cast import Api, day_of_service
from tests.cast import submission as a_submission
from tests.operations.plans import Plans, explained

SESSIONS = 10_000
BIG = set(TABLES) - {"claims_finding", "claims_workitem"}
FEW = 120
"""A page of 25 with its joins, and what an index hands over beside it."""
OF_ONE_PARTNER = 1_400
"""What a filter that few rows pass may look through: one organization's sessions, never everybody's."""


@pytest.fixture(scope="module")
def api(django_db_setup: None, django_db_blocker: Any) -> Iterator[Api]:
    """The organization with the most made sessions; all are taken back at the end of the module."""
    auth.forget_callers()
    with django_db_blocker.unblock(), transaction.atomic():
        for _ in Maker(total=SESSIONS, run="made-plans").make():
            pass
        with connection.cursor() as cursor:
            for table in TABLES:
                cursor.execute(f"ANALYZE {table}")
        partner = Partner.objects.get(slug="made-organization-1")
        yield Api(key=issue_key(partner).text, partner=partner)
        transaction.set_rollback(True)
    auth.forget_callers()


@pytest.mark.django_db
def test_few_made_sessions_have_every_state() -> None:
    """First of all: it also has the test database made, which the module's own transaction needs."""
    assert list(Maker(total=60, run="made-few").make()) == [60]
    found = set(Claim.objects.values_list("status", "step"))
    assert found == {(life.status.value, life.step.value) for life in LIVES}
    for claim in Claim.objects.exclude(snapshot=None):
        number = ProfessionalClaim.from_json(claim.draft()).patient_control_number
        assert number == claim.patient_control_number


def newest(api: Api, *, days: int = 0) -> Session:
    """The newest session that is so many days old. 31 reach back into a month that is over, so that its
    partitions are full: on the first of a month the newest partition has so few rows that it is read whole.
    """
    before = datetime.now(UTC) - timedelta(days=days)
    return Session.objects.filter(partner=api.partner, created_at__lt=before).order_by("-created_at")[0]


def deep_page(api: Api) -> None:
    token, page = "", 0
    while page < 5:
        token = api.get("/sessions", {"limit": 100, **({"pageToken": token} if token else {})}).json()[
            "nextPageToken"
        ]
        page += 1
    with explained() as plans:
        api.get("/sessions", {"limit": 25, "pageToken": token})
    assert plans.whole_scans(BIG) == set()
    assert plans.most_rows(BIG) <= FEW


def submit(api: Api) -> None:
    npi = newest(api).provider.npi
    body = a_submission(providerNpi=npi, session__dateOfService=day_of_service(400))
    assert api.post("/sessions", body).status_code == 201


READS: dict[str, tuple[Callable[[Api], Any], str, int]] = {
    "submit": (submit, "", FEW),  # so few providers may as well be read whole
    "list": (lambda api: api.get("/sessions"), "session_newest", FEW),
    "status": (lambda api: api.get("/sessions", {"status": "paid"}), "session_", FEW),
    "rare status": (lambda api: api.get("/sessions", {"status": "processing"}), "session_by_status", FEW),
    "provider": (
        lambda api: api.get("/sessions", {"providerNpi": newest(api).provider.npi}),
        "session_",
        FEW,
    ),
    "name": (lambda api: api.get("/sessions", {"patientName": "Goldthorpe"}), "session_", OF_ONE_PARTNER),
    "no such name": (
        lambda api: api.get("/sessions", {"patientName": "Nobody"}),
        "session_",
        OF_ONE_PARTNER,
    ),
    "dates": (
        lambda api: api.get("/sessions", {"dateFrom": day_of_service(30), "dateTo": day_of_service(20)}),
        "session_",
        OF_ONE_PARTNER,
    ),
    "external id": (
        lambda api: api.get("/sessions", {"externalSessionId": "made-plans-77"}),
        "external_session_id_once",
        FEW,
    ),
    "detail": (
        lambda api: api.get(f"/sessions/{newest(api, days=31).pk}"),
        "sessions_app_sessionevent_",
        FEW,
    ),
}


@pytest.mark.parametrize("name", list(READS))
def test_what_partners_ask_goes_by_an_index(api: Api, name: str) -> None:
    ask, index, most = READS[name]
    with explained() as plans:
        ask(api)
    assert plans.statements > 0
    assert plans.whole_scans(BIG) == set()
    assert any(used.startswith(index) for used in plans.indexes), plans.indexes
    assert plans.most_rows(BIG) <= most


def by_name(api: Api, name: str) -> Any:
    return api.get("/sessions", {"patientName": name})


def test_a_common_name_is_looked_for_without_reading_rows(api: Api) -> None:
    with explained() as plans:
        by_name(api, "Greta")
    *looked, fetched = of_sessions(plans)
    assert {(node["Node Type"], node["Index Name"]) for node in looked} == {
        ("Index Only Scan", "session_newest_named")
    }
    assert fetched["Actual Rows"] <= 26


@pytest.mark.parametrize("often", ["Goldthorpe", "Nobody"])
def test_a_name_is_looked_for_in_its_own_way_by_one_plan(api: Api, often: str) -> None:
    for _ in range(8):  # beyond the times that PostgreSQL plans a prepared statement anew
        by_name(api, often)
    assert {name: len(collected(api, name)) for name in ("Greta", "Nobody")} == {"Greta": 0, "Nobody": 1}


def test_a_rare_name_reads_its_own_sessions_alone(api: Api) -> None:
    [scan] = collected(api, "Nobody")
    assert (scan["Index Name"], scan["Actual Rows"]) == ("session_by_name_keys", 0)
    with transaction.atomic():
        chosen = Session.objects.filter(partner=api.partner).order_by("created_at").values("pk")[700:701]
        Session.objects.filter(pk__in=list(chosen.values_list("pk", flat=True))).update(
            patient_search_name="zacharias quillfeather"
        )
        [scan] = collected(api, "quillfeather zacharias")
        transaction.set_rollback(True)
    assert scan["Actual Rows"] == 1


def test_how_common_a_name_is_is_told_by_few_names(api: Api) -> None:
    with explained() as plans:
        by_name(api, "Nobody")
    sampled = [node for node in of_sessions(plans) if node["Actual Loops"] > 1]
    assert [(node["Node Type"], node["Index Name"]) for node in sampled] == [
        ("Index Only Scan", "session_newest_named")
    ]
    assert sampled[0]["Actual Rows"] * sampled[0]["Actual Loops"] <= 768


@pytest.mark.parametrize("query", [{}, {"status": "paid"}, {"patientName": "Nobody"}, {"limit": 3}])
def test_a_page_is_planned_once(api: Api, query: dict[str, Any]) -> None:
    counted = (
        "SELECT coalesce(sum(custom_plans), 0) FROM pg_prepared_statements WHERE statement ~ 'claims_claim'"
    )
    with connection.cursor() as cursor:
        cursor.execute(counted)
        before = cursor.fetchone()
        api.get("/sessions", query)
        cursor.execute(counted)
        assert cursor.fetchone() == before


def test_staff_find_a_name_by_its_keys(api: Api) -> None:
    with explained() as plans:
        assert find_sessions("Nobody").how != "name"
        assert find_sessions("Goldthorpe").how == "name"
    assert "session_by_name_keys" in plans.indexes
    assert plans.whole_scans({"sessions_app_session"}) == set()


SUPPORT_FINDS: dict[str, Callable[[Claim], finding.Search]] = {
    "our number": lambda claim: finding.Search(number=claim.patient_control_number),
    "the payer's number": lambda claim: finding.Search(number=claim.payer_control_number),
    "the partner's number": lambda claim: finding.Search(number=claim.session.external_session_id),
    "the session": lambda claim: finding.Search(number=str(claim.session_id)),
    "the newest": lambda claim: finding.Search(),
}


@pytest.mark.parametrize("way", list(SUPPORT_FINDS))
def test_support_finds_a_session_by_an_index(api: Api, way: str) -> None:
    """A request's ID has none: it alone is looked for in all sessions, where no other number fits."""
    paid = Claim.objects.select_related("session").exclude(payer_control_number="")
    search = SUPPORT_FINDS[way](paid.order_by("-session_id")[0])
    with explained() as plans:
        assert finding.find_sessions(search)[0]
    assert plans.statements > 0
    assert plans.whole_scans(BIG) == set()
    assert plans.most_rows({"sessions_app_session", "claims_claim"}) <= finding.MOST_FOUND + 1


def collected(api: Api, name: str) -> list[dict[str, Any]]:
    """The scans that looked for a name by its keys."""
    with explained() as plans:
        by_name(api, name)
    keyed = [node for node in plans.nodes if node.get("Index Name") == "session_by_name_keys"]
    assert keyed
    return [node for node in keyed if node["Actual Loops"]]


def of_sessions(plans: Plans) -> list[dict[str, Any]]:
    """The nodes that read sessions, in their order."""
    return [
        node
        for node in plans.nodes
        if node.get("Relation Name") == "sessions_app_session" and node["Actual Loops"]
    ]


HISTORY = "sessions_app_sessionevent"
READERS: dict[str, Callable[[Api, Session], Any]] = {
    "a partner's detail": lambda api, session: api.get(f"/sessions/{session.pk}"),
    "the history for staff": lambda api, session: list(SessionEvent.objects.filter(session=session)),
}


@pytest.mark.parametrize("days", [31, 150])
@pytest.mark.parametrize("name", list(READERS))
def test_history_is_read_in_the_sessions_month(api: Api, name: str, days: int) -> None:
    session = newest(api, days=days)
    for _ in range(8):  # beyond the times that PostgreSQL plans a prepared statement anew
        with explained() as plans:
            READERS[name](api, session)
    assert plans.partitions(HISTORY) == {f"{session.created_at:%Y_%m}"}
    assert f"{HISTORY}_{session.created_at:%Y_%m}_pkey" in plans.indexes
    assert plans.most_rows({HISTORY}) <= 20


def test_a_raw_file_is_read_in_its_month(api: Api) -> None:
    fetched = Fetched(name="raw.edi", content=b"ISA*raw~", kind="x12", reference="raw")
    [file_id] = inbound.store("sandbox", [fetched])
    file = InboundFile.objects.get(pk=file_id)
    with explained() as plans:
        assert file.content == b"ISA*raw~"
    assert plans.partitions("claims_rawfile") == {f"{file.received_at:%Y_%m}"}


def test_a_deep_page_costs_what_the_first_one_does(api: Api) -> None:
    deep_page(api)


WORK: dict[str, Callable[[], Any]] = {
    "take and run due claims": pipeline.advance,
    "which clearinghouses have work": submission.gateways_with_work,
    "take what is sent": lambda: submission.send("sandbox"),
    "files that wait": inbound.waiting_files,
    "has due": pipeline.has_due,
}


@pytest.mark.parametrize("name", list(WORK))
def test_the_process_finds_its_work_by_an_index(api: Api, name: str) -> None:
    Claim.objects.filter(pk__in=Claim.objects.filter(step="window").values("pk")[:10]).update(
        next_step_at=pipeline.timezone.now()
    )
    with explained() as plans:
        WORK[name]()
    assert plans.statements > 0
    assert plans.whole_scans(BIG) == set()
    assert plans.most_rows(BIG) <= OF_ONE_PARTNER


@pytest.mark.parametrize("page_cost", ["1.1", "4"])
def test_overdue_answers_are_found_among_waiting_claims_only(api: Api, page_cost: str) -> None:
    """Also where the planner takes the disk for a slow one."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET random_page_cost = {page_cost}")
        with explained() as plans:
            watchdog.watch()
        cursor.execute("RESET random_page_cost")
    assert plans.whole_scans(BIG) == set()


def test_gauges_read_no_table_from_end_to_end(api: Api) -> None:
    gauges.waiting.kept_until = 0.0
    with explained() as plans:
        assert len(list(gauges.waiting.collect())) > 5
    assert plans.whole_scans(BIG) == set()


def test_below_row_level_security_keys_may_go_into_an_index(api: Api) -> None:
    """Where the migration ran as a superuser, as on the servers of tests."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT usesuper FROM pg_user WHERE usename = current_user")
        if not cursor.fetchone()[0]:
            pytest.skip("Only a superuser may declare a built-in function LEAKPROOF.")
        cursor.execute("SELECT proleakproof FROM pg_proc WHERE proname IN ('name_keys', 'arraycontains')")
        assert cursor.fetchall() == [(True,), (True,)]
