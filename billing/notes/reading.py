"""What the stages before the decision know about one note, read once whichever engine decides."""

import re

import msgspec

from billing.notes.codeset import CodeSet
from billing.notes.conditions.aged import decided_by_age
from billing.notes.conditions.explicit import WrittenProcedure, find_codes, find_procedures
from billing.notes.conditions.findings import Reader
from billing.notes.finding import Finding
from billing.notes.hints import find_hints
from billing.notes.length.duration import SessionLength, session_length
from billing.notes.lexicon import Lexicon, Mentions
from billing.notes.page.layout import Layout, lay_out
from billing.notes.page.spelling import correct_fields
from billing.notes.result import Reason
from billing.notes.text.named import named_people
from billing.notes.text.tokens import TokenStream, normalise
from billing.notes.text.wrapping import join_wrapped_lines
from billing.notes.visit.service import Visit, read_visit

LONGEST_NOTE = 100_000
# A note that names more conditions, services and codes than this is a list of something, not a session.
MOST_MENTIONS = 1_500
# So much of a note tells its language.
_SAMPLE = 800


class Reading(msgspec.Struct, frozen=True):
    """One note, read: `plain` is as long as `text`, so every offset holds in both."""

    text: str
    plain: str
    layout: Layout
    tokens: TokenStream
    mentions: Mentions
    reader: Reader
    findings: list[Finding]
    visit: Visit
    length: SessionLength | None
    written_procedures: list[WrittenProcedure]
    corrected: frozenset[int]
    corrections: bool
    hints: dict[str, list[int]]


def read_note(text: str, *, lexicon: Lexicon, codes: CodeSet) -> Reading | Reason:
    """Read a note, or say why it cannot be read by a machine."""
    refusal = _guard(text)
    if refusal is not None:
        return refusal
    normalised = normalise(text)
    plain = join_wrapped_lines(normalised, text)
    hints, numbers = find_hints(plain)
    layout = lay_out(normalised, plain, lexicon.sections)
    tokens = TokenStream(plain, lexicon.letters, short_forms=hints.get("short_form", ()))
    corrected = correct_fields(tokens, layout, lexicon)
    mentions = lexicon.find(tokens)
    mentions.people = named_people(text, tokens, mentions.people)
    written = find_codes(plain, numbers, codes, lexicon.legacy)
    if len(mentions.concepts) + len(mentions.services) + len(written) > MOST_MENTIONS:
        return Reason.TOO_LONG
    reader = Reader(text, plain, tokens, mentions, layout, lexicon, codes, written, corrected, hints)
    return Reading(
        text=text,
        plain=plain,
        layout=layout,
        tokens=tokens,
        mentions=mentions,
        reader=reader,
        findings=decided_by_age(reader.findings(), plain),
        visit=read_visit(text, plain, tokens, mentions, layout, hints),
        length=session_length(plain, tokens, numbers, layout, hints),
        written_procedures=find_procedures(plain, numbers),
        corrected=corrected,
        corrections=("correction" in layout.kinds or bool(mentions.corrections)) and _corrects(plain),
        hints=hints,
    )


def _guard(text: str) -> Reason | None:
    """Empty, too long, or not English: nothing is read."""
    if not text.strip():
        return Reason.EMPTY
    if len(text) > LONGEST_NOTE:
        return Reason.TOO_LONG
    sample = text[:_SAMPLE].lower()
    if not sample.isascii():
        letters = sum(map(str.isalpha, sample))
        latin = sum(map(_LATIN.__contains__, sample))
        if letters >= 40 and latin < 0.6 * letters:
            return Reason.LANGUAGE
    words = sample.split()
    if len(words) >= 25:
        foreign = sum(map(_FOREIGN.__contains__, words))
        if foreign > 0.16 * len(words) and foreign > 2 * sum(map(_ENGLISH.__contains__, words)):
            return Reason.LANGUAGE
    return None


_LATIN = frozenset("abcdefghijklmnopqrstuvwxyz")
_ENGLISH = frozenset(
    [
        "the",
        "and",
        "of",
        "to",
        "with",
        "for",
        "was",
        "is",
        "in",
        "on",
        "client",
        "pt",
        "patient",
        "session",
        "at",
        "her",
        "his",
        "she",
        "he",
        "this",
        "that",
        "by",
        "not",
        "no",
        "as",
        "from",
    ]
)
_FOREIGN = frozenset(
    ["el", "la", "los", "las", "de", "que", "y", "en", "por", "con", "una", "un", "para", "su", "se",
        "del", "al", "es", "le", "les", "des", "et", "une", "dans", "pour", "est", "avec", "sur", "der",
        "die", "das", "und", "ist", "mit", "von", "den", "zu", "ein", "eine", "nicht", "paciente",
        "sesion", "la", "il", "per", "che", "di", "non", "con", "sono", "o", "os", "as", "da", "do",
        "em", "na", "no", "com", "uma"]
)  # fmt: skip


_PUT_RIGHT = re.compile(
    r"in error|by (?:my )?mistake|mistakenly|pasted in|auto-?filled|superseded"
    r"|incorrect|corrected|correction|was wrong|is wrong|should (?:read|be|have been)"
    r"|disregard|do not bill|correct (?:diagnosis|dx|code)\b"
    r"|addendum|amend|withdrawn|(?:is|was|are|and) replaced (?:by|with)"
    r"|(?:diagnosis|dx|code) (?:was |has been |is )?(?:changed|updated|revised)"
    r"|changed (?:from|to)|revised to|updated to"
)


def _corrects(plain: str) -> bool:
    """Whether the note says that something in it was wrong and is put right."""
    return _PUT_RIGHT.search(plain) is not None
