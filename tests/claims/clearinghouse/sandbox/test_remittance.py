"""Every remittance of the sandbox balances at line, claim and transaction level."""

from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from claims.clearinghouse.sandbox.rehearsal import Scenario
from tests.claims.clearinghouse.cast import claim_of
from tests.claims.clearinghouse.sandbox.stage import Stage, named

ANSWERED = sorted(set(Scenario) - {Scenario.DOWN, Scenario.EDIT})
charges = st.lists(st.decimals("0.01", "9999.99", places=2).map(str), min_size=1, max_size=6).map(tuple)


@settings(max_examples=60, deadline=None)
@given(scenario=st.sampled_from(ANSWERED), charges=charges)
def test_lines_claims_and_totals_balance(scenario: Scenario, charges: tuple[str, ...]) -> None:
    for answer in Stage().answers_to(claim_of(scenario.value, charges=charges)):
        if named(answer, "BPR"):
            check_balance(answer)


def check_balance(remittance: list[list[str]]) -> None:
    claims: list[dict[str, Decimal]] = []
    lines: list[dict[str, Decimal]] = []
    for segment in remittance:
        match segment:
            case ["CLP", _, status, charge, paid, share, *_]:
                claims.append({"charge": Decimal(charge), "paid": Decimal(paid)})
                if status != "22":
                    claims[-1]["share"] = Decimal(share)
                claims[-1] |= {"line charges": Decimal(0), "lines paid": Decimal(0), "PR": Decimal(0)}
            case ["SVC", _, charge, paid, *_]:
                lines.append({"charge": Decimal(charge), "paid": Decimal(paid), "adjusted": Decimal(0)})
                claims[-1]["line charges"] += Decimal(charge)
                claims[-1]["lines paid"] += Decimal(paid)
            case ["CAS", group, *reasons]:
                amount = sum(map(Decimal, reasons[1::3]))
                lines[-1]["adjusted"] += amount
                claims[-1]["PR"] += amount if group == "PR" else 0
    for line in lines:
        assert line["charge"] - line["adjusted"] == line["paid"]
    for claim in claims:
        assert (claim["charge"], claim["paid"]) == (claim["line charges"], claim["lines paid"])
        assert claim.get("share", claim["PR"]) == claim["PR"]
    taken = sum(Decimal(amount) for plb in named(remittance, "PLB") for amount in plb[4::2])
    total = Decimal(named(remittance, "BPR")[0][2])
    assert total == sum(claim["paid"] for claim in claims) - taken
    assert total >= 0
