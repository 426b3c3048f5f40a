"""Statements in prose that their own sentence takes back: `her panic disorder is cured`, `almost panic
disorder`, `what she has is panic disorder according to a quiz`."""

from collections.abc import Sequence

from billing.notes.conditions.diagnoses import Diagnosed
from billing.notes.conditions.placement import FIELD
from billing.notes.decision.predicate import speaks_against
from billing.notes.finding import Finding
from billing.notes.later import later
from billing.notes.page.layout import DIAGNOSIS_KINDS
from billing.notes.reading import Reading
from billing.notes.text.kin import RELATIVE
from billing.notes.text.sentences import sentence_round

_NEAR = 60
_BEFORE = later(
    r"(?:\b(?:not (?:yet|quite|really)|nearly|almost|all but|short of|so[- ]called|next to|close to"
    r"|as good as|virtually|practically|border(?:s|ing) on|verg(?:es|ing) on|hardly|barely|scarcely|supposed"
    r"|alleged|far from|anything but)(?: an?| the)?|\A[ ]*whose|\byou have)[ ]*\Z"
    r"|\A[ ]*(?:does|do|did|has|is|was|could|would|might|should) (?:she|he|they|it|this|that|i|we)\b"
    r"|\b(?:might|could|suspicion|suspect\w*|wonder\w*|what (?:she|he|they|(?:the|her|his|their) \w+) calls?"
    r"|possib\w+|perhaps|maybe|likely|tentativ\w+|provision\w+|unsure|doubt\w*|pretend\w*|mistook"
    r"|confus\w+)\b[^,;:]{0,40}\Z"
    r"|\bno longer [^,;:]{0,24}\Z"
    # `Her biggest fear is ...`
    r"|\b(?:fear|worry|dread|nightmare|hope|wish|guess|theory|hunch|question|joke|excuse|nickname|insult|punchline)"
    r"(?: (?!to\b)\w+){0,4} (?:is|was|remains)(?: an?| the| that it is)? ?\Z"
)
_BEHIND = later(
    # `... about the kitchen is a household joke`
    r"(?:[ ](?:about|over|around|of|at|from) [^,.;:]{1,30}?)?[ ]*,?[ ]*(?:which )?"
    r"(?:is|was|are|were|has been|seems|remains|has become|stays|sits|lies|stood|got)"
    r"(?: (?!not\b|n't\b)[\w']+){0,3}? (?:cured|healed|gone|over|behind|past|history|memory|doubt|doubtful"
    r"|hold|unmet|unconfirmed|hypothes[ie]s|theory|guess|question|questionable|premature|placeholder"
    r"|invention|fiction|joke|myth|excuse|outgrown|beaten|conquered|overcome|extinct|unproven|unsettled|open"
    r"|appealed|contested|disputed|elsewhere|dropped|withdrawn|removed|retired|lifted|erased|closed"
    r"|to be seen|rumou?r|misnomer|mistake|error)\b"
    # `... stopped when she left the army`
    r"|[ ]*(?:has |had |have |is |was )?(?:not |never |no longer |since |long |finally |all but |mostly )*"
    r"(?:stopped|ended|vanished|disappeared|resolved|went away|faded|burned out|died|passed|healed"
    r"|shown itself|awaits?|awaiting|pending|remitted|abated|ceased|let go"
    r"|left (?:her|him|them)(?=[ ]*(?:\Z|,|in|at|when|for|years)))\b"
    # `... criteria are unmet`: the name is part of another.
    r"|(?:'s|[ ](?:diagnosis|label|criteria|code|claim|screen|screening|test|workbook|territory|week|podcast"
    r"|book|class|course|forum|patients?|sufferers?|literature|cards?|flash|material|talk|lecture|research"
    r"|story|word|idea|question|theory|season|month|chapter|pamphlets?|poster|article|paper|essay|seminar"
    r"|module|video|awareness|evaluation|assessment|work-?up|referral|rumou?r))\b"
    r"|[ ]*,?[ ]*(?:or (?:it|that|this|the|an?|just|something|maybe|perhaps)|unless|if|whether|minus"
    r"|lacking|short of|less the|but for|except|to rest|aside|as an? (?:subject|topic|theme)"
    r"|in the back of|out of (?:every|an?y?))\b"
    # `... among the things he googled`, `... in the family`, `... as a differential`
    r"|[ ](?:among|written|pencill?ed|down as|confused|to thank|on (?:her|his|their) (?:[\w']+ )?list"
    r"|in the (?:family|script|book|film|movie|novel)"
    r"|as (?:(?:her|his|their)(?! (?:[a-z]+ )?(?:diagnosis|dx|condition|problem|focus)\b)"
    r"|an? (?:differential|former|fallback|possible|working|provisional|rule)))\b"
    # `... was her word for the marriage`, `... is what his ex-wife keeps alleging`
    r"|[ ]was (?:her|his|their|in|just|only|never|once|an?|the)\b"
    r"|[ ]is what (?:her|his|their|the|people|others|everybody|everyone)\b"
    r"|[ ](?:is|was) (?:managed|handled|treated|followed|looked after)(?: \w+){0,2} by\b"
    r"|[ ](?:never|may|would|had been|we were|we had)\b|[ ]?[\"\u201c]"
    r"|, (?:she|he|they)(?: now)? (?:insist\w*|says|said|claims?|claimed|jokes|joked|laughed|announced)"
    r"(?=[ ]*(?:,|\Z|yet|but))"
    r"|[ ](?:is|was) (?:better|best) (?:understood|explained|accounted)\b"
    # `... she fears`
    r"|(?:[ ][\w']+){0,6}?[ ](?:turned out|prove[sd]|survived?|might|could|thinks|believes?|seems?|seemed"
    r"|looks|sounds|resembles|hardly|barely|wonders?|wants|hopes)\b"
    r"|[ ](?:by (?:dr|doctor|an?|the|her|his|their)|as (?:her|his|their) \w+ has|no (?:longer|more))\b"
    r"|[ ](?:that )?(?:she|he|they|her|his)(?: \w+){0,2}? (?:fears?|dreads?|(?:is|are) afraid|thinks?"
    r"|believes?|claims?|invent\w+|imagines?|suspects?|worries|wonders?|feared|insist\w*|googled|thesis"
    r"|exam)\b"
)
_FARTHER = later(
    r"\b(?:suspicions?|suspect(?:s|ed)?|unclear|uncertain|unsure|unlikely|hypothes[ie]s|theory|guess|rumou?r"
    r"|quiz|internet|tiktok|google|horoscope|mistaken?|mistakenly|misdiagnos\w+|mistook|mimic\w*|ruled"
    r"|(?<!self-)excluded|rejected|dropped|removed|withdrawn|retracted|struck|resolved|remitted|healed|cured|outgrown"
    r"|outgrew|vanished|disappeared|lacking|lacks|(?<!no )doubt(?:s|ful|ed)?|criterion|threshold"
    r"|tentative\w*|provisional\w*|notion|idea"
    r"|perhaps(?! (?:an?|half|two|three|four|five|six|\d+)\b)|possibly|probably|maybe|likely|claim(?:s|ed)"
    r"|formerly|previously|files?|records|anymore|no more|label\w*|in the making"
    r"|not enough|never (?:met|more than|was|been|confirmed|diagnosed)|or so (?:he|she|they|her|his|their)"
    r"|(?<!not )better explained|long settled|elsewhere|substantiate|no symptoms"
    r"|no sign of(?! (?:eas|let|abat|slow|stop|yield|relent|fad)\w*)"
    r"|could not (?:find|confirm)"
    r"|(?:with|by|from) (?:somebody|someone) else|another (?:therapist|clinician|provider"
    r"|clinic)|according to|in the eyes of|no one (?:has )?(?:ever )?(?:confirmed|diagnosed)"
    r"|(?:there|only|just) for (?:the insurer|insurance)|in name only|on paper only"
    r"|(?:earlier|former|previous|last|old) (?:clinician|therapist)|(?:my|our) caseload|in this town"
    r"|(?:her|his|their) (?:novel|thesis|exams?|boards|bingo|podcast|character)"
    r"|(?:her|his|their) " + RELATIVE + r"(?:'s|s')(?=[ ]*\Z))\b"
    r"|, (?:her|his|their) (?:roommate|housemate|neighbo\w+|friend|" + RELATIVE + r")'s\b"
)

