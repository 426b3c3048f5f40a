"""One family, one code: what several statements of a condition come to, and which conditions exclude each
other."""

from msgspec.structs import replace

from billing.notes.conditions.placement import FIELD, STATED
from billing.notes.finding import Finding
from billing.notes.lexicon import Concept, load_lexicon
from billing.notes.page.layout import DIAGNOSIS_KINDS

_RIGHT_BESIDE = 24
# Axes of which one statement may tell one and another the other.
_TOLD_APART = frozenset(("episode", "severity", "psychosis", "mood_episode"))
_LISTS = frozenset(("dx", "on_file"))
_DRAFT_ORDER = {"correction": 0, "assessment": 1, "problem": 1, "dx": 2}
# Conditions that exclude each other: a note that states both firmly contradicts itself.
_EXCLUDES = (
    ({"depressive"}, {"bipolar"}),
    ({"depressive"}, {"cyclothymia"}),
    ({"dysthymia"}, {"bipolar"}),
    ({"dysthymia"}, {"cyclothymia"}),
    ({"mood_dysregulation"}, {"bipolar"}),
    ({"bipolar"}, {"cyclothymia"}),
    ({"schizophrenia"}, {"schizoaffective"}),
    ({"anorexia"}, {"bulimia"}),
    ({"anorexia"}, {"binge_eating"}),
    ({"bulimia"}, {"binge_eating"}),
    ({"oppositional"}, {"conduct"}),
)
_EXCLUDABLE = frozenset().union(*(families for pair in _EXCLUDES for families in pair))
_EXCLUDED_CODES = frozenset(("F32.A", "F32.9"))
# Codes of one family that stand beside each other without contradiction.
_MAY_REPEAT = frozenset(
    ("phobia", "learning", "communication", "housing", "work", "money", "legal", "abuse_history",
        "academic", "parent_child", "abuse_service",
     "nonadherence", "psychosocial", "parasomnia", "irritability", "victim", "substance_any")
)  # fmt: skip


def without_integral_symptoms(stated: list[Finding]) -> list[Finding]:
    families = {finding.family for finding in stated if finding.concept and finding.concept.kind != "symptom"}
    kept = []
    for finding in stated:
        concept = finding.concept
        if concept and concept.kind == "symptom" and (concept.beside & families):
            continue
        if (
            concept
            and finding.section not in _LISTS
            and concept.name.endswith("unspecified")
            and _named_in_full(concept, stated)
        ):
            continue
        if finding.family != "phobia" or not _named_again(finding, stated):
            kept.append(finding)
    return kept


def _named_in_full(concept: Concept, stated: list[Finding]) -> bool:
    """`... the eating disorder is only followed`, where the note has named which one."""
    return any(
        other.concept is not None
        and other.concept.group == concept.group
        and not other.concept.name.endswith("unspecified")
        for other in stated
    )


def _named_again(finding: Finding, stated: list[Finding]) -> bool:
    """`Specific phobia, situational type (fear of flying)`: of a phobia the other kind, and right beside it
    which."""
    return (
        finding.code.endswith("8")
        and not finding.problems
        and any(
            (other.code[:-1] == finding.code[:-1] or finding.code == "F40.298")
            and other.code != finding.code
            and max(other.start - finding.end, finding.start - other.end) < _RIGHT_BESIDE
            for other in stated
        )
    )


