"""Speed, memory, linearity and accuracy of the note coder, beside medSpaCy with `--peers`, in the same run.

`python -m benchmarks.notes CODESET FILE.jsonl ... [--peers]`: CODESET is a compact code set
(`billing.notes.codeset.write_codeset`); the files hold notes in the form of the development set. Times are
processor time of one core, the best of several runs, so that a busy machine counts against nobody.

The peers (medSpaCy as it comes, and with spaCy's `sentencizer` in PyRuSH's place) run in an environment of
their own, made once under the temporary folder from `notes_peers.txt`, with our lexicon's forms and the code
that each form has by itself. They know no procedures, lengths or outcomes, so diagnoses alone are compared.
"""

import argparse
import gc
import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

WORDS = 450
# A note that was written so long, as it is: it tells one visit, where those put together tell three.
AROUND = 70
RUNS = 15
RUNS_OF_A_PEER = 3
PINNED = Path(__file__).parent / "notes_peers.txt"
PEER = Path(__file__).parent / "peers" / "medspacy_notes.py"


def notes_of(texts: list[str], *, words: int = WORDS) -> list[str]:
    """Notes of about that many words: whole notes one after the other until the length is reached."""
    made, current = [], ""
    for text in texts:
        current = f"{current}\n\n{text}" if current else text
        if len(current.split()) >= words:
            made.append(current)
            current = ""
    return made


