"""Sessions that a practice or a therapist held are checked again once these were corrected."""

from collections.abc import Sequence

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from billing.rules.rule import Severity
from claims import bell, history
from claims.fold.messages import PRACTICE_OR_THERAPIST
from claims.models import Claim, Finding
from claims.pipeline import RUN_BY_PIPELINE
from claims.rechecks import check_again
from claims.signals import ClaimStatus
from providers.models import Provider
from providers.renaming import NAME_PATHS


def after_provider_update(provider: Provider, paths: Sequence[str]) -> None:
    """In its transaction: what the practice or a therapist of it held is checked again.

    Requests may not read findings; the session's message says to whom they point, unless an earlier version
    was judged. What a person set aside stays so.
    """
    _begin_anew(provider)
    held = _held().filter(
        Q(session__message__contains=PRACTICE_OR_THERAPIST) | Q(version__gt=1),
        partner=provider.partner_id,
        session__provider__practice=provider.practice_id,
    )
    _check_again(held, words=f"Corrected by the partner: {', '.join(paths)}.")


def after_rename(provider: Provider, paths: Sequence[str]) -> None:
    """In its transaction: what the therapist's name held is checked again, unless a person set it aside."""
    _begin_anew(provider)
    by_name = Finding.objects.filter(
        claim=OuterRef("pk"), severity=Severity.BLOCK, path__in=NAME_PATHS.values()
    )
    held = _held().filter(Exists(by_name), session__provider=provider)
    _check_again(held, words=f"Corrected by billing staff: {', '.join(paths)}.")


def _held() -> QuerySet[Claim]:
    return (
        Claim.objects.select_for_update(of=("self",))
        .select_related("session")
        .filter(history.is_asked("session"), status=ClaimStatus.HELD, step=Claim.Step.HELD)
        .order_by("session_id", "version")
    )


def _check_again(held: QuerySet[Claim], *, words: str) -> None:
    if claims := list(held):
        check_again(claims, words=words)
        bell.ring_after_commit()


def _begin_anew(provider: Provider) -> None:
    """A step that runs has read what was there before: what it finds does not land, and it is due again.

    What is due begins once this is committed, and what is just landing has landed.
    """
    running = Q(attempts__gt=0) | Q(next_step_at__lte=Now())
    those = Claim.objects.filter(
        Q(step=Claim.Step.HELD) | Q(running, step__in=RUN_BY_PIPELINE),
        partner=provider.partner_id,
        status__in=(ClaimStatus.HELD, ClaimStatus.QUEUED),
        session__provider__practice=provider.practice_id,
    ).order_by("session_id", "version")
    # Held ones too: all are locked in one order, whatever becomes of some meanwhile.
    locked = list(those.select_for_update(of=("self",)).values_list("pk", flat=True))
    running_still = Claim.objects.filter(pk__in=locked, step__in=RUN_BY_PIPELINE, attempts__gt=0)
    if running_still.update(revision=F("revision") + 1, attempts=0, next_step_at=Now()):
        bell.ring_after_commit()
