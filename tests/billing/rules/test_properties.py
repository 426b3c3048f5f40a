"""What holds for any session that the interface lets through."""

import re
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from billing.rules.facts import (
    ClaimFacts,
    CodeSource,
    Diagnosis,
    DiagnosisStatus,
    Discrepancy,
    DiscrepancySeverity,
    Mode,
    Note,
    NoteOutcome,
    OriginalState,
    OtherClaim,
    OtherClaimState,
    PayerClass,
    PayerMatch,
    PayerMatchOutcome,
    PayerProfile,
    PlaceOfService,
    Procedure,
    Table,
    TelehealthModifier,
)
from billing.rules.registry import Severity, check
from billing.rules.tables.note_words import DISCREPANCIES, REASONS
from billing.rules.tables.procedures import LABELS
from tests.billing.rules.cast import BAD_NPI, GROUP_NPI, NPI, RIVAL_NPI, SEEN, TODAY, a_claim

MARK = "Xyzzy"
"""Stands in every text of the patient's."""
PATH = re.compile(r"(patient|provider|practice|session|claim)(\.[A-Za-z0-9]+)*")

odd_text = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
marked_text = st.builds(lambda before, after: f"{before}{MARK}{after}", odd_text, odd_text)
codes = st.sampled_from([*LABELS, "90801", "99999", "A0001"])
days = st.integers(-4000, 2)
discrepancy_kinds = st.sampled_from([*DISCREPANCIES, "something_new"])
discrepancies = st.builds(
    Discrepancy, discrepancy_kinds, st.sampled_from(DiscrepancySeverity), st.just(MARK), st.just(MARK)
)
procedures = st.builds(
    Procedure,
    codes,
    modifiers=st.lists(st.sampled_from(["95", "59", "GT", "93", "xe", "HO"]), max_size=2).map(tuple),
    units=st.integers(1, 4),
    charge=st.none() | st.decimals(Decimal("0.01"), Decimal("999.99"), places=2),
    source=st.sampled_from(CodeSource),
)
diagnoses = st.builds(
    Diagnosis,
    st.sampled_from(["F41.1", "F32.9", "Z63.0", "F41", "X78.9"]),
    st.sampled_from(DiagnosisStatus),
    st.none() | st.booleans(),
)
other_claims = st.builds(
    OtherClaim,
    days.map(lambda day: TODAY + timedelta(days=day)) | st.just(SEEN),
    st.sampled_from([NPI, RIVAL_NPI]),
    st.lists(codes, max_size=2).map(tuple),
    st.sampled_from(OtherClaimState),
)
profiles = st.builds(
    PayerProfile,
    payer_class=st.none() | st.sampled_from(PayerClass),
    filing_code=st.sampled_from([None, "CI", "BL", "MB"]),
    telehealth_place_of_service=st.sampled_from([None, "02", "10", "77"]),
    telehealth_modifier=st.none() | st.sampled_from(TelehealthModifier),
    timely_filing_days=st.none() | st.integers(1, 400),
    timely_filing_confirmed=st.booleans(),
    member_id_pattern=st.sampled_from([None, "[A-Z]{3}[0-9]+", "(", "(.+)+!"]),
    supports_professional_claims=st.none() | st.booleans(),
)


@st.composite
def notes(draw: st.DrawFn) -> Note:
    return Note(
        draw(st.sampled_from(NoteOutcome)),
        discrepancies=tuple(draw(st.lists(discrepancies, max_size=3))),
        reasons=tuple(draw(st.lists(st.sampled_from([*REASONS, "something_new"]), max_size=2))),
        confirmed_by_staff=draw(st.booleans()),
        minutes=draw(st.none() | st.integers(0, 120)),
        audio_only=draw(st.booleans()),
        kept_separately=draw(st.booleans()),
    )


