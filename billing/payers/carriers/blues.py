"""Every Blue Cross and Blue Shield plan, by state."""

from billing.models import PayerClass
from billing.payers.carriers.carrier import Carrier


def _blue(payer_id: str, name: str, states: str, aliases: str = "", *, prominence: int = 6) -> Carrier:
    return Carrier(
        payer_id,
        name,
        PayerClass.BLUE,
        states=tuple(states.split()),
        aliases=aliases,
        prominence=prominence,
    )


BLUES = (
    _blue("00934", "Premera Blue Cross Blue Shield of Alaska", "AK", "BCBS of Alaska; Premera Alaska"),
    _blue("00510", "Blue Cross Blue Shield of Alabama", "AL", "BCBSAL; BCBS of Alabama"),
    _blue("00520", "Arkansas Blue Cross Blue Shield", "AR", "Arkansas Blue Cross; BCBSAR; BCBS of Arkansas"),
    _blue("53589", "Blue Cross Blue Shield of Arizona", "AZ", "AZ Blue; Arizona Blue; BCBSAZ"),
    _blue(
        "47198",
        "Anthem Blue Cross",
        "CA",
        "Anthem Blue Cross of California; Anthem California; "
        "Anthem Blue Cross Blue Shield of California; Blue Cross of California; BCBS of California",
        prominence=8,
    ),
    _blue(
        "94036",
        "Blue Shield of California",
        "CA",
        "BCBS of California; BSC; BSCA; California Blue Shield",
        prominence=8,
    ),
    _blue("00050", "Anthem Blue Cross Blue Shield Colorado", "CO", "Anthem Colorado; BCBS of Colorado"),
    _blue(
        "00060",
        "Anthem Blue Cross Blue Shield Connecticut",
        "CT",
        "Anthem Connecticut; BCBS of Connecticut",
    ),
    _blue(
        "SB580",
        "CareFirst BlueCross BlueShield DC",
        "DC",
        "BCBS of DC; CareFirst; CareFirst BCBS; CareFirst National Capital Area; "
        "CareFirst District of Columbia; CareFirst NCA",
    ),
    _blue("00570", "Highmark Blue Cross Blue Shield Delaware", "DE", "BCBS of Delaware; Highmark Delaware"),
    _blue(
        "00590",
        "Florida Blue",
        "FL",
        "BCBSFL; BCBS of Florida; Blue Cross Blue Shield of Florida; Florida Blue HMO; "
        "Health Options Florida Blue",
        prominence=8,
    ),
    _blue("00601", "Anthem Blue Cross Blue Shield Georgia", "GA", "Anthem Georgia; BCBSGA; BCBS of Georgia"),
    _blue(
        "HMSA1",
        "Hawaii Medical Service Association",
        "HI",
        "BCBS of Hawaii; HMSA; HMSA Quest; Blue Cross Blue Shield of Hawaii",
    ),
    _blue(
        "88848",
        "Wellmark Blue Cross Blue Shield",
        "IA SD",
        "BCBS of Iowa; BCBS of South Dakota; Wellmark; Wellmark Iowa; Wellmark South Dakota",
    ),
    _blue(
        "SB612", "Blue Cross of Idaho", "ID", "BC of Idaho; BCBS of Idaho; Blue Cross of Idaho Health Service"
    ),
    _blue("00611", "Regence BlueShield of Idaho", "ID", "BCBS of Idaho; Regence Idaho; Blue Shield of Idaho"),
    _blue(
        "00621",
        "Blue Cross Blue Shield of Illinois",
        "IL",
        "BCBSIL; BCBS of Illinois; HCSC Illinois",
        prominence=8,
    ),
    _blue("00630", "Anthem Blue Cross Blue Shield Indiana", "IN", "Anthem Indiana; BCBS of Indiana"),
    _blue("47163", "Blue Cross Blue Shield of Kansas", "KS", "BCBSKS; BCBS of Kansas"),
    _blue("00660", "Anthem Blue Cross Blue Shield Kentucky", "KY", "Anthem Kentucky; BCBS of Kentucky"),
    _blue("53120", "Blue Cross Blue Shield of Louisiana", "LA", "BCBSLA; BCBS of Louisiana; Louisiana Blue"),
    _blue(
        "00200",
        "Blue Cross Blue Shield of Massachusetts",
        "MA",
        "BCBSMA; BCBS of Massachusetts",
        prominence=7,
    ),
    _blue(
        "SB690",
        "CareFirst BlueCross BlueShield Maryland",
        "MD",
        "BCBS of Maryland; CareFirst; CareFirst BCBS; CareFirst of Maryland",
        prominence=7,
    ),
    _blue("00680", "Anthem Blue Cross Blue Shield Maine", "ME", "Anthem Maine; BCBS of Maine"),
    _blue(
        "00710",
        "Blue Cross Blue Shield of Michigan",
        "MI",
        "BCBSM; BCBSMI; BCBS of Michigan; BCN; Blue Care Network; Blue Care Network of Michigan",
        prominence=7,
    ),
    _blue("00720", "Blue Cross Blue Shield of Minnesota", "MN", "BCBSMN; BCBS of Minnesota; Blue Plus"),
    _blue("00241", "Anthem Blue Cross Blue Shield Missouri", "MO", "Anthem Missouri; BCBS of Missouri"),
    _blue("47171", "Blue Cross Blue Shield of Kansas City", "KS MO", "BCBS of Kansas City; BCBSKC; Blue KC"),
    _blue("00230", "Blue Cross Blue Shield of Mississippi", "MS", "BCBSMS; BCBS of Mississippi"),
    _blue("BCSMT", "Blue Cross Blue Shield of Montana", "MT", "BCBSMT; BCBS of Montana; HCSC Montana"),
    _blue(
        "SB810",
        "Blue Cross Blue Shield of North Carolina",
        "NC",
        "BCBSNC; BCBS of North Carolina; Blue Cross NC; Blue Medicare of North Carolina",
        prominence=7,
    ),
    _blue("00820", "Blue Cross Blue Shield of North Dakota", "ND", "BCBSND; BCBS of North Dakota"),
    _blue("00760", "Blue Cross Blue Shield of Nebraska", "NE", "BCBSNE; BCBS of Nebraska; Nebraska Blue"),
    _blue(
        "00770",
        "Anthem Blue Cross Blue Shield New Hampshire",
        "NH",
        "Anthem New Hampshire; BCBS of New Hampshire",
    ),
    _blue(
        "22099",
        "Horizon Blue Cross Blue Shield of New Jersey",
        "NJ",
        "BCBSNJ; BCBS of New Jersey; Horizon BCBSNJ; Horizon Blue",
        prominence=8,
    ),
    _blue(
        "00790",
        "Blue Cross Blue Shield of New Mexico",
        "NM",
        "BCBSNM; BCBS of New Mexico; HCSC New Mexico",
    ),
    _blue("00265", "Anthem Blue Cross Blue Shield Nevada", "NV", "Anthem Nevada; BCBS of Nevada"),
    _blue(
        "00803",
        "Anthem Blue Cross Blue Shield New York",
        "NY",
        "Anthem New York; BCBS of New York; Empire; Empire BlueCross; Empire BlueCross BlueShield; "
        "Empire BCBS",
        prominence=8,
    ),
    _blue(
        "00804",
        "Excellus Blue Cross Blue Shield",
        "NY",
        "BCBS of Rochester; Excellus; Excellus BCBS; Excellus BCBS Rochester; BCBS of New York",
    ),
    _blue(
        "00246",
        "Highmark Blue Cross Blue Shield of Western New York",
        "NY",
        "BCBS of New York; BCBS of Western New York; HealthNow New York; Highmark Western New York",
    ),
    _blue("00834", "Anthem Blue Cross Blue Shield Ohio", "OH", "Anthem Ohio; BCBS of Ohio"),
    _blue("00840", "Blue Cross Blue Shield of Oklahoma", "OK", "BCBSOK; BCBS of Oklahoma; HCSC Oklahoma"),
    _blue("00851", "Regence BlueCross BlueShield of Oregon", "OR", "BCBS of Oregon; Regence Oregon"),
    _blue(
        "23045",
        "Capital Blue Cross",
        "PA",
        "BCBS of Pennsylvania; CBC; Capital BlueCross Pennsylvania; Keystone Health Plan Central",
    ),
    _blue(
        "54771",
        "Highmark Blue Cross Blue Shield",
        "PA",
        "BCBS of Pennsylvania; Highmark Blue Shield; Highmark Pennsylvania",
        prominence=7,
    ),
    _blue(
        "54704",
        "Independence Blue Cross",
        "PA",
        "BCBS of Pennsylvania; IBC; IBX; Independence; Keystone Health Plan East; Personal Choice",
        prominence=7,
    ),
    _blue("00870", "Blue Cross Blue Shield of Rhode Island", "RI", "BCBSRI; BCBS of Rhode Island"),
    _blue(
        "00401",
        "Blue Cross Blue Shield of South Carolina",
        "SC",
        "BCBSSC; BCBS of South Carolina; BlueChoice HealthPlan",
    ),
    _blue("00390", "Blue Cross Blue Shield of Tennessee", "TN", "BCBST; BCBSTN; BCBS of Tennessee"),
    _blue(
        "84980",
        "Blue Cross Blue Shield of Texas",
        "TX",
        "BCBSTX; BCBS of Texas; HCSC Texas; Texas Blue Cross; HMO Blue Texas",
        prominence=8,
    ),
    _blue("00910", "Regence BlueCross BlueShield of Utah", "UT", "BCBS of Utah; Regence Utah"),
    _blue(
        "00423",
        "Anthem Blue Cross Blue Shield Virginia",
        "VA",
        "Anthem HealthKeepers; Anthem Virginia; BCBS of Virginia",
    ),
    _blue("SB915", "Blue Cross Blue Shield of Vermont", "VT", "BCBSVT; BCBS of Vermont"),
    _blue(
        "00430",
        "Premera Blue Cross",
        "WA",
        "BC of Washington; Premera Washington; Premera Blue Cross of Washington",
        prominence=7,
    ),
    _blue(
        "00932",
        "Regence BlueShield",
        "WA",
        "Blue Shield of Washington; Regence Washington; Uniform Medical Plan",
        prominence=7,
    ),
    _blue("00950", "Anthem Blue Cross Blue Shield Wisconsin", "WI", "Anthem Wisconsin; BCBS of Wisconsin"),
    _blue(
        "54828",
        "Highmark Blue Cross Blue Shield West Virginia",
        "WV",
        "BCBS of West Virginia; Highmark West Virginia; Mountain State BCBS",
    ),
    _blue("00960", "Blue Cross Blue Shield of Wyoming", "WY", "BCBSWY; BCBS of Wyoming"),
)
