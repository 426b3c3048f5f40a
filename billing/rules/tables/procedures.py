"""Procedure codes of behavioural health, with our own labels, and what the code sets say of all others.

Minutes and add-on rules: NCCI policy manual chapter 11 and public payer policies. CPT itself is the AMA's;
only codes and our own words stand here.
"""

import re
from datetime import date

LABELS: dict[str, str] = {
    "90785": "interactive complexity",
    "90791": "diagnostic evaluation",
    "90792": "diagnostic evaluation with medical services",
    "90832": "psychotherapy, 30 minutes",
    "90833": "psychotherapy, 30 minutes, with a medical visit",
    "90834": "psychotherapy, 45 minutes",
    "90836": "psychotherapy, 45 minutes, with a medical visit",
    "90837": "psychotherapy, 60 minutes",
    "90838": "psychotherapy, 60 minutes, with a medical visit",
    "90839": "crisis psychotherapy, first hour",
    "90840": "crisis psychotherapy, each further half hour",
    "90845": "psychoanalysis",
    "90846": "family therapy without the patient",
    "90847": "family therapy with the patient",
    "90849": "group therapy of several families",
    "90853": "group psychotherapy",
    "90863": "medication management with psychotherapy",
    "90865": "interview under sedation",
    "90867": "magnetic stimulation, first treatment",
    "90868": "magnetic stimulation, further treatment",
    "90869": "magnetic stimulation, new threshold",
    "90870": "electroconvulsive therapy",
    "90875": "psychotherapy with biofeedback, 30 minutes",
    "90876": "psychotherapy with biofeedback, 45 minutes",
    "90880": "hypnotherapy",
    "90882": "work on the patient's surroundings",
    "90885": "reading records for a diagnosis",
    "90887": "explaining results to the family",
    "90889": "report for others",
    "90899": "other psychiatric service",
    "96105": "aphasia assessment",
    "96110": "developmental screening",
    "96112": "developmental test, first hour",
    "96113": "developmental test, each further half hour",
    "96116": "neurobehavioural examination, first hour",
    "96121": "neurobehavioural examination, each further hour",
    "96125": "cognitive performance test",
    "96127": "brief behavioural assessment, per instrument",
    "96130": "psychological test evaluation, first hour",
    "96131": "psychological test evaluation, each further hour",
    "96132": "neuropsychological evaluation, first hour",
    "96133": "neuropsychological evaluation, each further hour",
    "96136": "testing by a professional, first half hour",
    "96137": "testing by a professional, each further half hour",
    "96138": "testing by a technician, first half hour",
    "96139": "testing by a technician, each further half hour",
    "96146": "automated test",
    "96156": "health behaviour assessment",
    "96158": "health behaviour intervention, first half hour",
    "96159": "health behaviour intervention, each further quarter hour",
    "96160": "health risk assessment of the patient",
    "96161": "health risk assessment of a caregiver",
    "96164": "health behaviour group, first half hour",
    "96165": "health behaviour group, each further quarter hour",
    "96167": "health behaviour family visit, first half hour",
    "96168": "health behaviour family visit, each further quarter hour",
    "96170": "health behaviour family visit without the patient, first half hour",
    "96171": "health behaviour family visit without the patient, each further quarter hour",
    "97151": "behaviour assessment",
    "97153": "behaviour treatment by protocol",
    "97155": "behaviour treatment, protocol changed",
    "97156": "guidance of the family on behaviour treatment",
    "98966": "phone assessment, 5 minutes",
    "98967": "phone assessment, 11 minutes",
    "98968": "phone assessment, 21 minutes",
    "99202": "medical visit, new patient, 15 minutes",
    "99203": "medical visit, new patient, 30 minutes",
    "99204": "medical visit, new patient, 45 minutes",
    "99205": "medical visit, new patient, 60 minutes",
    "99211": "medical visit, known patient, minimal",
    "99212": "medical visit, known patient, 10 minutes",
    "99213": "medical visit, known patient, 20 minutes",
    "99214": "medical visit, known patient, 30 minutes",
    "99215": "medical visit, known patient, 40 minutes",
    "99408": "alcohol or drug screening with brief help, 15 minutes",
    "99409": "alcohol or drug screening with brief help, 30 minutes",
    "99484": "behavioural health care management",
    "H0001": "alcohol or drug assessment",
    "H0004": "behavioural health counseling, 15 minutes",
    "H0005": "alcohol or drug group counseling",
    "H0015": "intensive outpatient programme",
    "H0031": "mental health assessment",
    "H0032": "mental health service plan",
    "H0035": "partial hospitalization",
    "H0038": "peer support, 15 minutes",
    "H2011": "crisis intervention, 15 minutes",
    "H2014": "skills training, 15 minutes",
    "H2017": "psychosocial rehabilitation, 15 minutes",
    "H2019": "therapeutic behavioural service, 15 minutes",
    "S9480": "intensive outpatient psychiatric service",
    "T1017": "case management, 15 minutes",
}

MINUTES: dict[str, tuple[int, int | None]] = {
    "90832": (16, 37),
    "90833": (16, 37),
    "90834": (38, 52),
    "90836": (38, 52),
    "90837": (53, None),
    "90838": (53, None),
}
"""First and last minute of the timed psychotherapy codes."""

