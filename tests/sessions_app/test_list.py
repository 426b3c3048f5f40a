"""The list: newest first by keyset, every filter, a cursor bound to partner and filters."""

import base64
from copy import copy
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection
from django.utils import timezone

from partners.auth import caller_of
from partners.identifiers import new_id
from partners.isolation import as_partner
from partners.statements import FIRST
from sessions_app.models import Session
from tests.cast import NPI, OTHER_NPI, Api, day_of_service, issues_of

DAY = timedelta(days=1)


@pytest.fixture
def ours(api: Api) -> Api:
    return api.onboarded()


def ids(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [item["sessionId"] for item in answer.json()["items"]]


def all_pages(client: Api, query: dict[str, Any]) -> list[str]:
    """Every id, page by page."""
    found: list[str] = []
    token = None
    while True:
        answer = client.get("/sessions", {**query, **({"pageToken": token} if token else {})})
        found += ids(answer)
        token = answer.json()["nextPageToken"]
        if token is None:
            return found


def test_an_empty_list(ours: Api) -> None:
    answer = ours.get("/sessions")
    assert answer.json() == {"items": [], "nextPageToken": None}


def test_an_item_is_the_detail_without_message_and_history(ours: Api) -> None:
    session_id = ours.submitted()
    detail = ours.get(f"/sessions/{session_id}").json()
    for name in ("message", "patientName", "events", "timeline"):
        del detail[name]
    assert ours.get("/sessions").json()["items"] == [detail]


def test_newest_first(ours: Api) -> None:
    made = [ours.submitted() for _ in range(3)]
    for age, session_id in enumerate(made):
        Session.objects.filter(pk=session_id).update(created_at=timezone.now() - age * DAY)
    assert ids(ours.get("/sessions")) == made


def test_equal_instants_are_ordered_by_id(ours: Api) -> None:
    made = [ours.submitted() for _ in range(5)]
    Session.objects.update(created_at=timezone.now())
    assert ids(ours.get("/sessions")) == sorted(made, reverse=True)
    assert all_pages(ours, {"limit": 2}) == sorted(made, reverse=True)


def test_twenty_five_by_default(ours: Api) -> None:
    ours.submitted()
    copies(26)
    answer = ours.get("/sessions")
    assert len(answer.json()["items"]) == 25
    assert answer.json()["nextPageToken"]


def copies(number: int) -> None:
    """That many more sessions like the first, quickly."""
    first = Session.objects.get()
    more = []
    for _ in range(number):
        another = copy(first)
        another.pk, another.external_session_id = new_id(), None
        another.created_at = timezone.now()
        more.append(another)
    Session.objects.bulk_create(more)


def test_a_hundred_at_most(ours: Api) -> None:
    ours.submitted()
    copies(101)
    assert len(ours.get("/sessions", {"limit": 100}).json()["items"]) == 100


def test_a_full_last_page_has_no_next(ours: Api) -> None:
    ours.submitted()
    ours.submitted()
    assert ours.get("/sessions", {"limit": 2}).json()["nextPageToken"] is None


@pytest.mark.parametrize(
    "limit", ["0", "101", "-1", "1.5", "x", "1e2", "٢", "99999999999999999999", " 5", "+5"]
)
def test_odd_limits(ours: Api, limit: str) -> None:
    assert list(issues_of(ours.get(f"/sessions?limit={quote(limit)}"))) == ["limit"]


def test_rows_added_meanwhile_neither_repeat_nor_push_out_a_row(ours: Api) -> None:
    made = [ours.submitted() for _ in range(4)]
    first = ours.get("/sessions", {"limit": 2})
    later = Session.objects.get(pk=ours.submitted())
    Session.objects.filter(pk=later.pk).update(created_at=timezone.now() + DAY)
    token = first.json()["nextPageToken"]
    second = ours.get("/sessions", {"limit": 2, "pageToken": token})
    assert sorted(ids(first) + ids(second)) == sorted(made)


def test_the_limit_may_change_between_pages(ours: Api) -> None:
    for _ in range(3):
        ours.submitted()
    token = ours.get("/sessions", {"limit": 1}).json()["nextPageToken"]
    assert len(ids(ours.get("/sessions", {"limit": 100, "pageToken": token}))) == 2


def tokened(client: Api, **query: Any) -> str:
    for _ in range(2):
        client.submitted()
    token: str = client.get("/sessions", {"limit": 1, **query}).json()["nextPageToken"]
    return token


def test_a_token_of_other_filters(ours: Api) -> None:
    token = tokened(ours, status="processing")
    issues = issues_of(ours.get("/sessions", {"pageToken": token, "limit": 1}))
    assert list(issues) == ["pageToken"]
    for other in ({"status": "paid"}, {"status": "processing", "patientName": "doe"}):
        assert list(issues_of(ours.get("/sessions", {"pageToken": token, **other}))) == ["pageToken"]


def test_a_token_of_another_partner(ours: Api, rival: Api) -> None:
    token = tokened(ours)
    assert list(issues_of(rival.get("/sessions", {"pageToken": token}))) == ["pageToken"]


def test_forged_tokens(ours: Api) -> None:
    token = tokened(ours)
    raw = bytearray(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    forged = []
    for place in (0, 7, 8, 23, 24, 39):
        copy = bytearray(raw)
        copy[place] ^= 1
        forged.append(base64.urlsafe_b64encode(bytes(copy)).decode().rstrip("="))
    forged += [token[:-1], token + "A", token[1:], "x", "AAAA", "é", "%", "null", "1", "=" * 4, "a" * 200]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_="
    forged += [token[:-1] + letter for letter in letters if letter != token[-1]] + [f"{token}=", f"{token}=="]
    for each in forged:
        assert list(issues_of(ours.get("/sessions", {"pageToken": each}))) == ["pageToken"], each


def test_a_token_says_nothing_of_its_filters(ours: Api) -> None:
    token = tokened(ours, patientName="Jane")
    assert b"jane" not in base64.urlsafe_b64decode(token + "==").lower()


@pytest.fixture
def varied(ours: Api) -> dict[str, str]:
    """Sessions that differ in what the filters look at."""
    ours.onboarded(provider__npi=OTHER_NPI)
    return {
        "jane": ours.submitted(externalSessionId="visit-1", session__dateOfService=day_of_service(10)),
        "zoe": ours.submitted(
            externalSessionId="visit-10",
            patient__firstName="Zoë Ánna",
            patient__lastName="O'Doe-Ñandú",
            session__dateOfService=day_of_service(5),
            providerNpi=OTHER_NPI,
        ),
        "odd": ours.submitted(
            externalSessionId="50%_\\x",
            patient__firstName="50%",
            patient__lastName="A_B\\C",
            session__dateOfService=day_of_service(0),
        ),
    }


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, {"jane", "zoe", "odd"}),
        ({"status": "processing"}, {"jane", "zoe", "odd"}),
        ({"status": "paid"}, set()),
        ({"providerNpi": OTHER_NPI}, {"zoe"}),
        ({"providerNpi": "1000000004"}, set()),
        ({"externalSessionId": "visit-1"}, {"jane"}),
        ({"externalSessionId": " visit-1 "}, {"jane"}),
        ({"externalSessionId": "VISIT-1"}, set()),
        ({"externalSessionId": "visit"}, set()),
        ({"externalSessionId": "50%_\\x"}, {"odd"}),
        ({"patientName": "jane"}, {"jane"}),
        ({"patientName": "DOE"}, {"jane", "zoe"}),
        ({"patientName": "doe  jane"}, {"jane"}),
        ({"patientName": "doe, jane"}, {"jane"}),
        ({"patientName": "an"}, {"jane", "zoe"}),
        ({"patientName": "zoe nandu"}, {"zoe"}),
        ({"patientName": "ZOË"}, {"zoe"}),
        ({"patientName": "doe-ñ"}, {"zoe"}),
        ({"patientName": "jane zoe"}, set()),
        ({"patientName": "%"}, {"odd"}),
        ({"patientName": "_"}, {"odd"}),
        ({"patientName": "\\"}, {"odd"}),
        ({"patientName": "😀"}, set()),
        ({"patientName": "'; drop table"}, set()),
        ({"dateFrom": day_of_service(5)}, {"zoe", "odd"}),
        ({"dateTo": day_of_service(5)}, {"jane", "zoe"}),
        ({"dateFrom": day_of_service(5), "dateTo": day_of_service(5)}, {"zoe"}),
        ({"dateFrom": "0001-01-01", "dateTo": "9999-12-31"}, {"jane", "zoe", "odd"}),
        ({"patientName": "doe", "providerNpi": OTHER_NPI, "dateFrom": day_of_service(6)}, {"zoe"}),
        (
            {"status": "", "providerNpi": "", "dateFrom": "", "limit": "", "pageToken": ""},
            {"jane", "zoe", "odd"},
        ),
        ({"patientName": "", "externalSessionId": "", "dateTo": ""}, {"jane", "zoe", "odd"}),
        ({"patientName": "  "}, {"jane", "zoe", "odd"}),
    ],
)
def test_filters(ours: Api, varied: dict[str, str], query: dict[str, str], expected: set[str]) -> None:
    wanted = {varied[name] for name in expected}
    assert set(ids(ours.get("/sessions", query))) == wanted
    assert set(all_pages(ours, {**query, "limit": 1})) == wanted


