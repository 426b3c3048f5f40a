"""How the patient was reached, told in a sentence of its own anywhere in a note: coded, or asked about where
the place says otherwise."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome, Reason

Coder = Callable[..., NoteResult]
WAYS = {
    "95": [
        "Session held via secure video.", "Client seen via telehealth.", "Met on Zoom.", "Video visit.",
        "Session moved to video.", "Telehealth session via Doxy.me.", "Conducted by two-way audio/video.",
        "Client joined by video from home.", "Pt appeared on screen from her kitchen.", "Virtual visit.",
        "We met on video because of the snow.", "Audio-video telehealth; client at home.",
        "Telehealth (video), pt at home, LCSW in office.", "Done by telehealth at client's request.",
        "Client logged on from her car.", "Video session due to illness.",
    ],
    "93": [
        "Session held by telephone.", "Telephone session.", "Seen by phone.", "Audio only.",
        "Phone visit; no video available.", "Conducted by phone, audio only.", "Voice call, no camera.",
        "Switched to phone after the video failed, all of it by phone.", "Landline only, voice.",
        "By telephone because the internet was out.", "Client called in; phone session.",
        "Done over the phone at client's request.", "Telephonic session.",
        "The link failed and we worked by telephone alone.", "By phone alone, no picture on either end.",
        "The picture froze each time, so the entire visit was done by voice.",
    ],
    None: [
        "Seen in person.", "In-person session in my office.", "Client came to the office.",
        "Office visit today.",
        "Face to face in office.", "Met in the office.", "Seen in clinic.", "Came in person instead.",
    ],
}  # fmt: skip
NOTES = {
    "first": "{said}\nS: Slept better.\nA: GAD.\nP: Return 2 wks. Individual psychotherapy, 45 minutes.",
    "opening": "Individual psychotherapy, 45 minutes. {said} She slept better. GAD, improving.",
    "in the middle": "Individual psychotherapy, 45 minutes. She slept and worries. {said} GAD, better.",
    "observed": "S: Slept.\nO: {said} Calm.\nA: GAD.\nP: Return 2 wks. Individual psychotherapy, 45 minutes.",
    "last": "S: Slept.\nA: GAD.\nP: Return 2 wks.\nIndividual psychotherapy, 45 minutes. {said}",
    "in the plan": "S: Slept.\nA: GAD.\nP: Return 2 wks. {said}\nIndividual psychotherapy, 45 minutes.",
}


@pytest.mark.parametrize("where", NOTES)
@pytest.mark.parametrize(("modifier", "sentences"), WAYS.items())
def test_it_is_coded_where_the_place_agrees(
    code: Coder, modifier: str | None, sentences: list[str], where: str
) -> None:
    place = "telehealth" if modifier else "office"
    results = {said: code(NOTES[where].format(said=said), place=place) for said in sentences}
    assert {
        said: result.reasons
        for said, result in results.items()
        if (result.outcome, [each.modifier for each in result.procedures]) != (Outcome.CODED, [modifier])
    } == {}


@pytest.mark.parametrize("where", NOTES)
@pytest.mark.parametrize(("modifier", "sentences"), WAYS.items())
def test_it_is_asked_about_where_the_place_does_not(
    code: Coder, modifier: str | None, sentences: list[str], where: str
) -> None:
    place = "office" if modifier else "telehealth"
    results = {said: code(NOTES[where].format(said=said), place=place) for said in sentences}
    assert [said for said, result in results.items() if Reason.PLACE_CONFLICT not in result.reasons] == []


@pytest.mark.parametrize(
    "said",
    [
        "Her mother called; phone session with the school on Friday.",
        "Next: telehealth session.",
        "The group online is every Sunday; camera off, attended.",
        "He watched a video.",
    ],
)
def test_what_is_of_something_else_is_no_way_of_meeting(code: Coder, said: str) -> None:
    result = code(NOTES["opening"].format(said=said))
    assert (result.outcome, [each.modifier for each in result.procedures]) == (Outcome.CODED, [None])
