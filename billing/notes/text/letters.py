"""The words of a stretch of a note, to ask whether one of a set is among them."""

_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyz")
_LETTERS_ALONE = bytes(byte if byte in _LETTERS else 32 for byte in range(256))


def words_of(plain: str) -> frozenset[str]:
    """The runs of letters; by way of bytes, which costs a third of what a pattern does."""
    return frozenset(plain.encode("ascii", "replace").translate(_LETTERS_ALONE).decode("ascii").split())
