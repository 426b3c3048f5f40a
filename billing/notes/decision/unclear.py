"""What a note says that no stage can weigh: where it stands and nothing settles it, a person is asked."""

import re
from functools import partial

from billing.notes.conditions.diagnoses import Diagnosed
from billing.notes.conditions.explicit import PSYCHOTHERAPY
from billing.notes.conditions.placement import STATED
from billing.notes.decision.another_length import tells_another_length
from billing.notes.decision.asks import asks_about_billing, says_none_given
from billing.notes.decision.beside import is_taken_along, left_out, told_apart
from billing.notes.decision.charted import left_on_chart
from billing.notes.decision.company import was_in_company
from billing.notes.decision.contradicted import ticks_both, was_scheduled
from billing.notes.decision.cut_short import came_late, was_cut_short
from billing.notes.decision.entered import is_off_the_list
from billing.notes.decision.not_held import was_not_held
from billing.notes.decision.otherwise import named_otherwise, told_otherwise
from billing.notes.decision.procedures import Procedures
from billing.notes.decision.put_right import is_put_right, is_unmarked
from billing.notes.decision.retracted import is_retracted, is_treated_elsewhere
from billing.notes.decision.roughly import is_about_an_hour
from billing.notes.decision.scene import in_my_room, on_screen, went_over_to_the_phone
from billing.notes.decision.taken_off import taken_off
from billing.notes.decision.told import all_told, findings_between, told
from billing.notes.decision.unnamed import tells_of_another
from billing.notes.decision.unseen import (
    NOT_KEPT,
    is_paper,
    was_for_no_part,
    was_of_a_group,
    was_of_two,
    was_with_others,
)
from billing.notes.decision.whereabouts import was_held_in_a_facility
from billing.notes.finding import Finding
from billing.notes.later import later
from billing.notes.reading import Reading
from billing.notes.result import Reason
from billing.notes.text.kin import RELATIVE
from billing.notes.text.sentences import sentence_round
from billing.notes.visit.absent import is_elsewhere
from billing.notes.visit.missed import of_a_relative
from billing.notes.visit.modality import in_part_by_voice, of_another_call

