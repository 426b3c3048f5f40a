"""The words of a note that name a service or a way of meeting, each weighed by its place."""

from bisect import bisect_left
from collections.abc import KeysView

from billing.notes.later import later
from billing.notes.lexicon import Mentions, entries_between
from billing.notes.page.layout import Layout
from billing.notes.text.tokens import TokenStream
from billing.notes.visit.fields import section_of
from billing.notes.visit.groups import (
    ARRIVED_FROM,
    ATTENDED,
    NEAR_LABEL,
    OWN,
    attended_besides,
    attended_here,
    attended_that_day,
    is_held_here,
    is_somewhere,
    is_to_come,
)
from billing.notes.visit.modality import Cue
from billing.notes.visit.practice import in_a_name, offers
from billing.notes.visit.rendered import (
    SAID_OUTRIGHT,
    anothers,
    held_elsewhere,
    held_that_day,
    not_held,
    of_their_own,
    on_another_day,
    said_outright,
)
from billing.notes.visit.whole import SO_LONG_OF, is_all_of_it

MAIN_SERVICES = ("individual", "group", "multiple_family_group", "family", "couples", "crisis", "intake")
SHARED = frozenset(("group", "family", "couples"))
HEADER_KINDS = frozenset(("service", "modality", "participants", "time", "status"))
_BACKGROUND_KINDS = frozenset(
    (
        "plan",
        "goal",
        "family_history",
        "past_history",
        "substance_history",
        "medical",
        "social_history",
        "risk",
        "measures",
    )
)
_VIDEO_NOW = frozenset(("telehealth", "audio_only"))
_MEETING = _VIDEO_NOW | {"in_person"}
_MADE_ROOM = ("cleared", "rearranged", "opened", "freed")
# `Her internet has been out since the storm, so this was by telephone`
_THIS_ONE = ("we", "this", "it", "today", "today's")
# Told of without any weight as well.
_TOLD_ANYWHERE = frozenset(("no_service", "private", "complexity"))
# The background of a note says something of these alone.
_IN_BACKGROUND = _MEETING | _TOLD_ANYWHERE
# Another visit that is named stands no farther from the words that it takes along.
_NEAREST, _WIDEST_CLAUSE = 7, 30
_LEAD, _TODAY_WITHIN, _LISTED = 40, 30, 320
# `SERVICES ELSEWHERE   [X] Group: Caregiver circle`
_GIVEN_ELSEWHERE = later(
    r"\b(?:services? (?:elsewhere|authorized)|other services|outside (?:services|providers))\b"
    r"(?:[^\n]|\n(?!\n))*\Z"
)
_NEXT_TO_DAY = 80
_TIMED_KINDS = ("individual", "by_phone")
# A length that is the last word on the service, and no appointment's.
_TIMED = later(
    r"[ ]?[,(x][ ]?\d{2}[ ]?(?:min|m\b|')[a-z]*\)?[ ]*"
    r"(?:[.,;]? ?(?:in (?:the |my )?office|in person)[ ]?)?(?:[.;\n]|\Z)"
)
_TITLE = 4
# Every alternative begins with a letter, so that most are passed over at once, those of a letter together.
_NOT_VISIT_AFTER = later(
    r"[^.;\n]{0,40}?\b(?:a(?:re (?:planned|set up|in the works)"
    r"|ttended (?:(?:on|last) )?(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun))|begins?"
    r"|completed (?:on )?\d|discussed|every(?! (?:one|bit|single|minute|word) )|fridays"
    r"|i(?:n (?:\d+ (?:weeks?|days?)|two weeks|three weeks|(?:19|20)\d\d)|nstead"
    r"|s (?:planned|set up|in the works))"
    r"|last (?:year|month|week|night|spring|summer|fall|winter|time)|mon(?:days|ths? ago)"
    r"|n(?:ext|ot interested)"
    r"|o(?:ffered|ther provider|n (?:mon|tues|wednes|thurs|fri|satur|sun)days?)|policy"
    r"|re(?:commended"
    r"|ferral(?<!on referral)(?<!on the referral)(?<!by referral)(?<!after referral)(?<!following referral))"
    r"|s(?:uggested|cheduled|et for|aturdays|undays"
    r"|(?<!at the s)(?<!not s)(?<!n't s)tarts?(?! to finish|(?: time)?[ :]*\d))"
    r"|t(?:omorrow|uesdays|hursdays)"
    r"|w(?:as (?:completed|done|offered|declined|suggested)|ere suggested|ednesdays|eekly|eeks? ago|ith dr)"
    r"|y(?:esterday|ears? ago))\b"
)
_TODAY = later(
    r"\b(?:today|this session|this visit|held|conducted|attended|provided|present|completed today|seen|met"
    r"|joined)\b"
)
_CAME_TO = later(r"\b(?:attended|participat\w+|present|came|joined|seen)\b[^.;\n]{0,30}\Z")
# The name of a practice: `Red Rock Family Counseling / Encounter`.
_OF_A_PRACTICE = later(
    r" (?:center|centre|associates|clinic|services|group practice|practice|llc|inc|institute|partners"
    r"|collective|pllc)\b|(?: center)? / "
)
# Who took part in a group that is called as a practice might be.
_MEMBERS = later(
    r"\b\d+ (?:members|participants|clients|group members)\b"
    r"|\b(?:members|participants) (?:present|attended)\b"
    r"|\b(?:attendance|facilitators?):"
)
# A benefit that is explained is not used.
_ONLY_NAMED_AFTER = later(
    r"[^.;\n]{0,12}\b(?:is|are|was|would be|could be|may be|might be) (?:also )?(?:a benefit|an option"
    r"|available|possible|covered|something|an idea|explained|mentioned"
    r"|for (?:families|people|those|relatives|parents of))\b"
)
_TELLS = later(r"\b(?:she|he|they|i|we)\b")
_INSURANCE_WORDS = frozenset(("group number", "group name", "group title", "group type"))
# `Held by video instead`: the way that the visit took after all.
_HELD_WITHIN = 44
_TURNED = later(r"[^.;\n]{0,20}\binstead\b")
_HELD = later(
    r"\b(?:held|met|seen|saw each other|we (?:spoke|talked|worked|sat)|did|done|conducted|moved|switched"
    r"|changed|converted|took place|connected"
    r"|came)\b[^.;\n]*\Z"
)


