"""The rate limit: counted per partner, told on every answer, away when Redis is away."""

from collections.abc import Iterator

import pytest
from django.test import override_settings

from partners.api import limits
from tests.cast import Api, error_of, partner_api


@pytest.fixture
def three(db: None) -> Api:
    """A partner with three requests a minute."""
    return partner_api("Three", rate_limit=3)


@pytest.fixture
def no_redis() -> Iterator[None]:
    """A Redis that nobody answers at."""
    limits.counter_at.cache_clear()
    with override_settings(REDIS_URL="redis://127.0.0.1:1/0"):
        yield
    limits.counter_at.cache_clear()


def test_the_fourth_of_three_is_refused(three: Api) -> None:
    remaining = [three.get("/sessions").headers["RateLimit-Remaining"] for _ in range(3)]
    assert remaining == ["2", "1", "0"]
    answer = three.get("/sessions")
    error_of(answer, 429)
    assert answer.headers["RateLimit-Limit"] == "3"
    assert answer.headers["RateLimit-Remaining"] == "0"
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert answer.headers["Retry-After"] == answer.headers["RateLimit-Reset"]


def test_refusals_count_too_and_carry_the_headers(three: Api) -> None:
    assert three.post("/sessions", {}).headers["RateLimit-Remaining"] == "2"
    assert three.get("/nothing").headers["RateLimit-Remaining"] == "1"
    assert three.call("DELETE", "/sessions").headers["RateLimit-Remaining"] == "0"


def test_429_comes_before_a_look_at_the_body(three: Api) -> None:
    for _ in range(3):
        three.get("/sessions")
    error_of(three.post("/sessions", raw=b"{", content_type="text/plain"), 429)


def test_partners_do_not_share_a_limit(three: Api, api: Api) -> None:
    for _ in range(4):
        three.get("/sessions")
    assert api.get("/sessions").status_code == 200


def test_all_keys_of_a_partner_share_its_limit(three: Api) -> None:
    from partners.keys import issue_key

    other = Api(key=issue_key(three.partner).text)
    three.get("/sessions")
    assert other.get("/sessions").headers["RateLimit-Remaining"] == "1"


def test_zero_is_no_limit(db: None) -> None:
    free = partner_api("Free", rate_limit=0)
    answer = free.get("/sessions")
    assert answer.headers["RateLimit-Limit"] == "0"
    assert answer.status_code == 200


@override_settings(RATE_LIMIT_PER_MINUTE=2)
def test_the_service_has_a_default(api: Api) -> None:
    assert [api.get("/sessions").status_code for _ in range(3)] == [200, 200, 429]


def test_no_key_is_not_counted(three: Api) -> None:
    Api(key=None).get("/sessions")
    assert three.get("/sessions").headers["RateLimit-Remaining"] == "2"


def test_redis_being_away_lets_requests_through(three: Api, no_redis: None) -> None:
    answers = [three.get("/sessions") for _ in range(5)]
    assert {answer.status_code for answer in answers} == {200}
    assert answers[0].headers["RateLimit-Limit"] == "3"


def test_a_redis_that_is_away_is_not_asked_with_every_request(
    three: Api, no_redis: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    three.get("/sessions")
    counter = limits.counter_at("redis://127.0.0.1:1/0")
    monkeypatch.setattr(counter, "_count", lambda **_: asked.append(1))
    three.get("/sessions")
    assert not asked