_UNSURE = (None, "maybe_video", "maybe_audio")
# The session was broken off or shared; what that leaves of it is not always said in minutes.
_INTERRUPTED = later(
    r"\b(?:minutes before (?:it|that|this|the \w+) and|(?:for|by|with|when|after"
    r"|due to|because of) (?:the |a |an |our )?fire (?:alarm|drill)"
    r"|fire (?:alarm|drill) (?:went|rang|sounded|in the middle(?! of (?!the\b|our\b|this\b|it\b))"
    r"|during(?! (?!the\b|our\b|this\b|session))|interrupted|cut)|minutes (?:was"
    r"|were) lost|(?<!hours )(?<!hour )lost to|(?<!parents' )split (?:by|in|into)"
    r"|(?:session|visit|therapy|psychotherapy|individual|met|held|seen|time)[^.;\n]{0,20} in two (?:parts"
    r"|pieces|halves)|(?:we|session|visit|call|therapy|video|then|was|were) resumed"
    r"|resumed (?:the (?:session|visit|call|video|work)|session|therapy|at \d|after (?:the|an?|that|\d)"
    r"|by (?:phone|video)|for (?:the|another)|(?:[a-z]+ )?\d{1,2})|paged|(?:not|no) therapy"
    r"|(?:building|we|suite|floor|clinic|office|all|were) (?:was |were |had to be |had to |all )?evacuat\w+"
    r"|evacuat(?:ed|ing) the|evacuation(?! order)"
    r"|(?:call|video|zoom|session|line|client|pt|patient|she|he|they|we|got|link) (?:was |were "
    r"|got )?disconnected(?! (?:at )?\d)|reconnected"
    r"|(?<!has )(?<!have )dropped (?:for|off(?! (?:by|at|his|her|the))"
    r"|out(?! of (?!the (?:call|session|video|visit|meeting))))"
    r"|(?<!spoke )(?<!told )(?<!talked )(?<!envious )(?<!jealous )(?<!tired )(?<!afraid )(?<!proud )of"
    r" (?:these|those|the|that) (?:\w+ )?minutes|went out for"
    r"|stepped out(?! of (?:her|his|their) (?:comfort|shell|role)))\b"
)
_MAIN = later(
    r"\b(?:primary(?! (?:care|custody|goal|earner|school|nurse|physician|doctor|support|therapist|clinician"
    r"|prescriber|counselor|provider|team|clinic|language|caregiver|parent|contact|partner|caretaker|insur"
    r"|teacher|residence|attachment|target|reinforcer))"
    r"|principal (?:diagnosis|dx|problem|condition)|main (?:diagnosis|condition|problem)"
    r"|the (?:main )?focus (?:of|is|was)|focus (?:today|this (?:visit|session))"
    r"|(?:is|was) (?:now )?the (?:main )?(?:focus|reason)|being what (?:brings|we)"
    r"|(?<!=)(?<!= )treated today|(?:list(?:ed)?|billed?) (?:it )?first"
    r"|(?:comes?|goes) first on (?:the|this|her|his|their) (?:claim|list|bill)"
    r"|(?:diagnosis|dx|problem|condition) (?:number |no\. ?|#)(?:one|two|three|[1-9]) is"
    r"|the (?:first|second|third|latter) is(?! (?:where|when|still|(?:[a-z]+er|more|less|worse)\b)))\b"
)
_IN_THE_ROOM = later(
    r"\b(?:seen face to face|face to face in|took place face to face|drove in|in (?:room|suite) \d"
    r"|link was not used|(?<!be )(?:kept|held|done) in[- ]person(?! next)|in my office, in[- ]person"
    r"|(?:instead|together|today),? face to face|no screens? today"
    r"|in[- ]person (?:visit|session) (?:today|because|instead)"
    r"|so we (?:sat(?: down)?|talked|worked|met|did (?:it|this)) (?:together )?in (?:my|the) office"
    r"|(?:showed|turned|came) up (?:(?:in|at) (?:the (?:waiting room|lobby|clinic)|my (?:office|door))))\b"
)
_BY_VOICE = later(
    r"\b(?:by (?:tele)?phone|voice only|landline|telephone only|phone only|camera (?:is |was )?broken)\b"
)
# `Joined client by Zoom as he was away`
_BY_SCREEN = later(
    r"(?<!psychiatrist )(?<!doctor )(?<!prescriber )(?<!pcp )(?<!nurse )\b(?:joined|saw|seen|met(?: with)?"
    r"|treated) (?:the )?(?:client|patient|pt|ct|him|her|them)"
    r" (?:by|via|over|on) (?:zoom|video|doxy|telehealth)\b"
)
# An interruption that is told not to be counted, or that was somebody else's.
_UNCOUNTED = later(
    r"[^.;\n]{0,60}\b(?:not (?:been )?(?:counted|billed|included)|(?:not|n't) (?:count|bill|include))\b"
)
_SOMEBODY_ELSE = later(
    r"\b(?:roommate|housemate|mother|mom|father|dad|husband|wife|partner|sister|brother|nurse|aide"
    r"|interpreter|student|intern|observer|supervisor|son|daughter) (?:then |has |had )?stepped out\Z"
)
_MISSED = later(
    r"\b(?:missed (?:appointment|visit|session) (?:record|note|report)|no clinical service"
    r"|no service (?:was|is)|did not attend(?! (?:church|mass|temple|services?|work|school|class(?:es)?"
    r"|college|practice|court|aa|na|meetings?|(?:the|an?|any|her|his|their) (?!(?:[\w'-]+ ){0,3}(?:session"
    r"|visit|app(?:ointmen)?t|intake|group)))\b))\b"
)
_NOT_ALONE = later(
    r"\b(?:family[- ](?:based|therapy|session|treatment)|couples? (?:session|therapy|counseling|visit)"
    r"|conjoint|skills (?:training )?group|group (?:therapy|note|session)|parents? (?:session|meeting))\b"
    # A field with the name of a group, which is no insurer's number.
    r"|(?:\A|\n)[ ]*group(?: (?:topic|name|title))?:[ ]*(?!n/?a\b|none|no\b|-|#|[^\n]*\d)[a-z]"
)
_WITHOUT_PATIENT = later(
    r"\b(?:(?<!consults with )parents'? (?:half|only|alone)|was not seen|did not take part"
    r"|conjoint meeting of the parents|(?:met with|meeting with|session with) (?:the |both |\w+'s )?parents"
    r"|(?:is|was) (?:in|at) school"
    rf"|(?<!'s )\b(?!{RELATIVE}|not\b|and\b|was\b|is\b)[a-z]+ (?:was |is )?not with us)\b"
)
_SEVERAL = later(r"\b(two|both|three) (?:\w+ )?(?:diagnoses|conditions|disorders)\b")
_HOW_MANY = {"two": 2, "both": 2, "three": 3}
# Where a note with an assessment of its own only tells.
_STORY = frozenset(("subjective", "objective", "data", "behavior", "intervention", "response"))
_PLACES = frozenset(("assessment", "problem", "dx", "on_file", "correction"))
_OPENING = 160
_NEVER = (_OPENING,)
_NEAR = 32
# Between the rows and the entries of a list.
_LIST_MARKS = " \n;,.()-*+&0123456789"
# Codes of mood disorders that say neither severity nor episode, and the label of a line that says it.
_LABEL, _ARTICLE = 130, 5
_SENTENCE_ENDS = later(r"[.!?]\s|\n")
_RANKED = later(
    r"\b(?:diagnos\w+|dx|dxs|conditions?|problems?|disorders?|primary|principal|main|focus\w*|treat\w*"
    r"|bill\w*"
    r"|claim\w*|list\w*|codes?)\b"
)
_HAS = later(
    r"(?:he|she|they|(?:the )?(?:client|patient|pt|ct)) (?:has|have|carries|meets (?:full )?criteria for)"
    r"(?: an?)?"
)
_IS_AGED = later(
    r"(?:he|she|(?:the )?(?:client|patient|pt|ct)|m(?:r|s|rs|x)\.? [a-z-]+) is an? \d{1,2}[ -]?"
    r"(?:y\.?/?o\.?|year[- ]old)[^.;,\n]{0,40} (?:with|w/)"
)
# `Burnout signs are present at work`
_SIGNS = later(r" (?:signs?|symptoms?|feelings?|complaints?|risk)\b")


