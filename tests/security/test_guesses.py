"""Guessed keys: refused cheaply, counted, and nobody else's concern."""

import threading
from contextlib import suppress
from datetime import timedelta
from itertools import count

import pytest
from django.test import override_settings
from django.utils import timezone
from prometheus_client import REGISTRY

from partners import guesses
from partners.addresses import address_of
from partners.guesses import MOST_A_MINUTE
from partners.keys import issue_key
from tests.cast import Api, partner_api

pytestmark = pytest.mark.django_db
NEIGHBOR = "203.0.113.8"
_numbers = count(1)


@pytest.fixture
def address() -> str:
    """An address that no other test has guessed from."""
    return f"198.18.0.{next(_numbers)}"


@pytest.fixture
def guesser(db: None) -> Api:
    """Somebody with a text that has the form of a key."""
    return Api(key="bk_test_" + "x" * 55)


def refused(why: str) -> float:
    return REGISTRY.get_sample_value("billing_refused_keys_total", {"why": why}) or 0.0


def guess(guesser: Api, times: int, address: str) -> set[int]:
    """Ask with so many keys that nobody has; the statuses of the answers."""
    statuses = set()
    for number in range(times):
        guesser.key = f"bk_test_{number:055d}"
        statuses.add(guesser.get("/sessions", REMOTE_ADDR=address).status_code)
    return statuses


def test_too_many_guesses_are_refused_without_a_query(
    address: str, guesser: Api, django_assert_num_queries
) -> None:
    assert guess(guesser, MOST_A_MINUTE, address) == {401}
    with django_assert_num_queries(0):
        assert guess(guesser, 5, address) == {429}


def test_a_key_that_was_not_looked_up_is_told_when_it_will_be(address: str, guesser: Api, api: Api) -> None:
    guess(guesser, MOST_A_MINUTE, address)
    refused = api.get("/sessions", REMOTE_ADDR=address)
    seconds = int(refused["Retry-After"])
    assert refused.status_code == 429
    assert 0 < seconds <= 60
    assert f"try again in {seconds} seconds" in refused.json()["error"]


def test_guesses_are_seen_in_the_metrics(address: str, guesser: Api) -> None:
    unknown, unseen = refused("unknown"), refused("unseen")
    guess(guesser, MOST_A_MINUTE + 5, address)
    assert refused("unknown") - unknown == MOST_A_MINUTE
    assert refused("unseen") - unseen == 5


def test_other_addresses_go_on(address: str, guesser: Api, api: Api) -> None:
    guess(guesser, MOST_A_MINUTE + 1, address)
    assert api.get("/sessions", REMOTE_ADDR=NEIGHBOR).status_code == 200


def test_a_partner_behind_the_guessers_address_goes_on(
    address: str, guesser: Api, api: Api, monkeypatch
) -> None:
    assert api.get("/sessions", REMOTE_ADDR=address).status_code == 200
    guess(guesser, MOST_A_MINUTE + 1, address)
    monkeypatch.setattr("partners.auth.REMEMBERED_SECONDS", -1.0)
    for _ in range(3):
        assert api.get("/sessions", REMOTE_ADDR=address).status_code == 200


def test_a_guesser_may_begin_again_after_the_minute(address: str, guesser: Api, monkeypatch) -> None:
    guess(guesser, MOST_A_MINUTE, address)
    assert guesses.rests_for(address) > 0
    later = guesses.time.monotonic() + 61
    monkeypatch.setattr(guesses.time, "monotonic", lambda: later)
    assert guesses.rests_for(address) == 0


def test_two_threads_may_find_at_once_that_the_minute_is_over(address: str, monkeypatch) -> None:
    guesses._guessing_until[address] = guesses.time.monotonic() - 1
    now = guesses.time.monotonic()

    def meanwhile() -> float:
        monkeypatch.setattr(guesses.time, "monotonic", lambda: now)
        other = threading.Thread(target=guesses.rests_for, args=[address])
        other.start()
        other.join(10)
        return now

    monkeypatch.setattr(guesses.time, "monotonic", meanwhile)
    assert guesses.rests_for(address) == 0


