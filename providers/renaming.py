"""A therapist's name: no partner changes it, billing staff do."""

from collections.abc import Mapping
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from providers.models import Provider

NAME_PATHS = {"first_name": "provider.firstName", "last_name": "provider.lastName"}


@transaction.atomic
def rename(provider_id: UUID, names: Mapping[str, str]) -> tuple[Provider, list[str]]:
    """Give a therapist these names, by column, and leave the rest as it is; the paths of what changed."""
    provider = Provider.objects.select_for_update().get(pk=provider_id)
    changed = [column for column, name in names.items() if getattr(provider, column) != name]
    if changed:
        for column in changed:
            setattr(provider, column, names[column])
        provider.updated_at = Now()
        provider.save(update_fields=[*changed, "updated_at"])
    return provider, [NAME_PATHS[column] for column in changed]