def unclear(
    reading: Reading,
    diagnosed: Diagnosed,
    procedures: Procedures,
    *,
    place: str | None,
    timed: bool,
    otherwise: bool,
) -> tuple[Reason, ...]:
    """The reasons to ask about a note that would be coded otherwise; `timed` is whether the request says
    how long the session was, `otherwise` whether the note may say that in other minutes."""
    plain = reading.plain
    main = procedures.proposals[0].code if procedures.proposals else None
    sent = procedures.minutes if timed else None
    found = []
    if (
        not timed
        and main in PSYCHOTHERAPY
        and not _accounted(reading)
        and any(map(partial(_counts, plain), all_told(_INTERRUPTED, "interrupted", reading)))
    ):
        found.append(Reason.TIME_CONFLICT)
    if not timed and main in PSYCHOTHERAPY and is_about_an_hour(plain, reading.length):
        found.append(Reason.TIME_CONFLICT)
    if main in PSYCHOTHERAPY and not _accounted(reading) and was_cut_short(plain, reading.hints, sent=sent):
        found.append(Reason.DURATION_AGAINST_NOTE if timed else Reason.TIME_CONFLICT)
    shared = reading.hints.get("shared", _NEVER)[0] < _OPENING
    if (
        main in PSYCHOTHERAPY
        and shared
        and reading.visit.cue is None
        and _NOT_ALONE.search(plain, 0, _OPENING)
    ):
        found.append(Reason.SERVICE_UNKNOWN)
    if main in PSYCHOTHERAPY and (
        is_paper(plain)
        or was_of_a_group(plain)
        or (
            not reading.visit.individual_named
            and (
                was_with_others(plain)
                or was_of_two(plain)
                or was_in_company(plain, reading.hints)
                or [diagnosis.lead.family for diagnosis in diagnosed.chosen] == ["partner"]
            )
        )
        or (reading.visit.cue is None and tells_of_another(plain))
        or ("no_part" in reading.hints and was_for_no_part(plain))
        or told(NOT_KEPT, "not_kept", reading)
    ):
        found.append(Reason.SERVICE_UNKNOWN)
    if main is not None and (
        asks_about_billing(reading) or (main not in ("90791", "90846") and says_none_given(reading))
    ):
        found.append(Reason.SERVICE_UNKNOWN)
    if reading.layout.boxes and ticks_both(plain):
        found.append(Reason.SERVICE_CONFLICT)
    if main == "90839" and was_scheduled(plain):
        found.append(Reason.SERVICE_CONFLICT)
    unsure = reading.length is None or not reading.length.sure
    if (
        sent is not None
        and main in PSYCHOTHERAPY
        and ((unsure and came_late(plain, reading.hints)) or tells_another_length(reading, sent))
    ):
        found.append(Reason.DURATION_AGAINST_NOTE)
    elif otherwise:
        found.append(Reason.LENGTH_UNCLEAR)
    if main is not None and was_not_held(reading, individual=main in PSYCHOTHERAPY, timed=timed):
        found.append(Reason.HELD_UNCLEAR)
    if place == "office" and (was_held_in_a_facility(plain) or told(_BY_SCREEN, "by_screen", reading)):
        found.append(Reason.PLACE_CONFLICT)
    if main == "90847" and (
        told(_WITHOUT_PATIENT, "without_patient", reading)
        or (not reading.layout.boxes and is_elsewhere(plain))
    ):
        found.append(Reason.SERVICE_CONFLICT)
    if (
        main is not None
        and not reading.visit.patient_absent
        and (missed := told(_MISSED, "missed", reading)) is not None
        and not (reading.visit.kind == "individual" and of_a_relative(plain, missed.start()))
    ):
        found.append(Reason.SERVICE_UNKNOWN)
    if place == "telehealth" and (
        told(_IN_THE_ROOM, "in_the_room", reading)
        or (procedures.modifier == "95" and went_over_to_the_phone(plain, reading.hints))
        or (
            procedures.modifier == "95"
            and (voice := told(_BY_VOICE, "by_voice", reading)) is not None
            and not of_another_call(plain, voice.start())
        )
        or (
            procedures.modifier == "93"
            and reading.visit.modality_cue is not None
            and in_part_by_voice(plain, reading.visit.modality_cue)
        )
    ):
        found.append(Reason.PLACE_CONFLICT)
    if reading.visit.place == ("in_person" if place == "telehealth" else "remote"):
        found.append(Reason.PLACE_CONFLICT)
    if (place == "telehealth" and reading.visit.modality is None and in_my_room(plain, reading.hints)) or (
        place == "office" and reading.visit.modality in _UNSURE and on_screen(plain, reading.hints)
    ):
        found.append(Reason.PLACE_CONFLICT)
    if (
        is_put_right(reading, diagnosed)
        or is_unmarked(reading, diagnosed)
        or is_off_the_list(reading, diagnosed)
    ):
        found.append(Reason.CONFLICT_CODES)
    if "assessment" in reading.layout.kinds and all(
        finding.section in _STORY and not finding.entry and not _is_outright(plain, finding)
        for d in diagnosed.chosen
        for finding in d.findings
    ):
        found.append(Reason.NO_STATED_DIAGNOSIS)
    if is_retracted(reading, diagnosed) or is_treated_elsewhere(plain, diagnosed):
        found.append(Reason.ONLY_UNCERTAIN)
    if told_otherwise(reading, diagnosed) or named_otherwise(reading, diagnosed):
        found.append(Reason.CODE_TEXT_MISMATCH)
    if (off := taken_off(reading, diagnosed)) is not None:
        found.append(off)
    if _order_open(reading, diagnosed):
        found.append(Reason.ORDER_UNCLEAR)
    if (
        _item_unread(reading, diagnosed, told(_SEVERAL, "several", reading))
        or told_apart(plain, diagnosed)
        or left_out(reading, diagnosed)
        or left_on_chart(plain, reading.findings, diagnosed)
    ):
        found.append(Reason.DIAGNOSIS_UNREAD)
    return tuple(dict.fromkeys(found))


