"""What stands for a member ID where rows are looked up by it; the ID itself is encrypted."""

from billing.rules.characters import bare_member_id
from partners.keyring import blind_index, blind_indexes


def member_index(member_id: str) -> bytes:
    """The fingerprint of a member ID, however it is spaced, under the newest key."""
    return blind_index(bare_member_id(member_id))


def member_indexes(member_id: str) -> list[bytes]:
    """Its fingerprint under each key, the newest first: while keys rotate a row may stand under any."""
    return blind_indexes(bare_member_id(member_id))
