"""Where a note names no service, its opening may tell of another than a session with the patient: somebody
came instead, several met, something else was done. Then a person is asked."""

from billing.notes.later import later
from billing.notes.text.kin import RELATIVE

_OPENING = 160
_BEGINS = r"(?:\A|[.;:!?\n])[ ]*"
_WHO = (
    rf"(?:(?:{RELATIVE}|mum|mama|papa|moms|dads|gm|brothers|sisters|twin brother|twin sister|cousin|nanny"
    r"|(?:baby)?sitter|roommate|teacher|coach|nurse|staff|aide|attorney|lawyer|p\.o\.|caseworker|advocate"
    r"|counselor|sponsor|neighbor|priest|pastor|rabbi|principal|landlord)(?:-in-law)?)"
)
_WHOSE = (
    r"(?:(?:his|her|their|the|both|adoptive|foster|group home|house|shelter|behavior|[a-z]+'s|mrs?\.?|ms\.?"
    r"|dr\.?) )*"
)
_DID = (
    r"(?:(?:alone|again|then|also|today|tonight|this week|in my office) )*(?:(?:came|comes)(?: in"
    r"| up)?\b(?! (?:along|with|in|up|late|first|to|by|for the first|as far))|turned up|showed up"
    r"|sat (?:down )?(?:with me\b(?! (?:for the first|until))|today|on my)|met with me|stopped by|kept (?:the"
    r"|his|her) (?:appointment|hour|slot)|picked up the (?:video|call)|answered[.;,]|used (?:the|his|her)"
    r"|had me\b|drove over|wanted (?:ideas|to (?:talk|know))|logged on|attended (?:on|in|for)"
    r"|arrived by (?:him|her)self|raised their|(?:here|in) for (?:him|her|the (?:hour|appointment|session"
    r"|visit))|on video, (?:pt|client|patient)|alone[.;,]|tonight[.;,]|only[.;,])"
)
# `Dad and I talked over the bedtime plan`, `stepdad turned up alone`, `only Denise was on the screen`
_SOMEBODY_ELSE = later(
    rf"{_BEGINS}{_WHOSE}{_WHO}(?: [a-z]+)?(?: \([^()\n]{{1,24}}\)|, [a-z' ]{{3,30}},)? (?:and i\b|{_DID})"
    rf"|{_BEGINS}(?:met|spoke|sat|talked|session|visit|consult(?:ation|ed)?|f/u) (?:with|w/) (?!(?:father"
    rf"|brother|sister) [a-z]+ [a-z]+[,.]){_WHOSE}{_WHO}\b(?! (?:present|waiting))|{_BEGINS}(?:only"
    rf"|just) (?:{_WHOSE}{_WHO}\b|[a-z]+ was (?:on|in|here|there)\b)"
    rf"|{_BEGINS}{_WHOSE}{_WHO}(?: [a-z]+)?(?:, \d{{1,2}}:\d| x ?\d|[.] (?:pt|client|patient|he|she) )"
    r"|\bin (?:(?:his|her|their) (?:place|stead)|place of (?:the )?(?:pt|patient|client))\b|\b(?:used"
    r"|took) (?:his|her|their|[a-z]+'s) (?:slot|hour|appointment)\b|\bon (?:his|her|[a-z]+'s) behalf\b"
    r"|\binstead of [a-z]+ it was\b|\bparents?'? (?:turn|consult)\b|\bhanded the phone to\b|\bno child\b"
    rf"|\bno need to bring\b|\b{_WHO} had me to (?:him|her)self\b"
    r"|\bset (?:him|her|them|[a-z]+) up with a\b|\b(?:pt|client|patient) (?:is |was "
    r"|had )?(?:asleep(?! in\b| at \d)|out of town|on (?:a )?(?:field|school) trip|with (?:the )?(?:flu"
    r"|sitter)|at (?:work|school|practice|camp),? so|stayed (?:home|with)|remained in (?:the )?(?:lobby"
    r"|car))\b"
)
_SEVERAL = later(
    rf"\b(?:(?:three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{{1,2}}) (?:of us|around the|members"
    r"|came\b|attended|attending|present|boys|girls|men\b|women|families|squares|on mats|patients|clients"
    r"|widows)|(?:all|the) (?:three|four|five|six|seven|eight) (?:of (?:us|them)|were)|(?:the|two) (?:other"
    r"|older) (?:ones|members|men|women|boys|girls)|each (?:did|said|gave|of (?:the|them) (?:said|gave|took"
    r"|wrote))|everyone (?:shared|took|said|spoke|got)|both (?:of them (?:here|in the|on)|on the couch"
    r"|parents and|in the frame)|saw them both|they (?:both (?:sat|came|said|want)|divided|want to stay)"
    r"|t(?:ook|aking) turns (?:with|talking|speaking|at)|(?:his|her) (?:parents|wife|husband|partner"
    r"|family) (?:beside|flew)|brought (?:his|her) (?:wife|husband|partner|parents) in|(?:his"
    r"|her) parents and (?:he|she)|whole family|joint (?:w/|with)|in for all of it|group of|among them"
    r"|circle (?:this|today|time)|\bclub: |week \d+ of|mbct|fbt meal|the sisters|chairs, (?:\w+ )filled"
    rf"|with (?:three|four|five|six|seven|\d) others)|{_BEGINS}(?:with|(?:pt|client|patient|session (?:w/"
    r"|with) [a-z]+) and) (?:his |her )?(?:husband|wife|partner|fianc\w+|parents|brother|sister)[.;]"
)
_SOMETHING_ELSE = later(
    r"\b(?:iep meeting|504 (?:plan|meeting)|wisc|wais|rbans|ados|adi-r|conners today|subtests?|testing \d"
    r"|administered|(?:accommodation|support|esa) letter|fmla|housing (?:form|application)|(?:application"
    r"|voucher|report) and|hospital records|faxed|refilled for|meds reviewed|here for (?:meds|refill)"
    r"|for (?:his|her) injection|nurse gave|vitals taken|peer to peer|on rounds|(?:d/c|discharge) planning"
    r"|screened (?:him|her|them) for|asam|with the paperwork|hotline|welfare check|left (?:a |two "
    r"|three )?messages?|\d times? on hold|twice on hold|took [a-z]+ to the|picked up [a-z]+ at|resume and"
    r"|new resume|mock interview|\bdmv\b|bus (?:pass|tokens)|slides|workshop|stress class|yoga hour"
    r"|acupuncture|neurofeedback|research interview|portal working|knocked|buzzed|no answer at|nobody came"
    r"|no one came|case management|peer support[.,]|parenting coordination|eap consult|testified"
    r"|family court|through the report|results of the|transfer summary|treatment team|unit team|wraparound"
    r"|annual review|bed search|observed [a-z]+ in|sat at the back|calls: |the tour of|tour of the"
    r"|my consultant|group supervision|legal aid|crisis line|intern ran|completed the [a-z]+ packet"
    r"|helped [a-z]+ fill|(?:on|wrote) (?:his|her|the) (?:[a-z]+ )?letter (?:for|to|together)|filed (?:the"
    rf"|a) report|the report with)|{_BEGINS}(?:drove|accompanied|supervised|observed|called the) "
)
# What tells that the patient was at work with a therapist.
_AT_WORK = later(
    r"\b(?:si\b|hi\b|suicid|self[- ]harm|ideation|dying|wish to (?:die|be dead)|den(?:ies|ied|ying)\b|(?:pt"
    r"|client|patient|cl|ct) (?:reports?|reported|rpts?|states?|stated|said|says|shared|describ|present\b"
    r"|seen|engag|processed|explored|identified|participat|appear|tearful|able|worked|practi)|cbt|dbt|emdr"
    r"|erp\b|explor|process(?:ed|ing) (?!speed)|refram|cognitive|validat|grounding|coping|thought (?:record"
    r"|log)|motivational|affect\b|mood\b|oriented|eye contact|tearful|min(?:ute)?s? session|just (?:him"
    r"|her) and me\b)"
)


def tells_of_another(plain: str) -> bool:
    """Whether the opening tells of another than a session with the patient, where no service is named."""
    if _SOMEBODY_ELSE.search(plain, 0, _OPENING):
        return True
    other = _SEVERAL.search(plain, 0, _OPENING) or _SOMETHING_ELSE.search(plain, 0, _OPENING)
    return other is not None and _AT_WORK.search(plain) is None
