"""A request's stay in its web process: its place there, whose it is, and its body, read once that is known.

A process has few places. No partner holds all of them, and a body is waited for in the name of whoever sends
it: a key that is not in force gets none read, and who is silent keeps nobody but itself from submitting.

No body has a deadline here: answered while a read runs, the server stops the whole process until that ends. A
silent sender keeps its place until it hangs up; the deadline is the proxy's in front, which buffers requests.
"""

import logging
from collections import Counter
from dataclasses import dataclass
from io import BytesIO
from threading import Condition
from typing import Any

from django.http import HttpRequest

logger = logging.getLogger(__name__)
PATIENCE_SECONDS = 1.0
_LONGEST_LENGTH = 9
_NAME = "billing.visit"


class Busy(Exception):
    """No place became free in time."""


class TooLarge(Exception):
    """The body states more bytes than are read here."""


class Places:
    """So many at once, and so many of each holder: who finds none waits, unless another just did in vain."""

    def __init__(self, number: int, *, each: int, told: str) -> None:
        self._free, self._each, self._told = number, each, told
        self._held: Counter[str] = Counter()
        self._in_vain: set[str | None] = set()
        self._changed = Condition()

    def enter(self, holder: str = "", *, wait: bool = True) -> bool:
        """Take one; False where none became free."""
        with self._changed:
            if self._has_one_for(holder) or (wait and self._await_one_for(holder)):
                self._free -= 1
                self._held[holder] += 1
                return True
        return False

    def leave(self, holder: str = "") -> None:
        """Give it back."""
        with self._changed:
            self._free += 1
            self._held[holder] -= 1
            if not self._held[holder]:
                del self._held[holder]
            self._in_vain -= {holder, None}
            self._changed.notify_all()

    def _has_one_for(self, holder: str) -> bool:
        return self._free > 0 and self._held[holder] < self._each

    def _await_one_for(self, holder: str) -> bool:
        missed = holder if self._held[holder] >= self._each else None
        if missed in self._in_vain:
            return False
        if self._changed.wait_for(lambda: self._has_one_for(holder), PATIENCE_SECONDS):
            return True
        if missed not in self._in_vain:
            self._in_vain.add(missed)
            logger.warning(self._told)
        return False


@dataclass(frozen=True)
class House:
    """The places of a web process."""

    places: Places
    shares: Places
    """The same places again, of which no partner has all."""
    readers: Places
    """Those that wait for bodies of partners and of staff who have signed in: no holder has all of them."""
    strangers: Places
    """Those that wait for bodies of anybody else, who signs in: a quarter of the places."""

    @classmethod
    def of(cls, places: int) -> "House":
        """A house of so many places."""
        quarter = max(places // 4, 1)
        most = max(places - quarter, 1)
        slow = "bodies are slow to come; requests with one are turned away"
        return cls(
            places=Places(places, each=places, told="every place is taken; requests are turned away"),
            shares=Places(
                places * 2,
                each=most,
                told="a partner has its share of the places; its requests are turned away",
            ),
            readers=Places(most, each=max(most - 1, 1), told=slow),
            strangers=Places(quarter, each=max(quarter // 2, 1), told=slow),
        )


class Visit:
    """One request's stay."""

    def __init__(self, house: House, environ: dict[str, Any]) -> None:
        self._house = house
        self._sent = environ["wsgi.input"]
        self._stated = environ.get("CONTENT_LENGTH", "")
        self.leaves_body = self._stated not in ("", "0") or "HTTP_TRANSFER_ENCODING" in environ
        """Whether a body was sent that is not read: nothing more can come on its connection."""
        self._body = environ["wsgi.input"] = BytesIO()  # what Django reads; empty until `fetch_body`
        self._inside = False
        self._partner: str | None = None
        environ[_NAME] = self

    def enter(self) -> bool:
        """Take a place."""
        self._inside = self._house.places.enter()
        return self._inside

    def leave(self) -> None:
        """Give back what is held."""
        if self._inside:
            self._house.places.leave()
            self._inside = False
        if self._partner is not None:
            self._house.shares.leave(self._partner)
            self._partner = None

    def count_for(self, partner: str) -> None:
        """Be one of this partner's; where it has its share already, wait for that outside, or be Busy."""
        shares = self._house.shares
        if not shares.enter(partner, wait=False):
            self.leave()
            if not shares.enter(partner):
                raise Busy
            self._partner = partner
            if not self.enter():
                raise Busy
        self._partner = partner

    def fetch_body(self, holder: str, *, known: bool, most: int) -> None:
        """Have the body read, in this holder's name; none is where its length is no number or nought."""
        if not (self._stated.isascii() and self._stated.isdecimal()) or self._stated == "0":
            return
        if len(self._stated) > _LONGEST_LENGTH or int(self._stated) > most:
            raise TooLarge
        size = int(self._stated)
        waiting = self._house.readers if known else self._house.strangers
        if not waiting.enter(holder):
            raise Busy
        try:
            self._body.write(self._sent.read(size))
            self.leaves_body = False
        except Exception as error:
            logger.warning("a body broke off: %s", type(error).__name__)
        finally:
            waiting.leave(holder)
        self._body.seek(0)


def visit_of(request: HttpRequest) -> Visit | None:
    """The request's visit; None where it came by no web process, as in tests."""
    visit: Visit | None = request.META.get(_NAME)
    return visit
