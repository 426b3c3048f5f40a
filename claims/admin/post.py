"""Posting a payment that no remittance brings: what it makes of the claim is shown before it is posted."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect

from billing.adjustment_reasons import GROUPS, REASONS
from claims import actions
from claims.admin.opened_from import OpenedFrom
from claims.admin.page import StaffRequest, draw, page, text_of
from claims.admin.session_actions import LONGEST_REASON, go_on, say_done, say_refused, session_address
from claims.desk import hand_posting
from claims.desk.hand_posting import Typed
from claims.desk.view_records import What
from claims.models import Claim, TypedRemittance
from claims.settlement import payer_of
from claims.signals import Adjustment, LineOutcome
from claims.staff_words import status_reading
from claims.versions import is_named

NOT_AS_SHOWN = "This is not what the preview showed. Nothing was posted: look at it again, then post it."
AMOUNT = re.compile(r"-?([0-9]{1,8}|[0-9]{1,3}(,[0-9]{3})+)(\.[0-9]{1,2})?")
FEWEST_ROWS, MOST_ROWS = 3, 20
"""Adjustments of a line that there is room for: one more than are filled in."""
LONGEST_AMOUNT, LONGEST_CODE, LONGEST_NUMBER = 14, 5, 50


@dataclass(slots=True)
class RowTyped:
    """One adjustment as it stands in the form."""

    number: str
    group: str
    reason: str
    amount: str

    @property
    def is_empty(self) -> bool:
        """Whether nothing is typed into it."""
        return not (self.group or self.reason or self.amount)


@dataclass(slots=True)
class LineTyped:
    """A service line as it stands in the form."""

    number: int
    line: LineOutcome
    allowed: str = ""
    paid: str = ""
    rows: list[RowTyped] = field(default_factory=list)


@page("claims.type_remittance", methods=("GET", "HEAD", "POST"), records=What.PAGE)
def post_payment(request: StaffRequest, session_id: UUID, version: int) -> HttpResponse:
    """Draw the form; with POST show what it makes of the claim, or post it."""
    versions = Claim.objects.select_related("session").filter(session=session_id)
    claim = get_object_or_404(versions, version=version)
    if why := hand_posting.refusal_of(claim):
        say_refused(request, why)
        return redirect(session_address(request, session_id))
    blank = hand_posting.blank_lines(list(claim.lines.order_by("number")))
    lines = [_line(request, number, line) for number, line in enumerate(blank, 1)]
    if request.method != "POST":
        return _draw(request, claim, lines)
    faults: list[str] = []
    typed = _read(request, lines, faults)
    faults = faults or hand_posting.faults_of(typed, claim)
    if "save" not in request.POST or faults:
        return _draw(request, claim, lines, typed=typed, faults=faults, status=400 if faults else 200)
    if request.POST.get("digest") != hand_posting.digest_of(typed, hand_posting.preview(claim, typed)):
        messages.warning(request, NOT_AS_SHOWN)
        return _draw(request, claim, lines, typed=typed, status=409)
    try:
        hand_posting.post(
            session_id,
            version,
            typed,
            user=request.user,
            seen=request.POST.get("seen", ""),
            digest=request.POST.get("digest", ""),
        )
    except actions.ActionRefusedError as refused:
        messages.error(request, f"{refused} Nothing was posted.")
        return redirect(session_address(request, session_id))
    say_done(request, session_id, "Posted. The partner sees it as if a remittance had brought it.")
    return go_on(request, session_id)


@page("claims.type_remittance", methods=("POST",))
def take_back(request: StaffRequest, typed_id: int) -> HttpResponse:
    """Take back what was typed wrongly, with a reason."""
    reason = text_of(request, "reason", most=LONGEST_REASON)
    session_id = get_object_or_404(
        TypedRemittance.objects.select_related("claim"), pk=typed_id
    ).claim.session_id
    try:
        hand_posting.take_back(typed_id, user=request.user, reason=reason)
    except actions.ActionRefusedError as refused:
        say_refused(request, str(refused))
    else:
        messages.success(request, "Taken back: the claim is as it was without it.")
    return redirect("desk:session", session_id)


def _draw(
    request: StaffRequest,
    claim: Claim,
    lines: Sequence[LineTyped],
    *,
    typed: Typed | None = None,
    faults: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    settled = hand_posting.preview(claim, typed) if typed and not faults else None
    versions = list(Claim.objects.filter(session=claim.session_id).order_by("version"))
    place = [each.pk for each in versions].index(claim.pk)
    outcome = settled.outcome.outcomes[place] if settled else None
    for line in lines:
        _make_room(line)
    return draw(
        request,
        "admin/session/post.html",
        title="Post a payment",
        status=status,
        claim=claim,
        session=claim.session,
        payer=payer_of(claim),
        queue=OpenedFrom.named_by(request),
        seen=request.POST.get("seen") or actions.seen_of(versions[-1]),
        others=[each for each in hand_posting.postable(versions) if each != claim],
        lines=lines,
        groups=[(group, GROUPS[group]) for group in hand_posting.GROUPS],
        reasons=[(code, words) for code, (words, _, _) in REASONS.items()],
        origins=TypedRemittance.Origin.choices,
        typed=typed,
        faults=faults,
        settled=settled,
        outcome=outcome,
        becomes=status_reading(settled.outcome.claim_statuses[place]).words if settled else "",
        doubts=hand_posting.doubts_about(claim, typed) if typed and settled else [],
        unnamed=outcome is not None and not outcome.payer_control_number and not is_named(claim),
        digest=hand_posting.digest_of(typed, settled) if typed and settled else "",
    )


def _line(request: StaffRequest, number: int, line: LineOutcome) -> LineTyped:
    """A line with what was typed of it."""
    shown = LineTyped(
        number,
        line,
        text_of(request, f"allowed.{number}", most=LONGEST_AMOUNT),
        text_of(request, f"paid.{number}", most=LONGEST_AMOUNT),
    )
    for place in range(1, MOST_ROWS + 1):
        name = f"{number}.{place}"
        row = RowTyped(
            name,
            text_of(request, f"group.{name}", most=2),
            text_of(request, f"reason.{name}", most=LONGEST_CODE),
            text_of(request, f"amount.{name}", most=LONGEST_AMOUNT),
        )
        if not row.is_empty:
            shown.rows.append(row)
    return shown


def _make_room(line: LineTyped) -> None:
    """Number the rows anew, with empty ones behind them."""
    wanted = min(max(FEWEST_ROWS, len(line.rows) + 1), MOST_ROWS)
    line.rows += [RowTyped("", "", "", "") for _ in range(wanted - len(line.rows))]
    for place, row in enumerate(line.rows, 1):
        row.number = f"{line.number}.{place}"


def _read(request: StaffRequest, lines: Sequence[LineTyped], faults: list[str]) -> Typed:
    """What was typed; what can't be read goes to the faults."""
    return Typed(
        lines=tuple(_outcome(each, faults) for each in lines),
        payer_control_number=text_of(request, "payer_number", most=LONGEST_NUMBER),
        paid_on=_day(text_of(request, "paid_on", most=10)),
        trace_number=text_of(request, "trace_number", most=LONGEST_NUMBER),
        origin=text_of(request, "origin", most=6),
        reason=text_of(request, "reason", most=LONGEST_REASON),
    )


