"""How the commands name a partner or a key."""

from uuid import UUID

from partners.commands import NotThere
from partners.models import ApiKey, Partner


def find_partner(text: str) -> Partner:
    """The partner with this id or slug; NotThere says that there is none."""
    try:
        lookup = {"id": UUID(text)}
    except ValueError:
        lookup = {"slug": text}
    partner = Partner.objects.filter(**lookup).first()
    if partner is None:
        raise NotThere(f"No partner has the id or slug {text!r}.")
    return partner


def find_key(prefix: str) -> ApiKey:
    """The key whose public prefix this is; NotThere says that there is none."""
    record = ApiKey.objects.select_related("partner").filter(prefix=prefix).first()
    if record is None:
        raise NotThere(f"No API key has the prefix {prefix!r}; list_api_keys shows them.")
    return record
