"""The partner guide names every sentence that a message is made of, apart from names and amounts."""

import re
from decimal import Decimal

import pytest
from django.conf import settings

from claims import intake, rechecks
from claims.fold import messages as words
from claims.fold.messages import message_for, set_aside_message
from claims.fold.words import not_returned
from claims.signals import ClaimStatus, SessionStatus
from tests.cast import Api
from tests.claims.process import run_until_quiet

GUIDE = (settings.BASE_DIR / "docs" / "partner-guide.md").read_text()
CORRECTED = "A corrected claim"
SENTENCES = [
    words.NOTHING_TO_DO,
    words.GIVEN_UP,
    words.FIND_THE_MEMBER,
    not_returned(Decimal(1)).strip().replace("$1.00", "…"),
    *words.EARLIER_SPEAKS.values(),
    *(sentence.replace(CORRECTED, "…") for sentence in words.IN_THE_HOUSE.values()),
    *(each.format(voids="it").replace("A request to void it", "…") for each in words.VOIDS.values()),
]


@pytest.mark.parametrize("sentence", dict.fromkeys(SENTENCES))
def test_the_guide_names_the_sentence(sentence: str) -> None:
    first = sentence.replace("… is on its way", f"{CORRECTED} is on its way")
    assert f"`{sentence}`" in GUIDE or f"`{first}`" in GUIDE


@pytest.mark.parametrize("status", [SessionStatus.PROCESSING, SessionStatus.SUBMITTED, SessionStatus.PAID])
def test_the_guide_names_what_is_set_aside(status: SessionStatus) -> None:
    said = set_aside_message(status).replace(words.GIVEN_UP, "…").split(" … ")[0].rstrip(" …")
    assert said.removeprefix("The claim is paid. ") in GUIDE


@pytest.mark.parametrize("message", [intake.RECEIVED_MESSAGE, intake.CORRECTED_MESSAGE, rechecks.MESSAGE])
def test_before_it_is_checked_there_is_nothing_to_do_in_the_words_of_the_guide(message: str) -> None:
    assert message.endswith(f" {words.NOTHING_TO_DO}")


@pytest.mark.parametrize("status", ClaimStatus)
def test_the_guide_names_every_claim_status(status: ClaimStatus) -> None:
    assert f"| `{status}` |" in GUIDE


@pytest.mark.parametrize("status", SessionStatus)
def test_what_the_payer_settled_without_a_remittance_says_what_to_do(status: SessionStatus) -> None:
    if status in (SessionStatus.PAID, SessionStatus.DENIED):
        assert message_for(status, ClaimStatus.PER_INQUIRY).endswith(words.NOTHING_TO_DO)


def test_a_program_sees_by_the_events_that_a_session_is_held(partner: Api) -> None:
    [telling] = re.findall(r"Of its events (.+?) the\nlast is `session.held`", GUIDE)

    def last() -> str:
        run_until_quiet()
        events = partner.get(f"/sessions/{session_id}").json()["events"]
        return [event["type"] for event in events if f"`{event['type']}`" in telling][-1]

    session_id = partner.submitted(patient__insurance__memberId="HELD")
    assert last() == "session.held"
    partner.patch(f"/sessions/{session_id}", {"patient": {"insurance": {"memberId": "EDIT"}}})
    assert last() == "session.held"
    partner.patch(f"/sessions/{session_id}", {"patient": {"insurance": {"memberId": "SILENT"}}})
    assert last() == "session.validated"
