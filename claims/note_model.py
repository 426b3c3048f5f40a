"""The language model that may read notes besides the rules: is there one, and each partner's share."""

import re
from functools import lru_cache
from importlib.util import find_spec
from uuid import UUID

from django.conf import settings

from billing.notes.llm.client import (
    LlmClient,
    LlmConfigurationError,
    LlmSettings,
    LlmUnavailableError,
)
from billing.notes.llm.engine import Engine
from billing.notes.request import Allowance
from partners.counting import WINDOW_SECONDS, counter_at

DAY_SECONDS = 86_400


def engine() -> Engine:
    """The engine of the operator's choice; without a model that notes may be sent to, it is the rules."""
    return Engine(settings.CODER_ENGINE) if client() else Engine.RULES


def client() -> LlmClient | None:
    """The process's client of the model, or None: wherever the settings do not allow it, nothing is sent."""
    if settings.CODER_ENGINE == Engine.RULES or problem():
        return None
    return _client_of(_settings())


def in_use() -> bool:
    """Whether a model reads notes."""
    return client() is not None


def problem() -> str | None:
    """Why the model that was chosen can't be used, in words; None if it can, or none was chosen."""
    if settings.CODER_ENGINE == Engine.RULES:
        return None
    chosen = _settings()
    if not chosen.endpoint:
        return "CODER_LLM_ENDPOINT must name the model's endpoint"
    if not chosen.model:
        return "CODER_LLM_MODEL must name the model"
    if not re.fullmatch("[!-~]*", chosen.api_key):
        return "CODER_LLM_API_KEY has a character that no key has: copy it anew"
    try:
        chosen.check()
    except LlmConfigurationError as error:
        return f"{error} (CODER_LLM_ENDPOINT, CODER_LLM_BAA_SIGNED)"
    if find_spec(chosen.provider) is None:
        return f"the package {chosen.provider!r} is missing; install the extra 'llm'"
    return None


def allowance_of(partner_id: UUID) -> Allowance:
    """What one partner's notes may ask of the model: raises LlmUnavailableError above its caps.

    A cap that can't be counted counts as reached: the rules read every note as well.
    """

    def count(tokens: int) -> None:
        caps = (
            ("requests", 1, WINDOW_SECONDS, settings.CODER_LLM["requests_per_minute"]),
            ("tokens", tokens, DAY_SECONDS, settings.CODER_LLM["tokens_per_day"]),
        )
        for what, amount, seconds, cap in caps:
            if not cap:
                continue
            counted = counter_at(settings.REDIS_URL).count(
                f"note-model:{what}:{partner_id}", amount=amount, seconds=seconds
            )
            if counted is None:
                raise LlmUnavailableError("not_counted")
            if counted[0] > cap:
                raise LlmUnavailableError(f"{what}_capped")

    return count


def _settings() -> LlmSettings:
    chosen = settings.CODER_LLM
    return LlmSettings(
        provider=chosen["dialect"],
        endpoint=chosen["endpoint"],
        model=chosen["model"],
        api_key=chosen["api_key"],
        baa_signed=chosen["baa_signed"],
    )


@lru_cache(maxsize=4)
def _client_of(chosen: LlmSettings) -> LlmClient:
    """One client, so that its circuit breaker remembers."""
    return LlmClient(chosen)