@pytest.mark.parametrize(
    ("last_name", "asked"),
    [
        ("Łukasiewicz", "lukasiewicz"),
        ("Sørensen", "SORENSEN"),
        ("Đorđević", "dordevic"),
        ("Işık", "isik"),
        ("Groß", "gross"),
        ("Ægidius", "aegidius"),
        ("O’Neil", "o'neil"),
        ("O'Neil", "O’Neil"),
        ("Smith–Jones", "smith-jones"),
        ("Lukasiewicz", "Łukasiewicz"),
        ("Lukas\u00adie\u200bwicz", "lukasiewicz"),
    ],
)
def test_a_name_is_found_by_its_plain_letters_and_by_its_own(ours: Api, last_name: str, asked: str) -> None:
    ours.submitted()
    session_id = ours.submitted(patient__lastName=last_name)
    for name in (asked, last_name):
        assert ids(ours.get("/sessions", {"patientName": name})) == [session_id]


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ({"patientName": "\u0301"}, "patientName"),
        ({"patientName": "\u0301 \u0308"}, "patientName"),
        ({"status": "Paid"}, "status"),
        ({"status": "unknown"}, "status"),
        ({"providerNpi": "123"}, "providerNpi"),
        ({"providerNpi": "123456789x"}, "providerNpi"),
        ({"dateFrom": "2026-1-1"}, "dateFrom"),
        ({"dateTo": "2026-02-30"}, "dateTo"),
        ({"dateTo": "yesterday"}, "dateTo"),
        ({"dateFrom": day_of_service(1), "dateTo": day_of_service(2)}, "dateFrom"),
        ({"patientName": "a\0b"}, "patientName"),
        ({"patientName": "\tdoe"}, "patientName"),
        ({"externalSessionId": "\t"}, "externalSessionId"),
        ({"patientName": "x" * 201}, "patientName"),
        ({"externalSessionId": "x" * 256}, "externalSessionId"),
        ({"externalSessionId": "a\nb"}, "externalSessionId"),
        ({"page": "2"}, "page"),
        ({"Status": "paid"}, "Status"),
    ],
)
def test_odd_filters(ours: Api, query: dict[str, str], path: str) -> None:
    assert list(issues_of(ours.get("/sessions", query))) == [path]


