"""Sentry, where an address is set for it: kinds and places of errors, and nothing that anybody typed."""

from typing import Any

KEPT = frozenset(
    {"event_id", "timestamp", "platform", "level", "release", "environment", "exception", "logger"}
)
KEPT_OF_LOG = frozenset({"error", "at"})
"""What our own log lines say of an error: its kind, and the places that it came through."""
KEPT_OF_FRAME = frozenset({"filename", "function", "module", "lineno", "abs_path", "in_app"})


def start(address: str, *, environment: str) -> None:
    """Report errors to that address; a process that reports none doesn't load what would."""
    import sentry_sdk
    from sentry_sdk.integrations.celery import CeleryIntegration
    from sentry_sdk.integrations.django import DjangoIntegration

    sentry_sdk.init(
        dsn=address,
        environment=environment,
        # Left to itself it imports every library that it knows something about, those of language models too.
        auto_enabling_integrations=False,
        integrations=[DjangoIntegration(), CeleryIntegration()],
        send_default_pii=False,
        include_local_variables=False,
        include_source_context=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        traces_sample_rate=0.0,
        auto_session_tracking=False,
        server_name="",
        before_send=scrub,
    )


def scrub(event: Any, hint: Any) -> Any:
    """Keep of an event what can't hold patient data: kind of error, file, line, function."""
    kept = {name: value for name, value in event.items() if name in KEPT}
    values = (event.get("exception") or {}).get("values") or []
    kept["exception"] = {"values": [_scrubbed(value) for value in values]}
    extra = event.get("extra") or {}
    kept["extra"] = {name: extra[name] for name in KEPT_OF_LOG & extra.keys()}
    return kept


def _scrubbed(value: dict[str, Any]) -> dict[str, Any]:
    frames = (value.get("stacktrace") or {}).get("frames") or []
    return {
        "type": value.get("type"),
        "value": "",
        "stacktrace": {
            "frames": [{name: frame[name] for name in KEPT_OF_FRAME & frame.keys()} for frame in frames]
        },
    }
