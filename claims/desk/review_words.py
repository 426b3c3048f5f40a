"""What the note coder leaves open, as questions to a person; its other findings in the staff's words."""

QUESTIONS: dict[str, str] = {
    "no_stated_diagnosis": "Which diagnosis? The note states none.",
    "only_uncertain": "Which diagnosis? The note only suspects it, or takes it back.",
    "conflict_codes": "Which of these diagnoses? The note's codes contradict each other.",
    "code_text_mismatch": "Which diagnosis? What the note says beside it, or elsewhere, contradicts it.",
    "code_not_billable": "Which code under this heading? The note's own is too short to be billed.",
    "code_expired": "Which code now? The note's own wasn't in force on the date of service.",
    "legacy_only": "Which code today? The note has only old ones, from before ICD-10.",
    "ambiguous_abbreviation": "Which disorder does the abbreviation mean?",
    "severity_missing": "How severe? The note gives no severity.",
    "episode_missing": "Single or recurrent? The note doesn't say.",
    "specifier_unclear": "Which form of the disorder? The note leaves it open.",
    "order_unclear": "Which diagnosis comes first? The note says so in words that we can't place.",
    "diagnosis_unread": "Are these all? The note names something more beside its diagnoses.",
    "no_time": "Which service? The note gives no minutes.",
    "time_conflict": "Which service? The note's times contradict each other.",
    "duration_against_note": "Which minutes? The note's give another code than those that were sent.",
    "length_unclear": "How long was it? The note may tell another length than the minutes that were sent.",
    "service_conflict": "Which service? The note documents another one than individual psychotherapy.",
    "service_unknown": "Which service? The note doesn't say.",
    "service_against_duration": "Which service? The minutes sent and the note's service don't go together.",
    "place_conflict": "Office or video? The note and what was sent disagree.",
    "procedure_conflict": "Which procedure code? The note's own contradict it.",
    "family_under_26": "Can family therapy of under 26 minutes be billed at all?",
    "crisis_under_30": "Which service? Crisis therapy needs 30 minutes.",
    "under_16": "Can under 16 minutes be billed at all?",
    "held_unclear": "Was there a session with the patient? The note may say that there wasn't.",
    "not_rendered": "Did the session take place? The note may say that it didn't.",
    "language": "Which codes? The note is in a language that we don't read.",
    "empty": "Which codes? The note is empty.",
    "too_long": "Which codes? The note is too long, or names too many conditions, to be read in full.",
    "llm_disagrees": "Which codes? Two readings of the note differ.",
    "low_confidence": "Are these the codes? The note can be read in more than one way.",
}
PLACES: dict[str, tuple[str, str]] = {
    "video": ("By video", "The place becomes telehealth; the payer's modifier for it goes on by itself."),
    "phone": ("By telephone", "The place becomes telehealth, and the lines carry 93: by sound alone."),
    "office": ("At the office", "The place becomes office, and no line says that it was remote."),
}
"""Ways to have met: as they read, and what choosing them does."""
WHY_CANDIDATE: dict[str, str] = {
    "set_aside": "Stated too, but another reading went first.",
    "uncertain": "The note only suspects it.",
    "symptom": "Mentioned as a symptom, not as a diagnosis.",
    "background": "Stands where the note tells the patient's background.",
    "historical": "The note puts it in the past.",
    "more_specific": "Billable under the heading that the note gives.",
    "by_duration": "Follows from the minutes that were sent.",
    "by_note_minutes": "Follows from the minutes in the note.",
    "other_length": "If the session was that long.",
    "addon_suggested": "The note describes what this add-on is for.",
    "llm": "The language model reads it so; the rules don't.",
}
MINUTES_FROM: dict[str, str] = {"request": "as sent", "note": "in the note"}
WHY_NOT_CODED: dict[str, str] = {
    "negated": "denied",
    "other_person": "another person's",
    "historical": "in the past",
    "uncertain": "only suspected",
    "subthreshold": "below the threshold",
    "conditional": "only if something happens",
    "unticked": "a box that isn't ticked",
    "symptom": "a symptom, not a diagnosis",
    "background": "background",
    "instrument": "a score is not a diagnosis",
    "quoted": "quoted speech",
    "not_a_diagnosis": "not a diagnosis",
}
TIERS: dict[str, str] = {
    "A": "Code and words agree, where the note states its diagnoses.",
    "B": "Stated in words, where the note states its diagnoses.",
    "C": "Stated in the running text.",
    "D": "All that the words support.",
    "X": "A person should look at it.",
}


def question_for(reason: str) -> str:
    """The question that a reason comes to."""
    return QUESTIONS.get(reason, "Which codes? The note leaves them open.")
