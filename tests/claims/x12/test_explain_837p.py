"""The explanation of an 837P for staff."""

import pytest

from claims.x12.claim import ClaimFrequency
from claims.x12.explain_837p import explain_837p
from claims.x12.segments import X12Error
from claims.x12.write_837p import write_837p
from tests.claims.x12.cast import GROUP, SUBSCRIBER, envelope, group_claim

REPLACEMENT = group_claim(frequency=ClaimFrequency.REPLACEMENT, payer_control_number="E1013A0001")
WRITTEN = write_837p([REPLACEMENT], envelope=envelope())


def test_every_segment_is_explained_in_order() -> None:
    explanations = explain_837p(WRITTEN)
    assert [explanation.segment for explanation in explanations] == WRITTEN.split("~")[:-1]
    assert all(explanation.words for explanation in explanations)
    assert not any("do not use" in explanation.words for explanation in explanations)


def test_each_segment_stands_in_its_loop() -> None:
    loops = {explanation.segment[:6]: explanation.loop for explanation in explain_837p(WRITTEN)}
    assert loops["NM1*41"] == "1000A"
    assert loops["PRV*BI"] == "2000A"
    assert loops["REF*EI"] == "2010AA"
    assert loops["SBR*P*"] == "2000B"
    assert loops["DMG*D8"] == "2010BA"
    assert loops["NM1*PR"] == "2010BB"
    assert loops["REF*F8"] == "2300"
    assert loops["PRV*PE"] == "2310B"
    assert loops["REF*6R"] == "2400"
    assert loops["SE*29*"] == ""


def test_codes_are_put_into_words_and_names_are_not_repeated() -> None:
    words = "\n".join(explanation.words for explanation in explain_837p(WRITTEN))
    assert "place of service 11 (office), replacement of an earlier claim" in words
    assert "Principal diagnosis F411; others Z630" in words
    assert "Procedure 90837: charge 180, units 1, for diagnosis 1, 2" in words
    assert "Primary insurance; the subscriber is the patient; filing code CI" in words
    for name in (SUBSCRIBER.last_name, SUBSCRIBER.member_id, GROUP.organization_name):
        assert name not in words


def test_what_our_claims_do_not_use_is_explained_as_such() -> None:
    strange = WRITTEN.replace("HI*", "CR1*LB*140~HI*")
    assert [
        explanation.words for explanation in explain_837p(strange) if explanation.segment == "CR1*LB*140"
    ] == ["A segment that our own claims do not use"]


def test_what_is_no_x12_is_refused() -> None:
    with pytest.raises(X12Error):
        explain_837p("Dear Sir or Madam")