def _counts(plain: str, interruption: re.Match[str]) -> bool:
    """Whether an interruption is neither told not to be counted nor somebody else's."""
    return (
        _UNCOUNTED.match(plain, interruption.end()) is None
        and _SOMEBODY_ELSE.search(plain, max(0, interruption.start() - _NEAR), interruption.end()) is None
    )


def _is_outright(plain: str, finding: Finding) -> bool:
    """`He has bipolar II disorder.`: a sentence that says nothing else; `client is a 34 y/o nurse w/ OCD`."""
    before, behind = sentence_round(plain, finding.start, finding.end)
    before = before.strip()
    return _IS_AGED.fullmatch(before) is not None or (
        not behind.strip() and _HAS.fullmatch(before) is not None
    )


def _accounted(reading: Reading) -> bool:
    """Whether the note says itself what the interruption left."""
    return reading.length is not None and reading.length.net


def _order_open(reading: Reading, diagnosed: Diagnosed) -> bool:
    """The note says which of several comes first, and none was recognised as that."""
    found = [finding for diagnosis in diagnosed.chosen for finding in diagnosis.findings]
    if len(diagnosed.chosen) < 2 or diagnosed.led or any(finding.rank != 1 for finding in found):
        return False
    # `primary insomnia` is a name.
    names = [(finding.start, finding.end) for finding in found]
    main = next(filter(partial(_ranks, reading), all_told(_MAIN, "main", reading, beside=names)), None)
    if main is None or 0 <= diagnosed.chosen[0].lead.start - main.end() <= _ARTICLE:
        return False  # `the focus is trichotillomania, and ...`
    return not _is_of_first(reading.plain, diagnosed, main.start())