# `GAD; ADHD (followed by her psychiatrist)`: listed, and what somebody else treats.
_ELSEWHERE = later(
    r"[ ]*[-,:;(.]{0,2}[ ]*(?:(?:is|being|currently) )*(?:followed|treated|managed|seen|handled)"
    r"(?: (?:elsewhere|outside|at another)|(?: \w+)? (?:by|with)"
    r" (?:(?:her|his|their|the|an?|outside|own|school) )*(?:psych\w*|pcp|prescriber|dr|doctor|neurolog\w+"
    r"|pediatrician|physician|pmhnp|another))\b"
)


def is_treated_elsewhere(plain: str, diagnosed: Diagnosed) -> bool:
    """Whether one of several diagnoses is told to be what somebody else treats."""
    return len(diagnosed.chosen) > 1 and any(
        all(_ELSEWHERE.match(plain, finding.end) for finding in diagnosis.findings)
        for diagnosis in diagnosed.chosen
    )


def is_retracted(reading: Reading, diagnosed: Diagnosed) -> bool:
    """Whether nothing states a condition but sentences that take it back."""
    return any(_are_taken_back(reading, diagnosis.findings) for diagnosis in diagnosed.chosen)


def _are_taken_back(reading: Reading, findings: Sequence[Finding]) -> bool:
    """Whether each is taken back; a sentence that speaks against a condition does so for every name of it."""
    if not all(map(_is_told, findings)):
        return False
    sentences = {finding.start: reading.tokens.clause_of(finding.first) for finding in findings}
    against = {sentences[finding.start] for finding in findings if speaks_against(reading, finding)}
    return all(
        sentences[finding.start] in against
        or (finding.strength < FIELD and not finding.entry and _is_taken_back(reading.plain, finding))
        for finding in findings
    )


def _is_told(finding: Finding) -> bool:
    return finding.by == "words" and (finding.strength < FIELD or finding.section not in DIAGNOSIS_KINDS)


def _is_taken_back(plain: str, finding: Finding) -> bool:
    before, behind = sentence_round(plain, finding.start, finding.end)
    return (
        _BEHIND.match(behind) is not None
        or _FARTHER.search(behind, 0, _NEAR) is not None
        or _BEFORE.search(before) is not None
    )
