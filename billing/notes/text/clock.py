"""A time of day as a note tells it: often without its half of the day."""

import msgspec

_DAY = 24 * 60
_LONGEST = 240


class Clock(msgspec.Struct, frozen=True, gc=False):
    """A time of day; `exact` where it is told by more than the number of an hour. Below zero the hour is not
    told: `twenty past`."""

    hour: int
    minute: int
    meridiem: str | None
    exact: bool

    def readings(self) -> tuple[int, ...]:
        """The minutes of the day that it may mean."""
        if self.hour < 0:
            hours: tuple[int, ...] = tuple(range(24))
        elif self.hour > 12 or self.hour == 0:
            hours = (self.hour,)
        elif self.meridiem:
            hours = ((self.hour % 12) + (12 if self.meridiem == "p" else 0),)
        else:
            hours = (self.hour % 12, self.hour % 12 + 12)
        return tuple((hour * 60 + self.minute) % _DAY for hour in hours)


def shortest(first: Clock, last: Clock) -> tuple[int, tuple[int, int]] | None:
    """The reading of two times of day with the shortest positive span of at most four hours: its minutes,
    and from when to when."""
    readings = [
        (minutes, (a, b))
        for a in first.readings()
        for b in last.readings()
        if 0 < (minutes := (b - a) % _DAY) <= _LONGEST
    ]
    return min(readings) if readings else None
