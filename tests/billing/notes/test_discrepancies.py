"""The note against what was sent: each kind of difference, and its severity."""

from collections.abc import Callable
from datetime import date

import pytest

from billing.notes.result import KnownIdentity, NoteResult, SuppliedCodes, SuppliedProcedure

Coder = Callable[..., NoteResult]
NOTE = "Individual session, 45 minutes.\nDx: Major depressive disorder, recurrent, moderate. Denies PTSD."


def differences(result: NoteResult) -> dict[str, str]:
    return {found.type: found.severity for found in result.discrepancies}


def sent(*diagnoses: str, cpt: str = "90834", modifiers: tuple[str, ...] = ()) -> SuppliedCodes:
    return SuppliedCodes(diagnoses, (SuppliedProcedure(cpt, modifiers),))


def test_agreement_is_silent(code: Coder) -> None:
    assert differences(code(NOTE, supplied=sent("F33.1"))) == {}


CASES = {
    "unsupported": (NOTE, sent("F33.1", "F50.00"), {"dx_unsupported": "warn"}),
    "contradicted": (NOTE, sent("F33.1", "F43.10"), {"dx_contradicted": "warn"}),
    "less specific": (NOTE, sent("F33.9"), {"dx_less_specific": "info"}),
    "more specific": (NOTE.replace(", moderate", ""), sent("F33.1"), {"dx_more_specific_than_note": "warn"}),
    "missing": ("Individual, 45 minutes.\nDx: GAD; PTSD", sent("F41.1"), {"dx_missing": "info"}),
    "order": ("Individual, 45 minutes.\nDx: GAD; PTSD", sent("F43.10", "F41.1"), {"dx_order": "info"}),
    "invalid": (NOTE, sent("F33.1", "F50.2"), {"dx_invalid": "warn"}),
    "excludes": (NOTE, sent("F33.1", "F32.1"), {"dx_excludes1": "warn"}),
    "claims more time": (NOTE, sent("F33.1", cpt="90837"), {"cpt_time_mismatch": "block"}),
    "claims less time": (NOTE, sent("F33.1", cpt="90832"), {"cpt_time_mismatch": "warn"}),
    "other service": (NOTE, sent("F33.1", cpt="90847"), {"cpt_service_mismatch": "warn"}),
    "modifier": (
        NOTE + " Seen in person.",
        sent("F33.1", modifiers=("95",)),
        {"modifier_vs_modality": "warn"},
    ),
    "not rendered, in other words": (
        "I was out with a fever on the day of this appointment. PTSD, chronic.",
        sent("F43.12"),
        {"service_not_rendered": "block"},
    ),
    "not rendered": ("NO SHOW. Client did not attend.", sent("F33.1"), {"service_not_rendered": "block"}),
}


@pytest.mark.parametrize(("text", "supplied", "expected"), CASES.values(), ids=CASES.keys())
def test_each_difference_has_its_severity(
    code: Coder, text: str, supplied: SuppliedCodes, expected: dict[str, str]
) -> None:
    found = differences(code(text, supplied=supplied))
    assert expected.items() <= found.items()


def test_minutes_and_place_of_the_request_are_compared(code: Coder) -> None:
    minutes = code(NOTE, supplied=sent("F33.1"), minutes=60)
    place = code(NOTE + "\nSeen by video from home.", supplied=sent("F33.1"), place="office")
    assert differences(minutes)["duration_field_vs_note"] == "warn"
    assert differences(place)["pos_vs_note"] == "warn"


IDENTITY = KnownIdentity("Marisol", "Petrakis", date(1988, 3, 9))


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("Client: Marisol Petrakis   DOB: 03/09/1988", {}),
        ("Client: M.P.", {}),
        ("Client: Petrakis, Marisol", {}),
        ("Client: Jonas Widmer", {"identity_vs_note": "block"}),
        ("DOB: 03/09/1978", {"identity_vs_note": "block"}),
        ("Date of service: 05/01/2026", {}),
        ("Date of service: 05/02/2026", {"dos_vs_note": "block"}),
        ("05/01/2026", {}),
        ("05/02/2026", {"dos_vs_note": "block"}),
        ("\nSaturday, May 2, 2026", {"dos_vs_note": "block"}),
        ("2026-05-02:", {"dos_vs_note": "block"}),
        ("05/02/2026 call with her school", {}),
        ("Progress note\n05/02/2026", {}),
    ],
)
def test_a_note_of_somebody_else_or_another_day_blocks(
    code: Coder, header: str, expected: dict[str, str]
) -> None:
    result = code(f"{header}\n{NOTE}", identity=IDENTITY, date_of_service=date(2026, 5, 1))
    assert differences(result) == expected


def test_identity_differences_name_no_person_outside_the_evidence(code: Coder) -> None:
    result = code(f"Client: Jonas Widmer\n{NOTE}", identity=IDENTITY)
    found = result.discrepancies[0]
    assert (found.supplied, found.found) == (None, "name")
    assert found.evidence[0].quote == "Jonas Widmer"


SHORT = "Individual psychotherapy 20 minutes."
FAMILY = "Family psychotherapy with client and mother, 20 minutes."
BOTH = "Individual psychotherapy 45 min and family therapy with client and mother 50 min."


@pytest.mark.parametrize(
    ("text", "procedures", "expected"),
    [
        (SHORT, ("99214", "90838"), {"cpt_time_mismatch": "block"}),
        (SHORT, ("90838",), {"cpt_time_mismatch": "block"}),
        (SHORT, ("90836",), {"cpt_time_mismatch": "block"}),
        (SHORT, ("90833",), {}),
        (SHORT.replace("20", "55"), ("99214", "90838"), {}),
        (FAMILY, ("90847",), {"cpt_time_mismatch": "block"}),
        (FAMILY.replace("20", "26"), ("90847",), {}),
        (BOTH, ("90834", "90847"), {}),
        (SHORT, ("90847",), {"cpt_service_mismatch": "warn"}),
        ("Group therapy, 8 members, 60 minutes.", ("90834",), {"cpt_service_mismatch": "warn"}),
    ],
)
def test_a_code_that_claims_more_than_the_note_tells_blocks(
    code: Coder, text: str, procedures: tuple[str, ...], expected: dict[str, str]
) -> None:
    supplied = SuppliedCodes(("F41.1",), tuple(SuppliedProcedure(each, ()) for each in procedures))
    found = differences(code(f"{text}\nDx: GAD F41.1.", supplied=supplied))
    assert found == expected or (expected and expected.items() <= found.items())
