"""Everything that one session's page shows, read in a fixed number of queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import UUID

import orjson
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject

from billing.codes import code_titles
from billing.payers.directory import match_payer
from billing.rules.facts import PayerMatch
from billing.rules.kinds import PayerMatchOutcome
from billing.rules.tables.procedures import LABELS
from claims.admin.changes import SeenOrChanged, read_changes
from claims.admin.note_marks import evidence_numbers, with_chosen
from claims.desk.likely_fixes import OtherSession
from claims.desk.review_words import MINUTES_FROM, TIERS
from claims.models import (
    Claim,
    ClaimLine,
    ClaimSignal,
    CorrectionDraft,
    Finding,
    NoteReview,
    Override,
    WorkItem,
)
from claims.settlement import SettledSession, settle_sessions
from claims.signals import ClaimStatus
from claims.x12.claim import ProfessionalClaim
from providers.charges import Price, price
from sessions_app.lookups import order_of
from sessions_app.member_index import member_indexes
from sessions_app.models import Session, SessionCode, SessionEvent

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MOST_SHOWN = 20
"""Longest sub-list of the page; beyond it there is a link to all."""
WHOLE_HISTORY = 1000
CODE_COLUMNS = (
    "kind",
    "position",
    "code",
    "description",
    "modifier",
    "modifier_added",
    "units",
    "source",
)
MEMBER_RULES = frozenset({"INS-001", "INS-002", "TEST-001"})
MEMBER_IN_DOUBT = frozenset(
    {
        ClaimStatus.CLEARINGHOUSE_REJECTED,
        ClaimStatus.PAYER_REJECTED,
        ClaimStatus.DENIED,
        ClaimStatus.MEMBER_UNKNOWN,
    }
)


@dataclass(frozen=True, slots=True)
class CodeShown:
    """A code with its words, where it came from, and the number of its evidence in the note."""

    row: SessionCode
    title: str
    source: str
    number: int | None
    why: str = ""
    """What in the note gave it."""


@dataclass(frozen=True, slots=True)
class LineShown:
    """A service line as priced: the rate that gave the charge, and those that it beat."""

    number: int
    code: str
    modifiers: Sequence[str]
    units: int
    charge: Any
    rate: Any
    beaten: Sequence[Any]
    diagnoses: Sequence[str] = ()
    """Those that the built claim's line points to."""


@dataclass(slots=True)
class SessionPage:
    """The rows of one session; what is worked out from them is worked out once."""

    session: Session = field(repr=False)
    codes: Sequence[SessionCode]
    claims: Sequence[Claim]
    """All versions, oldest first."""
    lines: Sequence[ClaimLine]
    signals: Sequence[ClaimSignal]
    taken_back: Sequence[ClaimSignal]
    """What was posted by hand and counts no more."""
    events: Sequence[SessionEvent]
    items: Sequence[WorkItem]
    changes: Sequence[SeenOrChanged]
    others: Sequence[OtherSession] = field(repr=False)

    @property
    def claim(self) -> Claim:
        """The newest version."""
        return self.claims[-1]

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What the last check of the newest version found."""
        found: list[dict[str, Any]] = self.claim.found  # type: ignore[attr-defined]  # annotated
        return found

    @property
    def item(self) -> WorkItem | None:
        """The most pressing open work item; while a claim is held, what answers ask comes after that."""
        held = self.claim.step == Claim.Step.HELD
        first = (each for each in self.items if not held or each.still_asks)
        return next(first, self.items[0] if self.items else None)

    @property
    def coding(self) -> dict[str, Any] | None:
        """What the coder said of the note, with the words that a person chose as evidence."""
        note = getattr(self.session, "note", None)
        if note is None or not note.coding:
            return None
        return with_chosen(orjson.loads(note.coding), (self.reviewed or {}).get("evidence", ()))

    @property
    def reviewed(self) -> dict[str, Any] | None:
        """What a person decided about the note last, unless it was taken back.

        What was set aside and goes on, or is asked about anew, is so no longer.
        """
        decided: dict[str, Any] | None = self.session.reviewed  # type: ignore[attr-defined]  # annotated
        if decided is None or decided["outcome"] != NoteReview.Outcome.NOT_BILLABLE:
            return decided
        return decided if self.is_set_aside else None

    @property
    def is_set_aside(self) -> bool:
        """Whether its claim is held and asks nobody any more."""
        return self.claim.step == Claim.Step.HELD and not any(each.still_asks for each in self.items)


def read_session(
    session_id: UUID, *, user: "User", with_note: bool, whole_history: bool = False
) -> SessionPage | None:
    """Read one session; None where there is none. The note's text is read only where it is opened."""
    sessions = _sessions(user)
    if not with_note:
        sessions = sessions.defer("note__text")
    session = sessions.filter(pk=session_id).first()
    if session is None:
        return None
    claims = _claims(session)
    items = WorkItem.objects.filter(session=session, closed_at=None)
    lines = ClaimLine.objects.filter(claim__in=[claim.pk for claim in claims])
    signals = list(
        ClaimSignal.objects.filter(claim__in=[claim.pk for claim in claims])
        .select_related("inbound_file")
        .defer("inbound_file__report", "inbound_file__sha256")
        .order_by("id")
    )
    most = WHOLE_HISTORY if whole_history else MOST_SHOWN + 1
    return SessionPage(
        session=session,
        codes=[SessionCode(session=session, **row) for row in session.coded],
        claims=claims,
        lines=list(lines.select_related("rate__schedule").order_by("claim_id", "number")),
        signals=[row for row in signals if row.dismissed_at is None],
        taken_back=[row for row in signals if row.dismissed_at],
        events=list(SessionEvent.objects.filter(session=session).order_by("-id")[:most]),
        items=list(
            items.select_related("assignee", "leased_by", "handed_by").order_by(
                F("file_by").asc(nulls_last=True), "id"
            )
        ),
        changes=read_changes(session, most=most),
        others=_others(session, by_name=_is_member_in_doubt(claims[-1]) if claims else False),
    )


