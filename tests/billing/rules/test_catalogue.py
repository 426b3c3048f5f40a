"""Every claim rule, on sessions that it is content with and on sessions that it isn't."""

import re
from dataclasses import replace

import pytest

from billing.payers.held_rules import CAN_BE_HELD
from billing.rules.facts import ClaimFacts, Mode
from billing.rules.registry import CATALOGUE, Finding, Rule, Severity, check
from tests.billing.rules import examples_of_claims, examples_of_people, examples_of_services
from tests.billing.rules.cast import MARKED, Failing, a_claim, profile

EXAMPLES = {**examples_of_people.EXAMPLES, **examples_of_services.EXAMPLES, **examples_of_claims.EXAMPLES}
PASSING = [
    pytest.param(rule_id, facts, id=f"{rule_id}-{number}")
    for rule_id, each in EXAMPLES.items()
    for number, facts in enumerate(each.passing)
]
FAILING = [
    pytest.param(rule_id, failing, id=f"{rule_id}-{number}")
    for rule_id, each in EXAMPLES.items()
    for number, failing in enumerate(each.failing)
]
EVERY_MESSAGE = sorted(
    {
        (finding.rule_id, finding.message)
        for each in EXAMPLES.values()
        for failing in each.failing
        for finding in check(failing.facts).findings
    }
)


def _of(rule_id: str, facts: ClaimFacts) -> list[Finding]:
    return [finding for finding in check(facts).findings if finding.rule_id == rule_id]


def test_the_content_session_passes_every_rule() -> None:
    assert check(a_claim()).findings == ()


@pytest.mark.parametrize(("rule_id", "facts"), PASSING)
def test_a_rule_is_content(rule_id: str, facts: ClaimFacts) -> None:
    assert _of(rule_id, facts) == []


@pytest.mark.parametrize(("rule_id", "failing"), FAILING)
def test_a_rule_speaks(rule_id: str, failing: Failing) -> None:
    found = [(finding.path, finding.severity) for finding in _of(rule_id, failing.facts)]
    assert (failing.path, failing.severity) in found


@pytest.mark.parametrize("rule_id", sorted(CAN_BE_HELD))
def test_each_rule_that_can_be_made_a_hold_holds(rule_id: str) -> None:
    warned = [
        each.facts
        for each in EXAMPLES[rule_id].failing
        if each.severity is Severity.WARN and each.facts.mode is Mode.LIVE
    ]
    assert warned
    for facts in warned:
        strict = replace(facts.profile or profile(), held_rules=frozenset({rule_id}))
        assert Severity.BLOCK in {each.severity for each in _of(rule_id, replace(facts, profile=strict))}


def test_no_rule_lacks_an_example() -> None:
    assert sorted(EXAMPLES) == sorted(rule.id for rule in CATALOGUE)


def test_rule_ids_are_unique() -> None:
    ids = [rule.id for rule in CATALOGUE]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("rule", CATALOGUE, ids=lambda rule: rule.id)
def test_a_rule_says_only_what_the_catalogue_declares(rule: Rule) -> None:
    example = EXAMPLES[rule.id]
    said = {finding.severity for failing in example.failing for finding in _of(rule.id, failing.facts)}
    softened = {Severity.WARN} if rule.warns_in_test_mode else set()
    assert said <= set(rule.severities) | softened
    assert set(rule.severities) <= said, "an example for each severity that it has"


@pytest.mark.parametrize(("rule_id", "failing"), FAILING)
def test_nothing_of_the_patient_stands_in_a_finding(rule_id: str, failing: Failing) -> None:
    for finding in check(failing.facts).findings:
        for marked in (*MARKED, failing.facts.coverage.member_id, failing.facts.patient.last_name):
            if len(marked) > 3:
                assert marked.lower() not in repr(finding).lower()


@pytest.mark.parametrize("rule_id", ["PRV-001", "PRV-007"])
def test_who_has_a_wrong_npi_is_told_how_the_session_comes_anew(rule_id: str) -> None:
    told = [
        (finding.path, "another externalSessionId" in finding.message)
        for failing in EXAMPLES[rule_id].failing
        for finding in _of(rule_id, failing.facts)
    ]
    assert told
    assert all(has_words is (path == "provider.npi") for path, has_words in told)


@pytest.mark.parametrize(("rule_id", "message"), EVERY_MESSAGE)
def test_a_message_has_the_house_voice(rule_id: str, message: str) -> None:
    assert re.match(r"[A-Z0-9$]", message)
    assert message.endswith(".")
    assert not re.search(r"\b(please|invalid|error|failed)\b", message, re.IGNORECASE)
    assert not re.search(r"\b(PRV|ADR|PAT|INS|DOS|TFL|DX|CPT|NCCI|MOD|POS|CHG|DUP|FRQ|FMT|NOTE)-\d", message)
    assert ". ." not in message
    assert "  " not in message
