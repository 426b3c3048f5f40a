"""What the note coder reports, in words for people."""

import re

TIME_MISMATCH = "cpt_time_mismatch"
DURATION = "duration_field_vs_note"
IDENTITY = frozenset({"identity_vs_note", "dos_vs_note"})

ABOUT_DIAGNOSES = frozenset(
    {
        "no_stated_diagnosis",
        "only_uncertain",
        "conflict_codes",
        "code_text_mismatch",
        "code_not_billable",
        "code_expired",
        "legacy_only",
        "ambiguous_abbreviation",
        "severity_missing",
        "episode_missing",
        "specifier_unclear",
        "order_unclear",
        "diagnosis_unread",
    }
)
"""Reasons that matter only where a diagnosis is to come from the note."""

ABOUT_SERVICE = frozenset(
    {
        "no_time",
        "under_16",
        "time_conflict",
        "duration_against_note",
        "length_unclear",
        "service_conflict",
        "service_unknown",
        "held_unclear",
        "service_against_duration",
        "place_conflict",
        "procedure_conflict",
        "family_under_26",
        "crisis_under_30",
    }
)
"""Reasons that matter wherever the procedure code was not sent."""

DISCREPANCIES: dict[str, str] = {
    "dx_unsupported": "The note doesn't state this diagnosis.",
    "dx_contradicted": "The note says that this diagnosis is absent, over, or another person's.",
    "dx_less_specific": "The note states a more exact diagnosis than this code.",
    "dx_more_specific_than_note": "The code says more than the note does about this diagnosis.",
    "dx_missing": "The note states a diagnosis that was not sent.",
    "dx_order": "The note puts another diagnosis first.",
    "dx_invalid": "The note states a code that can't be billed.",
    "dx_excludes1": "Two of the diagnoses exclude each other.",
    TIME_MISMATCH: "The note's minutes belong to another procedure code.",
    "cpt_service_mismatch": "The note documents another service than this procedure code.",
    DURATION: "The note documents other minutes than were sent.",
    "modifier_vs_modality": "The modifier doesn't fit how the note says that they met.",
    "pos_vs_note": "The note says that the session took place elsewhere than was sent.",
    "dos_vs_note": "The note carries another date than the session.",
    "identity_vs_note": "The note may name another patient than the session.",
    "service_not_rendered": "The note may say that the session didn't take place.",
}

_OF_CODES_OR_MINUTES = ("dx_", "cpt_", DURATION)
_CODES_OR_MINUTES = re.compile("(?=.*[0-9])[0-9A-Z.,]+")


def in_words(kind: str, *, sent: str | None, noted: str | None) -> str:
    """What differs; of codes and minutes which, of anything else nothing."""
    words = DISCREPANCIES.get(kind, "The note and what was sent differ.")
    if kind == DURATION and noted is None:
        words = REASONS["length_unclear"]
    sides = {"sent": sent or "", "note": noted or ""} if kind.startswith(_OF_CODES_OR_MINUTES) else {}
    named = [
        f"{side}: {value.replace(',', ', ')}"
        for side, value in sides.items()
        if _CODES_OR_MINUTES.fullmatch(value)
    ]
    return f"{words.removesuffix('.')} ({'; '.join(named)})." if named else words


REASONS: dict[str, str] = {
    "no_stated_diagnosis": "The note states no diagnosis.",
    "only_uncertain": "The note only suspects its diagnosis, or takes it back.",
    "conflict_codes": "The note states codes that contradict each other.",
    "code_text_mismatch": "What the note says of a diagnosis, beside its code or elsewhere, contradicts it.",
    "code_not_billable": "The note states a heading in place of a billable code.",
    "code_expired": "The note states a code that is not in force on the date of service.",
    "legacy_only": "The note states only old codes, from before ICD-10.",
    "ambiguous_abbreviation": "An abbreviation in the note can mean two diagnoses.",
    "severity_missing": "The note doesn't say how severe the disorder is.",
    "episode_missing": "The note doesn't say whether it is a single or a recurrent episode.",
    "no_time": "The note gives no minutes.",
    "time_conflict": "The note gives times that contradict each other.",
    "duration_against_note": "The note documents other minutes than were sent, and they give another code.",
    "length_unclear": "The note may tell that the session was longer or shorter than the minutes sent.",
    "service_conflict": "The note documents another service than individual psychotherapy.",
    "specifier_unclear": "The note leaves open which form of the disorder it is.",
    "order_unclear": "The note says which diagnosis comes first in words that we can't place.",
    "diagnosis_unread": "The note names something more beside its diagnoses.",
    "service_unknown": "The note doesn't say which service took place.",
    "service_against_duration": "The minutes sent and the service that the note documents don't go together.",
    "place_conflict": "The note says that the session took place elsewhere than was sent.",
    "procedure_conflict": "The note states procedure codes that contradict it.",
    "family_under_26": "The note documents family therapy of under 26 minutes.",
    "crisis_under_30": "The note documents crisis therapy of under 30 minutes.",
    "under_16": "The note documents under 16 minutes.",
    "held_unclear": "The note may say that there was no session with the patient.",
    "not_rendered": "The note may say that the session didn't take place.",
    "language": "The note is in a language that we don't read.",
    "empty": "The note is empty.",
    "low_confidence": "The note can be read in more than one way.",
    "too_long": "The note is too long, or names too many conditions, to be read in full.",
    "llm_disagrees": "Two readings of the note differ.",
}