def _sessions(user: "User") -> QuerySet[Any]:
    """Sessions with their codes, their last review, and whether this person has a draft of a correction."""
    reviews = NoteReview.objects.filter(session=OuterRef("pk"), undone_at=None).order_by("-id")
    codes = SessionCode.objects.filter(session=OuterRef("pk")).order_by("kind", "position")
    return Session.objects.select_related("partner", "provider__practice", "note").annotate(
        has_draft=Exists(CorrectionDraft.objects.filter(session=OuterRef("pk"), user=user.pk)),
        reviewed=Subquery(
            reviews.values(
                said=JSONObject(id="id", outcome="outcome", user="user__username", evidence="evidence")
            )[:1]
        ),
        coded=ArraySubquery(codes.values(said=JSONObject(**{name: name for name in CODE_COLUMNS}))),
    )


def _claims(session: Session) -> list[Any]:
    """The versions of its claim, each with what the rules found."""
    findings = Finding.objects.filter(claim=OuterRef("pk")).order_by("id")
    said = JSONObject(rule="rule", severity="severity", path="path", message="message")
    versions = Claim.objects.filter(session=session).annotate(found=ArraySubquery(findings.values(said=said)))
    claims = list(versions.order_by("version"))
    for claim in claims:
        claim.session = session
    return claims


def settled(record: SessionPage) -> SettledSession:
    """Where the session stands, folded from what was read."""
    (result,) = settle_sessions(record.claims, record.signals)
    return result


def codes_shown(record: SessionPage, coding: Mapping[str, Any] | None) -> list[CodeShown]:
    """The session's codes with their words and sources, and with `coding` what in the note gave them."""
    session = record.session
    diagnoses = [row.code for row in record.codes if row.kind == SessionCode.Kind.DIAGNOSIS]
    titles = code_titles(diagnoses, on=session.date_of_service) if diagnoses else {}
    numbers = evidence_numbers(coding) if coding else {}
    shown = []
    for row in record.codes:
        title = titles.get(row.code) or LABELS.get(row.code, "").capitalize() or row.description
        source = row.get_source_display()
        if row.source == SessionCode.Source.DERIVED and session.duration_minutes:
            source = f"From {session.duration_minutes} minutes"
        why = _why_from_note(row, coding) if row.source == SessionCode.Source.NOTE else ""
        shown.append(CodeShown(row, title, source, numbers.get((row.kind, row.code)), why))
    return shown


def _why_from_note(row: SessionCode, coding: Mapping[str, Any] | None) -> str:
    rows = coding["diagnoses" if row.kind == SessionCode.Kind.DIAGNOSIS else "procedures"] if coding else ()
    found: Mapping[str, Any] = next((each for each in rows if each["code"] == row.code), {})
    minutes = found.get("minutes")
    said = f"{minutes} minutes, {MINUTES_FROM[found['minutesSource']]}." if minutes else ""
    return TIERS.get(found.get("tier", ""), "") or said


