"""Services that a note opens with in a bare word, and words that only look like one."""

from collections.abc import Callable

import pytest

from billing.notes.result import NoteResult

Coder = Callable[..., NoteResult]
CODED = (
    ("Group 60 min, 8 members.\nDx: GAD F41.1.", "90853"),
    ("Group, 60 minutes. 8 members present.\nDx: GAD F41.1.", "90853"),
    ("COUPLES\n2:00-2:50\nBoth present.\nDx: F43.22.", "90847"),
    ("Cpl tx 75 min, both in. Dx: F43.22.", "90847"),
    (
        "Type: Couple/Family   Present: [x] Client  [x] Spouse\nIn 5:00p Out 5:50p\nDx: F43.22.",
        "90847",
    ),
    ("Fam Sess 3/9 5:30-6:25p. Pt (Jaden 12), MGM (legal guardian), therapist. Dx: ODD F91.3", "90847"),
    ("Family Sess 50 min. Pt, mother. Dx: ODD F91.3", "90847"),
    ("Fam. session 50 min. Pt, mother. Dx: ODD F91.3", "90847"),
    ("FAMILY NOTE\n2:00-2:50 client, mom, dad.\nDx: F43.22.", "90847"),
    ("Family: client, mom, dad. 2:00-2:50.\nDx: F43.22.", "90847"),
    ("Saw client and husband together for 50 minutes.\nDx: F43.22.", "90847"),
    ("Joint session w/ husband, 50 minutes.\nDx: F43.22.", "90847"),
    ("Parents only, 45 min.\nDx: F43.22.", "90846"),
    ("Intake 60 min. 33yo F, self-ref. for panic. Dx: Panic disorder F41.0.", "90791"),
    ("Intake 2:00-2:55.\nDx: F43.22.", "90791"),
    ("Seen for intake 2:00-2:55.\nDx: F43.22.", "90791"),
    ("Intake w/ new client. 2:00-2:55.\nDx: F43.22.", "90791"),
    ("Intake continued, session 2: 55 min.\nDx: F43.22.", "90791"),
    ("Group dynamics at work discussed, 45 min.\nDx: GAD F41.1.", "90834"),
    ("Couples retreat went well. 50 min session.\nDx: GAD F41.1.", "90834"),
    ("Intake form reviewed. 50 min session.\nDx: GAD F41.1.", "90834"),
    ("Intake date 3/1/26. Individual 50 min.\nDx: GAD F41.1.", "90834"),
    ("Family stressors, 45 min.\nDx: GAD F41.1.", "90834"),
    ("Group cancelled, met individually 45 min.\nDx: GAD F41.1.", "90834"),
    ("Parents divorced; 45 min session.\nDx: GAD F41.1.", "90834"),
    ("Group: 60-12345\nIndividual 45 min. Dx: GAD F41.1.", "90834"),
    ("Individual 45 min.\nFamily: client, mother, father and 2 sisters.\nDx: GAD F41.1.", "90834"),
    ("Fam hx: depression. 45 min session.\nDx: GAD F41.1.", "90834"),
    ("Individual 45 min. Group 60 min on Thursdays.\nDx: GAD F41.1.", "90834"),
    ("Client and husband argued. 45 min.\nDx: GAD F41.1.", "90834"),
    ("Joint pain, 45 min session.\nDx: GAD F41.1.", "90834"),
    ("Joint session with psychiatrist, 45 min.\nDx: GAD F41.1.", "90834"),
    ("Progress note. 45 min. Intake 3/1.\nDx: GAD F41.1.", "90834"),
    ("Type: Individual\nFamily 2:00-2:50 next week\n45 min. Dx: GAD F41.1.", "90834"),
    ("Family, work and sleep discussed. 45 min.\nDx: GAD F41.1.", "90834"),
    ("Couples who argue: reading. 45 min.\nDx: GAD F41.1.", "90834"),
    ("Caloric intake 1200. 45 min session.\nDx: GAD F41.1.", "90834"),
    ("Grp 90 min, 6 clients. Dx F10.20 alcohol use disorder, moderate.", "90853"),
    ("DBT Skills Grp, 90 min. 6 clients attended. Dx: F60.3 BPD borderline personality disorder.", "90853"),
    ("Client: M.L.\nCouples, 55 min, both present.\nDx: F43.23.", "90847"),
    ("Marital tx 50 min. Dx: F43.22.", "90847"),
    ("Grief group. 6 members. 75 min. Dx F43.21.", "90853"),
    ("Met with client and wife jointly for 55 minutes. Dx: F43.22.", "90847"),
    ("Couples session 3, 50 min. Dx F43.22", "90847"),
    ("INTAKE\n10:00-11:00\nDx: GAD F41.1", "90791"),
    ("Seen today for intake, 60 min. Dx: GAD F41.1", "90791"),
    ("Both parents only, 50 min. Dx F91.3 ODD", "90846"),
    ("Group. 90 min, six members present. Dx: GAD F41.1", "90853"),
)
ASKED = (
    "Family: supportive. Mood better. 50 min.\nDx: GAD F41.1.",
    "Family: client lives with mother and dad. 45 min session.\nDx: GAD F41.1.",
    "Family - mother ill, father distant. 45 min.\nDx: GAD F41.1.",
)


@pytest.mark.parametrize(("text", "expected"), CODED)
def test_the_word_that_a_note_opens_with_is_its_service(code: Coder, text: str, expected: str) -> None:
    result = code(text)
    assert [procedure.code for procedure in result.procedures] == [expected]
    assert result.reasons == ()


@pytest.mark.parametrize("text", ASKED)
def test_a_word_that_settles_nothing_is_asked_about(code: Coder, text: str) -> None:
    assert code(text).reasons
