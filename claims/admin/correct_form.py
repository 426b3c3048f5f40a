"""The fields of a correction as a form draws them: grouped, labelled, what they said, what is wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from claims.desk.corrections import DIAGNOSES, PROCEDURES
from partners.issues import Issue
from sessions_app.models import PlaceOfService, Session

LACKS_CODES = "The session needs a diagnosis and a procedure: enter what is missing."
"""In place of the interface's words about fields that the form doesn't have."""


@dataclass(frozen=True, slots=True)
class FieldShown:
    """One field: `was` is what it said when it was drawn, `problem` what the interface says of it."""

    path: str
    label: str
    kind: str
    value: str = field(repr=False)
    was: str = field(repr=False)
    choices: Sequence[tuple[str, str]] = ()
    problem: str = ""
    wide: bool = False

    @property
    def changed(self) -> bool:
        """Whether it says something else than it did."""
        return self.value.strip() != self.was.strip()

    @property
    def id(self) -> str:
        """The element's name in the page."""
        return anchor_of(self.path)


@dataclass(frozen=True, slots=True)
class Wrong:
    """One problem above the form, with the field that it leads to; no label where it is about the whole."""

    path: str
    message: str
    label: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Spec:
    """How a path is drawn."""

    path: str
    label: str
    kind: str = "text"
    choices: Sequence[tuple[str, str]] = ()
    wide: bool = False


GROUPS: Sequence[tuple[str, Sequence[Spec]]] = (
    (
        "Coverage",
        (
            Spec("patient.insurance.memberId", "Member ID"),
            Spec("patient.insurance.payerName", "Payer"),
            Spec("patient.insurance.payerId", "Payer ID"),
            Spec("patient.insurance.groupNumber", "Group number"),
        ),
    ),
    (
        "Patient",
        (
            Spec("patient.firstName", "First name"),
            Spec("patient.lastName", "Last name"),
            Spec("patient.dateOfBirth", "Born", kind="date"),
            Spec("patient.gender", "Gender", choices=Session.Gender.choices),
            Spec("patient.address.street", "Street"),
            Spec("patient.address.line2", "Unit"),
            Spec("patient.address.city", "City"),
            Spec("patient.address.state", "State"),
            Spec("patient.address.zip", "ZIP"),
        ),
    ),
    (
        "Session",
        (
            Spec("session.dateOfService", "Date of service", kind="date"),
            Spec("session.placeOfService", "Place", choices=PlaceOfService.choices),
            Spec(DIAGNOSES, "Diagnoses, in order", wide=True),
            Spec(PROCEDURES, "Procedures (90837-95, 90840 x 2)", wide=True),
        ),
    ),
)
PATHS = tuple(spec.path for _, specs in GROUPS for spec in specs)


def fields_shown(
    values: Mapping[str, str], were: Mapping[str, str], issues: Sequence[Issue] = ()
) -> list[tuple[str, list[FieldShown]]]:
    """The form's groups with their fields."""
    return [
        (
            title,
            [
                FieldShown(
                    spec.path,
                    spec.label,
                    spec.kind,
                    values.get(spec.path, ""),
                    were.get(spec.path, ""),
                    spec.choices,
                    problem_of(spec.path, issues),
                    spec.wide,
                )
                for spec in specs
            ],
        )
        for title, specs in GROUPS
    ]


def problem_of(path: str, issues: Sequence[Issue]) -> str:
    """What is wrong with a field, or with one of its entries."""
    return " ".join(
        dict.fromkeys(
            issue.message for issue in issues if issue.path == path or issue.path.startswith(f"{path}.")
        )
    )


def wrong_things(issues: Sequence[Issue]) -> list[Wrong]:
    """The interface's issues with the fields that they stand at."""
    found = []
    for issue in issues:
        if not issue.path:  # No codes are left to bill.
            path = "session.diagnosisCodes"
            found.append(Wrong(path, LACKS_CODES, label_of(path), anchor_of(path)))
            continue
        path = next((each for each in PATHS if issue.path == each or issue.path.startswith(f"{each}.")), "")
        found.append(Wrong(issue.path, issue.message, label_of(path), anchor_of(path)))
    return found


def label_of(path: str) -> str:
    """A field's label by its path; empty where there is none."""
    return next((spec.label for _, specs in GROUPS for spec in specs if spec.path == path), "")


def anchor_of(path: str) -> str:
    """The name of a field's element in the page."""
    return "field-" + path.replace(".", "-") if path else ""