def test_all_issues_of_a_query_at_once(ours: Api) -> None:
    answer = ours.get("/sessions", {"dateTo": "x", "limit": "0", "status": "x", "colour": "red"})
    assert list(issues_of(answer)) == ["limit", "status", "dateTo", "colour"]


def test_a_rival_sees_nothing(ours: Api, rival: Api, varied: dict[str, str]) -> None:
    for query in ({}, {"providerNpi": NPI}, {"externalSessionId": "visit-1"}, {"patientName": "jane"}):
        assert ids(rival.get("/sessions", query)) == []


def test_one_named_query_however_long_the_page(ours: Api, django_assert_num_queries) -> None:
    for _ in range(3):
        ours.submitted()
    ours.get("/sessions", {"limit": 1})
    for limit in (1, 3):
        with django_assert_num_queries(1) as queries:
            ours.get("/sessions", {"limit": limit, "patientName": "doe", "status": "processing"})
        assert "ORDER BY created_at DESC, id DESC LIMIT" in queries[0]["sql"]


INDEXES = {
    "session_newest_named",
    "session_by_status",
    "session_by_provider",
    "session_by_date_back",
    "session_by_name_keys",
}


HUNDREDS = 400


@pytest.fixture
def among_hundreds(ours: Api) -> Api:
    """One other patient among so many sessions of the first."""
    ours.submitted(patient__firstName="Jane", patient__lastName="Doe")
    copies(HUNDREDS)
    ours.submitted(patient__firstName="Zoë", patient__lastName="Ñandú-O'Hara")
    rare = Session.objects.order_by("-created_at")[0]
    middle = Session.objects.order_by("created_at")[HUNDREDS // 2].created_at
    Session.objects.filter(pk=rare.pk).update(created_at=middle + timedelta(microseconds=1))
    return ours


@pytest.mark.parametrize(
    "name", ["zoe", "ñandu", "nan zo", "o'h", "ndú-o", "zo", "NANDU-O'HARA zoë", "hara nandu oe nandu"]
)
def test_a_rare_name_is_found_by_any_part_of_it(among_hundreds: Api, name: str) -> None:
    answer = among_hundreds.get("/sessions", {"patientName": name})
    assert [item["patient"]["firstName"] for item in answer.json()["items"]] == ["Zoë"]


@pytest.mark.parametrize("name", ["zoe doe", "nandus", "zoendu", "hara x", "n_ndu", "nan%"])
def test_what_only_resembles_a_rare_name_finds_nothing(among_hundreds: Api, name: str) -> None:
    assert ids(among_hundreds.get("/sessions", {"patientName": name})) == []


@pytest.mark.parametrize("name", ["jane", "zoe", "an", "doe jane"])
def test_any_name_is_paged_newest_first(among_hundreds: Api, name: str) -> None:
    everything = all_pages(among_hundreds, {"limit": 100})
    named = {str(pk) for pk in Session.objects.filter(patient_first_name="Zoë").values_list("pk", flat=True)}
    wanted = {"jane": set(everything) - named, "zoe": named, "an": set(everything)}
    wanted["doe jane"] = wanted["jane"]
    found = all_pages(among_hundreds, {"patientName": name, "limit": 90})
    assert found == [each for each in everything if each in wanted[name]]


def plan_of(client: Api, query: dict[str, Any]) -> str:
    """How PostgreSQL would answer the list's own statement, were it to avoid reading all rows and sorting."""
    from sessions_app.api import listing

    captured: list[tuple[str, Any]] = []

    def keep(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        captured.append((sql, params))
        return execute(sql, params, many, context)

    assert client.key is not None
    with connection.execute_wrapper(keep):
        listing.list_sessions(caller_of(client.key), query)
    sql, params = captured[-1]
    with as_partner(client.partner.id), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
        lines = []
        for statement in sql.split(FIRST):
            cursor.execute(f"EXPLAIN {statement}", params)
            lines += [line for (line,) in cursor.fetchall()]
        return "\n".join(lines)


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ({}, "session_newest_named"),
        ({"status": "paid"}, "session_by_status"),
        ({"providerNpi": NPI}, "session_by_provider"),
        ({"patientName": "zo"}, "session_newest_named"),  # too short for keys
        ({"patientName": "zoe nandu"}, "session_by_name_keys"),
        ({"dateFrom": day_of_service(1), "dateTo": day_of_service(1)}, "session_by_date_back"),
        ({"externalSessionId": "visit-1"}, "external_session_id_once"),
    ],
)
def test_an_index_stands_behind(ours: Api, query: dict[str, Any], index: str) -> None:
    ours.submitted()
    copies(200)
    with connection.cursor() as cursor:
        cursor.execute("REINDEX TABLE sessions_app_session")  # free of what other tests left to be cleaned
        cursor.execute("ANALYZE sessions_app_session")
        for other in INDEXES - {index}:  # on a table this small any of them would do
            cursor.execute(f"DROP INDEX {other}")
    assert index in plan_of(ours, query)


@pytest.mark.parametrize("name", ["patientName", "externalSessionId", "pageToken"])
@pytest.mark.parametrize("blank", ["\u00a0", "\u3000 ", "\u2003"])
def test_a_parameter_of_blanks_counts_as_absent(ours: Api, name: str, blank: str) -> None:
    session_id = ours.submitted()
    page = ours.get("/sessions", {name: blank}).json()
    assert [each["sessionId"] for each in page["items"]] == [session_id]
