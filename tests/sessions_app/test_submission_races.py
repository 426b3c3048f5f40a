"""Sixteen posts of one external session id at once: the database decides."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.http import HttpResponse

from claims.models import Claim
from sessions_app.models import Session, SessionEvent
from tests.cast import partner_api, submission

AT_ONCE = 16


@pytest.mark.django_db(transaction=True)
def test_one_201_and_fifteen_409_with_the_same_session() -> None:
    ours = partner_api("Ours").onboarded()

    def post(_: int) -> HttpResponse:
        try:
            return ours.post("/sessions", submission(externalSessionId="visit-1"))
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(post, range(AT_ONCE)))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 15
    assert len({answer.json()["sessionId"] for answer in answers}) == 1
    assert [Session.objects.count(), Claim.objects.count(), SessionEvent.objects.count()] == [1, 1, 1]
