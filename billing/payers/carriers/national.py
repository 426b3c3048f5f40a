"""Carriers that work in most states, their administrators, behavioral carve-outs and assistance programs."""

from billing.models import PayerClass
from billing.payers.carriers.carrier import Carrier, TimelyFiling

_COMMERCIAL = PayerClass.COMMERCIAL
_ADVANTAGE = PayerClass.MEDICARE_ADVANTAGE

_AETNA_MEMBER_ID = ("W[0-9]{9}(?:[0-9]{2})?|1[0-9]{11}", "W123456789")
_CIGNA_MEMBER_ID = (
    "U[0-9A-Z]{8}(?:[0-9]{2})?|[0-9]{9}(?:[0-9]{2})?",
    "U12345678",
)
_HUMANA_MEMBER_ID = ("H[0-9]{8}(?:[0-9]{2})?|[0-9]{9,11}", "H12345678")
_UNITED_MEMBER_ID = ("[0-9]{9}(?:[0-9]{2})?", "912345678")
_UNITED_FILING = TimelyFiling(90, "90 days for participating providers, 90 to 120 seen")

NATIONAL = (
    Carrier(
        "60054",
        "Aetna",
        _COMMERCIAL,
        aliases=(
            "Aetna Behavioral Health; Aetna Choice POS II; Aetna Health Inc; Aetna Healthcare; "
            "Aetna HMO; Aetna Medicare; Aetna Open Access; Aetna PPO; "
            "Aetna US Healthcare; CVS Health Aetna"
        ),
        prominence=9,
        timely_filing=TimelyFiling(90, "90 to 180 days seen; physicians 120"),
        member_id=_AETNA_MEMBER_ID,
    ),
    Carrier(
        "62308",
        "Cigna",
        _COMMERCIAL,
        aliases=(
            "Cigna Behavioral Health; Cigna Healthcare; Cigna HMO; Cigna Open Access Plus; "
            "Cigna PPO; CGLIC; Connecticut General; Evernorth; Evernorth Behavioral Health"
        ),
        prominence=9,
        timely_filing=TimelyFiling(90, "participating 90 days, others 180"),
        member_id=_CIGNA_MEMBER_ID,
    ),
    Carrier(
        "87726",
        "UnitedHealthcare",
        _COMMERCIAL,
        aliases=(
            "UHC; United Healthcare; United Health Group; UHC Choice Plus; UHC Navigate; "
            "Optum Behavioral Health; OptumHealth Behavioral Solutions; Optum UBH; UBH; "
            "United Behavioral Health; UnitedHealthcare Empire Plan; AARP MedicareComplete; "
            "UnitedHealthcare Medicare Advantage"
        ),
        prominence=9,
        timely_filing=_UNITED_FILING,
        member_id=_UNITED_MEMBER_ID,
    ),
    Carrier(
        "61101",
        "Humana",
        _COMMERCIAL,
        aliases=(
            "Humana Behavioral Health; Humana ChoiceCare; Humana Gold Choice; Humana Gold Plus; "
            "Humana Medicare; Humana PPO; LifeSynch"
        ),
        prominence=9,
        timely_filing=TimelyFiling(120, "120 days (ChoiceCare) to 15 months; physicians 180"),
        member_id=_HUMANA_MEMBER_ID,
    ),
    Carrier(
        "06111",
        "Oxford Health Plans",
        _COMMERCIAL,
        aliases="Oxford; Oxford Freedom; Oxford Liberty; UnitedHealthcare Oxford; UHC Oxford",
        states=("CT", "NJ", "NY"),
        prominence=7,
        timely_filing=_UNITED_FILING,
    ),
    Carrier(
        "39026",
        "UMR",
        _COMMERCIAL,
        aliases="APWU Health Plan; UMR Wausau; United Medical Resources; UnitedHealthcare UMR",
        prominence=8,
        timely_filing=TimelyFiling(365, "plan rules, often 12 months"),
    ),
    Carrier(
        "81400",
        "UnitedHealthcare All Savers",
        _COMMERCIAL,
        aliases="All Savers; All Savers Insurance; UnitedHealthcare Level Funded",
        timely_filing=_UNITED_FILING,
    ),
    Carrier(
        "74227",
        "UnitedHealthcare Student Resources",
        _COMMERCIAL,
        aliases="Student Resources; UHCSR",
        prominence=4,
        timely_filing=_UNITED_FILING,
    ),
    Carrier(
        "37602",
        "Golden Rule Insurance",
        _COMMERCIAL,
        aliases="Golden Rule; UnitedHealthOne",
        timely_filing=_UNITED_FILING,
    ),
    Carrier("25463", "Surest", _COMMERCIAL, aliases="Bind; Bind Benefits; Surest Health Plan"),
    Carrier(
        "OSCAR",
        "Oscar Health",
        _COMMERCIAL,
        aliases="Oscar; Oscar Insurance; Oscar Management",
        prominence=7,
    ),
    Carrier("BRGHT", "Bright HealthCare", _COMMERCIAL, aliases="Bright Health; Bright Health Plan"),
    Carrier("71412", "Mutual of Omaha", _COMMERCIAL, aliases="United of Omaha"),
    Carrier(
        "68069",
        "Ambetter",
        _COMMERCIAL,
        aliases="Ambetter Health; Ambetter from Superior HealthPlan; Ambetter from Sunshine Health",
        prominence=7,
        timely_filing=TimelyFiling(120, "participating 120 days, others 365; states differ"),
    ),
    # --- behavioral carve-outs and employee assistance ---
    Carrier(
        "01260",
        "Magellan Healthcare",
        _COMMERCIAL,
        aliases="Magellan; Magellan Behavioral Health; Magellan Health Services; MBH",
        prominence=8,
        timely_filing=TimelyFiling(60, "60 days from the service is the usual contract text"),
    ),
    Carrier(
        "BHOVO",
        "Carelon Behavioral Health",
        _COMMERCIAL,
        aliases="Beacon; Beacon Health Options; Beacon Health Strategies; Carelon; ValueOptions",
        prominence=8,
        timely_filing=TimelyFiling(90, "90 days"),
    ),
    Carrier(
        "NDX99",
        "Lucet Behavioral Health",
        _COMMERCIAL,
        aliases="Lucet; NDBH; New Directions; New Directions Behavioral Health",
        prominence=5,
    ),
    Carrier(
        "22771",
        "Managed Health Network",
        _COMMERCIAL,
        aliases="Health Net Behavioral; MHN",
        states=("CA",),
        prominence=5,
    ),
    Carrier("44219", "Quest Behavioral Health", _COMMERCIAL, states=("PA",)),
    Carrier(
        "37363",
        "ComPsych",
        _COMMERCIAL,
        aliases="ComPsych EAP; GuidanceResources",
        prominence=6,
        timely_filing=TimelyFiling(90, "90 days"),
    ),
    Carrier(
        "EAP20",
        "Aetna EAP",
        _COMMERCIAL,
        aliases="Aetna Employee Assistance Program; Aetna Resources for Living",
        prominence=5,
    ),
    # --- third-party administrators ---
    Carrier(
        "41124",
        "Meritain Health",
        _COMMERCIAL,
        aliases="Meritain; Meritain Aetna; Meritain Health Minneapolis",
        prominence=6,
        timely_filing=TimelyFiling(365, "plan rules"),
    ),
    Carrier("37308", "Allied Benefit Systems", _COMMERCIAL, aliases="Allied Benefit", prominence=4),
    Carrier("38308", "Christian Brothers Services", _COMMERCIAL),
    Carrier("36479", "Collective Health", _COMMERCIAL, aliases="Collective Health Administrators"),
    Carrier(
        "35182",
        "Luminare Health",
        _COMMERCIAL,
        aliases="CoreSource; Trustmark; Trustmark Health Benefits",
        prominence=4,
    ),
    Carrier("71063", "HealthSCOPE Benefits", _COMMERCIAL, aliases="HealthSCOPE"),
    Carrier("50114", "Sana Benefits", _COMMERCIAL, aliases="Sana"),
    Carrier("75261", "WebTPA", _COMMERCIAL, aliases="Web TPA; WebTPA Employer Services", prominence=4),
    Carrier("59355", "Medi-Share", _COMMERCIAL, aliases="Christian Care Ministry; MediShare"),
    # --- Medicare Advantage and supplement ---
    Carrier(
        "14163",
        "WellCare",
        _ADVANTAGE,
        aliases="Wellcare by Allwell; WellCare Health Plans",
        prominence=7,
    ),
    Carrier("DEVOT", "Devoted Health", _ADVANTAGE, aliases="Devoted", prominence=5),
    Carrier("13285", "Clover Health", _ADVANTAGE, aliases="Clover", states=("NJ",)),
    Carrier(
        "95092",
        "CarePlus Health Plans",
        _ADVANTAGE,
        aliases="CarePlus; Humana CarePlus",
        states=("FL",),
    ),
    Carrier(
        "36273",
        "AARP Medicare Supplement",
        _COMMERCIAL,
        aliases="AARP Medigap; UnitedHealthcare AARP Supplement",
        prominence=6,
        timely_filing=TimelyFiling(456, "15 months"),
    ),
)
