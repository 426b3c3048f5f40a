"""Sessions that a practice or a therapist held are checked again once these were corrected."""

from collections.abc import Sequence

from django.db.models import Q

from claims import bell, history
from claims.fold_messages import PRACTICE_OR_THERAPIST
from claims.models import Claim
from claims.rechecks import check_again
from claims.signals import ClaimStatus
from providers.models import Provider


def after_provider_update(provider: Provider, paths: Sequence[str]) -> None:
    """In its transaction: what the practice or a therapist of it held is checked again.

    Requests may not read findings; the session's message says to whom they point, unless an earlier version
    was judged. What a person set aside stays so.
    """
    held = (
        Claim.objects.select_for_update(of=("self",))
        .select_related("session")
        .filter(
            history.is_asked("session"),
            Q(session__message__contains=PRACTICE_OR_THERAPIST) | Q(version__gt=1),
            partner=provider.partner_id,
            status=ClaimStatus.HELD,
            step=Claim.Step.HELD,
            session__provider__practice=provider.practice_id,
        )
        .order_by("session_id", "version")
    )
    if claims := list(held):
        check_again(claims, words=f"Corrected by the partner: {', '.join(paths)}.")
        bell.ring_after_commit()
