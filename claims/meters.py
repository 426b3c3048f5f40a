"""What the claims process counts as it goes; how much waits is read from the database (`claims.gauges`).

Labels come from short lists of ours: statuses, steps, rules, clearinghouses. Never from what a partner sent.
"""

from prometheus_client import Counter, Histogram

from claims.landing import Landing
from claims.models import Claim, WorkItem

DAY = 86_400
STEPS = Counter("billing_steps", "Claims that a run of steps left at a step.", ["step"])
HOLDS = Counter("billing_holds", "Claims held, by the first rule that holds them.", ["reason"])
CODINGS = Counter("billing_note_codings", "Notes read: coded, or left to a person.", ["outcome"])
NOTE_MODEL_ANSWERS = Counter(
    "billing_note_model_answers", "Notes for the language model: answered, or why not.", ["outcome"]
)
GATEWAY_CALLS = Histogram(
    "billing_gateway_call_seconds",
    "Calls to clearinghouses.",
    ["gateway", "call", "outcome"],
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120),
)
HANDED_OVER = Counter("billing_claims_handed_over", "Claims that a clearinghouse took.", ["gateway"])
FIRST_ANSWERS = Histogram(
    "billing_first_answer_seconds",
    "From the hand-over to the first answer about a claim.",
    ["gateway"],
    buckets=(60, 300, 900, 3600, 4 * 3600, 12 * 3600, DAY, 2 * DAY, 5 * DAY, 10 * DAY, 30 * DAY),
)
OUTCOMES = Counter("billing_claim_outcomes", "Claims that came to a status.", ["status"])
RESCUES = Counter("billing_sweep_rescues", "What rested too long and was enqueued again.", ["kind"])

TASK_FAILURES = Counter("billing_task_failures", "Tasks that ended with an error.", ["task"])


def count_landing(landing: Landing) -> None:
    """Count where a run of steps left a claim, what holds it, and how its note was read."""
    STEPS.labels(landing.step).inc()
    item = landing.item
    if item is not None and landing.step == Claim.Step.HELD:
        HOLDS.labels(item.reason).inc()
    if landing.coding is not None:
        review = item is not None and item.queue == WorkItem.Queue.NOTES
        CODINGS.labels("review" if review else "coded").inc()


def count_outcome(claim: Claim, *, status: str, waited: float | None) -> None:
    """Count a claim that came to another status; `waited` is the seconds since it was handed over."""
    if status == claim.status:
        return
    OUTCOMES.labels(status).inc()
    if waited is not None and claim.status == "sent":
        FIRST_ANSWERS.labels(claim.gateway).observe(waited)
