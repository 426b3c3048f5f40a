"""The claim rules: what each does for whom, and a warning that a lead makes hold for one payer."""

from typing import Any

import pytest
from django.urls import reverse

from billing.models import Payer, PayerProfile
from claims import actions
from claims.models import Claim
from tests.cast import REMOVED, Api
from tests.claims.admin.staff import Desk, ended, newest
from tests.claims.process import run_until_quiet

AETNA = "60054"
WARNED = {"patient__gender": "U"}


def hold(desk: Desk, rule: str = "PAT-004", payer: str = AETNA, **fields: str) -> Any:
    return desk.post("desk:rule-payer", rule, payer=payer, holds="1", **fields)


def test_the_table_that_a_rule_needs_is_named_as_in_the_menu(lead: Desk) -> None:
    page = lead.get("desk:rules").content.decode()
    assert page.count("<td>NPI registry</td>") == page.count("<td>Enrollments</td>") == 2
    assert "<td>nppes</td>" not in page


def test_what_a_rule_warned_of_is_held_once_a_lead_says_so(partner: Api, lead: Desk) -> None:
    before = ended(partner, "REJECTED", **WARNED)
    assert "Make it a hold for Aetna" in lead.page(before)
    hold(lead, session=str(before))
    assert newest(ended(partner, "PAID2", **WARNED)).step == Claim.Step.HELD
    assert newest(ended(partner, "PAID3")).status == "paid"


def test_the_hold_is_for_one_payer(partner: Api, lead: Desk) -> None:
    hold(lead)
    other = {"patient__insurance__payerName": "Cigna", "patient__insurance__payerId": "62308"}
    assert newest(ended(partner, "PAID4", **WARNED, **other)).status == "paid"


def test_it_can_be_undone_at_once_and_from_the_rules_page(partner: Api, lead: Desk) -> None:
    hold(lead)
    page = lead.get("desk:rules").content.decode()
    assert "PAT-004 holds what it warned of for Aetna" in page
    assert "Let PAT-004 only warn for Aetna" in page
    lead.post("desk:rule-payer", "PAT-004", payer=AETNA)
    assert PayerProfile.objects.get(payer__payer_id=AETNA).held_rules == []
    assert "Let PAT-004 only warn" not in lead.get("desk:rules").content.decode()


def test_a_payer_without_a_profile_gets_the_usual_one(partner: Api, lead: Desk) -> None:
    Payer.objects.create(payer_id="QK001", name="Quokka Mutual")
    hold(lead, payer="QK001")
    assert PayerProfile.objects.get(payer__payer_id="QK001").held_rules == ["PAT-004"]


@pytest.mark.parametrize("rule", ["DX-001", "NO-SUCH", "x" * 300])
def test_a_rule_that_never_warns_holds_anyway(partner: Api, lead: Desk, rule: str) -> None:
    assert hold(lead, rule=rule).status_code == 404


@pytest.mark.parametrize(
    "insurance", [{"payerId": "431"}, {"payerId": REMOVED, "payerName": "Quokka Mutual"}]
)
def test_the_payer_is_the_one_that_the_session_means(
    partner: Api, lead: Desk, insurance: dict[str, Any]
) -> None:
    Payer.objects.create(payer_id="00431", name="Quokka Mutual")
    named = {f"patient__insurance__{name}": value for name, value in insurance.items()}
    warned = ended(partner, "REJECTED", **WARNED, **named)
    assert "Make it a hold for" in lead.page(warned)
    lead.post("desk:rule-payer", "PAT-004", holds="1", session=str(warned))
    assert PayerProfile.objects.get(payer__payer_id="00431").held_rules == ["PAT-004"]


def test_a_payer_that_we_do_not_know_is_said_to_be_so(partner: Api, lead: Desk) -> None:
    answer = lead.client.post(
        reverse("desk:rule-payer", args=["PAT-004"]), {"payer": "NOPE", "holds": "1"}, follow=True
    )
    assert "in our directory" in answer.content.decode()


def test_billing_sees_the_warning_and_not_the_button(partner: Api, billing: Desk) -> None:
    page = billing.page(ended(partner, "REJECTED", **WARNED))
    assert "PAT-004: " in page
    assert "Make it a hold" not in page


def hits(desk: Desk, rule: str) -> int:
    return next(line.hits for line in desk.get("desk:rules").context["lines"] if line.rule.id == rule)


def test_a_hit_is_counted_once_and_stays_counted_when_it_was_put_right(partner: Api, lead: Desk) -> None:
    session_id = ended(partner, "HELD", **WARNED)
    assert (hits(lead, "PAT-004"), hits(lead, "TEST-001")) == (1, 1)
    actions.release(session_id, user=lead.user, reason="again")
    run_until_quiet()
    assert hits(lead, "TEST-001") == 1
    ended(partner, "HELD2")
    partner.patch(f"/sessions/{session_id}", {"patient": {"gender": "F"}})
    run_until_quiet()
    assert (hits(lead, "PAT-004"), hits(lead, "TEST-001")) == (1, 2)


def test_a_payer_that_nobody_can_type_is_none_of_ours(partner: Api, lead: Desk) -> None:
    answer = lead.post("desk:rule-payer", "INS-002", payer="6\x0054", holds="1")
    assert answer.status_code == 302
    assert not PayerProfile.objects.exclude(held_rules=[]).exists()
