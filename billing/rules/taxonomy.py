"""What kind of provider someone is, as a NUCC taxonomy code, from the words that they use of themselves.

The words of the specialty are read first. Credentials serve where the specialty is silent, and where it names
only a broad group ("social worker", "counselor") or a field of work ("addiction") that they make exact.
"""

import re

from billing.rules.tables.taxonomies import PRESCRIBERS, TAXONOMIES

_GENERIC = {"104100000X": "1041", "101Y00000X": "101Y", "363L00000X": "363L"}
"""Broad codes, and how the exact ones of the same group begin."""

_PROFESSIONS: tuple[tuple[str, str], ...] = (
    ("390200000X", r"student|trainee"),
    # Nurses and physicians, exact ones first.
    (
        "363LP0808X",
        r"pmhnp|(psych\w*|mental health|behavioral health).*nurse practitioner"
        r"|nurse practitioner.*(psych\w*|mental health)",
    ),
    ("364SP0808X", r"pmhcns|psych\w*.*clinical nurse specialist|clinical nurse specialist.*psych\w*"),
    ("163WA0400X", r"(addictions?|substance).*nurs(e|ing)|carn"),
    ("163WP0808X", r"(psych\w*|mental health).*nurs(e|ing)|pmhn|rn pmh|pmh rn"),
    ("363A00000X", r"physician (assistant|associate)|pa c"),
    ("2084P0804X", r"(child|adolescent|pediatric).*(psychiatrist|psychiatry)"),
    ("2084P0802X", r"addictions? (psychiatrist|psychiatry)|(psychiatrist|psychiatry) addictions?"),
    ("2084P0805X", r"(geriatric|gero) ?(psychiatrist|psychiatry)"),
    ("2084F0202X", r"forensic (psychiatrist|psychiatry)"),
    ("2084P0015X", r"psychosomatic medicine|consultation liaison (psychiatrist|psychiatry)"),
    ("2084P0800X", r"psychiatrist|psychiatry"),
    ("207QA0401X", r"addiction medicine"),
    ("364SP0808X", r"clinical nurse specialist"),
    ("363LF0000X", r"family nurse practitioner"),
    ("363L00000X", r"nurse practitioner"),
    # Psychologists.
    ("103G00000X", r"neuro ?psycholog\w*"),
    ("103TP0016X", r"(prescribing|medical) psycholog\w*"),
    (
        "103TA0400X",
        r"(addictions?|substance|chemical dependency).*psycholog\w*"
        r"|psycholog\w*.*(addictions?|substance|chemical dependency)",
    ),
    (
        "103TC2200X",
        r"(child|children|adolescent|pediatric)( \w+){0,3} psycholog\w*"
        r"|psycholog\w* (clinical )?(child|adolescent)",
    ),
    ("103TC1900X", r"counsell?ing psycholog\w*|psycholog\w* counsell?ing"),
    ("103TS0200X", r"school psycholog\w*|psycholog\w* school"),
    ("103TF0200X", r"forensic psycholog\w*|psycholog\w* forensic"),
    ("103TH0100X", r"health service psycholog\w*"),
    ("103TH0004X", r"health psycholog\w*|psycholog\w* health"),
    ("103TF0000X", r"family psycholog\w*|psycholog\w* family"),
    ("103TR0400X", r"rehabilitation psycholog\w*"),
    ("103TE1100X", r"sports? (and exercise )?psycholog\w*"),
    ("103TA0700X", r"gero ?psycholog\w*|geriatric psycholog\w*"),
    ("103TB0200X", r"(cognitive|behaviou?ral) psycholog\w*"),
    ("103TP2701X", r"group psychotherapy psycholog\w*"),
    ("103TC0700X", r"clinical psycholog\w*|psycholog\w* clinical|lcp|psyd"),
    ("103T00000X", r"psychologist|psychology|lp"),
    # Behavior analysts.
    ("106E00000X", r"assistant behaviou?r analyst|bcaba"),
    ("106S00000X", r"behaviou?r technician|rbt"),
    ("103K00000X", r"behaviou?r(al)? analyst|applied behaviou?r analysis|bcba|lba"),
    ("102L00000X", r"psychoanalyst|psychoanalysis"),
    # Social workers. A school's first: "licensed school social worker".
    ("1041S0200X", r"school social work\w*"),
    (
        "1041C0700X",
        r"clinical social work\w*|social work\w* clinical|l?i?csw|lscsw|lcsws|lisws?|lcswr|lcswc|lmsw cc"
        r"|(psychiatric|independent) social work\w*|bcd|qcsw|dcsw",
    ),
    # Marriage and family.
    (
        "106H00000X",
        r"marriage (and |couples? |family )*family|(marital|couples?) and family|marriage family"
        r"|family therap(y|ist)|marriage (therap(y|ist)|counsel\w*)|[a-z]{0,3}mft[a-z]?",
    ),
    # Counselors.
    (
        "101YA0400X",
        r"(addictions?|substance( use| abuse)?( disorder)?|chemical dependency|drug|alcohol)( and \w+)*"
        r"( treatment)? (counsel\w*|therap(y|ist)|specialist)|counsel\w* (addictions?|substance)"
        r"|l?c?adc[a-z]{0,2}|lcdc|casac[a-z0-9]?|lcas|lisac"
        r"|c?aadc|cac|lsatp|csac|mac|sudp|laadc",
    ),
    (
        "101YM0800X",
        r"mental health (counsel\w*|therap(y|ist)|clinician)|clinical mental health|counsel\w* mental health"
        r"|l?c?mhc[a-z]?|lmhp|ccmhc",
    ),
    ("101YP1600X", r"pastoral (counsel\w*|care)"),
    ("101YS0200X", r"school counsel\w*"),
    ("225C00000X", r"rehabilitation counsel\w*|crc"),
    (
        "101YP2500X",
        r"professional (clinical )?counsel\w*|counsel\w* professional|clinical (professional )?counsel\w*"
        r"|lpcs?|lpcc[a-z]?|lcpcs?|alc"
        r"|lpca|apcc|lapc|lpci|plpc|lpcmh|licensed counselor|lgpc",
    ),
    # Arts therapies and others.
    ("225XM0800X", r"occupational therap(y|ist).*mental health|mental health occupational therap(y|ist)"),
    ("221700000X", r"art therap(y|ist)|atr|lcat|lpat"),
    ("225A00000X", r"music therap(y|ist)|mt bc"),
    ("225600000X", r"dance( and| movement)* (movement )?therap(y|ist)|bc dmt|r dmt"),
    ("101200000X", r"drama therap(y|ist)|rdt"),
    ("102X00000X", r"poetry therap(y|ist)"),
    ("175T00000X", r"peer (support )?(specialist|counselor|worker|support)"),
    ("171M00000X", r"case manage(r|ment)|care coordinator"),
    # Broad groups come last.
    ("104100000X", r"social work\w*|l?msw|lsw|lgsw|lbsw|asw"),
    ("101Y00000X", r"counsel\w*|ncc"),
)