def _ranks(reading: Reading, main: re.Match[str]) -> bool:
    """Whether `the second is` speaks of a diagnosis."""
    if not main[0].startswith("the ") or "focus" in main[0]:
        return True
    before, behind = sentence_round(reading.plain, *main.span())
    left, right = main.start() - len(before), main.end() + len(behind)
    return _RANKED.search(f"{before}{behind}") is not None or bool(findings_between(reading, left, right))


def _is_of_first(plain: str, diagnosed: Diagnosed, at: int) -> bool:
    """`Anxiety is the main focus`, where the first diagnosis alone is one that it belongs to."""
    told = [
        finding.concept
        for finding in diagnosed.rejected
        if finding.doubt == "symptom"
        and finding.concept is not None
        and 0 < at - finding.end < _LABEL
        and not _SENTENCE_ENDS.search(plain, finding.end, at)
    ]
    if len(told) != 1:
        return False
    families = told[0].beside | {told[0].family}
    return [each.lead.family in families for each in diagnosed.chosen] == [
        not number for number in range(len(diagnosed.chosen))
    ]


def _item_unread(reading: Reading, diagnosed: Diagnosed, told: re.Match[str] | None) -> bool:
    """A circumstance stands right beside what is billed, in a place of diagnoses, and was left out."""
    if told is not None and len(diagnosed.chosen) < _HOW_MANY[told[1]]:
        return True
    if reading.visit.kind in ("couples", "family") and any(
        finding.doubt == "background"
        and finding.family == "partner"
        and " with" in reading.plain[finding.start : finding.end]
        for finding in diagnosed.rejected
    ):
        return True  # `the relationship distress with her spouse is another, and I mean to work with both`
    if any(is_taken_along(reading.plain, finding) for finding in diagnosed.rejected):
        return True
    spans = [(f.start, f.end) for diagnosis in diagnosed.chosen for f in diagnosis.findings]
    for finding in diagnosed.rejected:
        if (
            finding.doubt == "background"
            and finding.strength >= STATED
            and not _SIGNS.match(reading.plain, finding.end)
            and finding.concept is not None
            and finding.concept.kind == "status"
            and any(
                0 <= finding.start - end < 120
                and (
                    (finding.section in _PLACES and "\n\n" not in reading.plain[end : finding.start])
                    or reading.plain[end : finding.start].strip(_LIST_MARKS) in ("", "and")
                )
                for _, end in spans
            )
        ):
            return True
    return False
