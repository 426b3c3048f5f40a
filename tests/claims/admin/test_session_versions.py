"""The session page where several versions of a claim stand: whose answer, what is wrong, what is left."""

import re

import pytest
from django.utils.html import strip_tags

from claims import actions
from tests.claims.admin.staff import Desk, ended, newest
from tests.claims.test_inbound import apply, remittance
from tests.claims.test_next_version import hand_over
from tests.claims.test_versions_beside import unread_beside_a_found_one, version_of
from tests.claims.test_which_version import rejected_beside_a_void, voided


@pytest.fixture
def billing(partner):
    return Desk("billing lead")


def text_of(desk, session_id):
    return re.sub(r"\s+", " ", strip_tags(desk.page(session_id)))


def test_an_answer_is_told_of_the_payer_that_its_version_went_to(partner, billing):
    text = text_of(billing, rejected_beside_a_void(partner))
    assert "AETNA paid $180.00 of $180.00. version 1" in text
    assert "Magellan Healthcare paid" not in text
    assert "version 3, a void" in text


def test_what_is_rejected_beside_a_void_says_who_sent_it_back_and_what_to_do(partner, billing):
    text = text_of(billing, rejected_beside_a_void(partner))
    assert "Magellan Healthcare sent the claim back before anyone judged it" in text
    assert "Ask the partner to compare it with the insurance card" in text


def test_a_file_that_cant_go_again_beside_a_judged_version_says_what_to_do(partner, billing):
    session_id = unread_beside_a_found_one(partner)
    denied = remittance(version_of(session_id, 1), paid="0.00", copay="0.00")
    apply(denied.replace("CAS*PR*3*0.00", "CAS*CO*197*180.00"), "denied.edi")
    text = text_of(billing, session_id)
    assert "this one would bill the service twice. Corrected it takes that one&#x27;s place." in text
    assert "in a new envelope" not in text


def test_a_void_that_is_out_says_what_is_waited_for(partner, billing):
    session_id = ended(partner, "PAID")
    actions.void(session_id, user=None, reason="billed by mistake")
    hand_over()
    assert "A void is with the payer. You can correct the claim when it is answered." in text_of(
        billing, session_id
    )


def test_a_paid_session_has_nothing_left_to_file(partner, billing):
    session_id = ended(partner, "PAID")
    assert newest(session_id).file_by is not None
    assert "nothing is to be filed" in text_of(billing, session_id)
    voided(session_id)
    assert "nothing is to be filed" in text_of(billing, session_id)
