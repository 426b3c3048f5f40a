"""The numbers of a note and the words without which a costly pattern cannot match, found in one pass.

A pattern that begins with a choice of words is tried at every character. Where none of the words that every
match contains stands in the note, it is not tried at all.
"""

from collections.abc import Mapping

import ahocorasick_rs

from billing.notes.length.bare import FROM_HOURS
from billing.notes.length.worded import UNDERSTOOD
from billing.notes.text.spoken import SPOKEN, SPOKEN_AT

# By the name of the pattern: one of these stands in everything that it matches.
LITERALS: Mapping[str, tuple[str, ...]] = {
    "unit": ("min", "hour", " hr"),
    "spoken": SPOKEN,
    "spoken_at": SPOKEN_AT,
    "understood": UNDERSTOOD,
    "from_hours": FROM_HOURS,
    "noon": ("noon", "midday"),
    "short_form": (
        *(
            f"{short}.{behind}"
            for short in (
                "gen", "maj", "adj", "dep", "depr", "unspec", "unsp", "anx", "recur", "recurr", "sust", "sev",
                "mod", "rec", "spec", "remiss", "remis", "dis", "w", "sgl", "sing", "bip", "emot", "psychot",
                "ep", "comb", "soc", "part", "predom", "opp", "curr", "disturb", "chr", "feat",
            )
            for behind in (" ", ",")
        ),
        "sep. anx",
    ),
    "rank": (
        "primary", "principal", "main", "focus of", "focus today", "(p)", "(s)", "secondary",
        "additional", "comorbid", "tertiary",
    ),
    "lost": (
        "of these", "of those", "of them", "of that", "of it", "of which", "of the ", "not count", "n't"
        " count",
        "not bill", "deducted",
        "dropped", "lost", "froze", "out for", "dead for", "gone for", "off for",
        "away for", "down for", "break of", "pause of", "gap of",
        "interruption of", "the room", "the office", "the screen", "subtract", "deduct", "take out",
        "take off", "took out", "took off", "taking out", "taking off", "taken out", "taken off",
        "leave out", "leave off", "leaving out", "leaving off",
    ),
    "interrupted": (
        "minutes before", "fire alarm", "fire drill", "were lost", "was lost", "lost to", "split",
        "two part", "two piece",
        "two hal", "resumed", "paged", "no therapy", "not therapy", "evacuat", "connected", "dropped",
        "of these", "of those", "of that", "of the", "went out for", "stepped out",
    ),
    "wanting": ("would", "should", "'d"),
    "counted": ("second", "third"),
    "no_part": (" any part", " any minute", " any portion"),
    "row": ("_ ",),
    "offered": tuple(
        f"{mark}{service}"
        for mark in ("x ", "_", "_ ", "]", "] ", ")", ") ", "\u2611", "\u2611 ")
        for service in ("ind", "family", "couple", "group", "grp", "crisis", "intake")
    ),
    "pieces": (
        "before,", "before it", "before that", "before this", "before the ", "another ",
        "a further ", " more", ", then", "and then", "after that ",
        "halves", " blocks of",
        " stretches of", " sittings of", " parts of", " pieces of", " segments of",
        " portions of", " stints of",
    ),
    "broken_off": (
        "drill", "alarm", "fire ", "evacuat", "lockdown", "outage", "power", "sprinkler", "tornado",
        "bomb", "gas leak", "flooded", "interrupt", "pause", "recess", "break", "intermission", "stepped",
        "went ", "walked", "the room", "called away", "paged", "froze", "dropped", "disconnected",
        "offline", "restroom", "bathroom", "suspended", "halted", "stopped for", "feed", "nursing",
        "nursed", "baby", "infant", "newborn", "diaper", "step ", "called out", "internet", "wifi",
        "wi-fi", "connection", "video", "audio", "line", "platform", "link", "took a call",
        "took the call", "nosebleed", "vomit", "counted", "t count", "clinical", "therap", "treatment",
        "subtract", "deduct", "left out", "taken off", "come off", "take th", "take it", "taking th",
        "took th", "took it", "taken th", "taken it", "taking it", "leave th", "leave it", "left th",
        "left it",
    ),
    "main": (
        "primary", "principal", "main", "focus", "reason", "treated today", "first", "number", "no.", "#",
        "second is", "third is", "latter is", "being what",
    ),
    "main_by_number": (
        "#", "number", "no.", "item ", "problem ", "line ", "entry ",
        "the first", "the second", "the third", "the former", "the latter",
    ),
    "taken_back": (
        "incorrect", "in error", "mistake", "withdrawn", "wrong", "strike that", "amend", "carried",
        "copied", "pulled in", "pulled over", "pulled forward", "rolled forward", "not to be billed",
        "other client", "other patient", "other person", "other chart", "different c", "different p",
        "previous c", "previous p", "not apply", "autofilled", "auto-filled", "cloned",
        "misclick", "mis-click", "not this c", "not this p", "not for this", "not of this", "not about this",
        "pasted", "disregard",
        "withdr", "retract", "strik", "struck", "remov", "drop",
    ),
    "outgrown": (
        "n't fit", "not fit", "longer fit", "n't appl", "not appl", "longer appl", "sis fits", "dx fits",
        "label fits", "still fits", "sis applies", "dx applies", "label applies", "still applies",
    ),
    "in_the_room": (
        "face to face", "no screen", "drove in", "in room", "in suite", "not used", "in person",
        "in-person", "in my office", "in the office", "up in the", "up at the", "up at my", "up in my",
    ),
    "by_voice": ("phone", "voice only", "landline", "camera"),
    "all_by_voice": (
        *(
            f"{by}{the} {voice}"
            for by in ("by", "over", "on", "via")
            for the in ("", " the", " her", " his")
            for voice in ("telephone", "phone", "landline", "voice", "audio")
        ),
        "phone only", "voice only", "audio only",
    ),
    "prescribing": (
        "pdmp", "lab ", "labs ", "bp ", "vitals", "refill", "side effects", "benefits", "prescribed",
        "pharmacy", "rtc ",
    ),
    "missed": ("missed", "did not attend", "no clinical service", "no service"),
    "attendance": (
        "attendance", "attended", "client present", "patient present", "pt present", "ct present",
        "member present",
    ),
    "not_kept": (
        "no fee", "charge for t", "never ", "forgotten ", "forgot ", "ed empty", "sat empty", "waited ",
        "not remembered",
        "what was left of", "rest of ", "remainder of ", "in the time.", "nobody ", "late fee w",
        "no-show fee", "no show fee", "cancellation fee",
    ),
    "by_screen": (" zoom", " video", " doxy", " telehealth"),
    "screen": (
        "on my screen", "on my monitor", "froze", "freezing", "pixel", "lagged", "logged in with",
        "logged on with", "same link", " me (", "camera", "laptop", "tablet", "ipad", "phone so", "phone to",
        "phone round", "the keyboard", "propped me", "shared my screen", "muted h", "muted t",
        "into the chat", "background", "i on mine", "joined", "connected", "logged on", "logged in",
    ),
    "heard_only": (
        "i rang ", "i dialed ", "cell", "telephone again", "hear each other", "camera off", "cameras off",
        "no picture, ", "called me from", "battery went", "rang from",
    ),
    "room": (
        " my ", "same chair", "i handed ", "i passed ", "i gave ", "shook my", "walked her", "walked him",
        "walked them", "held out the", "coat", "took off", "held the door", "brought me",
    ),
    "shared": ("family", "couple", "conjoint", "group", "parent"),
    "others_seen": (
        "mother", "father", "mom", "mum", "dad", "parent", "grandma", "grandpa", "wife", "husband",
        "spouse", "partner", "boyfriend", "girlfriend", "fianc", "son", "daughter", "brother", "sister",
        "sibling", "aunt", "uncle", "cousin", "niece", "nephew", "guardian", "caregiver", "roommate",
        "teacher", "therapist", "counselor", "provider", "attorney", "lawyer", "pediatrician",
        "psychiatrist", "principal", "employer", "boss", "bf", "gf", "coach", "staff", "manager",
        "caseworker", "nurse", "pcp", "doctor", "physician", "dietitian", "planner", "probation officer",
        "po", "p.o", "social worker", "school team", "iep team",
    ),
    "all_of_it": (
        "throughout", "whole ", "entire ", "full ", " all ", "start to finish", "beginning to",
        "start to end", " the end", "the very end", "the duration", "til we", "till we",
    ),
    "without_patient": ("parents", "not seen", "take part", "school", "not with us"),
    "place_code": (*(f"pos{behind}" for behind in " :=#(-0123456789"), "place of service"),
    "several": ("diagnoses", "conditions", "disorders"),
    "graded": (
        *(
            f"{before}{severity}"
            for before in (
                "now ", "now a ", "ly ", "ly a ", "is ", "become ", "reached ", "as ", "at ", "to ", "it ",
                "criteria for ", "criteria for a ",
            )
            for severity in ("severe", "moderate", "mild")
        ),
        "11 criteria", "11 symptoms",
    ),
    "episode_told": (
        "episode", "depressed before", "now depressed", "in a depress", "ly depress", "current depress",
    ),
    "renamed": (
        "better", "best", "the right ", "correct ", "accurate ", "proper ", "changed", "revised", "updated",
        "switched", "amended", "i now ", "remov", "drop", "delet", "retir",
    ),
    "taken_off": (
        "dropping ", "removing ", "remove ", "strike ", "delete ", "scratch the ", "take the ", "come off",
        "comes off", "take that off", "take it off", "off the table", "off last week", "is closed",
        "done with", "no longer applies", "no longer think", "t hold", "stands", "just the ",
        "ruled out after", "says no to ", "i don't share", "it isn't", "counting it", "on reflection",
        "not what i put", "new dx from", "not confirm it", "turned out to be", "explained by",
        "does not make", "husband's", "wife's", "partner's", "mother's", "father's", "brother's",
        "sister's", "son's", "daughter's", "only history", "matter of history", "just history",
        "belongs to ", "been gone for", "i list it so", "sober since", "dry since", "clean since",
        "depressed since", "attack since", "episode since", "depression now", "nothing left of",
        "for the record", "no defiance", "right by itself", "by now it's", "years sober", "years dry",
        "years clean", "months sober", "months dry", "months clean", "remission i'd", "remission by",
        "main thing", "bill under", "leads", "ahead of the", "comes first", "reason for treat",
        "first is the", "what i'm treating", "comes after", "waits until", "work first", "on the side",
    ),
    "not_held": (
        "not take pl", "n't take pl", "never took pl", "never take pl", "not happen", "n't happen",
        "never happen", "not held", "not kept", "not done", "not completed", " void", "resched", "cancel",
        "not meet", "n't meet", "never met", "not connect", "n't connect", "never connect", "get to meet",
        "this day", "that day", "is for a", "concerned a", "concerns a", "refused t", "declined t",
        "refused to", "left before", "went home before", "too late to", "only resched", " ns", " n.s", "ncns",
        "seen for therapy", "this a session", "it a session", "no appointment with", "nothing to ",
        "nothing is to ", "not addressed", "psychotherapy is with", "e/m level", "supervision hours",
        "transport log", "t credentialed", "t licensed", "no licensed", "no bill", "t charge", "no charge to",
        "by mistake", "in my place", "day of this", "ended it", "gave up at",
    ),
    # `e closed` is of an office, `c closed` of a clinic; `t come` of `not come`, `r come` of `never come`.
    "hinted": (
        "resched", "cancel", "moved to mon", "moved to tu", "moved to wed", "moved to thu", "moved to fri",
        "moved to sat", "moved to sun", "slot ", "i was out", "i was away", "i was ill", "i was sick",
        "i was off", "to have been", "no show", "no-show", "noshow", "e closed", "e was closed",
        "e is closed", "c closed", "c was closed", "c is closed", "g closed", "g was closed", "g is closed",
        "power was out",
        "evacuated to", "waited ", "t make it", "r make it", "t arrive", "r arrive", "t appear", "r appear",
        "t come", "r come", "t show", "r show", "t be in", "r be in", "t be here", "t attend", "forgot",
        "nobody ", "no one ", "not at home", "not home", "client not found", "not here", "turned away",
        "and went home", "was gone by", "shook hands", " attempt", "came instead", "left a voicemail",
        "rang out", "empty screen", "connect at", "failed and", "wrong chart", "declined today",
        "collateral ", "scheduling ", "administrative ", "paperwork ", "review ", "documentation ",
        "for documentation", "reviewed record", "case consult", "blocked ", "for consultation", "call with ",
        "confirm the app", "picked ", "sat with",
    ),
    "length_told": (
        "extended ", "double ", "long ", "short ", "shortened ", "abbreviated ", "brief ", "quick ",
        "by the clock", " in all", " only", "talked", "used ", " after ", "left for ", "that was left",
        "door to door", "straight through", "counseling", "therapy", "were together", "that was ",
        "which was ", "'d had ", " had had ", " at minute ", "met with", "for the remaining", "for the other",
        "stayed on", "got to", "made it to", "were up",
    ),
    "length_lost": (
        "first ", "last ", "final ", "opening ", "best part of", "lost ", "losing ", "wasted ", "waited ",
        "cost us", "building ", "came", "arrived", "walked", "logged on", " therapy", "got here", "joined",
        "showed",
    ),
    "length_more": (
        " over", " long", " shy of", " short of", "split ", "half ", "two-thirds", "past time",
        "past the hour", "half session", "half fee", "the therapy",
        "alone at the start",
    ),
    "began": (
        "began", "begin", "begun", "start", "sat down", "opened", "got going", "arrived", "logged on",
        "on at ", "pulled ",
    ),
    "cut_short": (
        "at minute ", "hardly sat ", "only got half ", "before we had", "being sick ", "the hour was gone",
        "here as of ", "came at half past", "coax ", "had him ", "had her ", "had them ", "of which ",
        "minus the ", "less the ", "first half", "for half of ", "half the time ", "line the first",
        "session cut short",
    ),
    "asks_billing": (
        "the wrong ", "may not be", "may be wrong", "signed draft",
        "bill", "please ", "advise", "coder", "coding", "compliance", "submit", "chart this", "charge",
        "claim", "code", "reported", "reimburs", "plan pays", "pays",
    ),
    "none_given": ("no psychotherapy", "no therap", "no treatment", "no intervention", "no counseling"),
    "not_seen": (
        "not seen", "n't seen", "not present", "n't present", "not invited", "n't invited",
        "not on the call", "n't on the call", "no session with", "no visit with", "no appointment with",
        "without him", "without her", "without them", "without the c", "without the p",
    ),
    "undiagnosed": (
        "diagnos", "dx", "nothing ", "neither ", "none ", "no disorder", "a disorder", "any disorder",
        "l disorder",
        "iatric disorder", "h disorder", "billable disorder", "current disorder", "m disorder",
    ),
}  # fmt: skip

_DIGITS = 10
_NAMED: dict[str, dict[str, None]] = {digit: {} for digit in "0123456789"}
for _name, _literals in LITERALS.items():
    for _literal in _literals:
        _NAMED.setdefault(_literal, {})[_name] = None
_WORDS = tuple(_NAMED)
_OF = tuple(map(tuple, _NAMED.values()))
_AUTOMATON = ahocorasick_rs.AhoCorasick(_WORDS, implementation=ahocorasick_rs.Implementation.DFA)


def find_hints(plain: str) -> tuple[dict[str, list[int]], list[tuple[int, int]]]:
    """Where the words of each pattern begin (a pattern without any is absent), and the runs of digits as
    half-open ranges."""
    found: dict[str, list[int]] = {}
    numbers: list[tuple[int, int]] = []
    begin = after = -1
    for word, start, end in _AUTOMATON.find_matches_as_indexes(plain, overlapping=True):
        if word >= _DIGITS:
            for name in _OF[word]:
                found.setdefault(name, []).append(start)
        elif start == after:
            after = end
        else:
            if begin >= 0:
                numbers.append((begin, after))
            begin, after = start, end
    if begin >= 0:
        numbers.append((begin, after))
    return found, numbers
