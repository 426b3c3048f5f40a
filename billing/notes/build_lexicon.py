"""Turn the lexicon that people read (`data/*.yaml`) into the one that the engine loads (`data/lexicon.json`).

Run `python -m billing.notes.build_lexicon` after editing a YAML file, and `... --terms` once per code-set
release to rewrite
`data/generated_terms.yaml` from the inclusion terms of the official tabular list. A test fails while
either is out of date.
"""

import hashlib
import itertools
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson
import yaml

from billing.notes.codeset import behavioural
from billing.notes.lexicon import letter
from billing.notes.page.spelling import SHORTEST
from billing.notes.text.tokens import split_words

DATA = Path(__file__).parent / "data"
COMPILED = DATA / "lexicon.json"
GENERATED = DATA / "generated_terms.yaml"
_GROUPS = re.compile(r"\[([^\[\]()]*)\]|\(([^()\[\]]*)\)")
FIELD_ONLY, UPPER_ONLY = 1, 2
_BREAKS = frozenset(".;:!?|\n\u2610\u2611[]")


class LexiconError(ValueError):
    """A lexicon file says something that the engine cannot use."""


def expand(form: str) -> Iterator[str]:
    """Write out a form: `(a|b)` is one of them, `[a|b]` one of them or none."""
    pieces: list[tuple[str, ...]] = []
    at = 0
    for group in _GROUPS.finditer(form):
        pieces.append((form[at : group.start()],))
        optional, required = group.groups()
        pieces.append(("", *optional.split("|")) if optional is not None else tuple(required.split("|")))
        at = group.end()
    pieces.append((form[at:],))
    for choice in itertools.product(*pieces):
        written = " ".join("".join(choice).split())
        if any(bracket in written for bracket in "()[]|"):
            raise LexiconError(f"groups cannot be nested: {form}")
        yield written


def words_of(form: str) -> tuple[str, ...]:
    """The words of a form as the engine would read them, breaks left out."""
    return tuple(word for word in split_words(form.lower()) if word not in _BREAKS)


def read_yaml(name: str) -> Any:
    """One data file, parsed."""
    with (DATA / name).open(encoding="utf-8") as file:
        return yaml.load(file, Loader=yaml.CSafeLoader)  # the same as safe_load, ten times as fast


def parse_rule(key: str, outcome: str) -> list[Any]:
    """`"recurrent + mild|moderate": "F33.1 ? reason"` as [[["recurrent"], ["mild", "moderate"]], code,
    reason]."""
    needs = [part.strip().split("|") for part in key.split("+")]
    code, _, reason = outcome.partition("?")
    return [needs, code.strip(), reason.strip() or None]


