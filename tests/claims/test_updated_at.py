"""`updatedAt` and the claim's `lastUpdated` are never before what the timeline says last."""

import pytest

from claims import actions
from tests.cast import Api
from tests.claims.admin.staff import ended, newest
from tests.claims.process import run_until_quiet
from tests.claims.test_inbound import apply, payer_acknowledgement, remittance
from tests.claims.test_next_version import hand_over


def is_up_to_date(partner: Api, session_id: object) -> bool:
    """Tell whether both instants are at least that of the newest entry."""
    told = partner.get(f"/sessions/{session_id}").json()
    last = max(each["timestamp"] for each in told["timeline"])
    updated = [told["updatedAt"], *([told["claim"]["lastUpdated"]] if told["claim"] else ())]
    return all(each >= last for each in updated)


@pytest.mark.parametrize("member_id", ["HELD", "SILENT", "PAID", "DENIED"])
def test_the_process_moves_both(partner: Api, member_id: str) -> None:
    assert is_up_to_date(partner, ended(partner, member_id))


def test_a_void_and_its_answers_move_both(partner: Api) -> None:
    session_id = ended(partner, "PARTIAL")
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    assert is_up_to_date(partner, session_id)
    run_until_quiet()
    assert is_up_to_date(partner, session_id)


def test_an_answer_that_comes_again_moves_both(partner: Api) -> None:
    session_id = ended(partner, "SILENT")
    apply(remittance(newest(session_id)))
    again = remittance(newest(session_id)).replace("*1200*", "*1300*")
    apply(again, name="again.edi")
    told = partner.get(f"/sessions/{session_id}").json()["timeline"][-1]
    assert told["summary"] == "The same answer came again; nothing changes."
    assert is_up_to_date(partner, session_id)


def test_an_answer_to_the_first_version_leaves_the_second_up_to_date(partner: Api) -> None:
    session_id = ended(partner, "SILENT")
    apply(payer_acknowledgement(newest(session_id), "A7:164:IL"), "refused.edi")
    assert is_up_to_date(partner, session_id)


def test_what_staff_write_to_the_partner_moves_both(partner: Api) -> None:
    session_id = ended(partner, "DENIED")
    actions.write_to_partner(session_id, user=None, text="We have asked the payer for the authorization.")
    assert is_up_to_date(partner, session_id)


@pytest.mark.parametrize("act", [actions.resend, actions.void])
def test_what_staff_open_moves_both_before_it_is_built(partner: Api, act: object) -> None:
    session_id = ended(partner, "DENIED")
    act(session_id, user=None, reason="as the payer asked")
    assert is_up_to_date(partner, session_id)
