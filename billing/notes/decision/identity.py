"""The note against the person and the day of the request: another's name, birth or date of service."""

import re
from collections.abc import Callable
from datetime import date

from billing.notes.later import later
from billing.notes.page.layout import Layout
from billing.notes.result import Discrepancy, Evidence, KnownIdentity

_EVIDENCE = Callable[[int, int, str], Evidence]
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
           "november", "december")  # fmt: skip
_DATE = later(
    r"(?P<m>\d{1,2})[/.-](?P<d>\d{1,2})[/.-](?P<y>\d{4}|\d{2})(?!\d)"
    r"|(?P<iso>\d{4})-(?P<im>\d{2})-(?P<id>\d{2})"
    rf"|(?P<name>{'|'.join(month[:3] for month in _MONTHS)})[a-z]*\.? (?P<nd>\d{{1,2}})(?:st|nd|rd|th)?,? "
    rf"(?P<ny>\d{{4}})"
)
_DAY_BEFORE = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[.,]*[ ]+)?"
_BEFORE_DATE = later(rf"[ *_#-]*{_DAY_BEFORE}")
_SERVICE_DATE = later(
    r"\b(?P<label>date of (?:this )?(?:service|session|visit|encounter|contact)|d\.?o\.?s\.?"
    r"|(?:service|session|visit|encounter|contact) date|date)[ ]*[:=|-]?[ ]*[*_]*[ ]*" + _DAY_BEFORE + r"\Z"
)
# `Next session date`, `previous DOS`, `first date of service`: of another day.
_OTHER_DAY = later(
    r"\b(?:next|last|previous|prev|prior|past|first|initial|final|upcoming|future|following|other|another"
    r"|original|old|earliest|latest|planned|proposed|rescheduled|cancell?ed|missed|intake|referral|f/?u"
    r"|follow[- ]up|most recent|admit|admission|discharge|auth\w*|end|start|effective|mother's|father's"
    r"|parent's|partner's|spouse's)[ :(-]*\Z"
)
# A label that is nothing but "Date": what stands in front of it is no word of its own.
_LABEL_ALONE = later(r"(?:\A|\n|[ ]{2}|[|;,.)\]*_\d:][ ]?|\t)[ *_#>-]*\Z")
# `Client: Jonas Widmer Date: ...`
_BEHIND_NAME = later(
    r"\b(?:client|patient|pt|name|therapist|provider|clinician|counselor)[ ]*:[ ]*[a-z.'-]+,? [a-z.'-]+,? \Z"
)
_NO_NAME_BEHIND = later(
    r"\b(?:admission|admit|discharge|intake|signature|sign(?:ed)?|start|end|consent|review|plan|session|next"
    r"|last|due|effective|court|printed|created) \Z"
)
# What is signed, or a paper or an appointment of its own, has a day of its own.
_SIGNED = later(
    r"\b(?:e-?)?sign(?:ed|ature|atures|s)?\b|/s/|\b(?:attest|authenticat|co-?sign|countersign|finali[sz]"
    r"|lock|print|approv|witness)(?:ed|ing)?\b"
)
_OF_ANOTHER_DAY = later(
    r"\b(?:next|last|previous|prior|upcoming|follow[- ]?up|appointments?|consents?|authorizations?|auth"
    r"|treatment plan|admission|discharge|referral|court|hearing|injury|accident|release|roi|labs?)\b"
)
_BIRTH_DATE = later(r"\b(?:dob|d\.o\.b\.?|date of birth|birth ?date|born)[ ]*(?:on|:|=|-)?[ ]*\Z")
_RELATIVE = (
    r"mother|mom|mum|father|dad|parent|son|daughter|baby|infant|newborn|brother|sister|sibling|twin|husband"
    r"|wife|spouse|partner|boyfriend|girlfriend|fianc\w+|aunt|uncle|cousin|niece|nephew|grand\w+|step\w+"
    r"|guardian|foster (?:mother|father|parent)|caregiver|friend|roommate"
)
_ROLE = (
    r"guarantor|insured|subscriber|policy ?holder|card ?holder|responsible party|emergency contact"
    r"|next of kin|dependent|member's"
)
# Whose birth or name it is, told in front of it in the same sentence.
_SOMEBODY = later(
    rf"\b(?:(?P<other>(?:{_RELATIVE}|{_ROLE})(?:'?s)?|(?:her|his|their|'s|s') (?:\w+ )?child(?:ren)?(?:'s)?)"
    r"|client|patient|pt|member|child|minor|ip)\b"
)
# A heading over the fields of somebody else, or of a thing.
_HEADS_OTHERS = later(
    rf"[ *_#-]*(?:(?:{_RELATIVE}|{_ROLE})s?\b[^.\n]{{0,30}}"
    r"|(?:contacts?\b|insurance\b|pharmacy\b|physician\b|doctor\b|pcp\b"
    r"|prescriber\b|psychiatrist\b|provider\b|therapist\b|clinician\b|supervisor\b|school\b|teacher\b"
    r"|employer\b|attorney\b|medications?\b|meds\b|rx\b|prescriptions?\b|collateral\b|referr\w+\b"
    r"|practice\b|facility\b|agency\b|household\b|family members?\b|medical\b"
    r"|current med\w+)[^.:\n]{0,30}:?)[ *_]*\Z"
)
_HEADS_PATIENT = later(r"[ *_#-]*(?:client|patient|pt|demographics|identifying)\b[^.\n]{0,40}\Z")
_LINES_UP, _HEADING = 4, 60
_NAME_FIELD = later(
    r"(?:^|\n|  |;|\|)[ ]*(?i:(?P<whose>client|patient|pt|name|client name|patient name|member name"
    r"|full name))[ ]*:[ ]*"
    r"(?P<name>[A-Z][A-Za-z'\u2019-]+(?:,)? (?:[A-Z]\.? )?[A-Z][A-Za-z'\u2019-]+)"
    r"(?=[ ]{2,}|[ ]*(?:\n|$|;|\||,|\(|(?i:DOB|Age|MRN))|\.(?:[ \n]|$)"
    r"|[ ]+(?i:individual|psychotherapy|session)\b|[ ]+[A-Z][A-Za-z ]{1,20}:)"
)
# `Name: Sertraline Hydrochloride  Dose: 50 mg`, `Name: Jorge Ruiz   Relationship: father`
_NO_PERSONAL_NAME = later(
    r"[ ,;|(]*(?:dose|dosage|strength|sig|frequency|route|qty|quantity|refills?|relation\w*|phone|tel|\d+ ?mg"
    r"|npi|license|lic|credentials?|title|fax|specialty)\b"
)
# Words that say how the patient is, came or pays, and are nobody's name.
_STATES = later(
    r"\b(?:about|absent|accompanied|active|adequate|after|agitated|alert|alone|also|ambulatory|and"
    r"|angry|anxious|appears|appropriate|appropriately|arrived|attended|attentive|awake|aware"
    r"|before|behavior|brought|by|calm|came|camera|cash|casually|clean|client|clinic"
    r"|compliant|continues|couple|current|declined|denied|denies|depressed|did|disheveled"
    r"|distant|distracted|distressed|doing|dressed|during|dysphoric|elevated|engaged"
    r"|established|euthymic|evasive|existing|expressed|family|feeling|female|fidgety|flat"
    r"|focused|friendly|fully|groomed|group|guarded|had|happy|has|here|hopeful|hours"
    r"|improved|improving|individual|insurance|intoxicated|irritable|is|joined|labile|late"
    r"|made|making|male|medicated|mildly|minutes|mood|motivated|neatly|nervous|new|none"
    r"|nonverbal|not|of|office|on|only|open|oriented|out|overwhelmed|participated|patient"
    r"|pay|person|pleasant|polite|present|presented|presents|progress|progressing|prompt"
    r"|punctual|quiet|receptive|relaxed|reported|reports|resistant|responsive|restless"
    r"|returning|sad|same|seen|session|showed|sleepy|slightly|sober|somewhat|speech|stable"
    r"|stated|states|struggling|subdued|tearful|telehealth|throughout|time|tired|today"
    r"|treatment|unable|unchanged|unkempt|unknown|upset|verbal|very|via|video|visibly|was"
    r"|well|willing|with|withdrawn|without|working|worried|worse)\b"
    r"|\b(?:[a-z]{3,}(?:ative|ented|tion)|[a-z]+[eprs]ful|[a-z]{7,}ly)\b"
)


