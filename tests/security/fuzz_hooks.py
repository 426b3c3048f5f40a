"""Schemathesis beside the suite: a rival often asks for what is ours, and no answer to it may name that.

FUZZ_SESSIONS and FUZZ_NPI are ours, and so is everything in FUZZ_SECRETS that an answer must not show.
"""

import os
import random

import schemathesis

SESSIONS = os.environ.get("FUZZ_SESSIONS", "").split()
NPI = os.environ.get("FUZZ_NPI", "")
SECRETS = os.environ.get("FUZZ_SECRETS", "").split("|")


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """Ask for a session or provider of ours in every second case."""
    chosen = dict(path_parameters or {})
    if "sessionId" in chosen and SESSIONS and random.random() < 0.5:
        chosen["sessionId"] = random.choice(SESSIONS)
    if "npi" in chosen and NPI and random.random() < 0.5:
        chosen["npi"] = NPI
    return chosen


@schemathesis.check
def shows_nothing_of_others(ctx, response, case) -> None:
    """No answer quotes what belongs to another organization, whatever was asked; what the case sent aside."""
    text = response.text
    sent = f"{case.path_parameters} {case.query} {case.body}"
    for secret in filter(None, SECRETS):
        assert secret not in text or secret in sent, f"an answer shows a rival's data: {response.status_code}"
