"""Who gets in: every operation against every kind of key, before any look at the body."""

import time
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from partners import auth
from partners.keys import issue_key, revoke_key, rotate_key
from partners.models import ApiKey
from tests.cast import NPI, Api, error_of, onboarding, submission

UNKNOWN_SESSION = "01930000-0000-7000-8000-000000000000"  # fixed: names of tests are the same in each process
OPERATIONS = [
    ("POST", "/providers", onboarding()),
    ("PATCH", f"/providers/{NPI}", {"provider": {}}),
    ("GET", "/payers/search?q=aetna", None),
    ("GET", "/sessions", None),
    ("POST", "/sessions", submission()),
    ("GET", f"/sessions/{UNKNOWN_SESSION}", None),
    ("PATCH", f"/sessions/{UNKNOWN_SESSION}", {}),
]
each_operation = pytest.mark.parametrize(("method", "path", "body"), OPERATIONS)


def refuses(client: Api, method: str, path: str, body: object, **extra: object) -> None:
    answer = client.call(method, path, body, **extra)
    error_of(answer, 401)
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@each_operation
def test_no_key(api: Api, method: str, path: str, body: object) -> None:
    refuses(Api(key=None), method, path, body)


@each_operation
def test_unknown_key(api: Api, method: str, path: str, body: object) -> None:
    refuses(Api(key="bk_test_" + "a" * 55), method, path, body)


@each_operation
def test_revoked_key(api: Api, method: str, path: str, body: object) -> None:
    revoke_key(ApiKey.objects.get(partner=api.partner))
    refuses(api, method, path, body)


@each_operation
def test_expired_key(api: Api, method: str, path: str, body: object) -> None:
    ApiKey.objects.filter(partner=api.partner).update(expires_at=timezone.now() - timedelta(seconds=1))
    refuses(api, method, path, body)


@each_operation
def test_key_of_an_inactive_partner(api: Api, method: str, path: str, body: object) -> None:
    api.partner.active = False
    api.partner.save()
    refuses(api, method, path, body)


@each_operation
def test_a_rivals_key_does_not_reach_ours(api: Api, rival: Api, method: str, path: str, body: object) -> None:
    api.onboarded()
    ours = api.submitted()
    path = path if "?" in path or "/sessions/" not in path else f"/sessions/{ours}"
    answer = rival.call(method, path, body)
    assert answer.status_code in (200, 404, 409)
    assert ours not in answer.content.decode().replace(path, "")


def test_401_comes_before_a_look_at_the_body(api: Api) -> None:
    refuses(Api(key=None), "POST", "/sessions", None, raw=b"\xff{", content_type="text/plain")


def test_401_comes_before_a_look_at_the_query(api: Api) -> None:
    refuses(Api(key=None), "GET", "/sessions?limit=x&limit=y", None)


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic {key}",
        "{key}",
        "Bearer {key} more",
        "Bearer {key},Bearer {key}",
        "Bearer {half}",
        "Bearer {key}x",
        "Bearer \xff\xfe",
        "Bearer " + "a" * 5000,
        "Bearer bk_test_é",
    ],
)
def test_malformed_header(api: Api, header: str) -> None:
    sent = header.format(key=api.key, half=api.key[:-1])
    refuses(Api(key=None), "GET", "/sessions", None, HTTP_AUTHORIZATION=sent)


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "bEaReR"])
def test_the_scheme_is_read_in_any_case(api: Api, scheme: str) -> None:
    answer = Api(key=None).get("/sessions", HTTP_AUTHORIZATION=f"{scheme} {api.key}")
    assert answer.status_code == 200


def test_the_401_never_says_whether_the_key_exists(api: Api) -> None:
    revoked = ApiKey.objects.get(partner=api.partner)
    unknown = Api(key="bk_test_" + "b" * 55).get("/sessions").json()
    revoke_key(revoked)
    assert api.get("/sessions").json() == unknown == Api(key=None).get("/sessions").json()


