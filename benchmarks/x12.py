"""How fast X12 is written and read here, beside pyx12 in the same run, and how much memory that takes.

    python -m benchmarks.x12

Writes claims as an 837P on one core, and reads a remittance of 5,000 claims. Each figure is the best of
several rounds, ours and pyx12's in turn, so that a busy machine slows both alike.
"""

from __future__ import annotations

import contextlib
import io
import logging
import sys
import time
import tracemalloc
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal

import pyx12.params
import pyx12.x12n_document

from claims.x12.claim import (
    Address,
    BillingProvider,
    ClaimFrequency,
    Envelope,
    Payer,
    ProfessionalClaim,
    RenderingProvider,
    ServiceLine,
    Subscriber,
    Usage,
    line_control_number,
)
from claims.x12.read_835 import Remittance835
from claims.x12.segments import X12File
from claims.x12.write_837p import write_837p
from claims.x12.writing import interchange_of, segment_of, transaction_set_of

CLAIMS_WRITTEN = 20_000
CLAIMS_READ = 5_000
ROUNDS = 5
REFEREE_ROUNDS = 2

LEAST_WRITTEN_A_SECOND = 20_000
LEAST_TIMES_FASTER = 20
MOST_MEMORY_GROWTH = 1.5


def claim_number(number: int) -> ProfessionalClaim:
    """Build one invented claim of a group practice, two diagnoses, one line."""
    patient_control_number = f"B{number:012}1"
    return ProfessionalClaim(
        patient_control_number=patient_control_number,
        frequency=ClaimFrequency.ORIGINAL,
        place_of_service_code="10",
        date_of_service=date(2026, 1, 2),
        billing_provider=BillingProvider(
            npi="1999999984",
            tax_id="123456789",
            organization_name="CALM HARBOR COUNSELING LLC",
            taxonomy_code="101YM0800X",
            contact_name="BILLING OFFICE",
            phone="5125550123",
            address=Address(
                street="100 MAIN ST", street_line_2="STE 200", city="AUSTIN", state="TX", zip_code="787011234"
            ),
        ),
        rendering_provider=RenderingProvider(
            npi="1234567893", last_name="RIVERA", first_name="ANA", taxonomy_code="101YM0800X"
        ),
        subscriber=Subscriber(
            member_id=f"W{number:09}",
            last_name="DOE",
            first_name="JANE",
            date_of_birth=date(1990, 1, 1),
            gender="F",
            group_number="GRP001",
            address=Address(street="1 ELM ST", city="AUSTIN", state="TX", zip_code="78702"),
        ),
        payer=Payer(name="EXAMPLE HEALTH", payer_id="60054", claim_filing_code="CI"),
        diagnosis_codes=("F411", "Z630"),
        service_lines=(
            ServiceLine(
                procedure_code="90837",
                modifiers=("95",),
                charge=Decimal("180.00"),
                control_number=line_control_number(patient_control_number, 1),
                diagnosis_pointers=(1, 2),
            ),
        ),
    )


def envelope() -> Envelope:
    """Build the envelope that all files here travel in."""
    return Envelope(
        sender_id="BENCHSENDER",
        receiver_id="BENCHRECEIVER",
        submitter_name="PARTNER BILLING LLC",
        submitter_contact_name="EDI DESK",
        submitter_phone="5125550100",
        receiver_name="EXAMPLE CLEARINGHOUSE",
        usage=Usage.TEST,
        interchange_control_number=1,
        group_control_number=1,
        batch_id="BENCH",
        created_at=datetime(2026, 1, 3, 9, 30, tzinfo=UTC),
    )


