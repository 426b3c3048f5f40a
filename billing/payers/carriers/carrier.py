"""The shape in which the payer table is written down, and what follows from a payer's class."""

from dataclasses import dataclass

from billing.models import ClaimFilingCode, PayerClass
from billing.rules import facts
from billing.rules.tables.filing_codes import FITTING


@dataclass(frozen=True, slots=True)
class TimelyFiling:
    """Days from the date of service in which a claim must arrive, and where the figure comes from."""

    days: int
    basis: str


_REGULATION = TimelyFiling(365, "one calendar year from the date of service, 42 CFR 424.44")
_PROGRAM = TimelyFiling(365, "program rule: one year from the date of service")
_BLUE = TimelyFiling(180, "Blue plans differ, 90 to 365 days; 180 is the usual short figure")
_STATE = TimelyFiling(90, "no figure found for this one; the shortest among the states")
_SHORTEST = TimelyFiling(90, "no figure found for this one; the shortest that large carriers use")

TIMELY_FILING: dict[PayerClass, TimelyFiling] = {
    PayerClass.BLUE: _BLUE,
    PayerClass.MEDICARE: _REGULATION,
    PayerClass.MEDICAID: _STATE,
    PayerClass.MEDICAID_MANAGED: _STATE,
    PayerClass.TRICARE: _PROGRAM,
    PayerClass.VETERANS: TimelyFiling(180, "program rule: 180 days"),
    PayerClass.FEDERAL_EMPLOYEES: TimelyFiling(
        365, "end of the year after the year of service, at least 365 days"
    ),
}


@dataclass(frozen=True, slots=True)
class Carrier:
    """One payer as a fact: its electronic id, its names, its class, its habits.

    `aliases` are divided by semicolons. `filing_code` and `timely_filing` are given only where they differ
    from what the class says, `member_id` (pattern and invented example) where the payer has its own form.
    """

    payer_id: str
    name: str
    payer_class: PayerClass
    states: tuple[str, ...] = ()
    aliases: str = ""
    prominence: int = 3
    filing_code: ClaimFilingCode | None = None
    timely_filing: TimelyFiling | None = None
    member_id: tuple[str, str] = ("", "")
    avatar_url: str = ""
    enrollment_required: bool = False
    """It takes claims only from whom it has enrolled."""

    def other_names(self) -> tuple[str, ...]:
        """Its aliases, one by one."""
        return tuple(alias.strip() for alias in self.aliases.split(";") if alias.strip())

    def filed_as(self) -> ClaimFilingCode:
        """The claim filing code of its claims."""
        return self.filing_code or ClaimFilingCode(FITTING[facts.PayerClass(self.payer_class)][0])

    def to_be_filed_within(self) -> TimelyFiling:
        """The smallest figure found, unconfirmed."""
        return self.timely_filing or TIMELY_FILING.get(self.payer_class, _SHORTEST)
