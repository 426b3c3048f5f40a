"""Whatever `ProfessionalClaim` and `Envelope` accept, an independent validator accepts once it is written."""

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from billing.rules.tables.filing_codes import FILING_CODES
from claims.x12.claim import ClaimFormatError, Envelope, ProfessionalClaim, Usage
from claims.x12.write_837p import write_837p
from tests.claims.x12.cast import envelope
from tests.claims.x12.leaves import text_leaves, with_leaf
from tests.claims.x12.referee import complaints

PRINTED = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!\"&'()+,-./;?="
# The referee's list of states is older than Palau's code, which is why PW is not drawn.
STATES = ["TX", "ME", "CA", "DC", "PR", "GU", "AE", "AP", "WY", "VI", "MH"]
PLACES = ["02", "10", "11", "12", "19", "27", "58", "66", "99"]


def words(longest: int, shortest: int = 1) -> st.SearchStrategy[str]:
    """Draw clean text of any allowed length."""
    return st.text(PRINTED + " ", min_size=shortest, max_size=longest).map(
        lambda text: text.strip().ljust(shortest, "X")
    )


def codes(pattern: str) -> st.SearchStrategy[str]:
    """Draw a code of the given form."""
    return st.from_regex(pattern, fullmatch=True)


def addresses(zip_code: str) -> st.SearchStrategy[dict[str, Any]]:
    """Draw an address."""
    return st.fixed_dictionaries(
        {
            "street": words(55),
            "street_line_2": st.just("") | words(55),
            "city": words(30, shortest=2),
            "state": st.sampled_from(STATES),
            "zip_code": codes(zip_code),
        }
    )


MILLENNIUM = datetime(2000, 1, 1, tzinfo=UTC)
BILLING_NPI, RENDERING_NPI = codes("1[0-9]{9}"), codes("2[0-9]{9}")
TAXONOMY = st.just("") | codes("[A-Z0-9]{9}X")
BILLING = {
    "npi": BILLING_NPI,
    "tax_id": codes("[0-9]{9}"),
    "address": addresses("[0-9]{9}"),
    "taxonomy_code": TAXONOMY,
}
REACHABLE = {"contact_name": words(60), "phone": codes("[2-9][0-9]{2}[2-9][0-9]{6}")}


def payer_control_numbers() -> st.SearchStrategy[str]:
    """Draw what a payer may call a claim: lower case and the other extended characters too."""
    return st.text(PRINTED + " %@[]_{}\\|<>#$abcxyz", min_size=1, max_size=50).map(
        lambda text: text.strip() or "X"
    )


PERSON = {"last_name": words(60), "first_name": words(35)}
CHARGES = st.decimals(min_value="0.01", max_value="9999999.99", places=2)


