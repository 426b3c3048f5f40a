"""Checks the lexicon: every leaf billable, no wording with two meanings, tables total, wordings read.

Run `python -m billing.notes.linter CODESET` with the compact file of each loaded release.
"""

import sys
from collections.abc import Iterator
from typing import Any

from billing.notes.build_lexicon import COMPILED, compile_lexicon
from billing.notes.coder import code_note
from billing.notes.codeset import CodeSet, CodeStatus, read_codeset
from billing.notes.lexicon import load_lexicon


def lint(codes: CodeSet) -> list[str]:
    """Every fault, as one sentence each; empty when the lexicon is sound for this release."""
    compiled = compile_lexicon()
    faults: list[str] = []
    if compiled["sha"] != load_lexicon().sha:
        faults.append(f"{COMPILED.name} is out of date: run python -m billing.notes.build_lexicon")
        return faults
    faults += _leaves(codes)
    faults += _tables(compiled)
    faults += _meanings(compiled)
    return faults


def lint_readings(codes: CodeSet) -> list[str]:
    """Each wording in a diagnosis field gives a code of its family, and the same wording denied gives
    none."""
    return list(_readings(compile_lexicon(), codes))


def _leaves(codes: CodeSet) -> Iterator[str]:
    for concept in load_lexicon().concepts.values():
        for code in sorted(concept.codes):
            if codes.status(code) is not CodeStatus.BILLABLE:
                yield f"{concept.name}: {code} is {codes.status(code)} in {codes.release}"


def _tables(compiled: dict[str, Any]) -> Iterator[str]:
    """A table is total by its last row; its other rows must use values that some wording gives."""
    presets: dict[str, set[str]] = {}
    for played in compiled["roles"]:
        for role in played:
            if role[0] == "concept":
                presets.setdefault(role[1], set()).update(role[2])
    for name, concept in compiled["concepts"].items():
        if not concept["otherwise"][0]:
            yield f"{name}: no code without specifiers"
        for needs, code, _ in concept["rules"]:
            for value in (value for need in needs for value in need):
                if value not in compiled["axes"] and value not in presets.get(name, ()):
                    yield f"{name}: the row of {code} needs {value}, which no wording gives"


def _meanings(compiled: dict[str, Any]) -> Iterator[str]:
    vocabulary = compiled["vocabulary"]
    for words, roles in compiled["patterns"]:
        played = compiled["roles"][roles]
        meant = {role[1] for role in played if role[0] == "concept"}
        ambiguous = any(role[0].startswith("ambiguous") for role in played)
        if len(meant) > 1 or (meant and ambiguous):
            wording = " ".join(vocabulary[word] for word in words)
            yield f'"{wording}" means {", ".join(sorted(meant))}'


def _readings(compiled: dict[str, Any], codes: CodeSet) -> Iterator[str]:
    lexicon = load_lexicon()
    families: dict[str, set[str]] = {}
    for concept in lexicon.concepts.values():
        families.setdefault(concept.family, set()).update(concept.codes)
    vocabulary = compiled["vocabulary"]
    for words, roles in compiled["patterns"]:
        for role in compiled["roles"][roles]:
            if role[0] != "concept":
                continue
            concept = lexicon.concepts[role[1]]
            wording = " ".join(vocabulary[word] for word in words)
            if concept.kind != "none" and not _codes_in(f"Dx: {wording}", codes) & families[concept.family]:
                yield f'"{wording}" in a diagnosis field does not give {concept.name}'
            if _codes_in(f"A: Client denies {wording}.", codes) & families[concept.family]:
                yield f'"{wording}" is coded although it is denied'


def _codes_in(text: str, codes: CodeSet) -> set[str]:
    result = code_note(
        f"{text}\nIndividual session, 45 minutes.", place=None, duration_minutes=None, codes=codes
    )
    return {diagnosis.code for diagnosis in result.diagnoses}


def main(arguments: list[str]) -> int:
    """Print every fault; exit status 1 where there is one."""
    sets = [read_codeset(name) for name in arguments]
    faults = [fault for codes in sets for fault in (*lint(codes), *lint_readings(codes))]
    for fault in faults:
        sys.stdout.write(f"{fault}\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
