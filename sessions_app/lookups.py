"""What the tables say about sessions that are to be claims, asked for many of them at once."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from uuid import UUID

from django.db import connection

from billing.models import NcciPair, NcciUnits, NpiRecord, Payer
from billing.payers.directory import match_payers
from billing.rules import facts as rules
from partners.models import Partner
from providers.charges import Order, Price, Service, price
from providers.models import AllowedAmount, Enrollment, Practice, Provider
from sessions_app.models import Session, SessionCode

LONGEST = "90837"
SHARE_LOOKS_BACK = timedelta(days=180)
LEAST_SESSIONS, MOST_SESSIONS = 20, 60
"""Fewer say nothing of a therapist's habits, more say no more of them."""
SHARES = """
SELECT therapist.id, therapist.day, count(*) FILTER (WHERE code.code = %(longest)s), count(*)
FROM unnest(%(partners)s::uuid[], %(providers)s::uuid[], %(days)s::date[]) AS therapist (partner_id, id, day)
CROSS JOIN LATERAL (
    SELECT session.id, session.date_of_service FROM sessions_app_session AS session
    WHERE session.partner_id = therapist.partner_id AND session.provider_id = therapist.id
    ORDER BY session.created_at DESC, session.id DESC LIMIT %(most)s
) AS late
JOIN sessions_app_sessioncode AS code ON code.session_id = late.id
WHERE code.kind = 'procedure' AND code.code = ANY(%(individual)s)
  AND late.date_of_service >= therapist.day - %(days_back)s::int
GROUP BY therapist.id, therapist.day
"""
INDIVIDUAL = ["90832", "90834", LONGEST]


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A session with the rows that its claim is made of."""

    session: Session
    partner: Partner
    provider: Provider
    practice: Practice
    codes: Sequence[SessionCode]

    def codes_of(self, kind: SessionCode.Kind) -> list[SessionCode]:
        """Codes of one kind in their order."""
        return sorted((code for code in self.codes if code.kind == kind), key=lambda code: code.position)

    @property
    def procedures(self) -> list[SessionCode]:
        """The procedure codes in their order."""
        return self.codes_of(SessionCode.Kind.PROCEDURE)

    @property
    def billing_npi(self) -> str:
        """Under which the claim is billed: the practice's, else the therapist's own."""
        return self.practice.npi or self.provider.npi


@dataclass(frozen=True, slots=True)
class Lookups:
    """What the tables say about one session; None where they say nothing."""

    payer: Payer | None
    payer_match: rules.PayerMatch
    prices: Sequence[Price | None]
    allowed: Mapping[str, Decimal]
    """By procedure code, what the payer allowed this practice the last time for one unit."""
    share_of_90837: float | None
    provider_nppes: rules.NppesRecord | None
    practice_nppes: rules.NppesRecord | None
    enrollment: rules.Enrollment | None
    ncci: rules.NcciEdits | None


def look_up(
    records: Sequence[SessionRecord], *, beside: Sequence[frozenset[str]] | None = None
) -> list[Lookups]:
    """Ask the tables about many sessions, in a number of statements that doesn't grow with them.

    `beside` are, for each, the procedure codes of other sessions of its day.
    """
    besides = beside or [frozenset()] * len(records)
    matches = match_payers((record.session.payer_name, record.session.payer_id) for record in records)
    payers = [matches[record.session.payer_name, record.session.payer_id] for record in records]
    prices = price(
        [
            order_of(record.session, procedures=record.procedures, provider=record.provider, match=match)
            for record, (match, _) in zip(records, payers, strict=True)
        ]
    )
    registered = _registered(records)
    allowed = _allowed(records, payers)
    enrolled = _enrolled(records)
    shares = _shares(records)
    edits = _NcciTables.of(records, besides)
    found = []
    for record, others, of_session, (match, payer) in zip(records, besides, prices, payers, strict=True):
        kept = enrolled.get((record.partner.pk, record.billing_npi))
        found.append(
            Lookups(
                payer=payer,
                payer_match=match,
                prices=of_session,
                allowed=allowed.get((record.practice.pk, payer.payer_id), {}) if payer else {},
                share_of_90837=shares.get(_day_of(record)) if _is_long(record) else None,
                provider_nppes=registered.get(record.provider.npi),
                practice_nppes=registered.get(record.practice.npi),
                enrollment=kept.get(payer.pk, rules.Enrollment()) if kept and payer else None,
                ncci=edits.about(record, others),
            )
        )
    return found


def loaded_tables() -> frozenset[rules.Table]:
    """The optional tables that hold anything; the rules about the others are not checked."""
    holding = {
        rules.Table.NPPES: NpiRecord.objects,
        rules.Table.ENROLLMENT: Enrollment.objects,
        rules.Table.NCCI: NcciPair.objects,
    }
    return frozenset(table for table, rows in holding.items() if rows.exists())


def order_of(
    session: Session, *, procedures: Iterable[SessionCode], provider: Provider, match: rules.PayerMatch
) -> Order:
    """What is to be priced of a session, for the payer that it means."""
    return Order(
        services=[
            Service(code.code, (code.modifier,) if code.modifier else (), code.units) for code in procedures
        ],
        provider=provider,
        payer_id=match.payer_id or session.payer_id,
        place_of_service=session.place_of_service,
        on=session.date_of_service,
    )


def _registered(records: Sequence[SessionRecord]) -> dict[str, rules.NppesRecord]:
    npis = {npi for record in records for npi in (record.provider.npi, record.practice.npi) if npi}
    return {
        row.npi: rules.NppesRecord(row.found, row.deactivated, frozenset(row.taxonomies))
        for row in NpiRecord.objects.filter(npi__in=npis)
    }


def _allowed(
    records: Sequence[SessionRecord], payers: Iterable[tuple[rules.PayerMatch, Payer | None]]
) -> dict[tuple[UUID, str], dict[str, Decimal]]:
    rows = AllowedAmount.objects.filter(
        practice__in={record.practice.pk for record in records},
        payer_id__in={payer.payer_id for _, payer in payers if payer},
        procedure_code__in={code.code for record in records for code in record.procedures},
    )
    found: dict[tuple[UUID, str], dict[str, Decimal]] = defaultdict(dict)
    for row in rows:
        found[row.practice_id, row.payer_id][row.procedure_code] = row.allowed
    return found


def _enrolled(records: Sequence[SessionRecord]) -> dict[tuple[UUID, str], dict[int, rules.Enrollment]]:
    """By partner and billing NPI, for whom staff keep enrollments at all, those with each payer."""
    rows = Enrollment.objects.filter(
        partner__in={record.partner.pk for record in records},
        npi__in={record.billing_npi for record in records},
    )
    found: dict[tuple[UUID, str], dict[int, rules.Enrollment]] = defaultdict(dict)
    for row in rows:
        found[row.partner_id, row.npi][row.payer_id] = rules.Enrollment(
            rules.EnrollmentStatus(row.claims), rules.EnrollmentStatus(row.remittances)
        )
    return found


def _is_long(record: SessionRecord) -> bool:
    return any(code.code == LONGEST for code in record.procedures)


def _day_of(record: SessionRecord) -> tuple[UUID, date]:
    return record.provider.pk, record.session.date_of_service


def _shares(records: Sequence[SessionRecord]) -> dict[tuple[UUID, date], float]:
    """By therapist and day, the share of the longest code among the individual sessions of late."""
    asked = {_day_of(record): record.partner.pk for record in records if _is_long(record)}
    if not asked:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(
            SHARES,
            {
                "partners": list(asked.values()),
                "providers": [provider for provider, _ in asked],
                "days": [day for _, day in asked],
                "longest": LONGEST,
                "individual": INDIVIDUAL,
                "most": MOST_SESSIONS,
                "days_back": SHARE_LOOKS_BACK.days,
            },
        )
        return {
            (provider, day): longest / sessions
            for provider, day, longest, sessions in cursor.fetchall()
            if sessions >= LEAST_SESSIONS
        }


@dataclass(frozen=True, slots=True)
class _NcciTables:
    """The coding edits that touch any of these sessions' codes."""

    pairs: Sequence[NcciPair]
    units: Sequence[NcciUnits]

    @classmethod
    def of(cls, records: Sequence[SessionRecord], besides: Sequence[frozenset[str]]) -> "_NcciTables":
        together = {
            code
            for record, others in zip(records, besides, strict=True)
            if len(record.procedures) > 1 or others
            for code in {*others, *(each.code for each in record.procedures)}
        }
        repeated = {code.code for record in records for code in record.procedures if code.units > 1}
        return cls(
            list(NcciPair.objects.filter(column_one__in=together, column_two__in=together)),
            list(NcciUnits.objects.filter(code__in=repeated).order_by("valid_from")),
        )

    def about(self, record: SessionRecord, beside: frozenset[str]) -> rules.NcciEdits | None:
        """Those in force for this session's codes, among them and beside others, on its date of service."""
        codes = {code.code for code in record.procedures}
        repeated = {code.code for code in record.procedures if code.units > 1}
        on: date = record.session.date_of_service
        pairs = tuple(
            rules.CodePair(pair.column_one, pair.column_two, pair.modifier_indicator)
            for pair in self.pairs
            if codes & {pair.column_one, pair.column_two}
            and {pair.column_one, pair.column_two} <= codes | beside
            and pair.valid_from <= on
            and (pair.valid_to is None or on <= pair.valid_to)
        )
        most = {
            row.code: row.most_units for row in self.units if row.code in repeated and row.valid_from <= on
        }
        return rules.NcciEdits(pairs, most) if pairs or most else None
