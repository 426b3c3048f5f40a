"""Makes sessions with their codes, claims, lines, answers, events and open work, by COPY.

Blocks of one organization's sessions go out in one interchange. Instants rise with the ids, as in real life.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from billing.rules.rule import Severity
from claims.models import Claim
from claims.signals import Signal, SignalKind, Source, StatusCode
from claims.support.made.lives import LIVES, Life, life_at
from claims.support.made.people import Organization, Patient, Therapist, organizations, patients
from claims.x12.claim import ClaimFrequency, Envelope, ProfessionalClaim, ServiceLine, Usage
from claims.x12.write_837p import write_837p
from partners import months
from partners.keyring import encrypt

DAYS = 365
ORGANIZATIONS = 10
SESSIONS_A_PATIENT = 20
BLOCK = 25
AT_ONCE = 10_000
PROCEDURES = (("90834", 38, "130.00"), ("90837", 55, "175.00"), ("90832", 30, "95.00"))
DIAGNOSES = ("F41.1", "F32.9", "F43.23", "F33.1")
TABLES: Mapping[str, str] = {
    "sessions_app_session": "id, partner_id, provider_id, external_session_id, status, message, "
    "patient_first_name, patient_last_name, patient_search_name, patient_date_of_birth, patient_gender, "
    "patient_street, patient_line2, patient_city, patient_state, patient_zip, member_id, member_id_index, "
    "payer_name, payer_id, group_number, date_of_service, place_of_service, duration_minutes, version, "
    "request_id, created_at, updated_at",
    "sessions_app_sessioncode": "session_id, partner_id, kind, position, code, description, modifier, "
    "modifier_added, units, source",
    "sessions_app_sessionevent": "session_id, partner_id, type, status, summary, timestamp",
    "claims_claim": "id, partner_id, session_id, version, frequency, step, next_step_at, window_ends_at, "
    "revision, attempts, times_sent, status, status_changed_at, mode, gateway, patient_control_number, "
    "payer_control_number, total_charge, paid, patient_owes, snapshot, built_at, submitted_at, "
    "last_updated_at, created_at, file_by, paid_after_days",
    "claims_claimline": "claim_id, partner_id, number, procedure_code, modifiers, units, charge, "
    "line_control_number",
    "claims_transmission": "id, partner_id, gateway, interchange_control_number, group_control_number, "
    "file_name, content, sha256, reference, first_attempt_at, handed_over_at, created_at",
    "claims_transmittedclaim": "partner_id, transmission_id, claim_id, transaction_control_number, ordinal",
    "claims_claimsignal": "claim_id, partner_id, natural_key, kind, patient_control_number, effective_date, "
    "payload, repeats, settled_at, received_at",
    "claims_finding": "claim_id, partner_id, rule, severity, path, message, detail",
    "claims_workitem": "session_id, partner_id, queue, reason, summary, payer_name, charge, opened_at, "
    "snoozed_for, file_by",
}
WITHOUT_HISTORY = ("sessions_app_sessioncode",)
"""Their triggers write down every row as a change, which these are not."""
NOTHING = r"\N"
DAYS_TO_FILE = (120, 180, 365)
WORK: Mapping[str, Sequence[tuple[str, str]]] = {
    "held": (
        ("INS-005", "The payer directory doesn't have this payer ID."),
        ("INS-003", "Three payers fit the payer's name. Choose one."),
        ("DX-003", "The first diagnosis is a heading. Send a billable code under it."),
    ),
    "rejected": (
        ("A7:164:IL", "The member ID of the insured person isn't what the payer has (A7:164:IL)"),
        ("A7:158:QC", "The patient's birth date isn't what the payer has (A7:158:QC)"),
        ("A3:33:IL", "The payer doesn't know this person (A3:33:IL)"),
    ),
    "denied": (
        ("CO-197", "No authorization is on file (CO-197)"),
        ("CO-16", "The claim lacks information (CO-16)"),
        ("CO-29", "The time to file was over (CO-29)"),
        ("CO-97", "It is part of another service that was paid (CO-97)"),
    ),
}
"""Why work was opened, by queue: reason and words."""


@dataclass
class Rows:
    """Lines for COPY by table."""

    lines: dict[str, list[str]] = field(default_factory=lambda: {table: [] for table in TABLES})

    def add(self, table: str, *values: object) -> None:
        """Add one row; no value may hold a tab, a line end or a bare backslash."""
        self.lines[table].append("\t".join(map(str, values)) + "\n")

    def copy(self) -> None:
        """Write everything in one transaction."""
        with transaction.atomic(), connection.cursor() as cursor:
            trusted = _trust(cursor)
            for table, columns in TABLES.items():
                with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                    copy.write("".join(self.lines[table]))
            if not trusted:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
                for table in WITHOUT_HISTORY:
                    cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


def _trust(cursor: Any) -> bool:
    """Do without triggers and checks of foreign keys where the account may; else without history alone."""
    cursor.execute("SELECT has_parameter_privilege('session_replication_role', 'SET')")
    if cursor.fetchone()[0]:
        cursor.execute("SET LOCAL session_replication_role = replica")
        return True
    for table in WITHOUT_HISTORY:
        cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    return False


@dataclass
class Maker:
    """Makes sessions of the last year, the same ones for the same seed, apart from their ids' random part."""

    total: int
    run: str
    seed: int = 837
    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)  # noqa: S311 (invents data)
        self.organizations = organizations(ORGANIZATIONS)
        self.patients = patients(max(self.total // SESSIONS_A_PATIENT, 1), self.chance)
        self.answers = _answer_forms()
        self.tag = sha256(self.run.encode()).hexdigest()[:5].upper()

    def make(self) -> Iterator[int]:
        """Write the sessions chunk by chunk; how many there are after each."""
        months.make("sessions_app_sessionevent", months.months_since(self.now - timedelta(days=DAYS)))
        rows, made = Rows(), 0
        while made < self.total:
            size = min(BLOCK, self.total - made)
            self._block(rows, first=made, size=size)
            made += size
            if made % AT_ONCE < BLOCK or made == self.total:
                rows.copy()
                rows = Rows()
                yield made

    def _block(self, rows: Rows, *, first: int, size: int) -> None:
        organization = self.chance.choice(self.organizations)
        sent: list[tuple[str, ProfessionalClaim]] = []
        begun = self.now
        for number in range(first, first + size):
            age = DAYS * (1 - (number + 1) / self.total)
            # The first ones come to every state in turn, so that a few sessions have them all.
            life = LIVES[number] if number < len(LIVES) else life_at(age, self.chance)
            begun = self.now - timedelta(days=age)
            claim = self._session(rows, number, organization, life, received=begun)
            if claim is not None:
                sent.append(claim)
        if sent:
            self._transmission(rows, organization, sent, at=begun)

    def _session(
        self, rows: Rows, number: int, organization: Organization, life: Life, *, received: datetime
    ) -> tuple[str, ProfessionalClaim] | None:
        chance = self.chance
        session_id, claim_id = _id_at(received, chance), _id_at(received, chance)
        patient, therapist = chance.choice(self.patients), chance.choice(organization.therapists)
        procedure, minutes, charge = chance.choice(PROCEDURES)
        diagnosis = chance.choice(DIAGNOSES)
        at, partner = received.isoformat(), organization.id
        served = (received - timedelta(days=1)).date()
        rows.add(
            "sessions_app_session",
            *(session_id, partner, therapist.id, f"{self.run}-{number}", life.session_status),
            *("A made session.", patient.columns, served, "office", minutes, 1, "", at, at),
        )
        rows.add(
            "sessions_app_sessioncode", session_id, partner, "diagnosis", 0, diagnosis, "", "", "f", 1, "sent"
        )
        rows.add(
            "sessions_app_sessioncode",
            session_id,
            partner,
            "procedure",
            0,
            procedure,
            "",
            "",
            "f",
            1,
            "derived",
        )
        for event in life.events:
            rows.add(
                "sessions_app_sessionevent", session_id, partner, event, "", "A made line of history.", at
            )
        control_number = f"M{self.tag}{number:08d}"
        claim = None
        if life.sent:
            claim = _claim(control_number, therapist, patient, diagnosis, procedure, charge, served)
        file_by = served + timedelta(days=chance.choice(DAYS_TO_FILE))
        self._claim_rows(rows, claim_id, session_id, organization.id, life, claim, charge, received, file_by)
        if life.queue is not None:
            rule, words = chance.choice(WORK[life.queue])
            rows.add(
                "claims_workitem",
                *(session_id, partner, life.queue, rule, words, patient.payer_name, charge, at, "", file_by),
            )
            if life.step is Claim.Step.HELD:
                path = "patient.insurance.memberId"
                rows.add(
                    "claims_finding", claim_id, partner, rule, Severity.BLOCK, path, "A made finding.", "{}"
                )
        return (claim_id, claim) if claim else None

    def _claim_rows(
        self,
        rows: Rows,
        claim_id: str,
        session_id: str,
        partner: str,
        life: Life,
        claim: ProfessionalClaim | None,
        charge: str,
        received: datetime,
        file_by: date,
    ) -> None:
        at, ends = received.isoformat(), (received + timedelta(minutes=15)).isoformat()
        age = max((self.now - received).days, 1)
        waited = min(round(self.chance.triangular(3, 80, 14)), age)
        paid = Decimal(charge) * life.paid_share / 100
        money = (paid, Decimal(charge) - paid) if life.session_status == "paid" else (NOTHING, NOTHING)
        due = (self.now + timedelta(days=1)).isoformat() if life.step is Claim.Step.WINDOW else NOTHING
        built = (
            (
                "test",
                "sandbox",
                claim.patient_control_number,
                f"P{claim.patient_control_number}" if life.answers > 1 else "",
                charge,
                *money,
                rf"\\x{encrypt(json.dumps(claim.as_json()).encode()).hex()}",
                at,
                at,
            )
            if claim
            else ("", "", NOTHING, "", NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING)
        )
        rows.add(
            "claims_claim",
            *(claim_id, partner, session_id, 1, "1", life.step, due, ends, 1, 0, int(life.sent)),
            *(life.status, at, *built, at, at, file_by, waited if life.paid_share else NOTHING),
        )
        if claim is None:
            return
        for place, line in enumerate(claim.service_lines, 1):
            rows.add(
                "claims_claimline",
                *(claim_id, partner, place, line.procedure_code, "{}", 1, line.charge, line.control_number),
            )
        own = claim.patient_control_number
        for place, (kind, form) in enumerate(self.answers[: life.answers], 1):
            answered = received.date() + timedelta(days=waited - 1 if kind == SignalKind.REMITTANCE else 0)
            payload = form.replace("@NUMBER@", own).replace("@DATE@", answered.isoformat())
            key = f"made:{place}:{own}"
            rows.add(
                "claims_claimsignal",
                *(claim_id, partner, key, kind, own, answered, payload, 0, at, at),
            )

    def _transmission(
        self,
        rows: Rows,
        organization: Organization,
        sent: list[tuple[str, ProfessionalClaim]],
        *,
        at: datetime,
    ) -> None:
        interchange, group = next(self._control_numbers())
        content = write_837p(
            [claim for _, claim in sent],
            envelope=Envelope(
                sender_id="PARTNERBILLING",
                receiver_id="CLEARINGHOUSE",
                submitter_name="PARTNER BILLING",
                submitter_contact_name="EDI DESK",
                submitter_phone="5125550100",
                receiver_name="CLEARINGHOUSE",
                usage=Usage.TEST,
                interchange_control_number=interchange,
                group_control_number=group,
                batch_id=f"B{interchange:09d}",
                created_at=at,
            ),
        ).encode()
        transmission, when = _id_at(at, self.chance), at.isoformat()
        rows.add(
            "claims_transmission",
            *(transmission, organization.id, "sandbox", interchange, group),
            f"MADE_{interchange:09d}.x12",
            rf"\\x{encrypt(content).hex()}",
            rf"\\x{sha256(content).hexdigest()}",
            *("made", when, when, when),
        )
        for place, (claim_id, _) in enumerate(sent, 1):
            rows.add("claims_transmittedclaim", organization.id, transmission, claim_id, place, 1)

    def _control_numbers(self) -> Iterator[tuple[int, int]]:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT nextval('claims_interchange_control_number'), nextval('claims_group_control_number')"
            )
            yield cursor.fetchone()


def tidy_up() -> None:
    """Let the planner know what is there now."""
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"VACUUM ANALYZE {table}")


