"""Medicaid: the programs of the states, the behavioral systems of some, and managed care plans."""

from billing.models import PayerClass
from billing.payers.carriers.carrier import Carrier, TimelyFiling

# payer id, state, state's name, names of the program
_PROGRAMS = (
    ("MCDAK", "AK", "Alaska", "DenaliCare"),
    ("MCDAL", "AL", "Alabama", ""),
    ("12023", "AR", "Arkansas", ""),
    ("AZMCD", "AZ", "Arizona", "AHCCCS"),
    ("MC051", "CA", "California", "Medi-Cal"),
    ("77016", "CO", "Colorado", "Health First Colorado"),
    ("SKCT0", "CT", "Connecticut", "HUSKY Health"),
    ("77033", "DC", "District of Columbia", ""),
    ("MCDDE", "DE", "Delaware", ""),
    ("77027", "FL", "Florida", ""),
    ("77034", "GA", "Georgia", ""),
    ("MCDHI", "HI", "Hawaii", "Med-QUEST"),
    ("18049", "IA", "Iowa", ""),
    ("SKID0", "ID", "Idaho", ""),
    ("IL621", "IL", "Illinois", "HFS Illinois"),
    ("INMCD", "IN", "Indiana", "Indiana Health Coverage Programs;IHCP"),
    ("KSMCD", "KS", "Kansas", "KanCare"),
    ("KYMCD", "KY", "Kentucky", ""),
    ("MCDLA", "LA", "Louisiana", "Healthy Louisiana"),
    ("MAMCD", "MA", "Massachusetts", "MassHealth"),
    ("MCDMD", "MD", "Maryland", ""),
    ("MEMCD", "ME", "Maine", "MaineCare"),
    ("MIMCD", "MI", "Michigan", ""),
    ("MCDMN", "MN", "Minnesota", "Minnesota Health Care Programs;MHCP"),
    ("MCDMO", "MO", "Missouri", "MO HealthNet"),
    ("77032", "MS", "Mississippi", ""),
    ("MCDMT", "MT", "Montana", ""),
    ("NCMCD", "NC", "North Carolina", "NCTracks"),
    ("MCDND", "ND", "North Dakota", ""),
    ("MCDNE", "NE", "Nebraska", ""),
    ("MCDNH", "NH", "New Hampshire", ""),
    ("MCDNJ", "NJ", "New Jersey", "NJ FamilyCare"),
    ("NMMAD", "NM", "New Mexico", ""),
    ("SKNV0", "NV", "Nevada", ""),
    ("MCDNY", "NY", "New York", "eMedNY"),
    ("SKOH0", "OH", "Ohio", ""),
    ("OKMCD", "OK", "Oklahoma", "SoonerCare"),
    ("ORDHS", "OR", "Oregon", "Oregon Health Plan"),
    ("MCDPA", "PA", "Pennsylvania", "Pennsylvania Medical Assistance;PROMISe"),
    ("SKRI0", "RI", "Rhode Island", ""),
    ("SCXIX", "SC", "South Carolina", "Healthy Connections"),
    ("MCDSD", "SD", "South Dakota", ""),
    ("00890", "TN", "Tennessee", "TennCare"),
    ("86916", "TX", "Texas", "TMHP;Texas Medicaid Healthcare Partnership"),
    ("SKUT0", "UT", "Utah", ""),
    ("MCDVA", "VA", "Virginia", "DMAS"),
    ("VTMCD", "VT", "Vermont", "Green Mountain Care"),
    ("SKWA0", "WA", "Washington", "Apple Health;ProviderOne"),
    ("WIMCD", "WI", "Wisconsin", "ForwardHealth;BadgerCare"),
    ("SKWV0", "WV", "West Virginia", ""),
    ("77046", "WY", "Wyoming", ""),
)

_DAYS_FOUND = {"NY": 90, "MA": 90, "TX": 95} | dict.fromkeys(("AZ", "CA", "GA", "IL", "PA"), 180)
_DAYS_FOUND |= dict.fromkeys(("CO", "FL", "MI", "NC", "NJ", "OH", "VA", "WA"), 365)


