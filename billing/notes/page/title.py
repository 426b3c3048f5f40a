"""The title of a note: its first words that are no letterhead."""

import re

_LONGEST_TITLE = 120
# A practice's name with its address or telephone, and who the patient is: above the title.
_LETTERHEAD = re.compile(
    r"(?![^\n]*\b(?:note|session|intake|evaluation|eval|assessment|psychotherapy|individual|indiv|group|family|couples?"
    r"|visit|crisis|telehealth|dx|diagnos[ei]s|min|minutes|seen|met|check|summary|plan|report|testing|call"
    r"|consult|consultation|screening|medication|discharge|transfer|cancel+ed|missed|present|absent)\b"
    r"(?! (?:clinic|center|associates|counseling|services|therapy (?:associates|center|group)|llc)\b))"
    r"(?:[^\n]*(?:\b(?:tel|phone|ph|fax)\b|\b\d{3}[)]?[ .-]+\d{3}[ .-]\d{4}\b|\b[a-z]{2} \d{5}\b)"
    r"|(?:(?:client|patient|pt|mrn|chart|record|account|case|member|dob|date of birth|dos|date|provider"
    r"|clinician|therapist|name|id|age|gender|sex|insurance"
    r"|payer|payor|plan id|location|address|city)(?: (?:id|no|name|number|of service))?[ ]?[:#.])"
    r"|[a-z&', .-]+ (?:associates|assoc|center|clinic|group practice|llc|pllc|inc|pc|partners|institute"
    r"|agency)[.]?[ ]*\Z)"
)
_LETTERHEAD_LINES, _LONGEST_LETTERHEAD = 10, 160
# What is taught or said in a first line; such a one states no condition.
_TAUGHT = re.compile(
    r"\b(?:psycho-?ed\w*|educat\w+|class|workshop|lecture|topic|group|seminar|handout|screen\w*"
    r"|she|he|they|her|his|their|who|whose|met|says|said)\b"
)


def title_of(flat: str, lines: list[tuple[int, int]]) -> tuple[int, int]:
    """The first line with words that is no letterhead, or its first sentence where it is a paragraph."""
    told = ((s, e) for s, e in lines if flat[s:e].strip())
    first = start, end = next(told, (0, 0))
    skipped = 0
    while (
        skipped < _LETTERHEAD_LINES
        and end - start <= _LONGEST_LETTERHEAD
        and _LETTERHEAD.match(flat, start, end)
    ):
        skipped += 1
        start, end = next(told, first)
    if end - start <= _LONGEST_TITLE:
        return start, end
    stop = flat.find(". ", start, end)
    return start, stop if stop >= 0 else end


def tells(plain: str, title: tuple[int, int]) -> bool:
    """Whether a title is of something taught or said."""
    return _TAUGHT.search(plain, *title) is not None