class Cues:
    """The service mentions of one note, by kind; each kind is weighed when it is asked for."""

    def __init__(
        self, text: str, plain: str, tokens: TokenStream, mentions: Mentions, layout: Layout
    ) -> None:
        self._text, self._plain, self._tokens, self._layout = text, plain, tokens, layout
        self.in_names: set[int] = set()
        """Where those cues begin that are part of a practice's name, as far as was asked."""
        self._not_this_visit = mentions.not_this_visit
        self._not_behind = {first for first, _, _ in mentions.not_service_after}
        self._title_end = layout.title[1]
        self._opening = max(min(260, len(plain) // 3), self._title_end)
        self._entries: dict[str, list[tuple[int, int]]] = {}
        for first, last, kind in mentions.services:
            self._entries.setdefault(kind, []).append((first, last))
        self._has_group = "group" in self._entries and is_held_here(plain)

    @property
    def kinds(self) -> KeysView[str]:
        """The kinds that the note has words of."""
        return self._entries.keys()

    def of(self, kind: str) -> list[Cue]:
        """The cues of a kind that may speak of this visit, in order."""
        entries = self._entries.get(kind, ())
        return [cue for first, last in entries if (cue := self._weigh(kind, first, last)) is not None]

    def _weigh(self, kind: str, first: int, last: int) -> Cue | None:
        """One cue with its weight: 4 a title, 3 a header field or a tick, 2 the opening, 1 prose, 0 not
        this visit."""
        plain, layout = self._plain, self._layout
        start, end = self._tokens.starts[first], self._tokens.ends[last - 1]
        section = section_of(plain, layout, start)
        background = section in _BACKGROUND_KINDS
        if (
            background
            and kind not in _IN_BACKGROUND
            and not (section == "plan" and self._is_timed(kind, start, end))
        ):
            return None
        box = layout.ticked(plain, start, end) if layout.boxes else None
        in_title = start < self._title_end and layout.title[0] <= start and not self._in_story(start)
        if box is False or (
            last in self._not_behind
            and self._tokens.words[last] != "of"
            and "(" not in self._tokens.between(last - 1, last)
            and not (in_title and self._tokens.words[last] == "form")
        ):
            return None
        if box and kind in SHARED and _GIVEN_ELSEWHERE.search(plain, max(0, start - _LISTED), start):
            return None
        if kind in SHARED and self._is_of_others(kind, start, end, in_title=in_title):
            return None
        if section in HEADER_KINDS:
            return Cue(kind, start, end, 3)
        if kind in MAIN_SERVICES and self._names_a_practice(kind, first, last):
            self.in_names.add(start)
            return Cue(kind, start, end, 1)
        if background:
            weight = 1 if kind in _MEETING or kind in _TIMED_KINDS else 0
        else:
            if kind in MAIN_SERVICES and _ONLY_NAMED_AFTER.match(plain, end):
                return None
            weight = 1
            if box:
                weight = 3
            elif in_title:
                weight = 4 if self._is_title(start) else 3
            elif start < self._opening:
                weight = 2
            weight = self._of_this_visit(kind, first, end, weight, in_title=in_title)
            if weight and kind in MAIN_SERVICES and not box:
                if said_outright(kind, plain, start, end):
                    return Cue(kind, start, end, SAID_OUTRIGHT)
                if kind in SHARED and (
                    not_held(plain, start) or anothers(plain, start) or of_their_own(plain, start, end)
                ):
                    return None
                if (
                    kind == "group"
                    and not self._has_group
                    and (is_somewhere if weight == 1 else is_to_come)(plain, start, end)
                ):
                    return None
        return Cue(kind, start, end, weight) if weight or kind in _TOLD_ANYWHERE else None

    def _is_timed(self, kind: str, start: int, end: int) -> bool:
        """`P - Labs next week. DBT individual, 60 min.`, `25 minutes of individual therapy by phone.`"""
        if kind == "by_phone":
            timed = SO_LONG_OF.search(self._plain, max(0, start - _LEAD), start) is not None
            return timed or is_all_of_it(self._plain, start, end)
        return kind == "individual" and _TIMED.match(self._plain, end) is not None

    def _names_a_practice(self, kind: str, first: int, last: int) -> bool:
        """Whether words of a service are part of a practice's name, or of what it offers."""
        start = self._tokens.starts[first]
        if start < self._title_end and offers(self._plain, start):
            return True
        return (
            kind in SHARED
            and in_a_name(self._text, self._tokens, first, last)
            and not (kind == "group" and _MEMBERS.search(self._plain))
        )

    def _is_of_others(self, kind: str, start: int, end: int, *, in_title: bool) -> bool:
        """Whether words of a shared session name an insurance, a practice or what others take part in."""
        plain = self._plain
        if kind == "group":
            if plain[start:end] in _INSURANCE_WORDS and not ATTENDED.search(plain, end, end + NEAR_LABEL):
                return True
            lead = plain[max(0, start - _LEAD) : start]
            if lead.endswith("primary "):
                return True  # the fourth axis: `problems with primary support group`
            if plain.startswith(("iop day", "php day"), start) and "individual" in plain[:_NEXT_TO_DAY]:
                return True  # `IOP DAY 11 - INDIVIDUAL COUNSELING NOTE`
            if (OWN.search(lead) and not _CAME_TO.search(lead)) or ARRIVED_FROM.search(lead):
                return True
        practice = _OF_A_PRACTICE.match(plain, end) if start < self._title_end else None
        if practice is not None and (start > self._layout.title[0] or "/" not in practice[0]):
            return True
        # `Family, work and sleep discussed`
        return plain.endswith(", work", start, end) or held_elsewhere(plain, end)

    def _of_this_visit(self, kind: str, first: int, end: int, weight: int, *, in_title: bool) -> int:
        """The weight, less where the words round it name another visit."""
        plain = self._plain
        start = self._tokens.starts[first]
        if kind == "group" and (
            attended_besides(plain, start, end)
            or ("individual" in self._entries and attended_that_day(plain, start, end))
        ):
            return 0
        if kind == "group" and attended_here(plain, start, end):
            return weight
        if kind == "individual" and weight == 1 and on_another_day(plain, start, end):
            return 0
        if self._behind_another(kind, first):
            if not in_title:
                return 0
            if kind in _MEETING or kind == "by_phone":
                return 1
        if weight >= _TITLE or not _NOT_VISIT_AFTER.match(plain, end):
            return weight
        if kind in MAIN_SERVICES and held_that_day(plain, start, end):
            return weight
        turned = _TURNED.match(plain, end) and (
            kind == "in_person" or _HELD.search(plain, max(0, start - _HELD_WITHIN), start)
        )
        return weight if turned or _TODAY.search(plain, end, end + _TODAY_WITHIN) else 0

    def _behind_another(self, kind: str, first: int) -> bool:
        """Whether another visit is named right before a word, in its clause."""
        entries, words = self._not_this_visit, self._tokens.words
        at = bisect_left(entries, (first,))
        if not at or first - entries[at - 1][1] > _NEAREST:
            return False
        clause_first = max(self._tokens.clause_of(first)[0], first - _WIDEST_CLAUSE)
        return any(
            first - other_last <= _NEAREST
            # `SI with a plan; 988 called, safety plan written`
            and not (kind == "crisis_factor" and words[other] == "plan")
            and words[other_last] != "time"  # `met for the first time`
            # `I cleared my schedule and provided ...`
            and not (words[other] == "schedule" and words[max(0, other - 2)] in _MADE_ROOM)
            and words[other : other_last + 1] != ["first", "meeting"]
            and words[other - 1 : other_last] != ["at", "once"]
            # `The truck would not start, so we met by video`
            and not (words[other - 1] == "not" and "we" in words[other_last:first])
            # `She has no camera and wants none, so we went on by telephone`
            and not any(
                words[at] == "so" and words[at + 1] in _THIS_ONE for at in range(other_last, first - 1)
            )
            for other, other_last, _ in entries_between(entries, clause_first, first)
        )

    def _is_title(self, start: int) -> bool:
        left, right = self._layout.title
        return right - left <= 120 and "." not in self._plain[left:start]

    def _in_story(self, start: int) -> bool:
        """Whether what stands first tells a story instead of being a title."""
        left, right = self._layout.title
        plain = self._plain
        return ". " in plain[left:right].rstrip() and _TELLS.search(plain, left, start) is not None
