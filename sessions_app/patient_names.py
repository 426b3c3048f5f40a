"""How a patient's name is compared: whatever its case and accents."""

import unicodedata


def search_form(text: str) -> str:
    """Lower case, no accents, single blanks: what the name filter compares."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    bare = "".join(character for character in decomposed if not unicodedata.combining(character))
    return " ".join(bare.split())


def full_name(first: str, last: str) -> str:
    """First and last name with one space."""
    return f"{first} {last}"


def bare_member_id(member_id: str) -> str:
    """The member ID without blanks and dashes, in upper case: what identifies the patient."""
    return "".join(member_id.split()).replace("-", "").upper()