def remittance_of(claims: int) -> str:
    """Write an 835 that pays this many claims, each with one line, two adjustments and a copay."""
    body = [
        segment_of("BPR", "I", str(95 * claims), "C", "CHK", *[""] * 11, "20260122"),
        segment_of("TRN", "1", "8826", "1512345678"),
        segment_of("DTM", "405", "20260122"),
        segment_of("N1", "PR", "EXAMPLE HEALTH", "XV", "60054"),
        segment_of("N3", "PO BOX 14079"),
        segment_of("N4", "LEXINGTON", "KY", "40512"),
        segment_of("PER", "BL", "PROVIDER SERVICES", "TE", "8005550100"),
        segment_of("N1", "PE", "CALM HARBOR COUNSELING LLC", "XX", "1999999984"),
        segment_of("REF", "TJ", "123456789"),
        segment_of("LX", "1"),
    ]
    for number in range(claims):
        control_number = f"B{number:012}1"
        body += [
            segment_of("CLP", control_number, "1", "165", "95", "30", "12", f"EX{number:09}", "10", "1"),
            segment_of("NM1", "QC", "1", "DOE", "JANE", "", "", "", "MI", f"W{number:09}"),
            segment_of("NM1", "82", "1", "RIVERA", "ANA", "", "", "", "XX", "1234567893"),
            segment_of("DTM", "050", "20260105"),
            segment_of("SVC", "HC:90837:95", "165", "95", "", "1"),
            segment_of("DTM", "472", "20260102"),
            segment_of("CAS", "CO", "45", "40"),
            segment_of("CAS", "PR", "3", "30"),
            segment_of("REF", "6R", line_control_number(control_number, 1)),
            segment_of("AMT", "B6", "125"),
        ]
    remittance = transaction_set_of("835", control_number=1, body=body)
    return interchange_of([remittance], envelope=envelope(), functional_id="HP", version="005010X221A1")


def read(text: str) -> int:
    """Read an 835 as the service does, and give the number of its claims."""
    claims = 0
    for transaction_set in X12File(text):
        remittance = Remittance835(transaction_set)
        claims += sum(1 for _ in remittance)
        assert not remittance.imbalances
        assert not transaction_set.problems
    return claims


def read_with_pyx12(text: str) -> None:
    """Read the same file with pyx12, which has to find it sound too."""
    with contextlib.redirect_stderr(io.StringIO()):
        parameters = pyx12.params.ParamsBase()
        assert pyx12.x12n_document.x12n_document(parameters, io.StringIO(text), None, None)


def seconds(work: Callable[[], object]) -> float:
    """Time one run."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def peak_memory(claims: int) -> int:
    """Give the most bytes that reading an 835 of this many claims holds beyond the file itself."""
    source = io.BytesIO(remittance_of(claims).encode("ascii"))
    read_from = X12File(source)
    tracemalloc.start()
    for transaction_set in read_from:
        for _ in Remittance835(transaction_set):
            continue
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def main() -> int:
    """Print the figures; exit with 1 where one misses its mark."""
    logging.disable(logging.CRITICAL)
    batch = [claim_number(number) for number in range(CLAIMS_WRITTEN)]
    writing = min(seconds(lambda: write_837p(batch, envelope=envelope())) for _ in range(ROUNDS))
    written_a_second = CLAIMS_WRITTEN / writing
    building = seconds(lambda: [claim_number(number) for number in range(CLAIMS_READ)]) / CLAIMS_READ

    text = remittance_of(CLAIMS_READ)
    assert read(text) == CLAIMS_READ
    ours, theirs = [], []
    for _ in range(REFEREE_ROUNDS):
        ours += [seconds(lambda: read(text)) for _ in range(ROUNDS)]
        theirs.append(seconds(lambda: read_with_pyx12(text)))
    times_faster = min(theirs) / min(ours)

    few, many = CLAIMS_READ // 10, CLAIMS_READ * 4
    small, large = peak_memory(few), peak_memory(many)
    report = [
        ("write 837P", f"{written_a_second:,.0f} claims/s", f"mark {LEAST_WRITTEN_A_SECOND:,}"),
        ("build and check claims", f"{1 / building:,.0f} claims/s", ""),
        ("read 835", f"{CLAIMS_READ / min(ours):,.0f} claims/s", f"{CLAIMS_READ:,} in {min(ours):.3f} s"),
        ("read 835 with pyx12", f"{CLAIMS_READ / min(theirs):,.0f} claims/s", f"in {min(theirs):.3f} s"),
        ("ours beside pyx12", f"{times_faster:.1f} times faster", f"mark {LEAST_TIMES_FASTER}"),
        (f"memory, {few:,} claims", f"{small / 1024:,.0f} KiB", ""),
        (f"memory, {many:,} claims", f"{large / 1024:,.0f} KiB", f"mark {MOST_MEMORY_GROWTH} times that"),
    ]
    for name, figure, remark in report:
        print(f"{name:<24}{figure:>22}   {remark}".rstrip())
    met = (
        written_a_second >= LEAST_WRITTEN_A_SECOND
        and times_faster >= LEAST_TIMES_FASTER
        and large <= small * MOST_MEMORY_GROWTH
    )
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