VISIT_ADD_ON = {"90832": "90833", "90834": "90836", "90837": "90838"}
"""Individual psychotherapy that stands alone, and what it is beside a medical visit."""
INDIVIDUAL = frozenset(VISIT_ADD_ON)
WITH_VISIT = frozenset(VISIT_ADD_ON.values())
TIMED = INDIVIDUAL | WITH_VISIT
EVALUATIONS = frozenset({"90791", "90792"})
CRISIS = frozenset({"90839", "90840"})
FAMILY = frozenset({"90846", "90847"})
GROUP = frozenset({"90849", "90853"})
PHONE = frozenset({"98966", "98967", "98968"})
PSYCHOTHERAPY = TIMED | CRISIS | FAMILY | GROUP | {"90845"}
INTERACTIVE_COMPLEXITY = "90785"
MEDICATION = "90863"
FITS_INTERACTIVE_COMPLEXITY = EVALUATIONS | TIMED | {"90853"}
NEEDS_PRESCRIBER = WITH_VISIT | {"90792", "90865", "90867", "90868", "90869", "90870"}

ADD_ON_TO: dict[str, frozenset[str]] = {
    "96113": frozenset({"96112"}),
    "96121": frozenset({"96116"}),
    "96131": frozenset({"96130"}),
    "96133": frozenset({"96132"}),
    "96137": frozenset({"96136"}),
    "96139": frozenset({"96138"}),
    "96159": frozenset({"96158"}),
    "96165": frozenset({"96164"}),
    "96168": frozenset({"96167"}),
    "96171": frozenset({"96170"}),
    "99417": frozenset({"99205", "99215", "99245", "99345", "99350", "99483"}),
    "99494": frozenset({"99492", "99493"}),
    "G2212": frozenset({"99205", "99215", "99483"}),
}
"""Add-on codes that no rule of their own looks after, with the codes that they may stand beside."""

QUARTER_HOURS = frozenset(
    {
        *("0362T", "0373T"),
        *("97151", "97152", "97153", "97154", "97155", "97156", "97157", "97158"),
        *("H0004", "H0034", "H0036", "H0038", "H0039", "H0050", "H2010", "H2011", "H2014", "H2015", "H2017"),
        *("H2019", "H2021", "H2023", "H2025", "H2027", "H2028", "H2030", "H2032", "H2033", "H2037"),
        *("S9482", "T1016", "T1017", "T1027"),
    }
)
"""Codes that stand for a quarter hour each, so that a session has several units of one."""
SECOND_UNIT_FROM: dict[str, int] = {
    "90840": 105,
    "96113": 106,
    "96121": 151,
    "96131": 151,
    "96133": 151,
    "96137": 76,
    "96139": 76,
    **dict.fromkeys(("96159", "96165", "96168", "96171"), 53),
    **dict.fromkeys(("99417", "99494", "G2212"), 0),
}
"""Add-ons of each further hour or part of one: the minutes, those of the primary code among them, from which
there are two units; 0 where it isn't the session's minutes that count."""
COUNT_TIME = QUARTER_HOURS | SECOND_UNIT_FROM.keys()

FORM = re.compile(r"[0-9]{4}[0-9A-Z]|[A-V][0-9]{4}")
_NUMERIC_RANGES = (
    (100, 1999),
    (10004, 69990),
    (70010, 79999),
    (80047, 89398),
    (90281, 99607),
)
_BEGINS: dict[str, date] = {
    "96112": date(2019, 1, 1),
    "96113": date(2019, 1, 1),
    "96121": date(2019, 1, 1),
    **dict.fromkeys(
        ("96130", "96131", "96132", "96133", "96136", "96137", "96138", "96139"), date(2019, 1, 1)
    ),
    "96146": date(2019, 1, 1),
    **dict.fromkeys(
        ("96156", "96158", "96159", "96164", "96165", "96167", "96168", "96170", "96171"), date(2020, 1, 1)
    ),
    **{str(code): date(2025, 1, 1) for code in range(98000, 98017)},
}
_ENDS: dict[str, date] = {
    **{str(code): date(2013, 1, 1) for code in (90801, 90802, *range(90804, 90830), 90857, 90862)},
    **{str(code): date(2019, 1, 1) for code in (96101, 96102, 96103, 96111, 96118, 96119, 96120)},
    **{str(code): date(2020, 1, 1) for code in range(96150, 96156)},
    "99201": date(2021, 1, 1),
    **{str(code): date(2023, 1, 1) for code in (99241, 99251, *range(99354, 99358))},
    **{str(code): date(2025, 1, 1) for code in (99441, 99442, 99443)},
}
"""The first day on which a code could no longer be billed."""


def name_of(code: str) -> str:
    """The code with what it means: "90837 (psychotherapy, 60 minutes)"."""
    label = LABELS.get(code)
    return f"{code} ({label})" if label else code


def is_evaluation_and_management(code: str) -> bool:
    """Whether the code is a medical visit that a psychotherapy add-on can stand beside."""
    return code.isdigit() and (
        99202 <= int(code) <= 99255
        or 99281 <= int(code) <= 99285
        or 99304 <= int(code) <= 99350
        or 98000 <= int(code) <= 98015
    )


def has_form(code: str) -> bool:
    """Whether the code has the five characters of a CPT or HCPCS code."""
    return FORM.fullmatch(code) is not None


def in_code_set(code: str) -> bool:
    """Whether the code lies where the code sets have codes at all; letters are taken as they are."""
    return not code.isdigit() or any(first <= int(code) <= last for first, last in _NUMERIC_RANGES)


def in_force(code: str, *, on: date) -> bool:
    """Whether a code that we know to have begun or ended was in use on that day."""
    return _BEGINS.get(code, date.min) <= on < _ENDS.get(code, date.max)