@st.composite
def claims(draw: st.DrawFn) -> dict[str, Any]:
    """Draw the JSON of a claim that ought to be accepted."""
    is_group = draw(st.booleans())
    service = draw(st.dates(date(2015, 10, 1), date(2199, 12, 31)))
    diagnoses = draw(st.lists(codes("[A-Z][0-9][A-Z0-9]{1,5}"), min_size=1, max_size=12, unique=True))
    lines = draw(
        st.lists(
            st.fixed_dictionaries(
                {
                    "procedure_code": codes("[A-Z0-9]{5}"),
                    "modifiers": st.lists(codes("[A-Z0-9]{2}"), max_size=4, unique=True),
                    "charge": CHARGES.map(str),
                    "units": st.integers(1, 999),
                    "diagnosis_pointers": st.lists(
                        st.integers(1, len(diagnoses)), min_size=1, max_size=4, unique=True
                    ),
                }
            ),
            min_size=1,
            max_size=4,
        )
    )
    filing_code = draw(st.sampled_from(sorted(FILING_CODES)))
    frequency = draw(st.sampled_from("178"))
    number = draw(codes("[A-Z0-9]{14}"))
    name = {"organization_name": words(60)} if is_group else PERSON
    return {
        "patient_control_number": number,
        "frequency": frequency,
        "place_of_service_code": draw(st.sampled_from(PLACES)),
        "date_of_service": service.isoformat(),
        "billing_provider": draw(st.fixed_dictionaries(BILLING | name))
        | draw(st.just({}) | st.fixed_dictionaries(REACHABLE)),
        "rendering_provider": draw(
            st.fixed_dictionaries(PERSON | {"npi": RENDERING_NPI, "taxonomy_code": TAXONOMY})
        )
        if is_group
        else None,
        "subscriber": draw(
            st.fixed_dictionaries(
                PERSON
                | {
                    "member_id": st.text(PRINTED.replace("-", ""), min_size=2, max_size=80),
                    "date_of_birth": st.integers(0, 45_000).map(
                        lambda days: max(service - timedelta(days=days), date(1880, 1, 1)).isoformat()
                    ),
                    "gender": st.sampled_from("MFU"),
                    "group_number": st.just("") | words(50),
                    "address": addresses("[0-9]{5}([0-9]{4})?"),
                }
            )
        ),
        "payer": {
            "name": draw(words(60)),
            "payer_id": draw(st.text(PRINTED, min_size=2, max_size=80)),
            "claim_filing_code": filing_code,
        },
        "diagnosis_codes": diagnoses,
        "service_lines": [
            line | {"control_number": f"{number}L{index}"} for index, line in enumerate(lines, start=1)
        ],
        "payer_control_number": draw(payer_control_numbers())
        if frequency != "1" and filing_code != "MB"
        else "",
        "delay_reason_code": draw(st.sampled_from(["", "", "1", "9", "10", "11", "15"])),
    }


@st.composite
def accepted_claims(draw: st.DrawFn) -> ProfessionalClaim:
    """Draw a claim; now and then with one field set to anything, as long as it is accepted so."""
    plain = draw(claims())
    if draw(st.booleans()):
        path = draw(st.sampled_from(text_leaves(plain)))
        anything = draw(st.text(max_size=20) | st.text(PRINTED + " *:~^#@abc", max_size=90))
        try:
            return ProfessionalClaim.from_json(with_leaf(plain, path, lambda _: anything))
        except ClaimFormatError:
            pass
    return ProfessionalClaim.from_json(plain)


@settings(max_examples=7, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(accepted_claims(), min_size=5, max_size=12, unique_by=lambda claim: claim.patient_control_number)
)
def test_the_referee_accepts_every_claim_that_the_dataclass_accepts(batch: list[ProfessionalClaim]) -> None:
    written = write_837p(batch, envelope=envelope())
    assert complaints(written) == []


def envelopes() -> st.SearchStrategy[Envelope]:
    """Draw an envelope."""
    return st.builds(
        Envelope,
        sender_id=st.text(PRINTED, min_size=2, max_size=15),
        receiver_id=st.text(PRINTED, min_size=2, max_size=15),
        submitter_name=words(60),
        submitter_contact_name=words(60),
        submitter_phone=REACHABLE["phone"],
        receiver_name=words(60),
        usage=st.sampled_from(Usage),
        interchange_control_number=st.integers(1, 999_999_999),
        group_control_number=st.integers(1, 999_999_999),
        transaction_control_number=st.integers(1, 999_999_999),
        batch_id=codes(r"[A-Z0-9\-]{1,30}"),
        created_at=st.integers(0, 10**8).map(lambda minutes: MILLENNIUM + timedelta(minutes=minutes)),
        is_resend=st.booleans(),
    )


@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(envelopes(), min_size=3, max_size=6, unique_by=lambda one: one.interchange_control_number),
    accepted_claims(),
)
def test_the_referee_accepts_every_envelope_that_the_dataclass_accepts(
    around: list[Envelope], claim: ProfessionalClaim
) -> None:
    assert complaints("".join(write_837p([claim], envelope=one) for one in around)) == []


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(accepted_claims())
def test_a_claim_comes_back_from_json_as_it_was(claim: ProfessionalClaim) -> None:
    stored = json.loads(json.dumps(claim.as_json()))
    again = ProfessionalClaim.from_json(stored)
    assert again == claim
    assert again.as_json() == claim.as_json()
    assert isinstance(again.total_charge, Decimal)
