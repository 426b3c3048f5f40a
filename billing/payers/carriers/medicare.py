"""Original Medicare, Part B: one payer id a state or part of it, under the contractor of its jurisdiction."""

from billing.models import PayerClass
from billing.payers.carriers.carrier import Carrier

_CONTRACTORS = {
    "JE": "Noridian",
    "JF": "Noridian",
    "J5": "WPS",
    "J8": "WPS",
    "J6": "NGS",
    "JK": "NGS",
    "JH": "Novitas",
    "JL": "Novitas",
    "JJ": "Palmetto GBA",
    "JM": "Palmetto GBA",
    "JN": "First Coast",
    "J15": "CGS",
}

# payer id, jurisdiction, state, area
_AREAS = (
    ("01112", "JE", "CA", "Northern California"),
    ("01182", "JE", "CA", "Southern California"),
    ("01212", "JE", "HI", "Hawaii"),
    ("01312", "JE", "NV", "Nevada"),
    ("02102", "JF", "AK", "Alaska"),
    ("02202", "JF", "ID", "Idaho"),
    ("02302", "JF", "OR", "Oregon"),
    ("02402", "JF", "WA", "Washington"),
    ("03102", "JF", "AZ", "Arizona"),
    ("03202", "JF", "MT", "Montana"),
    ("03302", "JF", "ND", "North Dakota"),
    ("03402", "JF", "SD", "South Dakota"),
    ("03502", "JF", "UT", "Utah"),
    ("03602", "JF", "WY", "Wyoming"),
    ("04102", "JH", "CO", "Colorado"),
    ("04212", "JH", "NM", "New Mexico"),
    ("04312", "JH", "OK", "Oklahoma"),
    ("04412", "JH", "TX", "Texas"),
    ("05102", "J5", "IA", "Iowa"),
    ("05202", "J5", "KS", "Kansas"),
    ("05302", "J5", "MO", "Missouri"),
    ("05402", "J5", "NE", "Nebraska"),
    ("06102", "J6", "IL", "Illinois"),
    ("06202", "J6", "MN", "Minnesota"),
    ("06302", "J6", "WI", "Wisconsin"),
    ("07102", "JH", "AR", "Arkansas"),
    ("07202", "JH", "LA", "Louisiana"),
    ("07302", "JH", "MS", "Mississippi"),
    ("08102", "J8", "IN", "Indiana"),
    ("08202", "J8", "MI", "Michigan"),
    ("09102", "JN", "FL", "Florida"),
    ("09202", "JN", "PR", "Puerto Rico"),
    ("10112", "JJ", "AL", "Alabama"),
    ("10212", "JJ", "GA", "Georgia"),
    ("10312", "JJ", "TN", "Tennessee"),
    ("11202", "JM", "SC", "South Carolina"),
    ("11302", "JM", "VA", "Virginia"),
    ("11402", "JM", "WV", "West Virginia"),
    ("11502", "JM", "NC", "North Carolina"),
    ("12102", "JL", "DE", "Delaware"),
    ("12202", "JL", "DC", "District of Columbia"),
    ("12302", "JL", "MD", "Maryland"),
    ("12402", "JL", "NJ", "New Jersey"),
    ("12502", "JL", "PA", "Pennsylvania"),
    ("13102", "JK", "CT", "Connecticut"),
    ("13202", "JK", "NY", "New York Downstate"),
    ("13282", "JK", "NY", "New York Upstate"),
    ("13292", "JK", "NY", "New York Queens"),
    ("14112", "JK", "ME", "Maine"),
    ("14212", "JK", "MA", "Massachusetts"),
    ("14312", "JK", "NH", "New Hampshire"),
    ("14412", "JK", "RI", "Rhode Island"),
    ("14512", "JK", "VT", "Vermont"),
    ("15102", "J15", "KY", "Kentucky"),
    ("15202", "J15", "OH", "Ohio"),
)


def _part_b(payer_id: str, jurisdiction: str, state: str, area: str) -> Carrier:
    contractor = _CONTRACTORS[jurisdiction]
    aliases = f"Medicare {area}; Original Medicare {area}; {contractor} {jurisdiction} Medicare {area}"
    if area == "District of Columbia":
        aliases += "; Medicare Part B Northern Virginia"
    return Carrier(
        payer_id,
        f"Medicare Part B {area}",
        PayerClass.MEDICARE,
        states=(state,),
        aliases=aliases,
        prominence=4,
    )


MEDICARE = (
    *(_part_b(*area) for area in _AREAS),
    Carrier(
        "00882",
        "Railroad Medicare",
        PayerClass.MEDICARE,
        aliases="Medicare Railroad; Palmetto GBA Railroad Medicare; RRB Medicare",
        prominence=4,
    ),
)
