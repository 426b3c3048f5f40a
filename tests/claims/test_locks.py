"""Two who change one session at once: the second waits, and sees what the first did."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import UUID

import pytest
from django.db import connection, transaction

from billing.models import Payer, PayerProfile
from billing.payers import held_rules
from claims import actions, deadlines, pipeline, submission
from claims.answer_source import find_stated
from claims.desk import matching_actions
from claims.models import AnswerMatch, Claim
from tests.cast import Api
from tests.claims.admin.staff import ended, item_of, newest
from tests.claims.admin.strays import stray_remittance
from tests.claims.process import run_until_quiet

pytestmark = pytest.mark.django_db(transaction=True)


class Other(threading.Thread):
    """Another process, and what its deed came to."""

    def __init__(self, deed: Callable[[], object]) -> None:
        super().__init__(daemon=True)
        self.deed = deed
        self.failure: Exception | None = None

    def run(self) -> None:
        try:
            self.deed()
        except Exception as failure:
            self.failure = failure
        finally:
            connection.close()


@contextmanager
def another(deed: Callable[[], object]) -> Iterator[Other]:
    """Within a transaction that holds what the deed needs: the deed waits for it, and is over afterwards."""
    other = Other(deed)
    with transaction.atomic():
        yield other
    other.join(20)
    assert not other.is_alive()


def let_it_wait(other: Other) -> None:
    other.start()
    waits = False
    with connection.cursor() as cursor:
        while not waits:
            assert other.is_alive(), other.failure
            cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
            [waits] = cursor.fetchone()


@pytest.mark.parametrize(
    ("member_id", "deed"),
    [
        ("PAID1", lambda session_id: actions.void(session_id, user=None, reason="by mistake")),
        ("REJECTED", lambda session_id: actions.resend(session_id, user=None, reason="mended")),
    ],
)
def test_a_second_click_is_refused_in_words(
    partner: Api, member_id: str, deed: Callable[[UUID], object]
) -> None:
    session_id = ended(partner, member_id)
    with another(lambda: deed(session_id)) as other:
        deed(session_id)
        let_it_wait(other)
    assert isinstance(other.failure, actions.ActionRefusedError), other.failure
    assert newest(session_id).version == 2


def of_two_versions(session_id: UUID) -> list[Claim]:
    """A session whose first version was voided, so that its second is the newest."""
    actions.void(session_id, user=None, reason="by mistake")
    return list(Claim.objects.filter(session_id=session_id).order_by("version"))


def test_a_match_takes_the_versions_in_their_order(partner: Api) -> None:
    session_id, item = stray_remittance(partner)
    Claim.objects.filter(session_id=session_id).update(payer_control_number="SBP000000000009")
    first, second = of_two_versions(session_id)
    stated = find_stated(item.signal)
    in_their_order(
        lambda: matching_actions.attach(item.signal_id, first, user=None, stated=stated), first, second
    )
    matched = AnswerMatch.objects.get()
    in_their_order(lambda: matching_actions.detach(matched.pk, user=None, reason="another's"), first, second)


def test_what_came_of_handing_over_takes_the_versions_in_their_order(partner: Api) -> None:
    session_id = ended(partner, "PAID1")
    first, second = of_two_versions(session_id)
    while pipeline.advance():
        pass
    in_their_order(lambda: submission.send("sandbox"), first, second)
    run_until_quiet()
    assert newest(session_id).status == "voided"


def test_a_session_of_which_one_version_is_worked_on_keeps_its_last_day_whole(partner: Api) -> None:
    session_id = ended(partner, "REJECTED1")
    actions.resend(session_id, user=None, reason="mended")
    run_until_quiet()
    PayerProfile.objects.filter(payer__payer_id="60054").update(timely_filing_days=45)
    with another(deadlines.follow_limits) as other:
        Claim.objects.select_for_update(of=("self",)).get(session_id=session_id, version=2)
        other.start()
        other.join(20)
    assert other.failure is None
    before = newest(session_id).file_by
    assert item_of(session_id).file_by == before
    assert deadlines.follow_limits() == 1
    assert item_of(session_id).file_by == newest(session_id).file_by != before


def test_a_rule_that_is_to_hold_waits_for_a_payer_s_page_that_is_being_saved(db: None) -> None:
    payer = Payer.objects.get(payer_id="60054")
    with another(lambda: held_rules.hold_for(payer, rule="PAT-004")) as other:
        Payer.objects.select_for_update().get(pk=payer.pk)  # as the page does before it reads the profile
        profile = PayerProfile.objects.get(payer=payer)
        let_it_wait(other)
        profile.timely_filing_days = 45
        profile.save()
    saved = PayerProfile.objects.get(payer=payer)
    assert (saved.timely_filing_days, saved.held_rules) == (45, ["PAT-004"])


def in_their_order(deed: Callable[[], object], first: Claim, second: Claim) -> None:
    """The deed waits for the first version before it has the second."""
    with another(deed) as other:
        locked = Claim.objects.select_for_update(of=("self",), nowait=True)
        locked.get(pk=first.pk)
        let_it_wait(other)
        locked.get(pk=second.pk)
    assert other.failure is None