def measure(codeset: Path, notes: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Our figures, by name."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.process_time()
    from billing.notes.coder import code_note, prepare
    from billing.notes.codeset import read_codeset

    imported = time.process_time() - begin
    codes = read_codeset(codeset)
    prepare()
    loaded = time.process_time() - begin
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    long = notes_of([note["text"] for note in notes])
    # What a server does before it forks.
    gc.collect()
    gc.freeze()

    def timed(texts: Sequence[str]) -> list[float]:
        best = [float("inf")] * len(texts)
        for _ in range(RUNS):
            for index, text in enumerate(texts):
                begin = time.process_time()
                code_note(text, place="office", duration_minutes=None, codes=codes)
                best[index] = min(best[index], time.process_time() - begin)
        return best

    best = timed(long)
    whole = [note["text"] for note in notes if abs(len(note["text"].split()) - WORDS) <= AROUND]
    begin = time.process_time()
    code_note(endless(notes), place="office", duration_minutes=None, codes=codes)
    seconds = time.process_time() - begin
    results = [
        code_note(note["text"], place=note["place"], duration_minutes=note["duration_minutes"], codes=codes)
        for note in notes
    ]
    found = [[diagnosis.code for diagnosis in result.diagnoses] for result in results]
    return (
        figures(long, best, endless=seconds, loaded=loaded, memory=memory)
        | {"import_seconds": round(imported, 3)}
        | {"whole_notes": len(whole), "whole_notes_of_450_words_a_second": rate(whole, timed(whole))}
        | accuracy(found, notes)
    )


def endless(notes: Sequence[dict[str, Any]]) -> str:
    """100,000 characters of note."""
    return ("\n\n".join(note["text"] for note in notes) * 10)[:100_000]


def rate(texts: Sequence[str], best: Sequence[float]) -> int | None:
    """Notes of 450 words a second, None where there are none."""
    return round(sum(len(text.split()) for text in texts) / WORDS / sum(best)) if texts else None


def figures(
    long: list[str], best: list[float], *, endless: float, loaded: float, memory: float
) -> dict[str, Any]:
    """Speed and memory by name."""
    words = sum(len(text.split()) for text in long)
    return {
        "notes": len(long),
        "words_a_note": round(words / len(long)),
        "notes_of_450_words_a_second": rate(long, best),
        "p99_ms": round(1000 * sorted(best)[int(0.99 * (len(best) - 1))], 2),
        "characters_100000_seconds": round(endless, 3),
        "load_seconds": round(loaded, 3),
        "memory_over_interpreter_mb": round(memory, 1),
    }


def accuracy(found: list[list[str]], notes: Sequence[dict[str, Any]]) -> dict[str, float]:
    """How good the diagnoses are if each note must be answered."""
    golds = [note["gold"]["dx"] for note in notes]
    pairs = list(zip(found, golds, strict=True))
    categories = [([code[:3] for code in dx], [code[:3] for code in gold]) for dx, gold in pairs]
    return {
        "dx_micro_f1_forced": micro_f1(pairs),
        "dx_category_micro_f1_forced": micro_f1(categories),
        "dx_exact_forced": round(sum(set(dx) == set(gold) for dx, gold in pairs) / len(pairs), 3),
        "dx_primary_forced": round(sum(dx[:1] == gold[:1] for dx, gold in pairs) / len(pairs), 3),
    }


def micro_f1(pairs: Sequence[tuple[list[str], list[str]]]) -> float:
    """Over all notes together, each code once a note."""
    right = sum(len(set(found) & set(gold)) for found, gold in pairs)
    total = sum(len(set(found)) + len(set(gold)) for found, gold in pairs)
    return round(2 * right / total, 3)


def forms() -> tuple[list[tuple[str, str]], list[str]]:
    """Every wording of a condition with the code that it has by itself, and every code that a table knows."""
    from billing.notes.build_lexicon import compile_lexicon
    from billing.notes.lexicon import load_lexicon

    compiled, lexicon = compile_lexicon(), load_lexicon()
    made = []
    for numbers, number in compiled["patterns"]:
        roles = compiled["roles"][number]
        values = frozenset(role[1] for role in roles if role[0] == "value")
        for role in roles:
            if role[0] == "concept" and (concept := lexicon.concepts[role[1]]).kind != "symptom":
                words = " ".join(compiled["vocabulary"][each] for each in numbers)
                if code := concept.resolve(values | frozenset(role[2])).code:
                    made.append((words, code))
    return made, sorted({code for concept in lexicon.concepts.values() for code in concept.codes if code})


def environment() -> Path:
    """The peers' interpreter, in an environment that is made once for what is pinned."""
    digest = hashlib.sha256(PINNED.read_bytes() + sys.version.encode()).hexdigest()[:12]
    place = Path(tempfile.gettempdir()) / f"partner-billing-notes-peers-{digest}"
    python = place / "bin" / "python"
    if not (place / "complete").exists():
        venv.create(place, with_pip=True, clear=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--no-deps", "-r", PINNED],
            check=True,
            stdout=sys.stderr,
        )
        (place / "complete").touch()
    return python


def measure_peer(splitter: str, notes: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """medSpaCy's figures, by the same names."""
    long = notes_of([note["text"] for note in notes])
    wordings, codes = forms()
    task = {
        "forms": wordings,
        "codes": codes,
        "notes": [note["text"] for note in notes],
        "long": long,
        "runs": RUNS_OF_A_PEER,
        "endless": endless(notes),
    }
    ended = subprocess.run(
        [environment(), PEER, splitter],
        input=json.dumps(task),
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        raise SystemExit(f"The peer failed:\n{ended.stderr[-2000:]}")
    seen = json.loads(ended.stdout.splitlines()[-1])
    return figures(
        long, seen["seconds"], endless=seen["endless"], loaded=seen["loaded"], memory=seen["memory"]
    ) | accuracy(seen["found"], notes)


def main() -> None:
    """Measure, and print one JSON object by coder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("codeset", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--peers", action="store_true", help="measure medSpaCy too")
    asked = parser.parse_args()
    notes = [
        json.loads(line)
        for file in asked.files
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
    found = {"note coder": measure(asked.codeset, notes)}
    if asked.peers:
        for splitter in ("default", "sentencizer"):
            found[f"medSpaCy, {splitter}"] = measure_peer(splitter, notes)
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