def prices(record: SessionPage, frozen: ProfessionalClaim | None) -> list[Price | None]:
    """What the newest claim's services cost by the schedules, with the rates that each price beat."""
    session = record.session
    procedures = [row for row in record.codes if row.kind == SessionCode.Kind.PROCEDURE]
    match = (
        PayerMatch(PayerMatchOutcome.EXACT, frozen.payer.payer_id)
        if frozen
        else match_payer(session.payer_name, payer_id=session.payer_id)
    )
    return price([order_of(session, procedures=procedures, provider=session.provider, match=match)])[0]


def lines_shown(record: SessionPage, frozen: ProfessionalClaim | None) -> list[LineShown]:
    """The newest claim's lines as built and frozen, else as they would be priced now."""
    built = [line for line in record.lines if line.claim_id == record.claim.pk]
    priced = prices(record, frozen)
    if built:
        beaten = {
            found.rate.pk: [rate for rate in found.beaten if rate.pk != found.rate.pk]
            for found in priced
            if found
        }
        return [
            LineShown(
                line.number,
                line.procedure_code,
                line.modifiers,
                line.units,
                line.charge,
                line.rate,
                beaten.get(line.rate_id, []) if line.rate_id else [],
                _pointed_to(record, frozen, line.number),
            )
            for line in built
        ]
    procedures = [row for row in record.codes if row.kind == SessionCode.Kind.PROCEDURE]
    return [
        LineShown(
            position,
            row.code,
            [row.modifier] if row.modifier else [],
            row.units,
            found.charge if found else None,
            found.rate if found else None,
            found.beaten if found else [],
        )
        for position, (row, found) in enumerate(zip(procedures, priced, strict=True), 1)
    ]


def _pointed_to(record: SessionPage, frozen: ProfessionalClaim | None, number: int) -> list[str]:
    """The diagnoses of a frozen line, written as the session has them."""
    if frozen is None or number > len(frozen.service_lines):
        return []
    written = {row.code.replace(".", ""): row.code for row in record.codes}
    codes = [frozen.diagnosis_codes[at - 1] for at in frozen.service_lines[number - 1].diagnosis_pointers]
    return [written.get(code, code) for code in codes]


def overrides_of(record: SessionPage, frozen: ProfessionalClaim | None) -> list[Override]:
    """The rules that a lead let it pass; asked only where a finding or the claim says so."""
    delayed = frozen is not None and frozen.delay_reason_code
    if not delayed and not any(each["severity"] == "N" for each in record.findings):
        return []
    given = Override.objects.filter(session=record.session).select_related("user").order_by("id")
    return [each for each in given if delayed or each.counts_for(record.session)]


def _is_member_in_doubt(claim: Claim) -> bool:
    """Whether another member ID could be what fixes it."""
    found: list[dict[str, Any]] = claim.found  # type: ignore[attr-defined]  # annotated
    return claim.status in MEMBER_IN_DOUBT or any(each["rule"] in MEMBER_RULES for each in found)


def _others(session: Session, *, by_name: bool) -> list[OtherSession]:
    """The patient's other sessions with this partner: by member ID, and by name and birth date too.

    Those of the same day come first, as one of them may be the one that this repeats, then the newest.
    Looking by name costs more, and only another member ID is found by it.
    """
    newest = Claim.objects.filter(session=OuterRef("pk")).order_by("-version").values("status")[:1]
    same_person = Q(
        partner=session.partner_id,
        patient_search_name=session.patient_search_name,
        patient_date_of_birth=session.patient_date_of_birth,
    )
    members = member_indexes(session.member_id)
    same_card = Q(member_id_index__in=members, partner=session.partner_id)
    rows = (
        Session.objects.filter(same_person | same_card if by_name else same_card)
        .exclude(pk=session.pk)
        .annotate(claim_status=Subquery(newest), same_day=Q(date_of_service=session.date_of_service))
        .only("id", "date_of_service", "member_id", "payer_id", "payer_name", "status")
        .order_by("-same_day", "-date_of_service")[:MOST_SHOWN]
    )
    return [OtherSession(row, row.claim_status or ClaimStatus.QUEUED) for row in rows]
