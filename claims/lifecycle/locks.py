"""The one order in which everybody locks claims, so that no two wait for each other."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Q

from claims.models import Claim


def lock_in_order(claim_ids: Iterable[UUID], *, whole: Iterable[UUID] = ()) -> None:
    """Lock claims by themselves, whatever other versions their sessions have; of `whole` sessions all."""
    wanted = Q(pk__in=list(claim_ids)) | Q(session_id__in=list(whole))
    ordered = Claim.objects.filter(wanted).order_by("session_id", "version")
    list(ordered.select_for_update(of=("self",)).values_list("pk"))


def lock_versions(session_ids: Iterable[UUID]) -> list[Claim]:
    """Lock every version of these sessions' claims: as they are now, each with its session, in order.

    Whoever adds a version to a session has locked those before it so.
    """
    versions = Claim.objects.filter(session_id__in=list(session_ids)).order_by("session_id", "version")
    locked = versions.select_for_update(of=("self",))
    list(locked.values_list("pk"))
    # What another has added while this waited for a lock, only a statement of its own sees.
    return list(locked.select_related("session"))
