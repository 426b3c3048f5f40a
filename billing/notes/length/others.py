"""Lengths of what others do for the patient: a psychiatrist's visit, a dentist's chair, a detective's
statement."""

from billing.notes.later import later

_OTHERS = frozenset(
    ("psychiatry", "psychiatrist", "psychiatrist's", "prescriber", "lactation", "ob", "obgyn", "ob-gyn",
     "midwife", "pcp", "internist", "internist's", "physician", "cardiology", "cardiologist", "neurology",
     "neurologist", "pediatrician", "pediatrics", "dentist", "dental", "surgeon", "dietitian", "dietician",
     "nutritionist", "nurse", "np", "pmhnp", "detective", "lawyer", "attorney", "examiner", "oncology",
     "oncologist", "gastroenterologist", "urologist", "neurosurgeon", "anesthesiologist", "rheumatologist",
     "endocrine", "endocrinologist", "dermatologist", "podiatrist", "chiropractor", "acupuncture",
     "imaging", "mri", "slp", "doctor", "spine", "medication", "med", "choir", "church", "ballet", "circle",
     "workshop", "seminar", "geriatric")
)  # fmt: skip
# Whatever it is called there.
_ELSEWHERE = _OTHERS - {"doctor", "nurse", "np", "med", "medication", "circle", "workshop", "seminar"}
# Where one of these stands beside it, the sentence may speak of this visit.
_OURS = frozenset(
    ("session", "individual", "individually", "psychotherapy", "we", "i", "me", "us", "seen", "met",
     "therapy", "today", "today's", "face", "start", "end", "stop", "began", "ended", "duration", "minutes",
     "client", "patient", "clinician", "writer", "group", "family", "couple", "total", "visit:", "length",
     "evaluation", "scheduled", "our")
)  # fmt: skip
_OTHER_THERAPY = later(r"\b(?:physical|occupational|speech|massage|water|aqua|pool) therapy\b[^.;\n]*\Z")


def of_another_provider(before: str, words: frozenset[str], *, labelled: bool) -> bool:
    """Whether the words before a length, in its sentence, tell of somebody else's work, and none of this
    visit's; `labelled` is whether words right beside it call it a session's."""
    if words.isdisjoint(_OURS) and not words.isdisjoint(_ELSEWHERE if labelled else _OTHERS):
        return True
    return "therapy" in words and _OTHER_THERAPY.search(before) is not None
