"""How long the session was: every length and clock range of a note, and which of them is this session's."""
