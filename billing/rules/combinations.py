"""Rules about which procedure codes may stand together on one day."""

from collections.abc import Collection, Iterator

from billing.rules.facts import ClaimFacts
from billing.rules.rule import HOLDS, WARNS, Actor, Complaint, Rule, hold, procedure_path, warn
from billing.rules.tables.procedures import (
    ADD_ON_TO,
    CRISIS,
    EVALUATIONS,
    FAMILY,
    FITS_INTERACTIVE_COMPLEXITY,
    INDIVIDUAL,
    INTERACTIVE_COMPLEXITY,
    MEDICATION,
    PSYCHOTHERAPY,
    TIMED,
    VISIT_ADD_ON,
    WITH_VISIT,
    is_evaluation_and_management,
    name_of,
)

_NOT_WITH_COMPLEXITY = CRISIS | FAMILY
_REPEAT_DAYS = 183


def _codes(facts: ClaimFacts) -> list[str]:
    return [procedure.code for procedure in facts.procedures]


def _positions(facts: ClaimFacts, wanted: Collection[str]) -> Iterator[tuple[str, str]]:
    """Path and code of every line with one of these codes."""
    for position, code in enumerate(_codes(facts)):
        if code in wanted:
            yield procedure_path(position), code


def _codes_of_day(facts: ClaimFacts) -> set[str]:
    """What other sessions of this patient, therapist and day bill."""
    return {code for other in facts.others_of_day for code in other.procedure_codes}


def _visits(codes: Collection[str]) -> set[str]:
    return {code for code in codes if is_evaluation_and_management(code)}


def _beside_another(path: str, code: str, others: Collection[str]) -> Complaint:
    return hold(
        path,
        f"{name_of(code)} can't stand with {_list(others)}, which another session of this day bills. Send "
        "only the one that took place.",
        about_another=True,
    )


def one_timed_code(facts: ClaimFacts) -> Iterator[Complaint]:
    """One therapist bills one individual session a day for a patient."""
    timed = list(_positions(facts, TIMED))
    for path, code in timed[1:]:
        yield hold(
            path,
            f"{name_of(code)} is the second timed psychotherapy code of this day. Send only the one that "
            "stands for all its minutes.",
        )
    if not timed:
        return
    path, code = timed[0]
    # Another session with the same code is DUP-001's, which says something else of what helps.
    others = [
        other
        for other in facts.others_of_day
        if TIMED.intersection(other.procedure_codes) and code not in other.procedure_codes
    ]
    if others:
        bills = "that waits here bills" if all(other.waits for other in others) else "already bills"
        yield hold(
            path,
            f"Another session of this patient, therapist and day {bills} psychotherapy, so "
            f"{name_of(code)} can't be billed too. One session stands for both: tell billing staff which, "
            "and they end the other.",
            who_acts=Actor.STAFF,
            about_another=True,
        )


def psychotherapy_with_visit(facts: ClaimFacts) -> Iterator[Complaint]:
    """Psychotherapy beside a medical visit is an add-on to it."""
    codes = _codes(facts)
    visit = any(is_evaluation_and_management(code) for code in codes)
    against = (INDIVIDUAL | CRISIS | FAMILY).intersection(codes)
    of_day = _codes_of_day(facts)
    for path, code in _positions(facts, FAMILY):
        if of_day & WITH_VISIT:
            yield _beside_another(path, code, of_day & WITH_VISIT)
    for path, code in _positions(facts, WITH_VISIT):
        if of_day & FAMILY:
            yield _beside_another(path, code, of_day & FAMILY)
        if not visit:
            yield hold(
                path,
                f"{name_of(code)} is an add-on to a medical visit, and the claim has none. Send the visit's "
                "code too, or the psychotherapy code that stands alone.",
            )
        if against:
            yield hold(
                path,
                f"{name_of(code)} can't stand with {_list(against)}. Send only the one that took place.",
            )
    yield from _alone_beside_visit(facts)


def _alone_beside_visit(facts: ClaimFacts) -> Iterator[Complaint]:
    codes_of_day = {*_codes(facts), *_codes_of_day(facts)}
    individual, visits = INDIVIDUAL & codes_of_day, _visits(codes_of_day)
    if not individual or not visits:
        return
    for path, _ in _positions(facts, individual | visits):
        add_ons = {VISIT_ADD_ON[code] for code in individual}
        yield warn(
            path,
            f"{_list(individual)} and {_list(visits)} by one therapist on one day: beside a visit payers "
            f"expect {_list(add_ons)}. Compare the codes with the record.",
            who_acts=Actor.PARTNER,
        )
        return


def interactive_complexity(facts: ClaimFacts) -> Iterator[Complaint]:
    """Interactive complexity is an add-on to a few services."""
    codes = set(_codes(facts))
    against = _NOT_WITH_COMPLEXITY & codes
    for path, code in _positions(facts, {INTERACTIVE_COMPLEXITY}):
        if not codes & FITS_INTERACTIVE_COMPLEXITY:
            yield hold(
                path,
                f"{name_of(code)} only adds to an evaluation, individual or group psychotherapy, and the "
                "claim has none. Send that code too, or leave this one out.",
            )
        if against:
            yield hold(path, f"{name_of(code)} can't stand with {_list(against)}. Leave it out.")


