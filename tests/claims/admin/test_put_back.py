"""What many tests begin with and is put back: the very rows that were left, or the deed itself done anew."""

import pytest
from django.db import transaction

from billing.models import PayerProfile
from claims.models import Claim, ClaimChange
from tests.cast import Api
from tests.claims.admin.staff import ended
from tests.put_back import _as_it_is, once


def test_what_is_put_back_is_what_was_left(partner: Api) -> None:
    left = []
    for _ in range(2):
        with transaction.atomic():
            left.append((ended(partner, "PAIDTWICE"), _as_it_is(), ClaimChange.objects.count()))
            transaction.set_rollback(True)
    assert left[0] == left[1]
    assert not Claim.objects.exists()


@pytest.mark.parametrize(("changes", "times"), [({}, 1), ({"timely_filing_days": 11}, 2)])
def test_on_other_rows_the_deed_is_done_anew(partner: Api, changes: dict[str, int], times: int) -> None:
    done: list[int] = []
    for given in ({}, changes):
        with transaction.atomic():
            if given:
                PayerProfile.objects.filter(payer__payer_id="60054").update(**given)
            once(lambda: done.append(1), "counted", times)
            transaction.set_rollback(True)
    assert len(done) == times
