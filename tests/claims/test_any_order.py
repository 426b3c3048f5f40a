"""Answers to a claim that nobody could find, in every order in which they may arrive: one state."""

from collections.abc import Iterator
from itertools import combinations, permutations
from uuid import UUID

import pytest
from django.db import transaction

from claims.desk.correction_preview import newest_work, standing_of
from claims.models import WorkItem
from claims.versions import is_lost, voidable
from tests.cast import Api
from tests.claims.admin.staff import ended, newest
from tests.claims.test_inbound import apply, payer_acknowledgement
from tests.claims.test_void_told import told_of

ANSWERS = (
    ("A4:35", "PR", "20300125"),
    ("A2:20", "PR", "20300125"),
    ("A1:19", "AY", "20300125"),
    ("A4:35", "AY", "20300126"),
    ("A2:20", "PR", "20300126"),
)


def states(partner: Api, session_id: UUID, chosen: tuple[tuple[str, str, str], ...]) -> Iterator[object]:
    """Where the session stands after these answers, for each of their orders."""
    for order in permutations(chosen):
        with transaction.atomic():
            for number, (status, sender, day) in enumerate(order):
                answer = payer_acknowledgement(newest(session_id), status, sender=sender)
                apply(answer.replace("20300125", day), f"{number}.edi")
            claim, told = newest(session_id), told_of(partner, session_id)
            asked = WorkItem.objects.filter(session=session_id, closed_at=None).order_by("queue")
            standing = standing_of(newest_work(session_id).claim, restored=False)
            yield (
                (claim.status, is_lost(claim), told["status"], told["message"]),
                list(asked.values_list("queue", "reason", "summary")),
                (standing.way, standing.why, voidable(claim)),
            )
            transaction.set_rollback(True)


@pytest.mark.parametrize("count", [2, 3])
def test_the_order_in_which_answers_arrive_makes_no_difference(partner: Api, count: int) -> None:
    session_id = ended(partner, "SILENT")
    for chosen in combinations(ANSWERS, count):
        first, *others = states(partner, session_id, chosen)
        assert all(each == first for each in others), chosen


def test_a_claim_that_is_taken_and_not_found_on_one_day_is_asked_about(partner: Api) -> None:
    session_id = ended(partner, "SILENT")
    for state in states(partner, session_id, ANSWERS[:2]):
        (status, lost, *_), asked, (way, *_) = state
        assert (status, lost, way) == ("payer_accepted", True, "resend")
        assert [reason for _, reason, _ in asked] == ["claim_not_found"]


def test_a_claim_that_its_payer_takes_on_the_day_that_the_clearinghouse_misses_it_is_not_lost(
    partner: Api,
) -> None:
    session_id = ended(partner, "SILENT")
    for state in states(partner, session_id, ANSWERS[3:]):
        (status, lost, *_), asked, (way, *_) = state
        assert (status, lost, way) == ("payer_accepted", False, "locked")
        assert asked == []


def test_what_its_payer_has_is_not_lost_where_the_clearinghouse_misses_it_on_a_later_day(
    partner: Api,
) -> None:
    session_id = ended(partner, "SILENT")
    for state in states(partner, session_id, (ANSWERS[1], ANSWERS[3])):
        (status, lost, *_), asked, (way, *_) = state
        assert (status, lost, way) == ("payer_accepted", False, "locked")
        assert asked == []


def test_what_its_payer_misses_after_all_is_lost_whatever_the_clearinghouse_says_later(partner: Api) -> None:
    session_id = ended(partner, "SILENT")
    missed = ("A4:35", "PR", "20300126"), ("A4:35", "AY", "20300127")
    for state in states(partner, session_id, (ANSWERS[1], *missed)):
        (status, lost, *_), asked, (way, *_) = state
        assert (status, lost, way) == ("payer_accepted", True, "resend")
        assert [reason for _, reason, _ in asked] == ["claim_not_found"]


def test_a_miss_of_the_clearinghouse_that_nobody_is_asked_about_says_that_it_changes_nothing(
    partner: Api,
) -> None:
    session_id = ended(partner, "SILENT")
    claim = newest(session_id)
    apply(payer_acknowledgement(claim, "A2:20"), "taken.edi")
    apply(payer_acknowledgement(claim, "A4:35", sender="AY").replace("20300125", "20300126"), "not there.edi")
    assert told_of(partner, session_id)["timeline"][-1]["summary"] == (
        "The clearinghouse can't find the claim. This changes nothing."
    )