def test_a_remembered_key_stops_within_five_seconds(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    assert api.get("/sessions").status_code == 200
    revoke_key(ApiKey.objects.get(partner=api.partner))
    now = time.monotonic()
    monkeypatch.setattr(auth.time, "monotonic", lambda: now + 4.99)
    error_of(api.get("/sessions"), 401)


def test_a_remembered_key_costs_no_query(api: Api, django_assert_num_queries) -> None:
    api.get("/payers/search?q=a")
    with django_assert_num_queries(0):
        api.get("/payers/search?q=a")


def test_expiry_counts_while_the_key_is_remembered(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = timezone.now() + timedelta(hours=1)
    ApiKey.objects.filter(partner=api.partner).update(expires_at=ends)
    assert api.get("/sessions").status_code == 200
    monkeypatch.setattr(auth.timezone, "now", lambda: ends)
    error_of(api.get("/sessions"), 401)


def test_a_read_only_key_reads_and_may_not_write(api: Api) -> None:
    ApiKey.objects.filter(partner=api.partner).update(read_only=True)
    assert api.get("/sessions").status_code == 200
    for method, path, body in OPERATIONS:
        if method != "GET":
            error_of(api.call(method, path, body), 403)


def test_a_key_bound_to_a_network_works_from_there_only(api: Api) -> None:
    ApiKey.objects.filter(partner=api.partner).update(allowed_networks=["192.0.2.0/24", "2001:db8::/32"])
    assert api.get("/sessions", REMOTE_ADDR="192.0.2.77").status_code == 200
    assert api.get("/sessions", REMOTE_ADDR="2001:db8::1").status_code == 200
    for elsewhere in ("198.51.100.1", "", "unix:"):
        refuses(api, "GET", "/sessions", None, REMOTE_ADDR=elsewhere)


def test_use_is_noted(api: Api) -> None:
    assert ApiKey.objects.get(partner=api.partner).last_used_at is None
    api.get("/sessions")
    assert timezone.now() - ApiKey.objects.get(partner=api.partner).last_used_at < timedelta(minutes=1)


@pytest.mark.parametrize("refused", ["expired", "from elsewhere"])
def test_a_key_that_is_refused_is_not_used(api: Api, refused: str) -> None:
    if refused == "expired":
        ApiKey.objects.filter(partner=api.partner).update(expires_at=timezone.now() - timedelta(seconds=1))
    else:
        ApiKey.objects.filter(partner=api.partner).update(allowed_networks=["192.0.2.0/24"])
    error_of(api.get("/sessions"), 401)
    assert ApiKey.objects.get(partner=api.partner).last_used_at is None


def test_a_rotated_key_lives_on_for_its_grace(api: Api) -> None:
    new = rotate_key(ApiKey.objects.get(partner=api.partner), grace=timedelta(hours=1))
    assert api.get("/sessions").status_code == 200
    assert Api(key=new.text).get("/sessions").status_code == 200
    assert ApiKey.objects.get(prefix=api.key[:20]).expires_at <= timezone.now() + timedelta(hours=1)


def test_only_a_keyed_hash_is_stored(api: Api) -> None:
    issued = issue_key(api.partner)
    row = ApiKey.objects.filter(pk=issued.record.pk).values().get()
    assert issued.text.startswith(row["prefix"])
    secret = issued.text.removeprefix(row["prefix"])
    assert len(secret) == 43
    assert secret not in repr(row)


def test_keys_never_appear_in_logs(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    api.get("/sessions")
    api.post("/sessions", {})
    Api(key=api.key + "x").get("/sessions")
    assert api.key not in caplog.text
    assert api.key[20:] not in caplog.text


def test_the_revoke_command_stops_a_key(api: Api) -> None:
    call_command("revoke_api_key", api.key[:20])
    refuses(api, "GET", "/sessions", None)