def compare_identity(
    text: str, plain: str, layout: Layout, *, identity: KnownIdentity, on: date | None, evidence: _EVIDENCE
) -> list[Discrepancy]:
    """A name, a date of birth or a date of service in the note's header that is not the request's.

    Where one of the kind agrees, others are another person's or another day's. The differing values are PHI:
    they stand in the evidence only, never in `supplied` or `found`.
    """
    births, days = _dates(plain, layout)
    found = []
    if not any(day == identity.date_of_birth for day, _ in births) and identity.date_of_birth is not None:
        found += [
            Discrepancy("identity_vs_note", "block", None, "date_of_birth", (evidence(*at, "identity"),))
            for _, at in births
        ]
    if on is not None:
        agrees = any(day == on for day, _, _ in days)
        found += [
            Discrepancy("dos_vs_note", "block", on.isoformat(), day.isoformat(), (evidence(*at, "date"),))
            for day, at, outright in days
            if day != on and (outright or not agrees)
        ]
    other = _another_name(text, plain, identity)
    if other is not None:
        found.append(Discrepancy("identity_vs_note", "block", None, "name", (evidence(*other, "identity"),)))
    return found


def _dates(
    plain: str, layout: Layout
) -> tuple[list[tuple[date, tuple[int, int]]], list[tuple[date, tuple[int, int], bool]]]:
    """The dates of birth that may be the patient's, and those of the service; True where the label calls it
    the service's and not only a date."""
    births: list[tuple[date, tuple[int, int]]] = []
    days: list[tuple[date, tuple[int, int], bool]] = []
    for match in _DATE.finditer(plain):
        day = _date(match)
        if day is None:
            continue
        at, label = match.start(), max(0, match.start() - 40)
        birth = _BIRTH_DATE.search(plain, label, at)
        if birth is not None:
            if not _is_anothers(plain, birth.start()):
                births.append((day, match.span()))
            continue
        if layout.at(at) in ("plan", "past_history"):
            continue
        named = _SERVICE_DATE.search(plain, label, at)
        if named is None:
            if _heads_note(plain, layout, match):
                days.append((day, match.span(), False))
        elif named["label"] != "date":
            if not _OTHER_DAY.search(plain, max(0, named.start() - 24), named.start()):
                days.append((day, match.span(), True))
        elif _is_date_alone(plain, layout, named.start()):
            days.append((day, match.span(), False))
    return births, days


