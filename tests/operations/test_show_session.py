"""`show_session`: what came of each hand-over, as it is stored."""

from typing import Any

import pytest

from claims import submission
from claims.clearinghouse.port import ClearinghouseError, EditError, Outcome, Receipt, Refusal
from claims.models import Claim
from tests.cast import Api
from tests.claims.admin.staff import harborlight
from tests.claims.test_hand_over import Clearinghouse, built, end_leases, in_the_sandboxes_place
from tests.claims.test_inbound import apply, remittance
from tests.operations.running import result, run


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Clearinghouse:
    return in_the_sandboxes_place(Clearinghouse(), monkeypatch)


@pytest.fixture
def partner(db: None, settings: Any) -> Api:
    settings.SANDBOX_SPEED = 1
    return harborlight()


def outcomes(session_id: object) -> list[str]:
    """What is printed of each hand-over, which says the same with --json."""
    text = run("show_session", str(session_id)).text
    (claim,) = result("show_session", str(session_id)).document["claims"]
    told = [each["outcome"] for each in claim["transmissions"]]
    assert all(f"    {each['outcome']} {each['file']} at " in text for each in claim["transmissions"])
    return told


def test_what_the_clearinghouse_took_is_taken(partner: Api, house: Clearinghouse) -> None:
    [session_id] = built(partner)
    submission.send("sandbox")
    assert outcomes(session_id) == ["taken"]


@pytest.mark.parametrize("reference", ["", "01J3Y"])
def test_what_it_refused_is_refused(
    partner: Api, house: Clearinghouse, monkeypatch: pytest.MonkeyPatch, reference: str
) -> None:
    [session_id] = built(partner)
    refusal = Refusal(errors=(EditError(code="33", text="No."),), reference=reference)
    monkeypatch.setattr(house, "submit", lambda submission: refusal)
    submission.send("sandbox")
    assert outcomes(session_id) == ["refused"]
    assert "sent 1" not in run("show_session", str(session_id)).text


def test_what_nobody_took_is_given_up_and_the_next_one_taken(partner: Api, house: Clearinghouse) -> None:
    [session_id] = built(partner)
    house.failure = ClearinghouseError("unreachable", outcome=Outcome.NOT_TAKEN)
    submission.send("sandbox")
    assert outcomes(session_id) == ["given up"]
    house.failure = None
    Claim.objects.update(next_step_at="2026-01-01T00:00:00Z")
    submission.send("sandbox")
    assert outcomes(session_id) == ["given up", "taken"]


def test_what_may_be_there_is_not_known(partner: Api, house: Clearinghouse) -> None:
    [session_id] = built(partner)
    house.failure = ClearinghouseError("timeout", outcome=Outcome.UNKNOWN)
    submission.send("sandbox")
    assert outcomes(session_id) == ["not known to be taken"]


def test_what_an_answer_proves_to_be_there_is_taken(
    partner: Api, house: Clearinghouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    [session_id] = built(partner)
    house.failure = ClearinghouseError("timeout", outcome=Outcome.UNKNOWN)
    house.during = lambda: apply(remittance(Claim.objects.get(session_id=session_id)))
    submission.send("sandbox")
    assert outcomes(session_id) == ["taken"]
    late = Receipt(reference="", mode="test")
    monkeypatch.setattr(house, "submit", lambda submission: late)
    end_leases()
    submission.send("sandbox")
    assert outcomes(session_id) == ["taken"]