@st.composite
def claims(draw: st.DrawFn) -> ClaimFacts:
    base = a_claim(
        mode=draw(st.sampled_from(Mode)),
        patient={"first_name": draw(marked_text), "last_name": draw(marked_text)},
        coverage={
            "member_id": draw(marked_text),
            "group_number": draw(st.none() | marked_text),
            "payer_id": draw(st.sampled_from([None, "60054", "Aetna Life", "6111"])),
        },
        provider={
            "npi": draw(st.sampled_from([NPI, BAD_NPI])),
            "taxonomy_code": None,
            "specialty": draw(odd_text),
        },
        practice={"name": draw(odd_text), "npi": draw(st.sampled_from([None, NPI, GROUP_NPI]))},
        session={
            "date_of_service": TODAY + timedelta(days=draw(days)),
            "place_of_service": draw(st.sampled_from(PlaceOfService)),
            "minutes": draw(st.none() | st.integers(1, 1440)),
        },
        diagnoses=tuple(draw(st.lists(diagnoses, max_size=4))),
        procedures=tuple(draw(st.lists(procedures, max_size=3))),
        profile=draw(st.none() | profiles),
        payer_match=draw(
            st.none()
            | st.builds(PayerMatch, st.sampled_from(PayerMatchOutcome), st.just("60054"), st.just("Aetna"))
        ),
        other_claims=tuple(draw(st.lists(other_claims, max_size=2))),
        note=draw(st.none() | notes()),
        version={
            "frequency": draw(st.sampled_from(["1", "7", "8"])),
            "original": draw(st.sampled_from(OriginalState)),
        },
        tables=frozenset(Table),
    )
    address = replace(base.patient.address, street=draw(marked_text), city=draw(marked_text))
    return replace(base, patient=replace(base.patient, address=address))


@given(claims())
@settings(max_examples=60, deadline=None)
def test_findings_name_a_field_and_keep_the_patient_to_themselves(facts: ClaimFacts) -> None:
    for finding in check(facts).findings:
        assert PATH.fullmatch(finding.path)
        assert MARK.lower() not in repr(finding).lower()


@given(claims())
@settings(max_examples=60, deadline=None)
def test_a_second_check_repairs_nothing_more(facts: ClaimFacts) -> None:
    once = check(facts).repaired
    again = check(once)
    assert again.repaired == once
    assert again.of(Severity.REPAIR) == ()


@given(claims())
@settings(max_examples=60, deadline=None)
def test_a_claim_without_what_it_cannot_lack_is_held(facts: ClaimFacts) -> None:
    result = check(facts)
    repaired = result.repaired
    assume(
        not repaired.procedures
        or not repaired.diagnoses
        or repaired.coverage.payer_id is None
        or any(line.charge is None for line in repaired.procedures)
    )
    assert result.blocking


@given(claims())
@settings(max_examples=60, deadline=None)
def test_the_claim_can_carry_what_the_repairs_leave(facts: ClaimFacts) -> None:
    result = check(facts)
    repaired, holding = result.repaired, {finding.rule_id for finding in result.blocking}
    assert repaired.coverage.filing_code
    assert repaired.session.place_of_service_code in {"02", "10", "11"}
    assert len(repaired.practice.address.zip) == 9
    names = (repaired.patient.last_name, repaired.patient.first_name, repaired.patient.address.city)
    for text in (*names, repaired.practice.name, repaired.coverage.group_number or ""):
        assert not set("*:^~") & set(text)
    assert all(names) or "ADR-004" in holding
    assert re.fullmatch(r"[A-Z0-9./&+]{2,80}", repaired.coverage.member_id) or "INS-001" in holding
    assert all(len(modifier) == 2 for line in repaired.procedures for modifier in line.modifiers)


@given(claims())
@settings(max_examples=60, deadline=None)
def test_overriding_all_that_holds_lets_a_claim_pass(facts: ClaimFacts) -> None:
    holding = frozenset(finding.rule_id for finding in check(facts).blocking)
    result = check(facts, overrides=holding)
    assert not result.blocking
    assert {finding.rule_id for finding in result.of(Severity.NOTED)} == holding
