"""The person and the day of the request against those that a note names, and those it names beside them."""

from collections.abc import Callable
from datetime import date

import pytest

from billing.notes.result import KnownIdentity, NoteResult

Coder = Callable[..., NoteResult]
IDENTITY = KnownIdentity("Maria", "Lopez", date(1990, 3, 4))
NOTE = "Individual 45 min. Dx F41.1."

OTHER_DATES = (
    "Next Session Date",
    "Treatment Plan Date",
    "Treatment plan due date",
    "Review date",
    "Admission Date",
    "Discharge Date",
    "Consent date",
    "Authorization end date",
    "Diagnosis date",
    "Signed date",
    "Signature date",
    "Printed Date",
    "Court date",
    "Due date",
    "Wedding date",
    "quit date",
    "Sobriety date",
    "Injury date",
    "Effective/Start date",
    "Intake date",
    "Last session date",
    "Previous DOS",
    "First date of service",
    "Initial date of service",
    "Note created date",
    "Next visit date",
    "Onset date",
    "LMP date",
)
BEHIND = (
    "Electronically signed by Ann Pell, LCSW\nDate: 5/13/2026",
    "Signature: Ann Pell, LCSW   Date: 5/13/2026",
    "Ann Pell, LCSW\nSigned 5/13/2026. Date: 5/13/2026",
    "Date of injury: 3/2/2026",
    "Next appointment\nDate: 5/18/2026",
)
OTHER_DAYS = (
    "Date: 5/12/2026",
    "DATE 5/12/2026",
    "Date of Service: 5/12/2026",
    "DOS 5/12/2026",
    "Session date: 5/12/2026",
    "Client: Maria Lopez  Date: 5/12/2026",
    "Client: Maria Lopez Date: 5/12/2026",
    "Client: M.L. | Date: 5/12/2026",
    "**Date:** 5/12/2026",
    "Provider: Ann Pell, LCSW   Date: 5/12/2026",
    "Session #4 Date: 5/12/2026",
    "Date - 5/12/2026",
    "Visit date: Tuesday, May 12, 2026",
    "Progress note\nDate: 2026-05-12",
    "Treatment plan review\nDate: 5/12/2026",
    "D.O.S.: 5/12/2026",
    "Progress note for session date 5/12/2026",
    "Date: Tue 5/12/2026",
    "DOB: 3/4/1990 Date: 5/12/2026",
    "Encounter Date: 5/12/2026",
    "DOS: 5/11/2026\nDate of service: 5/12/2026",
)
NOBODY_ELSE = (
    "Client: On Time",
    "Patient: On time",
    "Client: Late Today",
    "Client: Present Alone",
    "Client: Calm Cooperative",
    "Pt: Alert, Oriented",
    "Patient: Doing Well",
    "Client: Self Pay",
    "Client: Engaged Throughout",
    "Name: Sertraline Hydrochloride  Dose: 50 mg",
    "Emergency contact\nName: Jorge Ruiz",
    "Mother's DOB: 1/2/1960. Child Maria DOB 3/4/1990.",
    "Baby's DOB: 1/2/2026",
    "Spouse DOB: 1/2/1980",
    "Guarantor DOB: 1/2/1980",
    "Insured: Jorge Lopez DOB: 1/2/1970",
    "Her son, born 1/2/2016, was sick.",
    "Client: Increasingly Withdrawn",
    "Client: Tearful Throughout",
    "Emergency contact:\nName: Jorge Ruiz\nDOB: 1/2/1960",
    "Client: Maria Lopez\n\nName: Jorge Ruiz",
    "Client: Seen Individually",
    "patient: on time",
    "Guarantor\nName: Jorge Ruiz   DOB: 1/2/1960",
    "Client: Maria Lopez   DOB: 3/4/1990\nPartner: Jorge  DOB: 1/2/1988",
    "Name: Jorge Ruiz  Relationship: brother",
    "Medication\nName: Sertraline Hcl",
    "Client has a daughter born 1/2/2016",
    "Twins, born 1/2/2016",
    "Client: Good Progress",
    "Client: Good Progress. Homework done.",
    "Client: Calm Cooperative Mood: euthymic",
    "Patient: Maria Lopez. Individual therapy.",
    "Client: Present, Engaged",
    "Husband's date of birth: 1/2/1980",
)
SOMEBODY_ELSE = (
    "Client: Jonas Widmer",
    "CLIENT: JONAS WIDMER",
    "Patient: Widmer, Jonas",
    "Name: Jonas Widmer",
    "Full name: Jonas A. Widmer",
    "DOB: 1/2/1960",
    "Client DOB: 1/2/1960",
    "Presents with mother. DOB: 1/2/1960",
    "Date of birth: 1/2/1960",
    "Client: Grace Young",
    "Client: Kelly Price  DOB: 3/4/1990",
    "Client: Linh To",
    "Client: Will Self",
    "Mother: Ana. Client DOB: 1/2/1960",
    "Client: Maria L.\nDOB 1/2/1960",
    "Pt: Jonas Widmer (adult)",
    "Patient born 1/2/1960",
    "Emergency contact: Ana\n\nDOB: 1/2/1960",
    "Client: Jonas Widmer Age 33",
    "Patient: Bob Smith. Date: seen today.",
    "Patient: Bob Smith. Individual therapy.",
    "Patient: Smith, Bob. Seen at the office.",
    "Patient: Bob Smith Service: individual",
    "Name: Bob Smith. Individual therapy",
    "Patient: Bob Smith Individual psychotherapy",
    "Name: Jonas Widmer   DOB: 3/4/1990",
)


def blocked(code: Coder, text: str) -> set[str]:
    result = code(text, identity=IDENTITY, date_of_service=date(2026, 5, 11))
    return {found.type for found in result.discrepancies if found.severity == "block"}


@pytest.mark.parametrize("label", OTHER_DATES)
def test_a_date_of_something_else_is_not_the_service_s(code: Coder, label: str) -> None:
    assert blocked(code, f"Progress note\n{NOTE}\n{label}: 5/18/2026") == set()
    assert blocked(code, f"{label}: 5/18/2026\n{NOTE}") == set()
    assert blocked(code, f"DOS: 5/11/2026   {label}: 5/18/2026\n{NOTE}") == set()


@pytest.mark.parametrize("line", BEHIND)
def test_a_signature_or_an_appointment_has_a_day_of_its_own(code: Coder, line: str) -> None:
    assert blocked(code, f"Progress note\n{NOTE}\n{line}") == set()


def test_where_the_day_agrees_another_date_is_another_day(code: Coder) -> None:
    assert blocked(code, f"DOS: 5/11/2026\n{NOTE}\nAnn Pell, LCSW\nDate: 5/13/2026") == set()
    assert blocked(code, f"Date: 5/11/2026\n{NOTE}\nRevision\nDate: 5/18/2026") == set()


@pytest.mark.parametrize("line", OTHER_DAYS)
def test_another_day_of_service_blocks(code: Coder, line: str) -> None:
    assert blocked(code, f"{line}\n{NOTE}") == {"dos_vs_note"}


@pytest.mark.parametrize("line", NOBODY_ELSE)
def test_states_things_and_relatives_are_not_the_patient(code: Coder, line: str) -> None:
    assert blocked(code, f"{line}\n{NOTE}") == set()


@pytest.mark.parametrize("line", SOMEBODY_ELSE)
def test_somebody_else_s_name_or_birth_blocks(code: Coder, line: str) -> None:
    assert blocked(code, f"{line}\n{NOTE}") == {"identity_vs_note"}
