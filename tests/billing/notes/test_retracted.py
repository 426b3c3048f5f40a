"""Sentences that begin like a statement and take it back: asked about, never billed."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult, Outcome

Coder = Callable[..., NoteResult]
STORY = (
    "I met with her in my office from 2:00 to 2:50 for our usual individual psychotherapy hour. She came in "
    "tired and told me about the quarrel with the landlord. {} We went over what had helped last month."
)


@pytest.mark.parametrize(
    "told",
    [
        "Her panic disorder is a memory.",
        "Her panic disorder stopped when she left the army.",
        "Her panic disorder has left her.",
        "Her panic disorder no one has ever confirmed.",
        "Her panic disorder, if that is what it was, stayed away.",
        "Her panic disorder criteria are unmet.",
        "Her panic disorder awaits confirmation.",
        "Her panic disorder remains to be seen.",
        "Her panic disorder is what the earlier clinician wrote; I see grief.",
        "Her panic disorder turned out to be a thyroid problem.",
        "Her panic disorder never met the duration criterion.",
        "Her panic disorder is better explained by the move.",
        "Her panic disorder went into the record by mistake.",
        "Her panic disorder might return when she moves.",
        "Her panic disorder about lifts is a household joke.",
        "What she has is panic disorder according to a quiz.",
        "She has what the internet calls panic disorder.",
        "She has panic disorder, or so her wife says.",
        "It is panic disorder or it is the thyroid.",
        "It is panic disorder she fears.",
        "It is far from panic disorder.",
        "This is almost panic disorder.",
        "This is not yet panic disorder.",
        "This is panic disorder week on her podcast.",
        "The picture is panic disorder minus the fear of attacks.",
        "She is seen for panic disorder elsewhere, with Dr. Chu.",
        "She is treated for panic disorder by Dr. Chu, and with me she talks about the divorce.",
        "She is living with panic disorder in the house, her roommate's.",
        "I no longer treat her for panic disorder.",
        "I put panic disorder aside.",
        "Whose panic disorder it is remains open.",
        "He has panic disorder among the things he googled before coming, alongside lupus.",
        "He has panic disorder in the family, on his father's side, but no symptoms of his own.",
        "He has panic disorder written on an intake form from another agency.",
        "Client has panic disorder as a differential on my worksheet, third from the top and sinking.",
        "She has panic disorder down as her niece's problem and wanted tips on how to talk to her.",
        "Patient's panic disorder is what his ex-wife's attorney keeps alleging in the filings.",
        "It is panic disorder, she insisted, yet the fear only comes when she sees a spider.",
        "Her panic disorder may exist only on paper, copied forward from note to note.",
        "Her panic disorder is managed entirely by her psychiatrist across town.",
        "Her panic disorder was her word for the marriage.",
        "Treating her for panic disorder had been the plan until the interview pointed to PTSD.",
        "Does he have panic disorder, his wife asked from the doorway.",
    ],
)
def test_what_a_sentence_takes_back_is_asked_about(code: Coder, told: str) -> None:
    assert code(STORY.format(told), place="office").outcome is Outcome.NEEDS_REVIEW


@pytest.mark.parametrize(
    "told",
    [
        "Her panic disorder keeps her off the highway.",
        "I am treating her for panic disorder, and she no longer minds the name.",
        "The diagnosis is panic disorder, whatever the mechanic thinks.",
        "She has panic disorder, about which no doubt is left.",
        "We linked her panic disorder to the missed meals and the three coffees before noon, and while she "
        "doubted that lunch could change anything she agreed to test it.",
    ],
)
def test_what_a_sentence_says_beside_a_statement_takes_nothing_back(code: Coder, told: str) -> None:
    result = code(STORY.format(told), place="office")
    assert (result.outcome, [each.code for each in result.diagnoses]) == (Outcome.CODED, ["F41.0"])


def test_a_statement_elsewhere_in_the_note_stands_beside_one_that_is_taken_back(code: Coder) -> None:
    note = STORY.format("Her panic disorder might return when she moves.") + "\nDx: F41.0 panic disorder"
    assert code(note, place="office").outcome is Outcome.CODED
