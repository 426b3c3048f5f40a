"""A therapist's name: no partner changes it, billing staff do."""

from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from providers.models import Provider

NAME_PATHS = {"first_name": "provider.firstName", "last_name": "provider.lastName"}


@transaction.atomic
def rename(provider_id: UUID, *, first_name: str, last_name: str) -> tuple[Provider, list[str]]:
    """Give a therapist another name and leave the rest as it is now; the paths of what that changed."""
    provider = Provider.objects.select_for_update().get(pk=provider_id)
    given = {"first_name": first_name, "last_name": last_name}
    changed = [column for column, name in given.items() if getattr(provider, column) != name]
    if changed:
        provider.first_name, provider.last_name, provider.updated_at = first_name, last_name, Now()
        provider.save(update_fields=[*changed, "updated_at"])
    return provider, [NAME_PATHS[column] for column in changed]
