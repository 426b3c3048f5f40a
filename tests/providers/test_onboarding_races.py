"""Sixteen onboardings at once: the database decides, and nothing is written twice."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from providers.models import Practice, Provider
from tests.cast import Api, onboarding, partner_api

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 16


def together(act: Callable[[int], int]) -> Counter[int]:
    """How often each status came back."""

    def run(number: int) -> int:
        try:
            return act(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return Counter(pool.map(run, range(AT_ONCE)))


def test_one_npi_is_created_once() -> None:
    ours = partner_api("Ours")
    assert together(lambda _: ours.post("/providers", onboarding()).status_code) == {201: 1, 200: 15}
    assert (Provider.objects.count(), Practice.objects.count()) == (1, 1)


def test_across_partners_one_wins_and_the_others_get_409() -> None:
    rivals = [partner_api(f"P{number}") for number in range(AT_ONCE)]
    statuses = together(lambda number: rivals[number].post("/providers", onboarding()).status_code)
    assert statuses == {201: 1, 409: 15}
    assert (Provider.objects.count(), Practice.objects.count()) == (1, 1)


def test_first_onboardings_of_one_practice_make_one_practice() -> None:
    ours: Api = partner_api("Ours")
    statuses = together(
        lambda number: (
            ours.post("/providers", onboarding(provider__npi=f"{1_000_000_000 + number}")).status_code
        )
    )
    assert statuses == {201: 16}
    assert (Provider.objects.count(), Practice.objects.count()) == (16, 1)
