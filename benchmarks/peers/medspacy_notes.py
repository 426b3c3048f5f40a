"""medSpaCy on the notes of `benchmarks.notes`: runs in its own environment and imports nothing of ours.

`python medspacy_notes.py default|sentencizer` reads a task from standard input (forms with their codes,
codes, notes to be coded, long notes to be timed, how often, one very long text), and prints what it found
and measured.
"""

import json
import logging
import sys
import time
from pathlib import Path


def peak() -> float:
    """The most memory of this process so far, in megabytes; unlike getrusage nothing of its parent's."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line)
    return int(line.split()[1]) / 1024


def silence() -> None:
    """PyRuSH writes a line for every sentence, which would be measured with it."""
    from loguru import logger

    logger.remove()
    logging.disable(logging.CRITICAL)


def load(splitter, forms, codes):
    """The pipeline with our lexicon's forms, and the codes themselves as they are written."""
    import medspacy
    from medspacy.ner import TargetRule

    if splitter == "default":
        nlp = medspacy.load()
    else:
        nlp = medspacy.load(medspacy_disable=["medspacy_pyrush"])
        nlp.add_pipe("sentencizer", first=True)
    rules = []
    for form, code in forms:
        # A short abbreviation counts in capitals only: people go to bed, and add.
        short = [{"TEXT": form.upper()}] if len(form) <= 4 and form.isalpha() else None
        rules.append(TargetRule(form, "FORM", pattern=short, metadata={"code": code}))
    rules += [TargetRule(code, "CODE", metadata={"code": code}) for code in codes]
    nlp.get_pipe("medspacy_target_matcher").add(rules)
    return nlp


def codes_of(document):
    """The codes of what is stated of the patient, now and for certain; written codes before words."""
    stated = [
        entity
        for entity in document.ents
        if not (
            entity._.is_negated
            or entity._.is_uncertain
            or entity._.is_historical
            or entity._.is_hypothetical
            or entity._.is_family
        )
    ]
    written = [entity for entity in stated if entity.label_ == "CODE"]
    return list(dict.fromkeys(entity._.target_rule.metadata["code"] for entity in written or stated))


def main() -> None:
    task = json.load(sys.stdin)
    before = peak()
    begin = time.process_time()
    silence()
    nlp = load(sys.argv[1], task["forms"], task["codes"])
    loaded = time.process_time() - begin
    found = [codes_of(nlp(text)) for text in task["notes"]]
    best = [float("inf")] * len(task["long"])
    for _ in range(task["runs"]):
        for index, text in enumerate(task["long"]):
            begin = time.process_time()
            codes_of(nlp(text))
            best[index] = min(best[index], time.process_time() - begin)
    memory = peak() - before
    begin = time.process_time()
    codes_of(nlp(task["endless"]))
    print(
        json.dumps(
            {
                "found": found,
                "seconds": best,
                "endless": time.process_time() - begin,
                "loaded": loaded,
                "memory": memory,
                "pipes": nlp.pipe_names,
            }
        )
    )


if __name__ == "__main__":
    main()