def _program(payer_id: str, state: str, state_name: str, names: str) -> Carrier:
    days = _DAYS_FOUND.get(state)
    return Carrier(
        payer_id,
        f"Medicaid {state_name}",
        PayerClass.MEDICAID,
        states=(state,),
        aliases=f"{state_name} Medicaid; {names}",
        prominence=5,
        timely_filing=TimelyFiling(days, "state rule as commonly stated") if days else None,
    )


def _managed(
    payer_id: str, name: str, states: str, aliases: str = "", *, prominence: int = 4, days: int | None = None
) -> Carrier:
    return Carrier(
        payer_id,
        name,
        PayerClass.MEDICAID_MANAGED,
        states=tuple(states.split()),
        aliases=aliases,
        prominence=prominence,
        timely_filing=TimelyFiling(days, "participating providers, as commonly stated") if days else None,
    )


MEDICAID = (
    *(_program(*program) for program in _PROGRAMS),
    # --- behavioral systems of states and counties ---
    _managed("OSDPS", "Optum San Diego Public Sector", "CA", "San Diego County Behavioral Health"),
    _managed("BHOCT", "Connecticut Behavioral Health Partnership", "CT", "CT BHP"),
    _managed("BHOMA", "Massachusetts Behavioral Health Partnership", "MA", "MBHP", prominence=5),
    _managed("BHOMD", "Maryland Public Behavioral Health System", "MD", "Carelon Maryland; PBHS"),
    _managed("OMDBH", "Optum Maryland Behavioral Health", "MD", "Optum Maryland"),
    _managed("23282", "Community Care Behavioral Health", "PA", "CCBH; Community Care BHO"),
    _managed("65391", "PerformCare", "PA", "CBHNP"),
    _managed("U6885", "Optum Salt Lake County", "UT", "OptumHealth Salt Lake County"),
    # --- managed care ---
    _managed("26375", "Wellpoint", "", "Amerigroup; Amerigroup Wellpoint", prominence=6, days=180),
    _managed("38333", "Molina Healthcare of California", "CA", "Molina California; Molina Medi-Cal"),
    _managed("51062", "Molina Healthcare of Florida", "FL", "Molina Florida"),
    _managed("38334", "Molina Healthcare of Michigan", "MI", "Molina Michigan"),
    _managed("20149", "Molina Healthcare of Ohio", "OH", "Molina Ohio"),
    _managed("20554", "Molina Healthcare of Texas", "TX", "Molina Texas"),
    _managed("SX109", "Molina Healthcare of Utah", "UT", "Molina Utah"),
    _managed("38336", "Molina Healthcare of Washington", "WA", "Molina Washington"),
    _managed("03432", "UnitedHealthcare Community Plan Arizona", "AZ", "Arizona Physicians IPA"),
    _managed("96385", "UnitedHealthcare Community Plan Kansas", "KS", "KanCare UHC"),
    _managed("95467", "UnitedHealthcare Community Plan Michigan and Utah", "MI UT"),
    _managed("86050", "UnitedHealthcare Community Plan Missouri", "MO"),
    _managed("86047", "UnitedHealthcare Community Plan New Jersey", "NJ"),
    _managed("88337", "UnitedHealthcare Community Plan Ohio", "OH"),
    _managed("95378", "UnitedHealthcare Community Plan Tennessee", "TN"),
    _managed("31114", "CareSource", "OH", "CareSource Ohio", prominence=5),
    _managed("11315", "Fidelis Care", "NY", "Fidelis; Fidelis Care New York", prominence=6),
    _managed("CALOP", "CalOptima Health", "CA", "CalOptima"),
    _managed("IEHP1", "Inland Empire Health Plan", "CA", "IEHP"),
    _managed("LACAR", "L.A. Care Health Plan", "CA", "LA Care; LA Care Health Plan"),
    _managed("COACC", "Colorado Access", "CO", "Access Behavioral Care"),
    _managed("68057", "Sunshine Health", "FL", "Sunshine State Health Plan"),
    _managed("13337", "WellSense Health Plan", "MA", "Boston Medical Center HealthNet Plan; WellSense"),
    _managed("22326", "Horizon NJ Health", "NJ"),
    _managed("05047", "Neighborhood Health Plan of Rhode Island", "RI", "NHPRI"),
)
