"""Claim filing indicator codes (SBR09), and which of them fit a class of payers."""

from billing.rules.facts import PayerClass

FILING_CODES: dict[str, str] = {
    "11": "other non-federal programme",
    "12": "preferred provider organization",
    "13": "point of service plan",
    "14": "exclusive provider organization",
    "15": "indemnity insurance",
    "16": "Medicare Advantage HMO",
    "17": "dental maintenance organization",
    "AM": "automobile medical",
    "BL": "Blue Cross or Blue Shield",
    "CH": "TRICARE",
    "CI": "commercial insurance",
    "DS": "disability",
    "FI": "federal employees programme",
    "HM": "health maintenance organization",
    "LM": "liability medical",
    "MA": "Medicare Part A",
    "MB": "Medicare Part B",
    "MC": "Medicaid",
    "OF": "other federal programme",
    "TV": "Title V",
    "VA": "Veterans Affairs",
    "WC": "workers' compensation",
    "ZZ": "kind of insurance not known",
}

COMMERCIAL = "CI"
UNKNOWN = "ZZ"

FITTING: dict[PayerClass, tuple[str, ...]] = {
    PayerClass.BLUE: ("BL",),
    PayerClass.MEDICARE: ("MB",),
    PayerClass.MEDICARE_ADVANTAGE: ("16", "12", "13", "CI", "HM"),
    PayerClass.MEDICAID: ("MC",),
    PayerClass.MEDICAID_MANAGED: ("MC", "HM"),
    PayerClass.TRICARE: ("CH",),
    PayerClass.VETERANS: ("VA",),
    PayerClass.FEDERAL_EMPLOYEES: ("FI",),
    PayerClass.OTHER_FEDERAL: ("OF",),
    PayerClass.HMO: ("HM",),
    PayerClass.PPO: ("12",),
    PayerClass.POINT_OF_SERVICE: ("13",),
    PayerClass.EXCLUSIVE_PROVIDER: ("14",),
    PayerClass.INDEMNITY: ("15",),
    PayerClass.COMMERCIAL: ("CI", "11", "12", "13", "14", "15", "HM"),
}
"""The first of each is what a claim carries where staff chose none."""