def test_without_redis_guesses_are_refused_all_the_same(address: str, guesser: Api, settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    guess(guesser, 3, address)
    assert guesses.rests_for(address) == 0


def test_ten_thousand_guesses_are_quick_and_others_do_not_wait(
    guesser: Api, api: Api, django_assert_num_queries
) -> None:
    from partners.auth import UnknownKeysTooOften, caller_of

    with django_assert_num_queries(MOST_A_MINUTE):
        for number in range(10_000):
            with suppress(UnknownKeysTooOften):
                assert caller_of(f"bk_test_{number:055d}", address=address) is None
    assert api.get("/sessions", REMOTE_ADDR=NEIGHBOR).status_code == 200


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "198.51.100.1", "10.0.0.1"),
        (1, "198.51.100.1", "198.51.100.1"),
        (1, "6.6.6.6, 198.51.100.1", "198.51.100.1"),
        (2, "6.6.6.6, 198.51.100.1, 10.0.0.2", "198.51.100.1"),
        (2, "198.51.100.1", "10.0.0.1"),
        (1, "", "10.0.0.1"),
    ],
)
def test_only_our_proxies_say_where_a_request_comes_from(proxies: int, forwarded: str, address: str) -> None:
    with override_settings(TRUSTED_PROXIES=proxies):
        assert address_of({"REMOTE_ADDR": "10.0.0.1", "HTTP_X_FORWARDED_FOR": forwarded}) == address


def test_a_key_bound_to_a_network_is_held_to_the_address_behind_our_proxy(settings) -> None:
    settings.TRUSTED_PROXIES = 1
    client = partner_api("Bound")
    client.key = issue_key(client.partner, allowed_networks=["198.51.100.0/24"]).text
    inside, outside = "198.51.100.1", "6.6.6.6"
    assert client.get("/sessions", HTTP_X_FORWARDED_FOR=inside).status_code == 200
    assert client.get("/sessions", HTTP_X_FORWARDED_FOR=outside).status_code == 401
    assert client.get("/sessions", HTTP_X_FORWARDED_FOR=f"{inside}, {outside}").status_code == 401


def test_a_key_outside_of_its_networks_is_counted_and_told_once_a_minute(address: str, capsys) -> None:
    client = partner_api("Bound")
    issued = issue_key(client.partner, allowed_networks=["203.0.113.0/24"])
    client.key = issued.text
    before, unknown = refused("network"), refused("unknown")
    for _ in range(3):
        assert client.get("/sessions", REMOTE_ADDR=address).status_code == 401
    assert refused("network") - before == 3
    assert refused("unknown") == unknown  # whoever has the key guesses nothing
    [line] = [each for each in capsys.readouterr().err.splitlines() if "outside of its networks" in each]
    for told in (issued.record.prefix, client.partner.slug, address):
        assert told in line
    assert issued.text not in line


def test_a_key_that_has_come_to_its_end_is_counted(address: str) -> None:
    client = partner_api("Over")
    client.key = issue_key(client.partner, expires_at=timezone.now() - timedelta(minutes=1)).text
    before = refused("expired")
    assert client.get("/sessions", REMOTE_ADDR=address).status_code == 401
    assert refused("expired") - before == 1


def test_a_header_of_the_proxy_s_own_counts_and_no_other(settings) -> None:
    settings.TRUSTED_PROXIES, settings.PROXY_ADDRESS_HEADER = 1, "Clientaddress"
    client = partner_api("Bound")
    client.key = issue_key(client.partner, allowed_networks=["198.51.100.0/24"]).text
    inside, outside = "198.51.100.1", "6.6.6.6"
    forged = {"HTTP_X_FORWARDED_FOR": inside}  # what the server makes of X_Forwarded_For too
    assert client.get("/sessions", HTTP_CLIENTADDRESS=inside).status_code == 200
    assert client.get("/sessions", HTTP_CLIENTADDRESS=outside, **forged).status_code == 401
    assert client.get("/sessions", **forged).status_code == 401