def evaluation_alone(facts: ClaimFacts) -> Iterator[Complaint]:
    """A diagnostic evaluation stands without crisis therapy and medical visit, and not often."""
    codes, of_day = _codes(facts), _codes_of_day(facts)
    crisis, crisis_of_day = CRISIS.intersection(codes), CRISIS & of_day
    visits, visits_of_day = _visits(codes), _visits(of_day)
    evaluations_of_day = EVALUATIONS & of_day
    for path, code in _positions(facts, CRISIS | visits):
        if evaluations_of_day:
            yield _beside_another(path, code, evaluations_of_day)
    for path, code in _positions(facts, EVALUATIONS):
        if crisis:
            yield hold(
                path, f"{name_of(code)} can't stand with {_list(crisis)}. Send only the one that took place."
            )
        elif crisis_of_day:
            yield _beside_another(path, code, crisis_of_day)
        if visits:
            yield hold(
                path, f"{name_of(code)} includes the medical visit {_list(visits)}. Leave one of them out."
            )
        elif visits_of_day:
            yield _beside_another(path, code, visits_of_day)
        if _evaluated_before(facts):
            yield warn(
                path,
                "The patient had a diagnostic evaluation here within six months, and many payers pay "
                f"{name_of(code)} once in that time.",
            )
    for path, _ in _positions(facts, EVALUATIONS):
        if {*codes, *of_day} >= EVALUATIONS:
            yield warn(
                path,
                f"Payers pay one evaluation a therapist and day, and the day has {_list(EVALUATIONS)}. Leave "
                "one of them out.",
                who_acts=Actor.PARTNER,
            )
            return


def _evaluated_before(facts: ClaimFacts) -> bool:
    day = facts.session.date_of_service
    return any(
        other.stands
        and EVALUATIONS.intersection(other.procedure_codes)
        and 0 < (day - other.date_of_service).days <= _REPEAT_DAYS
        and (other.same_practice or other.provider_npi == facts.provider.npi)
        for other in facts.other_claims
    )


def evaluation_and_psychotherapy(facts: ClaimFacts) -> Iterator[Complaint]:
    """Most payers pay an evaluation and psychotherapy on different days."""
    therapy = PSYCHOTHERAPY - CRISIS
    codes = set(_codes(facts)) | _codes_of_day(facts)
    for path, code in _positions(facts, EVALUATIONS | therapy):
        other_kind = therapy if code in EVALUATIONS else EVALUATIONS
        if codes & other_kind:
            yield warn(
                path,
                "A diagnostic evaluation and psychotherapy by one therapist on one day: most payers pay only "
                "one of them. Compare the codes with the record.",
                who_acts=Actor.PARTNER,
            )
            return


def add_on_has_primary(facts: ClaimFacts) -> Iterator[Complaint]:
    """An add-on code follows its primary code."""
    codes = set(_codes(facts))
    for path, code in _positions(facts, ADD_ON_TO):
        if not codes & ADD_ON_TO[code]:
            yield hold(
                path,
                f"{name_of(code)} only adds to {_list(ADD_ON_TO[code], word='or')}, and the claim doesn't "
                "have it. Send both codes, or neither.",
            )


def medication_management(facts: ClaimFacts) -> Iterator[Complaint]:
    """Medication management adds to psychotherapy, never to crisis therapy."""
    codes = set(_codes(facts))
    for path, code in _positions(facts, {MEDICATION}):
        if not codes & INDIVIDUAL:
            yield hold(
                path,
                f"{name_of(code)} only adds to individual psychotherapy, and the claim has none. Send that "
                "code too, or leave this one out.",
            )
        if codes & CRISIS:
            yield hold(path, f"{name_of(code)} can't stand with {_list(codes & CRISIS)}. Leave it out.")


def _list(codes: Collection[str], *, word: str = "and") -> str:
    names = [name_of(code) for code in sorted(codes)]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"


RULES = (
    Rule("CPT-005", HOLDS, "A patient has one timed psychotherapy code a therapist and day", one_timed_code),
    Rule(
        "CPT-006",
        HOLDS + WARNS,
        "Psychotherapy with a medical visit has the visit beside it",
        psychotherapy_with_visit,
    ),
    Rule("CPT-009", HOLDS, "Interactive complexity adds to a service that allows it", interactive_complexity),
    Rule(
        "CPT-010", HOLDS + WARNS, "A diagnostic evaluation stands alone, once in six months", evaluation_alone
    ),
    Rule(
        "CPT-011", WARNS, "Evaluation and psychotherapy are on different days", evaluation_and_psychotherapy
    ),
    Rule("CPT-013", HOLDS, "Add-on codes have their primary code", add_on_has_primary),
    Rule("CPT-014", HOLDS, "Medication management adds to individual psychotherapy", medication_management),
)