class Compiler:
    """Collects patterns and their roles; one pattern may play several."""

    def __init__(self) -> None:
        self.aliases: dict[str, str] = read_yaml("words.yaml")["aliases"]
        self.patterns: dict[tuple[str, ...], list[list[Any]]] = {}
        self.concepts: dict[str, dict[str, Any]] = {}
        self.axis_of: dict[str, str] = {}

    def add(self, form: str, role: list[Any]) -> None:
        """Give every way of writing a form this role."""
        for written in expand(form):
            words = tuple(self.aliases.get(word, word) for word in words_of(written))
            if words and role not in self.patterns.setdefault(words, []):
                self.patterns[words].append(role)

    def add_concept(self, name: str, raw: dict[str, Any], defaults: dict[str, Any]) -> None:
        """Add one concept, its forms and its decision table."""
        if name in self.concepts:
            raise LexiconError(f"concept {name} is defined twice")
        otherwise = parse_rule("", raw["otherwise"])
        self.concepts[name] = {
            "family": raw.get("family", defaults["family"]),
            "group": raw.get("group", defaults["group"]),
            "kind": raw.get("kind", defaults.get("kind", "dx")),
            "beside": raw.get("beside", []),
            "rules": [parse_rule(str(key), outcome) for key, outcome in raw["codes"].items()],
            "otherwise": otherwise[1:],
            "also": raw.get("also", []),
        }
        for form in raw["forms"]:
            entry = form if isinstance(form, dict) else {"form": form}
            mode = UPPER_ONLY if entry.get("upper") else 0
            self.add(str(entry["form"]), ["concept", name, entry.get("set", []), mode])
        for form in raw.get("bare", []):
            self.add(str(form), ["concept", name, [], FIELD_ONLY])

    def add_concept_files(self) -> None:
        """Every family file; the substances from their common pattern."""
        for path in sorted((DATA / "concepts").glob("*.yaml")):
            raw = read_yaml(f"concepts/{path.name}")
            for name, concept in raw.get("concepts", {}).items():
                self.add_concept(name, concept, raw)
            if "pattern" in raw:
                self._add_substances(raw)

    def _add_substances(self, raw: dict[str, Any]) -> None:
        pattern = raw["pattern"]

        def fill(form: Any, words: str, letters: str) -> Any:
            if isinstance(form, dict):
                return {**form, "form": fill(form["form"], words, letters)}
            return form.replace("{s}", words).replace("{a}", letters)

        for name, substance in raw["substances"].items():
            code = substance["code"]
            dependent, abusing = substance.get("withdrawal", ("", ""))
            codes = {
                key: outcome.replace("{c}", code).replace("{wd}", dependent).replace("{wa}", abusing)
                for key, outcome in pattern["codes"].items()
            }
            self.add_concept(
                name,
                {
                    "family": f"substance_{name}",
                    "forms": [
                        fill(form, substance["words"], substance["letters"]) for form in pattern["forms"]
                    ]
                    + substance["extra"],
                    "codes": {key: outcome for key, outcome in codes.items() if outcome},
                    "otherwise": pattern["otherwise"].replace("{c}", code),
                    "also": [other.replace("{c}", code) for other in pattern["also"]],
                },
                raw,
            )
            self._add_induced(name, substance, raw)
        for part in ("tobacco", "other"):
            for name, concept in raw[part].items():
                self.add_concept(name, concept, raw)

    def _add_induced(self, name: str, substance: dict[str, Any], raw: dict[str, Any]) -> None:
        """What the substance brought about, by how much it is used."""
        induced, code = raw["induced"], substance["code"]
        codes: dict[str, str] = {}
        forms: list[dict[str, Any]] = []
        for short in substance["induced"]:
            kind = f"{short}_induced"
            digits = induced["digits"][kind]
            codes |= {
                f"{kind} + without_use": f"{code}.9{digits}",
                f"{kind} + moderate|severe|moderate_severe": f"{code}.2{digits}",
                f"{kind} + mild": f"{code}.1{digits}",
                kind: f"{code}.9{digits} ? severity_missing",
            }
            forms.append(
                {"form": induced["forms"][kind].replace("{s}", substance["inducing"]), "set": [kind]}
            )
        self.add_concept(
            f"{name}_induced",
            {
                "family": f"substance_{name}",
                "forms": forms,
                "codes": codes,
                "otherwise": f"{code}.99 ? specifier_unclear",
            },
            raw,
        )

    def add_generated(self) -> None:
        """Terms of the tabular list for what the hand-written families do not reach."""
        by_code: dict[str, list[str]] = read_yaml("generated_terms.yaml") if GENERATED.exists() else {}
        families = {
            code: concept["family"] for concept in self.concepts.values() for code in codes_of(concept)
        }
        groups = {concept["family"]: concept["group"] for concept in self.concepts.values()}
        for code, terms in by_code.items():
            family = families.get(code, f"heading_{code[:3].lower()}")
            fresh = [
                t
                for t in terms
                if words_of(t)
                # A circumstance in one word (`Arrest`) is told of anybody and anything.
                and not (code[0] == "Z" and len(words_of(t)) == 1)
                and not self._covers(words_of(t), code if code in families else None)
            ]
            if not fresh:
                continue
            name = f"code_{code.lower().replace('.', '_')}"
            self.concepts[name] = {
                "family": family,
                "group": groups.get(family, "other"),
                "kind": "dx" if code[0] in "FG" else "status",
                "beside": [],
                "rules": [],
                "otherwise": [code, None],
                "also": [],
            }
            for term in fresh:
                self.add(
                    re.sub(r"[()\[\]|]", " ", term),
                    ["concept", name, [], FIELD_ONLY if len(words_of(term)) < 3 else 0],
                )

    def _covers(self, words: tuple[str, ...], code: str | None) -> bool:
        """Whether the hand-written wordings read a term already: whole, or as a head that with specifiers
        becomes the code."""
        words = tuple(self.aliases.get(word, word) for word in words)
        if words in self.patterns:
            return True
        if code is None:
            return False
        heads = []
        at = 0
        while at < len(words):
            for end in range(len(words), at, -1):
                names = [
                    role[1]
                    for role in self.patterns.get(words[at:end], ())
                    if role[0] == "concept" and not str(role[1]).startswith("code_")
                ]
                if names:
                    heads += names
                    at = end - 1
                    break
            at += 1
        conditions = {name for name in heads if self.concepts[name]["kind"] == "dx"}
        return len(conditions) <= 1 and any(code in codes_of(self.concepts[name]) for name in heads)

    def add_words(self) -> None:
        """Specifiers, cues, services, people, instruments."""
        specifiers = read_yaml("specifiers.yaml")
        for axis, values in specifiers.items():
            if axis in ("connectors", "blocked_after"):
                continue
            for value, forms in values.items():
                role = ["filler"] if axis == "without_code" else ["value", value]
                self.axis_of[value] = axis
                for form in forms:
                    self.add(str(form), role)
        cues = read_yaml("cues.yaml")
        for klass in ("negated", "uncertain", "historical", "subthreshold", "conditional"):
            for side in ("before", "after"):
                for block in cues[klass].get(side, []):
                    flags = [int(block.get(flag, False)) for flag in ("through", "prose")]
                    for form in block["forms"]:
                        self.add(str(form), ["cue", klass, side, block["within"], *flags])
        for kind in ("terminators", "statement", "assertive", "correction"):
            for form in cues[kind]:
                self.add(str(form), [kind])
        for kind, forms in read_yaml("relations.yaml").items():
            for form in forms:
                self.add(str(form), [f"is_{kind}"])
        for form in read_yaml("instruments.yaml"):
            self.add(str(form), ["instrument"])
        for kind, forms in read_yaml("services.yaml").items():
            for form in forms:
                self.add(str(form), [kind] if kind.startswith("not_") else ["service", kind])
        for name, entry in read_yaml("ambiguous.yaml").items():
            for form in entry["forms"]:
                self.add(str(form), ["ambiguous", name])
            for form in entry.get("upper", []):
                self.add(str(form), ["ambiguous_upper", name])

    def add_inner(self) -> None:
        """A condition inside a specifier ("with anxiety", "and agoraphobia") that no diagnosis took up is
        still a condition; panic attacks may go with any, and have no code then."""
        for words, roles in list(self.patterns.items()):
            values = {role[1] for role in roles if role[0] == "value"}
            named = any(role[0] == "concept" for role in roles)
            if not values or named or words[0] in ("no", "without", "w/o", "wo", "non"):
                continue
            whole = words[0] in ("with", "w", "and") and words[1] != "out" and "with_both" not in values
            kinds = ("symptom", "dx") if whole else ("symptom",)
            for skip in range(1, len(words)):
                for role in self.patterns.get(words[skip:], []):
                    concept = role[0] == "concept" and role[1] != "panic_symptom"
                    if concept and self.concepts[role[1]]["kind"] in kinds:
                        roles.append(["inner", role[1], skip])


