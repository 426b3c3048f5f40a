"""Notes of visits that are no psychotherapy, and therapy that only speaks of such."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult

Coder = Callable[..., NoteResult]
DIAGNOSIS = "\nDx: F33.1 MDD, recurrent, moderate."
UNLIKE = (
    "Telepsychiatry f/u. 30 mins. Increase lamotrigine 200. Labs reviewed. RTC 4w.",
    "PMHNP visit 30 minutes. Refilled Zoloft. Discussed side effects. PDMP checked.",
    "25 minute visit. Started Wellbutrin XL 150. Discussed risks, benefits. PDMP reviewed. BP 118/70.",
    "NP visit: 25 minutes. Reviewed sx, refilled Zoloft, supportive therapy provided. F33.1. BP 118/70.",
    "TMS session #14. 37 minutes.",
    "ECT follow up, 30 min.",
    "Injection visit with RN 20 min.",
    "Nutrition session with RD 45 min.",
    "Peer support session 60 min.",
    "Occupational therapy session 45 min.",
    "Speech therapy 30 min observed.",
    "Supervision 60 min.",
    "Observed supervisee's session 50 min.",
    "Coaching session 60 min.",
    "Home study / custody evaluation interview 60 min.",
    "Parent phone call 25 minutes re: school refusal.",
    "Chart prep 30 minutes.",
    "Client emailed; 20 min reply.",
    "Eval. for ADHD, 2nd visit, 60 min. DIVA-5 completed. Results: ADHD, combined type",
)
THERAPY = (
    "Individual 45 min. Psychiatrist increased Zoloft. Labs reviewed by PCP.",
    "Individual 45 min. Client had TMS session this morning.",
    "45 min session. Client started Wellbutrin last week per psychiatrist.",
    "Individual psychotherapy 45 min. Client discussed supervision at work.",
    "45 min session. Reports refilled Zoloft. Takes it daily.",
    "45 min session. Client discussed nutrition and coaching soccer.",
    "45 min session. Client's peer support group helps.",
    "45 min session. Occupational therapy continues with Sam.",
    "45 min session. Speech therapy twice weekly at school.",
    "45 min session. Client emailed her boss.",
    "45 min session. BP meds increased by PCP.",
    "45 min session. Her NP started Wellbutrin XL 150.",
    "45 min session. Client had a call with parent re: school.",
    "Psychotherapy 45 min following TMS treatment.",
    "45 min session. Client under supervision of probation.",
    "45 min session. Career coaching discussed.",
    "45 min session. Started buspirone 10 mg BID w/ PCP two weeks ago, side effects mild.",
    "45 min session. Started prazosin 1 mg per PMHNP last Tuesday. Labs reviewed there.",
)


@pytest.mark.parametrize("text", UNLIKE)
def test_a_visit_of_another_kind_is_asked_about(code: Coder, text: str) -> None:
    assert code(text + DIAGNOSIS).reasons


@pytest.mark.parametrize("text", THERAPY)
def test_therapy_that_speaks_of_other_care_is_therapy(code: Coder, text: str) -> None:
    result = code(text + DIAGNOSIS)
    assert [procedure.code for procedure in result.procedures] == ["90834"]
    assert result.reasons == ()
