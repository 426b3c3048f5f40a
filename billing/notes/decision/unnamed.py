"""Where a note names no service, its opening may tell of another than a session with the patient: somebody
came instead, several met, something else was done. Then a person is asked."""

from billing.notes.later import later
from billing.notes.text.kin import RELATIVE

_OPENING = 160
_BEGINS = r"(?:\A|[.;:!?\n])[ ]*"
_WHO = (
    rf"(?:(?:{RELATIVE}|mum|mama|papa|moms|dads|gm|brothers|sisters|twin brother|twin sister|cousin|nanny"
    rf"|(?:baby)?sitter"
    r"|roommate|teacher|coach|nurse|staff|aide|attorney|lawyer|p\.o\.|caseworker|advocate|counselor|sponsor"
    r"|neighbor"
    r"|priest|pastor|rabbi|principal|landlord)(?:-in-law)?)"
)
_WHOSE = (
    r"(?:(?:his|her|their|the|both|adoptive|foster|group home|house|shelter|behavior|[a-z]+'s|mrs?\.?|ms\.?"
    r"|dr\.?) )*"
)
_DID = (
    r"(?:(?:alone|again|then|also|today|tonight|this week|in my office) )*(?:(?:came|comes)(?: in"
    r"| up)?\b(?! (?:along|with|in|up|late|first"
    r"|to|by|for the first|as far))|turned up|showed up|sat (?:down )?(?:with me\b(?! (?:for the first"
    r"|until))|today|on my)|met with me"
    r"|stopped by|kept (?:the|his|her) (?:appointment|hour|slot)|picked up the (?:video|call)|answered[.;,]"
    r"|used (?:the|his|her)"
    r"|had me\b|drove over|wanted (?:ideas|to (?:talk|know))|logged on|attended (?:on|in|for)"
    r"|arrived by (?:him|her)self"
    r"|raised their|(?:here|in) for (?:him|her|the (?:hour|appointment|session|visit))|on video, (?:pt|client"
    r"|patient)|alone[.;,]|tonight[.;,]|only[.;,])"
    rf"|{_BEGINS}(?:with|(?:pt|client|patient|session (?:w/|with) [a-z]+) and) (?:his |her )?(?:husband|wife"
    rf"|partner|fianc\w+"
    r"|parents|brother|sister)[.;]"
)
# `Dad and I talked over the bedtime plan`, `stepdad turned up alone`, `only Denise was on the screen`
_SOMEBODY_ELSE = later(
    rf"{_BEGINS}{_WHOSE}{_WHO}(?: [a-z]+)?(?: \([^()\n]{{1,24}}\)|, [a-z' ]{{3,30}},)? (?:and i\b|{_DID})"
    rf"|{_BEGINS}(?:met|spoke|sat|talked|session|visit|consult(?:ation|ed)?|f/u) (?:with"
    rf"|w/) (?!(?:father|brother|sister) [a-z]+ [a-z]+[,.]){_WHOSE}{_WHO}\b(?! (?:present|waiting))"
    rf"|{_BEGINS}(?:only|just) (?:{_WHOSE}{_WHO}\b|[a-z]+ was (?:on|in|here|there)\b)"
    rf"|{_BEGINS}{_WHOSE}{_WHO}(?: [a-z]+)?(?:, \d{{1,2}}:\d| x ?\d|[.] (?:pt|client|patient|he|she) )"
    rf"|\b(?:(?:she|he) and i|we) [^.;\n]{{0,30}} (?:his|her) (?:symptoms"
    rf"|behavior)s? [^.;\n]{{0,20}}with {_WHO}"
    r"|\bin (?:(?:his|her|their) (?:place|stead)|place of (?:the )?(?:pt|patient|client))\b"
    r"|\b(?:used|took) (?:his|her|their|[a-z]+'s) (?:slot|hour|appointment)\b|\bon (?:his|her"
    r"|[a-z]+'s) behalf\b"
    r"|\binstead of [a-z]+ it was\b|\bparents?'? (?:turn|consult)\b|\bhanded the phone to\b|\bno child\b"
    r"|\bno need to bring\b"
    r"|\bset (?:him|her|them|[a-z]+) up with a\b|\bmom had me to\b|\bshe stayed in bed\b"
    r"|\b(?:pt|client|patient) (?:is |was |had )?(?:asleep(?! in\b| at \d)|out of town|on (?:a )?(?:field"
    r"|school) trip|with (?:the )?(?:flu|sitter)"
    r"|at (?:work|school|practice|camp),? so|stayed (?:home|with)|remained in (?:the )?(?:lobby|car))\b"
)
_SEVERAL = later(
    r"\b(?:(?:three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2}) (?:of us|around the|members"
    r"|came\b"
    r"|attended|attending|present|boys|girls|men\b|women|families|squares|on mats|patients|clients|widows)"
    r"|(?:all|the) (?:three|four|five|six|seven|eight) (?:of (?:us|them)|were)|(?:the|two) (?:other"
    r"|older) (?:ones|members|men|women|boys|girls)"
    r"|each (?:did|said|gave|of (?:the|them) (?:said|gave|took|wrote))|everyone (?:shared|took|said|spoke"
    r"|got)"
    r"|both (?:of them (?:here|in the|on)|on the couch|parents and|in the frame)|saw them both|they"
    r" (?:both (?:sat|came|said|want)|divided|want to stay)"
    r"|t(?:ook|aking) turns (?:with|talking|speaking|at)|(?:his|her) (?:parents|wife|husband|partner"
    r"|family) (?:beside|flew)"
    r"|brought (?:his|her) (?:wife|husband|partner|parents) in|(?:his|her) parents and (?:he|she)"
    r"|whole family"
    r"|joint (?:w/|with)"
    r"|in for all of it|group of|among them|circle (?:this|today|time)|\bclub: |week \d+ of|mbct|fbt meal"
    r"|the sisters"
    r"|chairs, (?:\w+ )filled|with (?:three|four|five|six|seven|\d) others)"
)
_SOMETHING_ELSE = later(
    r"\b(?:iep meeting|504 (?:plan|meeting)|wisc|wais|rbans|ados|adi-r|conners today|subtests?|testing \d"
    r"|administered"
    r"|(?:accommodation|support|esa) letter|fmla|housing (?:form|application)|(?:application|voucher"
    r"|report) and|hospital records|faxed"
    r"|refilled|meds reviewed|here for (?:meds|refill)|for (?:his|her) injection|nurse gave|vitals taken"
    r"|peer to peer|on rounds|(?:d/c|discharge) planning"
    r"|screened (?:him|her|them) for|asam|with the paperwork|hotline|welfare check|left (?:a |two "
    r"|three )?messages?"
    r"|\d times? on hold|twice on hold|took [a-z]+ to the|picked up [a-z]+ at|resume and|new resume"
    r"|mock interview|\bdmv\b"
    r"|bus (?:pass|tokens)|slides|workshop|stress class|yoga hour|acupuncture|neurofeedback"
    r"|research interview|portal working"
    r"|knocked|buzzed|no answer at|nobody came|no one came|case management|peer support"
    r"|parenting coordination|eap consult"
    r"|testified|family court|through the report|results of the|transfer summary|treatment team|unit team"
    r"|wraparound|annual review|bed search|observed [a-z]+ in|sat at the back|calls: |the tour of|tour of the"
    r"|my consultant|group supervision|legal aid|crisis line|intern ran|completed the [a-z]+ packet"
    r"|helped [a-z]+ fill"
    r"|(?:on|wrote) (?:his|her|the) (?:[a-z]+ )?letter (?:for|to|together)|filed (?:the|a) report"
    r"|the report with)"
    rf"|{_BEGINS}(?:drove|accompanied|supervised|observed|called the) "
)
# What tells that the patient was at work with a therapist.
_AT_WORK = later(
    r"\b(?:si\b|hi\b|suicid|self[- ]harm|ideation|dying|wish to (?:die|be dead)|den(?:ies|ied|ying)\b"
    r"|(?:pt|client|patient|cl|ct) (?:reports?|reported|rpts?|states?|stated|said|says|shared|describ"
    r"|present\b|seen"
    r"|engag|processed|explored|identified|participat|appear|tearful|able|worked|practi)"
    r"|cbt|dbt|emdr|erp\b|explor|process(?:ed|ing) (?!speed)|refram|cognitive|validat|grounding|coping"
    r"|thought (?:record|log)"
    r"|motivational|affect\b|mood\b|oriented|eye contact|tearful)"
)


def tells_of_another(plain: str) -> bool:
    """Whether the opening tells of another than a session with the patient, where no service is named."""
    if _SOMEBODY_ELSE.search(plain, 0, _OPENING):
        return True
    other = _SEVERAL.search(plain, 0, _OPENING) or _SOMETHING_ELSE.search(plain, 0, _OPENING)
    return other is not None and _AT_WORK.search(plain) is None
