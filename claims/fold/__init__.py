"""A claim's and a session's status, and the words for it: pure functions of what was done and answered."""