def _claim(
    control_number: str,
    therapist: Therapist,
    patient: Patient,
    diagnosis: str,
    procedure: str,
    charge: str,
    served: date,
) -> ProfessionalClaim:
    return ProfessionalClaim(
        patient_control_number=control_number,
        frequency=ClaimFrequency.ORIGINAL,
        place_of_service_code="11",
        date_of_service=served,
        billing_provider=therapist.billing,
        rendering_provider=therapist.rendering,
        subscriber=patient.subscriber,
        payer=patient.payer,
        diagnosis_codes=(diagnosis.replace(".", ""),),
        service_lines=(
            ServiceLine(
                procedure_code=procedure,
                charge=Decimal(charge),
                control_number=f"{control_number}L1",
                diagnosis_pointers=(1,),
            ),
        ),
    )


def _answer_forms() -> list[tuple[str, str]]:
    """The answers in the order that they come, each as the JSON of its payload with places to fill in."""
    filled = "2001-01-01"
    from_clearinghouse = Signal(
        kind=SignalKind.CLAIM_ACKNOWLEDGEMENT,
        source=Source.CLEARINGHOUSE,
        natural_key="made",
        effective_date=date.fromisoformat(filled),
        patient_control_number="@NUMBER@",
        statuses=(StatusCode(category="A1", status="19"),),
    )
    from_payer = replace(
        from_clearinghouse, source=Source.PAYER, statuses=(StatusCode(category="A2", status="20"),)
    )
    paid = replace(
        from_payer, kind=SignalKind.REMITTANCE, statuses=(), claim_status_code="1", charge=Decimal(175)
    )
    return [
        (signal.kind, json.dumps(signal.as_json()).replace(filled, "@DATE@"))
        for signal in (from_clearinghouse, from_payer, paid)
    ]


def _id_at(instant: datetime, chance: random.Random) -> str:
    """A UUID version 7 of that instant."""
    value = int(instant.timestamp() * 1000) << 80 | chance.getrandbits(80)
    return str(UUID(int=value & ~(0xF << 76 | 0x3 << 62) | 0x7 << 76 | 0x2 << 62))
