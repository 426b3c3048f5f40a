"""The page on claim status says what the code does."""

from pathlib import Path

from claims.fold.document import RULES, status_page
from claims.signals import ClaimStatus, EventType
from tests.claims.fold_strategies import LEGAL

PAGE = Path(__file__).parents[2] / "docs" / "claim-status.md"


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == status_page(), "run: python -m claims.fold.document"


def test_every_rule_and_every_status_has_its_row() -> None:
    page = status_page()
    assert sorted(RULES) == list(range(1, 35))
    assert all(f"\n| {number} | " in page for number in RULES)
    assert all(f"\n| `{status}` | " in page for status in ClaimStatus)


def test_every_arrow_of_an_answer_is_legal() -> None:
    arrows = [line.split() for line in status_page().splitlines() if " --> " in line]
    by_staff = {"1", "6", "31", "32", "33"}
    for before, _, after, *rules in arrows:
        if set("".join(rules).split(",")) - by_staff:
            assert after.rstrip(":") in LEGAL[before]


def test_every_event_about_a_claim_that_answers_can_give_is_shown() -> None:
    page = status_page()
    created_elsewhere = {EventType.CLAIM_CREATED}
    claim_events = {each for each in EventType if each.startswith("claim.")} - created_elsewhere
    assert all(f"`{each}`" in page for each in claim_events)