def _is_date_alone(plain: str, layout: Layout, at: int) -> bool:
    """Whether a label that ends in "date" is nothing but that, and no signature's or other paper's."""
    floor = max(0, at - 80)
    if not (_LABEL_ALONE.search(plain, max(0, at - 8) if at > 8 else 0, at) or at == 0) and (
        not _BEHIND_NAME.search(plain, floor, at) or _NO_NAME_BEHIND.search(plain, floor, at)
    ):
        return False
    line_start = plain.rfind("\n", 0, at) + 1
    above = plain[max(0, line_start - 120) : line_start].rstrip().rpartition("\n")[2]
    titled = plain.find(above, max(0, line_start - 120)) < layout.title[1]
    if _SIGNED.search(plain, max(line_start, at - 120), at) or _SIGNED.search(above):
        return False
    return titled or not _OF_ANOTHER_DAY.search(above) or len(above) > _HEADING


def _is_anothers(plain: str, at: int) -> bool:
    """Whether the nearest person in front of a field in its sentence or over it is not the patient."""
    line_start = plain.rfind("\n", 0, at) + 1
    before = plain[max(line_start, at - 80) : at].rpartition(". ")[2]
    people = list(_SOMEBODY.finditer(before))
    if people:
        return people[-1]["other"] is not None
    return _under_another(plain, line_start)


def _under_another(plain: str, line_start: int) -> bool:
    """Whether the lines right above belong to somebody else: `Emergency contact`, `Guarantor: ...`."""
    end = line_start - 1
    for _ in range(_LINES_UP):
        if end <= 0:
            return False
        start = plain.rfind("\n", 0, end) + 1
        line = plain[start:end]
        if not line.strip() or _HEADS_PATIENT.match(line):
            return False
        if len(line) <= _HEADING and _HEADS_OTHERS.match(line):
            return True
        end = start - 1
    return False


def _another_name(text: str, plain: str, identity: KnownIdentity) -> tuple[int, int] | None:
    """Where a name stands that is not the patient's; one under a mere `Name:` only where none agrees."""
    first, last = (
        set(re.findall(r"[a-z]+", name.lower())) for name in (identity.first_name, identity.last_name)
    )
    bare: tuple[int, int] | None = None
    agrees = False
    for match in _NAME_FIELD.finditer(text):
        parts = set(re.findall(r"[a-z]+", match["name"].lower()))
        if parts & last or (parts & first and len(parts) < 2):
            agrees = True
        elif _STATES.search(plain, *match.span("name")):
            continue
        elif match["whose"].lower() != "name":
            return match.span("name")
        elif not (
            _NO_PERSONAL_NAME.match(plain, match.end("name")) or _is_anothers(plain, match.start("whose"))
        ):
            bare = bare or match.span("name")
    return None if agrees else bare


def _heads_note(plain: str, layout: Layout, match: re.Match[str]) -> bool:
    """Whether the first line of the note is a date and nothing else, its weekday aside."""
    start, end = layout.title
    return (
        start <= match.start() < end
        and _BEFORE_DATE.fullmatch(plain, start, match.start()) is not None
        and not plain[match.end() : end].strip(" *_.,:;-")
    )


def _date(match: re.Match[str]) -> date | None:
    try:
        if match["iso"]:
            return date(int(match["iso"]), int(match["im"]), int(match["id"]))
        if match["name"]:
            month = next(n for n, name in enumerate(_MONTHS, start=1) if name.startswith(match["name"]))
            return date(int(match["ny"]), month, int(match["nd"]))
        year = int(match["y"])
        if year < 100:
            year += 2000 if year < 50 else 1900
        return date(year, int(match["m"]), int(match["d"]))
    except ValueError:
        return None