def _outcome(line: LineTyped, faults: list[str]) -> LineOutcome:
    name = f"Line {line.number} ({line.line.procedure_code})"
    if not line.paid:
        faults.append(f"{name}: say what was paid, 0 where nothing was.")
    return LineOutcome(
        control_number=line.line.control_number,
        procedure_code=line.line.procedure_code,
        modifiers=line.line.modifiers,
        charge=line.line.charge,
        paid=_amount(line.paid, f"{name}, paid", faults) or Decimal(0),
        allowed=_amount(line.allowed, f"{name}, allowed", faults),
        adjustments=tuple(_adjustments(line, name, faults)),
    )


def _adjustments(line: LineTyped, name: str, faults: list[str]) -> Iterator[Adjustment]:
    for row in line.rows:
        reason = row.reason.upper().lstrip("0")
        if not (row.group and reason and row.amount):
            faults.append(f"{name}: an adjustment lacks its group, reason or amount.")
        elif amount := _amount(row.amount, f"{name}, adjustment", faults):
            yield Adjustment(group=row.group, reason=reason, amount=amount)


def _amount(text: str, name: str, faults: list[str]) -> Decimal | None:
    if not text:
        return None
    plain = text.removeprefix("$").strip()
    if not AMOUNT.fullmatch(plain):
        faults.append(f"{name}: “{text}” is no amount in dollars and cents.")
        return None
    return Decimal(plain.replace(",", "")).quantize(Decimal("0.01"))


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
