"""Turn the hand-written notes (`*.txt`, readable, gold marked in the text) into the form of the
development set."""

import json
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
_MARK = re.compile(r"\{\{([A-Z0-9.]+):(.*?)\}\}", re.DOTALL)


def parse_notes(name: str) -> list[dict[str, Any]]:
    """Every note of one file: header `@@ key=value ...`, then the text with its evidence in double braces."""
    notes = []
    blocks = (HERE / f"{name}.txt").read_text(encoding="utf-8").split("@@ ")[1:]
    for number, block in enumerate(blocks, start=1):
        header, _, marked = block.partition("\n")
        fields = dict(item.split("=", 1) for item in header.split())
        text = _MARK.sub(r"\2", marked).rstrip("\n")
        evidence = [{"code": code, "quote": quote} for code, quote in _MARK.findall(marked)]
        notes.append(
            {
                "id": f"{name}-{number:03d}",
                "text": text,
                "place": fields["place"],
                "duration_minutes": int(fields["dur"]) if fields["dur"] else None,
                "gold": {
                    "dx": _list(fields["dx"]),
                    "cpt": fields["cpt"] or None,
                    "modifiers": _list(fields["mod"]),
                    "addons": _list(fields["add"]),
                    "review": fields["review"] == "y",
                },
                "tags": _list(fields["tags"]),
                "evidence": evidence,
            }
        )
    return notes


def _list(value: str) -> list[str]:
    return [item for item in value.split(",") if item]


def write_jsonl(name: str) -> Path:
    """The notes of one file as JSON lines, beside it."""
    target = HERE / f"{name}.jsonl"
    lines = (json.dumps(note, ensure_ascii=False) for note in parse_notes(name))
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return target


if __name__ == "__main__":
    for file in sorted(HERE.glob("*.txt")):
        write_jsonl(file.stem)
