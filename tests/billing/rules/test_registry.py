"""Running the catalogue: everything at once, overrides, test mode, scope, repairs."""

from dataclasses import replace
from datetime import timedelta

import pytest

from billing.rules.facts import Mode, PayerClass, PayerMatch, PayerMatchOutcome, Table
from billing.rules.registry import CATALOGUE, Actor, Rule, Severity, check, rules_not_checked
from billing.rules.rule import HOLDS, hold
from tests.billing.rules.cast import BAD_NPI, SEEN, a_claim, line, lines, other, profile

BROKEN = lines("90837", "90840", line("90785", charge=None), provider={"npi": BAD_NPI}, diagnoses=())


def _ids(findings: tuple) -> set[str]:
    return {finding.rule_id for finding in findings}


def test_all_blocking_findings_come_at_once() -> None:
    assert _ids(check(BROKEN).blocking) >= {"PRV-001", "DX-001", "CPT-007", "CPT-009", "CHG-001"}


def test_findings_are_sorted_out_by_severity() -> None:
    result = check(a_claim(patient={"gender": "U"}, provider={"npi": BAD_NPI}, coverage={"payer_id": None}))
    assert [_ids(part) for part in (result.blocking, result.warnings, result.of(Severity.REPAIR))] == [
        {"PRV-001"},
        {"PAT-004"},
        {"INS-003"},
    ]
    assert result.blocking


def test_a_warning_stops_nothing() -> None:
    assert not check(a_claim(patient={"gender": "U"})).blocking


def test_an_override_turns_a_hold_into_a_note() -> None:
    result = check(a_claim(provider={"npi": BAD_NPI}), overrides=frozenset({"PRV-001"}))
    assert not result.blocking
    assert _ids(result.of(Severity.NOTED)) == {"PRV-001"}
    assert result.of(Severity.NOTED)[0].severity is Severity.NOTED


def test_an_override_leaves_other_rules_alone() -> None:
    result = check(BROKEN, overrides=frozenset({"PRV-001"}))
    assert "PRV-001" not in _ids(result.blocking)
    assert "DX-001" in _ids(result.blocking)


def test_a_warning_holds_where_the_payers_profile_says_so() -> None:
    strict = a_claim(patient={"gender": "U"}, profile=profile(held_rules=frozenset({"PAT-004"})))
    assert _ids(check(strict).blocking) == {"PAT-004"}
    other = a_claim(patient={"gender": "U"}, profile=profile(held_rules=frozenset({"INS-002"})))
    assert not check(other).blocking


def test_a_warning_that_holds_can_be_overridden() -> None:
    strict = a_claim(patient={"gender": "U"}, profile=profile(held_rules=frozenset({"PAT-004"})))
    result = check(strict, overrides=frozenset({"PAT-004"}))
    assert not result.blocking
    assert _ids(result.of(Severity.NOTED)) == {"PAT-004"}


def test_an_override_leaves_warnings_alone() -> None:
    result = check(a_claim(patient={"gender": "U"}), overrides=frozenset({"PAT-004"}))
    assert _ids(result.warnings) == {"PAT-004"}


@pytest.mark.parametrize(
    "facts",
    [
        a_claim(provider={"npi": BAD_NPI}, mode=Mode.TEST),
        a_claim(payer_match=PayerMatch(PayerMatchOutcome.UNKNOWN), mode=Mode.TEST),
    ],
    ids=["PRV-001", "INS-005"],
)
def test_a_test_organization_hears_what_live_would_hold(facts) -> None:
    result = check(facts)
    assert not result.blocking
    assert "live: this would be held" in result.warnings[0].message


def test_a_live_organization_is_held_by_the_same() -> None:
    assert check(a_claim(provider={"npi": BAD_NPI})).blocking


def test_other_rules_hold_in_a_test_organization_too() -> None:
    assert check(a_claim(practice={"tax_id": "1"}, mode=Mode.TEST)).blocking


def test_a_rule_without_its_table_does_not_run() -> None:
    bare, loaded = check(a_claim()), check(a_claim(tables=frozenset(Table)))
    assert loaded.ran - bare.ran == len(rules_not_checked(()))


def test_what_is_not_checked_is_told() -> None:
    needing = {"PRV-007", "PRV-008", "PRV-009", "PRV-010", "NCCI-004"}
    assert {rule.id for rule in rules_not_checked(())} == needing
    assert {rule.id for rule in rules_not_checked({Table.NPPES})} == needing - {"PRV-007", "PRV-008"}
    assert rules_not_checked(Table) == ()


ALWAYS = Rule("X-001", HOLDS, "Never content", lambda _facts: (hold("", "It is held."),))


@pytest.mark.parametrize(
    ("rule", "speaks"),
    [
        (ALWAYS, True),
        (replace(ALWAYS, effective_from=SEEN), True),
        (replace(ALWAYS, effective_from=SEEN + timedelta(days=1)), False),
        (replace(ALWAYS, effective_to=SEEN), True),
        (replace(ALWAYS, effective_to=SEEN - timedelta(days=1)), False),
        (replace(ALWAYS, payer_classes=frozenset({PayerClass.BLUE})), True),
        (replace(ALWAYS, payer_classes=frozenset({PayerClass.MEDICARE})), False),
    ],
)
def test_a_rule_speaks_only_in_its_time_and_for_its_payers(rule: Rule, speaks: bool) -> None:
    facts = a_claim(profile=profile(payer_class=PayerClass.BLUE))
    assert bool(check(facts, rules=(rule,)).findings) is speaks


def test_a_rule_for_some_payers_is_silent_where_the_payer_is_not_known() -> None:
    scoped = replace(ALWAYS, payer_classes=frozenset({PayerClass.BLUE}))
    assert check(a_claim(), rules=(scoped,)).findings == ()


def test_checking_what_was_repaired_repairs_nothing_more() -> None:
    first = check(a_claim(coverage={"member_id": "QZX-1 2", "payer_id": None}, patient={"first_name": "Zoë"}))
    again = check(first.repaired)
    assert again.of(Severity.REPAIR) == ()
    assert again.repaired == first.repaired


def test_a_hold_says_who_acts() -> None:
    assert all(finding.who_acts in (Actor.PARTNER, Actor.STAFF) for finding in check(BROKEN).blocking)


def test_every_rule_has_a_version_and_a_title() -> None:
    assert all(rule.version >= 1 and rule.title for rule in CATALOGUE)


@pytest.mark.parametrize(
    ("code", "of_another", "rule"),
    [
        ("90837", "90837", "DUP-001"),
        ("90834", "90837", "CPT-005"),
        ("90839", "90791", "CPT-010"),
        ("90791", "90839", "CPT-010"),
        ("90839", "90847", "NCCI-001"),
        ("90839", "90837", "NCCI-002"),
    ],
)
def test_what_another_session_of_the_day_causes_says_so(code: str, of_another: str, rule: str) -> None:
    beside = check(lines(code, other_claims=(other(of_another),))).blocking
    assert {found.about_another for found in beside if found.rule_id == rule} == {True}
    assert not any(found.about_another for found in check(lines(code, of_another)).findings)
