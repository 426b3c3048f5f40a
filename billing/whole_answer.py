"""The answers of services that are asked over HTTP."""

from time import monotonic

import httpx


def whole_answer(response: httpx.Response, *, patience: float | None) -> bytes:
    """The body; one that comes bit by bit is waited for no longer than one that doesn't come."""
    began, parts = monotonic(), []
    for part in response.iter_bytes():
        if patience is not None and monotonic() - began > patience:
            raise httpx.ReadTimeout("The answer doesn't end.")
        parts.append(part)
    return b"".join(parts)