_DEGREES: tuple[tuple[str, str], ...] = (
    ("364SP0808X", r"cns"),
    ("363LP0808X", r"a?np|aprn|arnp|crnp|fnp|dnp|np bc"),
    ("363A00000X", r"pa"),
    ("2084P0800X", r"md|do"),
    ("163WP0808X", r"rn|bsn|msn"),
    ("103TC0700X", r"phd|psy d|ph d"),
)
"""Degrees that leave the profession open are read as what a therapist with them most often is."""

_ADDICTION = re.compile(r"\b(addictions?|substance (use|abuse)|chemical dependency|sud)\b")
_ADDICTION_BY_PROFESSION = (("103T", "103TA0400X"), ("2084", "2084P0802X"), ("163W", "163WA0400X"))


def _compiled(table: tuple[tuple[str, str], ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((code, re.compile(rf"\b(?:{words})\b")) for code, words in table)


_PROFESSION_WORDS = _compiled(_PROFESSIONS)
_DEGREE_WORDS = _compiled(_DEGREES)


def is_known_taxonomy(code: str) -> bool:
    """Whether the code is one of the NUCC taxonomies that a behavioural health claim carries."""
    return code in TAXONOMIES


def is_prescriber(taxonomy: str) -> bool:
    """Whether providers of this taxonomy bill medical services such as evaluation and management."""
    return taxonomy.startswith(PRESCRIBERS)


def infer_taxonomy(specialty: str | None, credentials: str | None = None) -> str | None:
    """The NUCC code for what these words say, or None when they say nothing that we know."""
    field = _plain(specialty)
    from_specialty = _first(field, _PROFESSION_WORDS) or _first(field, _DEGREE_WORDS)
    letters = _plain(credentials)
    from_credentials = _first(letters, _PROFESSION_WORDS) or _first(letters, _DEGREE_WORDS)
    if from_specialty is None:
        if _ADDICTION.search(field):
            return _addiction_code(from_credentials)
        return from_credentials
    group = _GENERIC.get(from_specialty)
    if group and from_credentials and from_credentials.startswith(group):
        return from_credentials
    return from_specialty


def _addiction_code(profession: str | None) -> str:
    """The code of someone who says only that they treat addiction."""
    if profession is None:
        return "101YA0400X"
    for group, code in _ADDICTION_BY_PROFESSION:
        if profession.startswith(group):
            return code
    return profession


def _plain(text: str | None) -> str:
    """Lower-case words with single blanks: "L.C.S.W.-C" is "lcsw c", "Marriage & Family" has its "and"."""
    lowered = (text or "").lower().replace("&", " and ").replace(".", "")
    return " ".join(re.sub(r"[^a-z0-9]+", " ", lowered).split())


def _first(text: str, table: tuple[tuple[str, re.Pattern[str]], ...]) -> str | None:
    return next((code for code, words in table if words.search(text)), None) if text else None
