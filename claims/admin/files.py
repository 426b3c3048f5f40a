"""Remittances and inbound files: what came, what it said, what it changed."""

from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal

from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.template.defaultfilters import filesizeformat

from billing.admin import LookedAt
from claims.admin.page import StaffRequest, draw, page
from claims.desk.view_records import record_list
from claims.ledger import EntryKind
from claims.models import InboundFile, LedgerEntry, Remittance, WorkItem
from claims.staff_words import PAYMENT_METHODS
from claims.templatetags.desk import moment, money
from sessions_app.models import Session

MOST_ROWS = 200


@admin.register(Remittance)
class RemittanceAdmin(LookedAt):
    """Payments as the payers sent them."""

    list_display = (
        "trace_number", "payer_name", "paid_on", "dollars", "paid_by",
        "claim_count", "without_claim", "state",
    )  # fmt: skip
    list_filter = ("state",)
    search_fields = ("trace_number__exact", "payer_id__exact")
    search_help_text = "Check or trace number, payer ID"
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Remittance]:
        """Count with each how many of its claims nobody has found yet."""
        waiting = WorkItem.objects.filter(
            queue=WorkItem.Queue.UNMATCHED, closed_at=None, signal__entries__remittance=OuterRef("pk")
        )
        count = waiting.order_by().values("queue").annotate(count=Count("pk", distinct=True)).values("count")
        remittances: QuerySet[Remittance] = super().get_queryset(request)
        return remittances.annotate(waiting=Subquery(count))

    @admin.display(description="Amount", ordering="amount")
    def dollars(self, remittance: Remittance) -> str:
        return money(remittance.amount)

    @admin.display(description="Paid by", ordering="method")
    def paid_by(self, remittance: Remittance) -> str:
        return PAYMENT_METHODS.get(remittance.method, remittance.method)

    @admin.display(description="Not found here")
    def without_claim(self, remittance: Remittance) -> str:
        """How many of its claims wait to be matched; empty where none does."""
        waiting: int | None = remittance.waiting  # type: ignore[attr-defined]  # annotated
        return f"{waiting:,}" if waiting else ""


@admin.register(InboundFile)
class InboundFileAdmin(LookedAt):
    """Files from clearinghouses, and their reports."""

    list_display = ("name", "gateway", "kind", "bytes", "state", "came", "done")
    list_filter = ("state", "gateway")
    search_fields = ("name__exact",)
    search_help_text = "Whole name of the file"
    ordering = ("-id",)

    @admin.display(description="Received at", ordering="received_at")
    def came(self, file: InboundFile) -> str:
        return moment(file.received_at)

    @admin.display(description="Handled at", ordering="handled_at")
    def done(self, file: InboundFile) -> str:
        return moment(file.handled_at)

    @admin.display(description="Size", ordering="size")
    def bytes(self, file: InboundFile) -> str:
        return filesizeformat(file.size)


@dataclass(frozen=True, slots=True)
class PaidClaim:
    """What a remittance did to one claim, in dollars."""

    control_number: str
    session: Session | None
    amounts: dict[str, Decimal]
    item: int | None = None
    """Where it has no claim yet: the open work of finding it."""


@page("claims.view_remittance")
def remittance(request: StaffRequest, remittance_id: int) -> HttpResponse:
    """Show a payment and the claims in it, with what was paid and what was not."""
    found = Remittance.objects.select_related("inbound_file").filter(pk=remittance_id).first()
    if found is None:
        raise Http404
    claims = _claims_of(found)
    if request.user.has_perm("sessions_app.view_session"):
        named = [claim.session.pk for claim in claims if claim.session]
        record_list(request.user, session_ids=named, detail=f"remittance {found.pk}")
    return draw(
        request,
        "desk/remittance.html",
        title="Remittance",
        remittance=found,
        method=PAYMENT_METHODS.get(found.method, found.method),
        claims=claims,
        kinds=[(kind.value, kind.value.replace("_", " ").capitalize()) for kind in EntryKind],
        most=MOST_ROWS,
    )


def _claims_of(payment: Remittance) -> list[PaidClaim]:
    sums = (
        LedgerEntry.objects.filter(remittance=payment)
        .values_list("claim_id", "signal__patient_control_number", "claim__session_id", "kind")
        .annotate(total=Sum("amount"))
        .order_by("signal__patient_control_number")
    )
    grouped: dict[tuple[object, str, object], dict[str, Decimal]] = defaultdict(dict)
    for claim_id, number, session_id, kind, total in sums[: MOST_ROWS * len(EntryKind)]:
        grouped[claim_id, number or "", session_id][kind] = total
    waiting = WorkItem.objects.filter(
        queue=WorkItem.Queue.UNMATCHED, closed_at=None, signal__entries__remittance=payment
    )
    items = dict(waiting.values_list("signal__patient_control_number", "pk"))
    wanted = [session_id for _, _, session_id in grouped if session_id]
    sessions = Session.objects.defer("member_id", "message").in_bulk(wanted)
    return [
        PaidClaim(number, sessions.get(session_id), amounts, items.get(number) if claim_id is None else None)
        for (claim_id, number, session_id), amounts in list(grouped.items())[:MOST_ROWS]
    ]
