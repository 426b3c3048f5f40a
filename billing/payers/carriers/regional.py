"""Carriers of one state or region, and the regions of Kaiser Permanente."""

from billing.models import PayerClass
from billing.payers.carriers.carrier import Carrier, TimelyFiling

_HMO = PayerClass.HMO
_KAISER_FILING = TimelyFiling(90, "regions 90 to 365 days")


def _kaiser(payer_id: str, region: str, states: str, aliases: str = "", *, prominence: int = 6) -> Carrier:
    return Carrier(
        payer_id,
        f"Kaiser Permanente {region}",
        _HMO,
        states=tuple(states.split()),
        aliases=f"Kaiser {region}; Kaiser Foundation Health Plan of {region}; {aliases}",
        prominence=prominence,
        timely_filing=_KAISER_FILING,
    )


def _regional(
    payer_id: str,
    name: str,
    states: str,
    aliases: str = "",
    *,
    payer_class: PayerClass = _HMO,
    prominence: int = 3,
) -> Carrier:
    return Carrier(
        payer_id, name, payer_class, states=tuple(states.split()), aliases=aliases, prominence=prominence
    )


REGIONAL = (
    _kaiser(
        "94135",
        "Northern California",
        "CA",
        "Kaiser NorCal; Kaiser Foundation Health Plan Northern CA",
        prominence=7,
    ),
    _kaiser(
        "94134",
        "Southern California",
        "CA",
        "Kaiser SoCal; Kaiser Foundation Health Plan Southern CA",
        prominence=7,
    ),
    _kaiser("91617", "Colorado", "CO"),
    _kaiser("21313", "Georgia", "GA"),
    _kaiser("94123", "Hawaii", "HI"),
    _kaiser(
        "52095",
        "Mid-Atlantic",
        "DC MD VA",
        "Kaiser MidAtlantic States; Kaiser Maryland; Kaiser Virginia",
    ),
    _kaiser("NW002", "Northwest", "OR WA", "Kaiser Oregon"),
    _kaiser("91051", "Washington", "WA", "Group Health Cooperative Washington"),
    _regional("63114", "VIVA Health", "AL"),
    _regional(
        "95567",
        "Health Net",
        "CA OR WA",
        "Health Net of California; Health Net of Oregon; HealthNet",
        prominence=6,
    ),
    _regional("59274", "AvMed", "FL", prominence=4),
    _regional("22254", "Fallon Health", "MA", "Fallon Community Health Plan"),
    _regional(
        "04271",
        "Harvard Pilgrim Health Care",
        "MA ME NH",
        "Harvard Pilgrim; HPHC; Point32Health",
        prominence=6,
    ),
    _regional("04298", "Tufts Health Plan", "MA RI", "Tufts; Tufts Commercial; Point32Health", prominence=6),
    _regional("38224", "Health Alliance Plan", "MI", "HAP; Health Alliance Plan of Michigan"),
    _regional("38217", "Priority Health", "MI", prominence=5),
    _regional("94267", "HealthPartners", "MN WI", "Health Partners", prominence=5),
    _regional("94265", "Medica", "MN", payer_class=PayerClass.COMMERCIAL, prominence=5),
    _regional("52629", "UCare", "MN", "UCare Minnesota"),
    _regional("SX065", "CDPHP", "NY", "Capital District Physicians Health Plan", prominence=5),
    _regional(
        "13551",
        "EmblemHealth GHI",
        "NY",
        "Emblem GHI PPO; GHI; Group Health Incorporated",
        payer_class=PayerClass.COMMERCIAL,
        prominence=6,
    ),
    _regional(
        "55247",
        "EmblemHealth HIP",
        "NY",
        "EmblemHealth; HIP; HIP Health Plan of New York",
        prominence=6,
    ),
    _regional("80141", "Healthfirst", "NJ NY", "Healthfirst New York; Healthfirst PHSP", prominence=5),
    _regional("95308", "Independent Health", "NY"),
    _regional("14165", "MVP Health Care", "NY VT", "MVP; MVP Health Plan", prominence=5),
    _regional("13265", "MetroPlus Health Plan", "NY", "MetroPlus; MetroPlusHealth"),
    _regional(
        "13350",
        "Moda Health",
        "AK OR WA",
        "Moda; ODS",
        payer_class=PayerClass.COMMERCIAL,
        prominence=5,
    ),
    _regional(
        "93029",
        "PacificSource Health Plans",
        "ID MT OR WA",
        "PacificSource",
        payer_class=PayerClass.COMMERCIAL,
    ),
    _regional(
        "SX133",
        "Providence Health Plan",
        "OR WA",
        "Providence",
        payer_class=PayerClass.COMMERCIAL,
        prominence=5,
    ),
    _regional("75273", "Geisinger Health Plan", "PA", "Geisinger; GHP", prominence=5),
    _regional("23281", "UPMC Health Plan", "PA", "UPMC; UPMC for You", prominence=6),
    _regional("SX107", "Select Health", "ID NV UT", "Intermountain SelectHealth; SelectHealth", prominence=5),
    _regional("SX155", "University of Utah Health Plans", "UT", "UUHP", payer_class=PayerClass.COMMERCIAL),
    _regional("54154", "Sentara Health Plans", "VA", "Optima; Optima Health; Sentara", prominence=5),
    _regional("39113", "Dean Health Plan", "WI", "Dean Health"),
    _regional("39180", "Quartz", "IL MN WI", "Quartz Health Benefit Plans"),
    _regional("39045", "Security Health Plan", "WI"),
)
