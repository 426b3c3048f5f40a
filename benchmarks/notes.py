"""Speed, memory and linearity of the note coder: `python -m benchmarks.notes CODESET FILE.jsonl ...`.

CODESET is a compact code set (`billing.notes.codeset.write_codeset`); the files hold notes in the form of
the development
set. Times are processor time of one core, the best of several runs, so that a busy machine does not count
against the coder.
"""

import gc
import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

WORDS = 450
RUNS = 15


def notes_of(texts: list[str], *, words: int = WORDS) -> list[str]:
    """Notes of about that many words: whole notes one after the other until the length is reached."""
    made, current = [], ""
    for text in texts:
        current = f"{current}\n\n{text}" if current else text
        if len(current.split()) >= words:
            made.append(current)
            current = ""
    return made


def measure(codeset: Path, files: list[Path]) -> dict[str, Any]:
    """The figures, by name."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.process_time()
    from billing.notes.coder import code_note
    from billing.notes.codeset import read_codeset

    codes = read_codeset(codeset)
    code_note("Dx: GAD. Individual 45 min.", place=None, duration_minutes=None, codes=codes)
    loaded = time.process_time() - begin
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    texts = [
        json.loads(line)["text"] for file in files for line in file.read_text(encoding="utf-8").splitlines()
    ]
    long = notes_of(texts)
    # What a server does before it forks.
    gc.collect()
    gc.freeze()
    best = [float("inf")] * len(long)
    for _ in range(RUNS):
        for index, text in enumerate(long):
            begin = time.process_time()
            code_note(text, place="office", duration_minutes=None, codes=codes)
            best[index] = min(best[index], time.process_time() - begin)
    words = sum(len(text.split()) for text in long)
    endless = ("\n\n".join(texts) * 10)[:100_000]
    begin = time.process_time()
    code_note(endless, place="office", duration_minutes=None, codes=codes)
    return {
        "notes": len(long),
        "words_a_note": round(words / len(long)),
        "notes_of_450_words_a_second": round(words / WORDS / sum(best)),
        "p99_ms": round(1000 * sorted(best)[int(0.99 * (len(best) - 1))], 2),
        "characters_100000_seconds": round(time.process_time() - begin, 3),
        "load_seconds": round(loaded, 3),
        "memory_over_interpreter_mb": round(memory, 1),
    }


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]]), indent=2))
