"""Nothing that a model says counts until it is found in the note and agrees with the rules of assertion."""

import re
from dataclasses import dataclass

from rapidfuzz import fuzz

from billing.notes.conditions.placement import FIELD
from billing.notes.finding import Finding
from billing.notes.lexicon import Concept, Lexicon
from billing.notes.llm.exchange import LlmAnswer, LlmFinding
from billing.notes.llm.view import Clause
from billing.notes.reading import Reading

_SPACES = re.compile(r"\s+")
_NEAR = 60
_MOST_LEAVES = 8


@dataclass(frozen=True, slots=True)
class Verified:
    """The findings that hold, what a rule of assertion speaks against, what could not be verified, and the
    unlisted."""

    findings: list[Finding]
    contradicted: list[Finding]
    dropped: int
    unlisted: list[tuple[LlmFinding, int, int]]


def verify(
    answer: LlmAnswer, *, clauses: list[Clause], reading: Reading, offered: list[str], lexicon: Lexicon
) -> Verified:
    """Check each finding: its clause and quote exist, its words are near, the rules do not contradict it."""
    by_id = {clause.id: clause for clause in clauses}
    findings: list[Finding] = []
    contradicted: list[Finding] = []
    unlisted: list[tuple[LlmFinding, int, int]] = []
    dropped = 0
    for said in answer.findings:
        clause = by_id.get(said.clause_id)
        span = locate(said.quote, clause) if clause is not None else None
        if span is None:
            dropped += 1
            continue
        if said.concept_id == "other":
            if _counts(said):
                unlisted.append((said, *span))
            continue
        if said.concept_id not in offered:
            dropped += 1
            continue
        finding = _finding(said, span, lexicon.concepts[said.concept_id], reading)
        rule = _ruled_out(finding, reading)
        if finding.doubt is None and rule is not None:
            contradicted.append(finding)
        findings.append(finding)
    return Verified(findings, contradicted, dropped, unlisted)


def locate(quote: str, clause: Clause) -> tuple[int, int] | None:
    """Where the quote stands in the note, whitespace aside; None where it does not stand in its clause."""
    words = _SPACES.split(quote.strip())
    if not words or not words[0]:
        return None
    match = re.search(r"\s+".join(re.escape(word) for word in words), clause.shown.text)
    if match is None:
        return None
    start, end = clause.shown.restore(match.start(), match.end())
    return clause.start + start, clause.start + end


def _counts(said: LlmFinding) -> bool:
    return (
        said.polarity == "positive"
        and said.certainty == "firm"
        and said.time in ("current", "remission")
        and said.subject == "patient"
    )


def _finding(said: LlmFinding, span: tuple[int, int], concept: Concept, reading: Reading) -> Finding:
    """The finding with the code that the same decision table gives; where its words, or those of its
    specifiers, are not near, a weak one."""
    values = frozenset(value for value in said.specifiers.values() if value in concept.values)
    rule = concept.resolve(values)
    doubt = None
    if said.polarity == "negative":
        doubt = "negated"
    elif said.certainty == "uncertain":
        doubt = "uncertain"
    elif said.subject == "other":
        doubt = "other_person"
    elif said.time in ("past", "hypothetical"):
        doubt = "historical" if said.time == "past" else "conditional"
    start, end = span
    near = [
        finding
        for finding in reading.findings
        if finding.concept is not None
        and finding.concept.family == concept.family
        and finding.start < end + _NEAR
        and finding.end > start - _NEAR
    ]
    written = {
        value
        for first, _, value in reading.mentions.values
        if start - _NEAR < reading.tokens.starts[first] < end + _NEAR
    }.union(*(finding.values for finding in near))
    return Finding(
        concept=concept,
        code=rule.code,
        reason=rule.reason,
        values=values,
        start=start,
        end=end,
        section=reading.layout.at(start),
        strength=FIELD,
        doubt=doubt,
        by="llm",
        specific=bool(rule.needs),
        rank=1,
        problems=() if near and values <= written else ("llm_words_not_near",),
        assertive=True,
    )


def _ruled_out(finding: Finding, reading: Reading) -> str | None:
    """Why the rules turn down the same condition at the same place, or None."""
    for other in reading.findings:
        same = (
            other.concept is not None
            and finding.concept is not None
            and other.concept.family == finding.concept.family
        )
        if same and other.start < finding.end and other.end > finding.start:
            return other.doubt
    return None


def closest_leaves(words: str, rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The titles of the code set nearest to a wording that the lexicon does not have."""
    scored = sorted(
        ((fuzz.token_set_ratio(words.lower(), title.lower()), code, title) for code, title in rows),
        key=lambda entry: (-entry[0], entry[1]),
    )
    return [(code, title) for score, code, title in scored[:_MOST_LEAVES] if score >= 55]
