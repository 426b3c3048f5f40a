"""The page that lists the claim rules."""

from pathlib import Path

from billing.rules.document import catalogue_page
from billing.rules.registry import CATALOGUE

PAGE = Path(__file__).resolve().parents[3] / "docs" / "claim-rules.md"


def test_the_page_is_what_the_code_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == catalogue_page(), "run python -m billing.rules.document"


def test_every_rule_stands_in_it_once() -> None:
    lines = catalogue_page().splitlines()
    for rule in CATALOGUE:
        assert sum(line.startswith(f"| {rule.id} v") for line in lines) == 1