def codes_of(concept: dict[str, Any]) -> list[str]:
    """Every code that a concept can become."""
    return [*(rule[1] for rule in concept["rules"]), concept["otherwise"][0], *concept["also"]]


def compile_lexicon() -> dict[str, Any]:
    """All data files as one plain structure with a digest of itself."""
    compiler = Compiler()
    compiler.add_concept_files()
    compiler.add_words()
    compiler.add_generated()
    compiler.add_inner()
    # The commonest words have the shortest letters, which makes a smaller automaton.
    counted = Counter(word for words in compiler.patterns for word in words)
    vocabulary = {word: number for number, (word, _) in enumerate(counted.most_common())}
    roles: dict[bytes, int] = {}
    patterns: list[list[Any]] = []
    for words, played in compiler.patterns.items():
        key = orjson.dumps(played)
        number = roles.setdefault(key, len(roles))
        patterns.append([[vocabulary[word] for word in words], number])
    specifiers = read_yaml("specifiers.yaml")
    compiled: dict[str, Any] = {
        "vocabulary": list(vocabulary),
        "aliases": {word: other for word, other in compiler.aliases.items() if other in vocabulary},
        "roles": [orjson.loads(key) for key in roles],
        "patterns": patterns,
        "concepts": compiler.concepts,
        "axes": compiler.axis_of,
        "connectors": specifiers["connectors"],
        "blocked_after": specifiers["blocked_after"],
        "sections": {label: kind for kind, labels in read_yaml("sections.yaml").items() for label in labels},
        "ambiguous": {name: entry["readings"] for name, entry in read_yaml("ambiguous.yaml").items()},
        "legacy": {str(old): new for old, new in read_yaml("legacy.yaml").items()},
        "predicates": {
            kind: sorted({words_of(written) for form in forms for written in expand(str(form))})
            for kind, forms in read_yaml("predicates.yaml").items()
        },
    }
    compiled["sha"] = hashlib.sha256(orjson.dumps(compiled)).hexdigest()
    return compiled


