"""Every sample 837P is cut into its sets, its faults told, and explained to its end."""

import re

import pytest

from claims.x12.explain_837p import explain_837p
from claims.x12.segments import ProblemCode
from tests.claims.x12.samples import SAMPLES, Sample, needs_samples

pytestmark = needs_samples

# Name, claims in each transaction set, faults of sets, faults of envelopes.
CLAIM_FILES: dict[str, tuple[list[int], set[ProblemCode], set[ProblemCode]]] = {
    "all_fields_hdi.edi": ([1], set(), set()),
    "bad_segment_identifier.edi": ([2], {ProblemCode.COUNT_MISMATCH}, set()),
    "bh_medicaid_mco_5_transactions.edi": ([1] * 5, set(), set()),
    "complex_2st_6claims_dependents.edi": (
        [3, 3],
        {ProblemCode.COUNT_MISMATCH},
        {ProblemCode.COUNT_MISMATCH},
    ),
    "deidentified_medicaid_5claims.edi": ([5], set(), set()),
    "different_separators.edi": ([2], {ProblemCode.COUNT_MISMATCH}, set()),
    "gs08_without_errata.edi": ([1], {ProblemCode.NO_ENVELOPE}, {ProblemCode.TRUNCATED}),
    "indented_2st_3claims.edi": ([2, 1], set(), set()),
    "load_312_interchanges.edi": ([2] * 312, {ProblemCode.COUNT_MISMATCH}, set()),
    "load_820_claims.edi": ([820], {ProblemCode.COUNT_MISMATCH}, set()),
    "loop_exceeds_max_repeat.edi": ([1], {ProblemCode.COUNT_MISMATCH}, set()),
    "minimal_hdi.edi": ([1], set(), set()),
    "missing_elements.edi": ([2], {ProblemCode.COUNT_MISMATCH}, set()),
    "missing_loop_in_one_repeat.edi": ([2], {ProblemCode.COUNT_MISMATCH}, set()),
    "multiple_isa.edi": ([2, 2], {ProblemCode.COUNT_MISMATCH}, set()),
    "multiple_st.edi": ([2, 2], {ProblemCode.COUNT_MISMATCH}, {ProblemCode.COUNT_MISMATCH}),
    "no_isa_line.edi": (
        [2],
        {ProblemCode.NO_ENVELOPE, ProblemCode.COUNT_MISMATCH},
        {ProblemCode.STRAY_SEGMENT},
    ),
    "replacement_freq7_bare_st.edi": ([1], {ProblemCode.NO_ENVELOPE}, set()),
    "segments_out_of_order.edi": ([2], {ProblemCode.COUNT_MISMATCH}, set()),
    "therapy_90837_telehealth_commercial.edi": ([1], set(), set()),
    "tr3_ambulance.edi": ([1], set(), set()),
    "tr3_drug_ndc.edi": ([1], set(), set()),
    "tr3_ex1_commercial_patient_is_dependent.edi": ([1], set(), set()),
    "tr3_ex2_hmo_encounter_subscriber.edi": ([1], set(), set()),
    "tr3_ex3a_cob_provider_to_primary.edi": ([1], set(), set()),
    "tr3_ex3c_cob_payer_to_payer.edi": ([1], set(), set()),
    "tr3_property_casualty_auto.edi": ([1], set(), set()),
    "truncated_no_iea.edi": (
        [0],
        {ProblemCode.WRONG_VERSION, ProblemCode.COUNT_MISMATCH},
        {ProblemCode.TRUNCATED},
    ),
    "two_claims_facility_pos19.edi": ([2], set(), set()),
    "two_claims_valid.edi": ([2], {ProblemCode.COUNT_MISMATCH}, set()),
    "wrong_version_4010.edi": ([1], {ProblemCode.WRONG_VERSION}, set()),
}
LAST_SEGMENTS = {
    "replacement_freq7_bare_st.edi": "SE",
    "gs08_without_errata.edi": "SE",
    "truncated_no_iea.edi": "GE",
}


def test_every_sample_is_expected_here() -> None:
    assert {path.name for path in (SAMPLES / "837p").glob("*.edi")} == set(CLAIM_FILES)


@pytest.mark.parametrize("name", CLAIM_FILES)
def test_a_claim_file_is_cut_into_its_sets_with_its_faults_told(name: str) -> None:
    claims, set_faults, envelope_faults = CLAIM_FILES[name]
    sample = Sample(f"837p/{name}")
    assert sample.claim_counts == claims
    assert sample.codes == set_faults
    assert set(sample.file_codes) == envelope_faults
    assert bool(sample.refused) == (ProblemCode.WRONG_VERSION in set_faults)


@pytest.mark.parametrize("name", CLAIM_FILES)
def test_a_claim_file_is_explained_to_its_end(name: str) -> None:
    text = (SAMPLES / "837p" / name).read_text()
    explanations = explain_837p(text)
    assert all(explanation.words for explanation in explanations)
    last = re.match("[A-Z0-9]+", explanations[-1].segment)
    assert last is not None
    assert last[0] == LAST_SEGMENTS.get(name, "IEA")


def test_a_real_therapy_claim_is_put_into_words() -> None:
    text = (SAMPLES / "837p" / "therapy_90837_telehealth_commercial.edi").read_text()
    words = [explanation.words for explanation in explain_837p(text)]
    assert "Procedure 90837 with 95: charge 109.2, units 1, for diagnosis 1" in words
