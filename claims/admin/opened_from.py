"""The list that a page was opened from: its queue, what it was narrowed to, and the page of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.http import HttpRequest, QueryDict
from django.urls import reverse

from claims.admin.queue_filters import Filters
from claims.staff_words import QUEUE_READINGS
from claims.work_list import Narrow

LONGEST = 4000


@dataclass(frozen=True, slots=True)
class OpenedFrom:
    """A list as its items carry it; as text it is what stands behind `queue=` in an address or a form."""

    key: str = ""
    filters: Filters = field(default_factory=Filters)
    after: str = ""
    """The item that its page begins behind."""

    @classmethod
    def named_by(cls, request: HttpRequest) -> "OpenedFrom":
        """Read what a page's form or its address names; nothing where that is no list that we have."""
        written = str(request.POST.get("queue", ""))
        query = QueryDict(f"queue={written[:LONGEST]}") if written else request.GET
        return cls.at(query.get("queue", ""), query)

    @classmethod
    def at(cls, key: str, query: Mapping[str, str]) -> "OpenedFrom":
        """A queue with its own query string."""
        if key not in QUEUE_READINGS:
            return cls()
        after = query.get("after", "")
        return cls(key, Filters.read(query), after if after.isascii() and after.isdigit() else "")

    def __bool__(self) -> bool:
        """Whether there is one."""
        return bool(self.key)

    def __str__(self) -> str:
        """Write it as it stands behind `queue=`."""
        return self.key + self.query.replace("?", "&", 1)

    @property
    def title(self) -> str:
        """What the list is called."""
        return QUEUE_READINGS[self.key].title if self.key else ""

    @property
    def address(self) -> str:
        """The page of the list."""
        return reverse("desk:queue", args=[self.key]) + self.query

    @property
    def start(self) -> str:
        """Where the next of its items is asked for."""
        return reverse("desk:start", args=[self.key]) + self.query

    def narrow_for(self, user: User) -> Narrow | None:
        """Leave what its filters leave; None where there are none."""
        return partial(self.filters.narrow, user=user) if self.filters.query() else None

    @property
    def query(self) -> str:
        """The list's own query string, with its question mark; empty where it has none."""
        named = (self.filters.query(), urlencode({"after": self.after}) if self.after else "")
        written = "&".join(filter(None, named))
        return f"?{written}" if written else ""
