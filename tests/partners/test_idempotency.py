"""`Idempotency-Key`: the first 2xx is the answer, once and for 24 hours."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.utils import timezone

from partners.api import idempotency
from partners.models import IdempotencyRecord
from sessions_app.models import Session
from tests.cast import NPI, Api, error_of, issues_of, onboarding, partner_api, submission


def post(client: Api, body: Any, key: str = "key-1", path: str = "/sessions") -> HttpResponse:
    return client.post(path, body, HTTP_IDEMPOTENCY_KEY=key)


def test_the_same_key_and_body_get_the_first_answer_again(api: Api) -> None:
    body = api.onboarded() and submission()
    first, second = post(api, body), post(api, body)
    assert first.status_code == second.status_code == 201
    assert first.content == second.content
    assert Session.objects.count() == 1


def test_another_body_is_refused(api: Api) -> None:
    api.onboarded()
    post(api, submission())
    error_of(post(api, submission()), 422)
    assert Session.objects.count() == 1


def test_another_key_is_another_request(api: Api) -> None:
    body = api.onboarded() and submission(externalSessionId=None)
    assert post(api, body, "a").json()["sessionId"] != post(api, body, "b").json()["sessionId"]


def test_onboarding_has_it_too(api: Api) -> None:
    first, second = (post(api, onboarding(), path="/providers") for _ in range(2))
    assert first.status_code == second.status_code == 201
    assert first.content == second.content


def test_keys_are_per_path(api: Api) -> None:
    assert post(api, onboarding(), path="/providers").status_code == 201
    assert post(api, submission()).status_code == 201


def test_keys_are_per_partner(api: Api, rival: Api) -> None:
    api.onboarded()
    rival.onboarded(provider__npi="1999999984")
    body = submission()
    ours = post(api, body)
    theirs = post(rival, {**body, "providerNpi": "1999999984"})
    assert theirs.status_code == 201
    assert ours.json()["sessionId"] != theirs.json()["sessionId"]


def test_refusals_are_not_kept(api: Api) -> None:
    body = submission()
    error_of(post(api, body), 404)
    api.onboarded()
    assert post(api, body).status_code == 201


@pytest.mark.parametrize("key", ["", "x" * 256, "a b", "é", "a\tb"])
def test_malformed_keys(api: Api, key: str) -> None:
    assert list(issues_of(post(api, submission(), key))) == ["Idempotency-Key"]
    error_of(post(api, onboarding(), key, "/providers"), 400)


def test_the_longest_key(api: Api) -> None:
    api.onboarded()
    assert post(api, submission(), "x" * 255).status_code == 201


def test_after_24_hours_the_key_is_new(api: Api) -> None:
    body = api.onboarded() and submission(externalSessionId=None)
    first = post(api, body)
    IdempotencyRecord.objects.update(created_at=timezone.now() - timedelta(hours=24, seconds=1))
    second = post(api, body)
    assert second.status_code == 201
    assert first.json()["sessionId"] != second.json()["sessionId"]
    assert IdempotencyRecord.objects.count() == 1


def test_a_request_leaves_old_answers_to_the_purge(api: Api) -> None:
    api.onboarded()
    post(api, submission(), "old")
    IdempotencyRecord.objects.update(created_at=timezone.now() - timedelta(hours=25))
    post(api, submission(), "new")
    assert set(IdempotencyRecord.objects.values_list("key", flat=True)) == {"old", "new"}


def test_a_patch_does_not_look_at_it(api: Api) -> None:
    api.onboarded()
    for name in ("A", "B"):
        answer = api.patch(f"/providers/{NPI}", {"practice": {"name": name}}, HTTP_IDEMPOTENCY_KEY="k")
        assert answer.json()["practiceName"] == name


@pytest.mark.django_db(transaction=True)
def test_eight_at_once_make_one_session() -> None:
    client = partner_api("Ours").onboarded()
    body = submission()

    def send(_: int) -> tuple[int, bytes]:
        try:
            answer = post(client, body)
            return answer.status_code, answer.content
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        answers = set(pool.map(send, range(8)))
    assert len(answers) == 1
    assert next(iter(answers))[0] == 201
    assert Session.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_while_the_first_is_running_the_second_waits_then_gets_503(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idempotency, "PATIENCE_SECONDS", 0.2)
    client = partner_api("Ours").onboarded()
    body = submission()
    late: list[HttpResponse] = []

    def second() -> None:
        try:
            late.append(post(client, body))
        finally:
            connection.close()

    received = idempotency._keep

    def slow(record: IdempotencyRecord) -> None:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(second).result()
        received(record)

    monkeypatch.setattr(idempotency, "_keep", slow)
    assert post(client, body).status_code == 201
    error_of(late[0], 503)
    assert int(late[0].headers["Retry-After"]) > 0
    assert late[0].headers["RateLimit-Limit"]