def packed(compiled: dict[str, Any]) -> dict[str, Any]:
    """The form that loads fast: every wording spelled in letters, one a word, all in one text."""
    vocabulary, roles = compiled["vocabulary"], compiled["roles"]
    heads = {
        vocabulary[word]
        for words, number in compiled["patterns"]
        for role in roles[number]
        if role[0] in ("concept", "value") and not str(role[1]).startswith("code_")
        for word in words
    }
    rest = {name: part for name, part in compiled.items() if name != "patterns"}
    return rest | {
        "spelled": "\n".join("".join(map(letter, words)) for words, _ in compiled["patterns"]),
        "played": [number for _, number in compiled["patterns"]],
        "head_words": sorted(word for word in heads if len(word) >= SHORTEST and word.isalpha()),
    }


def official_terms(rows: Iterable[tuple[str, str, Iterable[str]]]) -> dict[str, list[str]]:
    """From (billable code, title, inclusion terms): the wordings to look for, by code."""
    found: dict[str, list[str]] = {}
    for code, title, terms in rows:
        if behavioural(code):
            wordings = dict.fromkeys([title, *terms])
            found[code] = [wording for wording in wordings if len(wording) < 120 and "specify" not in wording]
    return found


def write_generated_terms() -> None:
    """Rewrite the generated terms from the tabular list that the package `simple-icd-10-cm` carries."""
    import simple_icd_10_cm as tabular

    rows = (
        (code, tabular.get_description(code), tabular.get_inclusion_term(code))
        for code in tabular.get_all_codes(True)
        if "-" not in code and len(code) >= 3 and not code.isdigit() and tabular.is_leaf(code)
    )
    with GENERATED.open("w", encoding="utf-8") as file:
        file.write(
            "# Written by build_lexicon from the official tabular list (public domain); do not edit.\n"
        )
        yaml.safe_dump(official_terms(rows), file, width=200, allow_unicode=True)


def main(arguments: list[str]) -> int:
    """Rebuild the compiled lexicon, with `--terms` the generated terms before it."""
    if "--terms" in arguments:
        write_generated_terms()
    compiled = compile_lexicon()
    COMPILED.write_bytes(orjson.dumps(packed(compiled)))
    sys.stdout.write(
        f"{len(compiled['concepts'])} concepts, {len(compiled['patterns'])} wordings, "
        f"{len(compiled['vocabulary'])} words, {compiled['sha'][:12]}\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