def settle(stated: list[Finding]) -> tuple[list[Finding], bool, list[Finding]]:
    """Reduce each family to its most specific statement; where statements differ the assessment wins and
    it is a conflict."""
    conflict = False
    kept: list[Finding] = []
    aside: list[Finding] = []
    by_family: dict[str, list[Finding]] = {}
    for finding in stated:
        by_family.setdefault(finding.family, []).append(finding)
    for family, members in by_family.items():
        if (
            len(members) == 1
            or len({finding.code for finding in members}) == 1
            or family in _MAY_REPEAT
            or family.startswith("heading_")
        ):
            kept += members
            continue
        specific = [finding for finding in members if finding.specific or not _vague_beside(finding, members)]
        specific = specific or members
        kinds = {
            (finding.code, finding.values, finding.by == "code", finding.reason): finding
            for finding in specific
        }
        refined = [
            finding
            for finding in specific
            if not any(_refines(other, finding) for other in kinds.values() if other.code != finding.code)
        ]
        survivors = {finding.code for finding in refined}
        if len(survivors) > 1 and (joined := _joined(refined)) is not None:
            survivors = {joined}
        if len(survivors) > 1:
            conflict = True
            best = min(refined, key=_authority)
            survivors = {best.code}
            refined = [finding for finding in refined if finding.code == best.code]
        code = next(iter(survivors))
        for finding in members:
            if finding.code == code:
                kept.append(finding)
            elif conflict and finding.specific:
                aside.append(finding)
            else:
                kept.append(replace(finding, code=code, reason=None, problems=finding.problems))
    families = {finding.family for finding in kept}
    if "agoraphobia" in families and any("without_agoraphobia" in finding.values for finding in kept):
        conflict = True
    exclusive = len(families & _EXCLUDABLE) > 1
    for left, right in _EXCLUDES if exclusive else ():
        if not families.isdisjoint(left) and not families.isdisjoint(right):
            first = [f for f in kept if f.family in left]
            second = [f for f in kept if f.family in right]
            if {f.code for f in first} <= _EXCLUDED_CODES and not all(f.strength == FIELD for f in first):
                loser, lost = first, left
            elif min(map(_authority, first)) <= min(map(_authority, second)):
                loser, lost, conflict = second, right, True
            else:
                loser, lost, conflict = first, left, True
            aside += loser
            kept = [f for f in kept if f.family not in lost]
            families = {finding.family for finding in kept}
    kept.sort(key=lambda finding: finding.start)
    return kept, conflict, aside


def _joined(refined: list[Finding]) -> str | None:
    """The code of `MDD, recurrent` and `MDD, current episode moderate` together: each tells what the other
    leaves out."""
    axis_of = load_lexicon().axis_of
    concepts = {id(finding.concept) for finding in refined}
    concept, values = refined[0].concept, frozenset[str]().union(*(finding.values for finding in refined))
    axes = [axis_of.get(value) for value in values]
    if (
        concept is None
        or len(concepts) > 1
        or any(finding.by != "words" for finding in refined)
        or len(set(axes)) < len(axes)
        or not _TOLD_APART.issuperset(axes)
    ):
        return None
    rule = concept.resolve(values)
    return rule.code if rule.reason is None else None


def excluded(kept: list[Finding], firm: list[Finding]) -> bool:
    """Whether prose states in full what a kept diagnosis excludes: `Dx: Bipolar II` over `this is major
    depressive disorder, recurrent, moderate`."""
    told = {
        finding.family
        for finding in firm
        if finding.strength == STATED and finding.specific and finding.section not in DIAGNOSIS_KINDS
    } & _EXCLUDABLE
    if not told:
        return False
    families = {finding.family for finding in kept}
    told -= families
    return any(
        not (families.isdisjoint(one) or told.isdisjoint(other))
        for pair in _EXCLUDES
        for one, other in (pair, pair[::-1])
    )


def _vague_beside(finding: Finding, members: list[Finding]) -> bool:
    """Whether a statement without specifiers only says less than another of its family, and nothing else."""
    concept = finding.concept
    if concept is None or concept.kind == "symptom" or concept.name.endswith("unspecified"):
        return True
    return any(
        other.specific and (other.concept is concept or other.code in concept.codes) for other in members
    )


def _refines(other: Finding, finding: Finding) -> bool:
    """Whether the other statement says all that this one says, and more."""
    if finding.concept is None or other.concept is None:
        return False
    if finding.by == "code" or other.by == "code":
        return False
    if finding.reason is not None and other.reason is None and finding.values <= other.values:
        return True
    same = (
        finding.concept is other.concept or finding.reason is not None or other.code in finding.concept.codes
    )
    return same and finding.values < other.values


def _authority(finding: Finding) -> tuple[int, int, int]:
    """Lower is stronger: a correction, the assessment, a diagnosis field, a field that was copied from
    elsewhere."""
    section = _DRAFT_ORDER.get(finding.section, 2 if finding.assertive else 3)
    if finding.section == "on_file":
        section = 5
    elif finding.strength == FIELD and section == 3:
        section = 2
    return (section, -finding.strength, -finding.start)
