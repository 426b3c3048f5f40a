"""What the back office's templates draw with: icons, status chips, amounts, ages."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django import template
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from claims.assignment import called
from claims.desk.repricing import Repricing, repriced_by
from claims.figures import PartnerNumbers, numbers_of
from claims.fold import words
from claims.models import WorkItem
from claims.staff_words import QUEUE_READINGS, URGENT_DAYS, at_the_desk, status_reading
from claims.work_list import LEASE, Tally

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractUser

    from claims.admin.figures import Share
    from partners.models import Partner
    from providers.charge_import import Plan

register = template.Library()
register.filter("at_the_desk", at_the_desk)
register.filter("called", called)


@register.simple_tag
def icon(name: str) -> SafeString:
    """Draw an icon that says nothing by itself: the words stand beside it."""
    return format_html(
        '<svg class="icon" aria-hidden="true" focusable="false"><use href="{}#{}"></use></svg>',
        static("desk/icons.svg"),
        name,
    )


@register.simple_tag
def status_chip(status: str, queue: str = "") -> SafeString:
    """Draw a claim's status as glyph and words in its tone."""
    reading = status_reading(status, queue=queue)
    return format_html(
        '<span class="chip tone-{}">{}{}</span>', reading.tone, icon(reading.tone), reading.words
    )


@register.simple_tag
def shortcut(keys: str) -> SafeString:
    """Print the key of a button on it."""
    return format_html('<kbd aria-hidden="true">{}</kbd>', keys)


@register.simple_tag
def day_in(days: int, at_most: date | None = None) -> str:
    """Write the day that many days from today as a date field takes it, or a nearer one that is to come."""
    today = timezone.localdate()
    chosen = today + timedelta(days=days)
    return (at_most if at_most and today < at_most < chosen else chosen).isoformat()


@register.simple_tag
def repriced(plan: "Plan") -> Repricing:
    """The open sessions that a change of rates would price anew."""
    return repriced_by(plan)


@register.simple_tag
def partner_numbers(partner: "Partner") -> PartnerNumbers:
    """How a partner's sessions of late went."""
    return numbers_of(partner.pk)


@register.filter
def money(amount: Decimal | None) -> str:
    """Write dollars and cents; a dash where there is no amount."""
    return "–" if amount is None else words.dollars(amount)


@register.filter
def dollars(amount: Decimal | None) -> str:
    """Write whole dollars, thousands with commas."""
    return "–" if not amount else f"${amount:,.0f}"


@register.filter
def short_money(amount: Decimal | None) -> str:
    """Write an amount in as few characters as a chart has room for."""
    if not amount:
        return "$0"
    if amount >= 1_000_000:
        return f"${amount / 1_000_000:,.2f}M"
    return f"${amount / 1000:,.0f}k" if amount >= 10_000 else f"${amount:,.0f}"


@register.filter
def number(value: int | None) -> str:
    """Write a number with commas; a dash for none."""
    return f"{value:,}" if value else "–"


@register.filter
def is_today(instant: datetime) -> bool:
    """Tell whether it was today."""
    return timezone.localtime(instant).date() == timezone.localdate()


@register.filter
def age(since: datetime | None) -> str:
    """Write how long ago something was: minutes, hours or days."""
    if since is None:
        return "–"
    seconds = (timezone.now() - since).total_seconds()
    if seconds < 3600:
        return f"{max(int(seconds // 60), 0)} min"
    return f"{int(seconds // 3600)} h" if seconds < 86_400 else f"{int(seconds // 86_400):,} d"


@register.filter
def days_left(day: date | None) -> str:
    """Write how many days are left to file; `today` on the last one, `over` after it."""
    if day is None:
        return "–"
    left = (day - timezone.localdate()).days
    return "over" if left < 0 else "today" if left == 0 else f"{left} d"


@register.filter
def is_urgent(day: date | None) -> bool:
    """Tell whether a filing deadline is less than six days away."""
    return day is not None and (day - timezone.localdate()).days < URGENT_DAYS


@register.filter
def day(value: date | datetime | None) -> str:
    """Write a day without its year where it is this year's or last year's near end."""
    if not value:
        return "–"
    if isinstance(value, datetime):
        value = timezone.localtime(value).date()
    near = abs((timezone.localdate() - value).days) < 180
    return f"{value:%b} {value.day}" if near else f"{value:%b} {value.day}, {value.year}"


@register.filter
def moment(value: datetime | None) -> str:
    """Write a day as `day` does, with the time; nothing for none."""
    return f"{day(value)}, {timezone.localtime(value):%H:%M}" if value else ""


@register.filter
def initials(user: "AbstractUser") -> str:
    """At most two capitals for the round badge."""
    return "".join(word[0] for word in called(user).split()[:2]).upper()


@register.filter
def count_of(numbers: Tally, name: str) -> str:
    """One of a tally's numbers; nothing where it is zero."""
    value = getattr(numbers, name)
    return f"{value:,}" if value else ""


@register.filter
def subject(item: WorkItem) -> str:
    """What an item is about: a patient, or the claim that an answer names, or the file that it came with."""
    if item.session is not None:
        return f"{item.session.patient_last_name}, {item.session.patient_first_name}"
    if item.signal is None:
        return "A file"
    return (
        f"Claim {item.signal.patient_control_number}" if item.signal.patient_control_number else "An answer"
    )


@register.simple_tag
def queue_chip(queue: str) -> SafeString:
    """Draw a queue as glyph and words in its tone."""
    reading = QUEUE_READINGS[queue]
    return format_html(
        '<span class="chip tone-{}">{}{}</span>', reading.tone, icon(reading.tone), reading.title
    )


@register.simple_tag
def with_whom(item: WorkItem, user: "AbstractUser") -> str | SafeString:
    """Say who has taken an item or has it open now; nothing where nobody has."""
    leased = item.leased_at is not None and item.leased_at > timezone.now() - LEASE
    holder = item.assignee or (item.leased_by if leased else None)
    if holder is None:
        return ""
    return format_html("{} {}", icon("person"), "you" if holder.pk == user.pk else called(holder))


@register.filter
def days_alone(day: date) -> str:
    """The number of days left, or past, for a large figure."""
    return f"{abs((day - timezone.localdate()).days):,}"


@register.filter
def days_words(day: date) -> str:
    """What stands under that figure."""
    left = (day - timezone.localdate()).days
    return "late" if left < 0 else "last day" if left == 0 else "day" if left == 1 else "days"


@register.simple_tag
def bar(share: "Share") -> SafeString:
    """Draw a bar of a ranking; its figures stand beside it."""
    return format_html(
        '<svg class="bar" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="fill-{}" x="0" y="1" width="{}" height="10" rx="1"></rect></svg>',
        share.tone,
        round(max(share.length, 1), 1) if share.length else 0,
    )


@register.filter
def change(points: float | None) -> str:
    """Write a change in points with an arrow that says its direction; a dash for none."""
    if points is None:
        return "–"
    return "=" if not points else f"{'▲' if points > 0 else '▼'} {abs(points):.1f}"


@register.filter
def item(mapping: dict[str, str], key: str) -> str:
    """One value of a mapping."""
    return mapping[key]


@register.simple_tag
def query(**values: str) -> str:
    """Write a query string."""
    return urlencode(values)


@register.filter
def last_day(first_day_after: date | None) -> date | None:
    """The last day of a range that names the first day after it."""
    return None if first_day_after is None else first_day_after - timedelta(days=1)


@register.filter
def amount(amounts: dict[str, Decimal], kind: str) -> str:
    """One of several amounts; a dash where there is none."""
    return money(amounts.get(kind))
