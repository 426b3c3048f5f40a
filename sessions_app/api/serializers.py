"""The shapes of session submission and update."""

from datetime import date
from types import MappingProxyType

from billing.codes import WIDER_FORM, normalize_code
from billing.rules.tables.procedures import FORM
from partners.api.fields import Choice, Coded, Day, Entries, Minutes, Text
from partners.api.reading import StrictSerializer
from partners.api.updates import update_of
from providers.api.serializers import NPI, STATE
from sessions_app.models import PlaceOfService, Session
from sessions_app.submission import MOST_DIAGNOSIS_CODES, MOST_PROCEDURE_CODES

_EMPTY = "An empty list counts as none."


class PatientAddressSerializer(StrictSerializer):
    """Where the patient lives."""

    street = Text(55)
    line2 = Text(55, optional=True)
    city = Text(30)
    state = Coded(*STATE, store=str.upper, stored="[A-Z]{2}")
    zip = Coded("[0-9]{5}", "Must be exactly 5 digits.")


class InsuranceSerializer(StrictSerializer):
    """The patient's insurance, as on the card."""

    memberId = Text(50, help_text="From the card.")
    payerName = Text(60, help_text="The carrier's name, not a plan's.")
    payerId = Text(
        80,
        optional=True,
        help_text="As the payer search gives it; strongly recommended, for it decides where the claim goes.",
    )
    groupNumber = Text(50, optional=True)


class PatientSerializer(StrictSerializer):
    """The patient, who is also the insured."""

    firstName = Text(35)
    lastName = Text(60)
    dateOfBirth = Day(earliest=date(1900, 1, 1))
    gender = Choice(Session.Gender.values)
    address = PatientAddressSerializer()
    insurance = InsuranceSerializer()


class DiagnosisCodeSerializer(StrictSerializer):
    """An ICD-10-CM code; a modifier on it has no effect and is not stored."""

    code = Coded(
        WIDER_FORM.pattern,
        "Must be an ICD-10-CM code, such as F41.1.",
        store=lambda text: normalize_code(text) or text,
        stored=r"[A-Z][0-9A-Z]{2}(?:\.[0-9A-Z]{1,4})?",
        help_text="With or without the point; billable on the date of service. Where no release of ICD-10-CM "
        "is loaded for that date, a code that the newest one lacks is taken, and the session held.",
    )
    description = Text(255, optional=True)
    modifier = Text(255, optional=True)


class ProcedureCodeSerializer(StrictSerializer):
    """A CPT or HCPCS Level II code, with a modifier or without."""

    code = Coded(
        "[0-9]{4}[0-9A-Za-z]|[A-Va-v][0-9]{4}",
        "Must be a CPT or HCPCS code of 5 characters, such as 90837.",
        store=str.upper,
        stored=FORM.pattern,
    )
    description = Text(255, optional=True)
    modifier = Coded(
        "[0-9A-Za-z]{2}",
        "Must be 2 letters or digits, such as 95.",
        optional=True,
        store=str.upper,
        stored="[0-9A-Z]{2}",
        help_text="Without one a telehealth session gets 95.",
    )


class TherapySessionSerializer(StrictSerializer):
    """What took place, and its codes, minutes or note."""

    dateOfService = Day(past=True, help_text="Not in the future: at most today in Pacific/Guam.")
    placeOfService = Choice(PlaceOfService.values, optional=True, instead=PlaceOfService.OFFICE.value)
    durationMinutes = Minutes(
        help_text="Without procedure codes 16 to 37 give 90832, 38 to 52 90834, 53 and more 90837; under 16 "
        "the session is held."
    )
    noteText = Text(100_000, optional=True, lines=True, help_text="Gives the codes that are not sent.")
    diagnosisCodes = Entries(DiagnosisCodeSerializer, MOST_DIAGNOSIS_CODES, help_text=_EMPTY)
    procedureCodes = Entries(
        ProcedureCodeSerializer,
        MOST_PROCEDURE_CODES,
        help_text=f"{_EMPTY} Without any they come from the minutes, then from the note.",
    )


class SubmissionSerializer(StrictSerializer):
    """A completed therapy session, for billing."""

    externalSessionId = Text(255, optional=True, help_text="Your own id, unique among your sessions.")
    patient = PatientSerializer()
    providerNpi = Coded(*NPI, help_text="The therapist's, from onboarding.")
    session = TherapySessionSerializer()


PatientUpdateSerializer = update_of(PatientSerializer, name="PatientUpdateSerializer")
TherapySessionUpdateSerializer = update_of(
    TherapySessionSerializer,
    name="TherapySessionUpdateSerializer",
    fixed={
        "durationMinutes": "Send the procedureCodes that are true.",
        "noteText": "Send the diagnosisCodes and procedureCodes that are true.",
    },
)
TherapySessionUpdateSerializer.__doc__ = "When and where it took place, and its codes."


class SessionUpdateSerializer(StrictSerializer):
    """Only what is supplied changes; a supplied code array replaces all codes of its kind."""

    fixed = MappingProxyType(
        {
            "externalSessionId": "",
            "providerNpi": "Onboard the therapist under the right NPI, send the session anew, and have "
            "billing staff end this one.",
        }
    )

    patient = PatientUpdateSerializer(required=False)
    session = TherapySessionUpdateSerializer(required=False)
