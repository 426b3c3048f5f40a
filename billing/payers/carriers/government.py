"""Programs of the federal government other than Medicare, and plans of its employees."""

from billing.models import PayerClass
from billing.payers.carriers.carrier import Carrier, TimelyFiling

_TRICARE_MEMBER_ID = ("[0-9]{9}|[0-9]{11}", "12345678901")

GOVERNMENT = (
    Carrier(
        "99727",
        "TRICARE East",
        PayerClass.TRICARE,
        aliases="Humana Military; TRICARE East PGBA; TRICARE North; TRICARE Prime East; TRICARE South",
        prominence=7,
        member_id=_TRICARE_MEMBER_ID,
    ),
    Carrier(
        "99726",
        "TRICARE West",
        PayerClass.TRICARE,
        aliases=(
            "Health Net Federal Services; TRICARE Prime West; TRICARE West Region; TriWest; "
            "TriWest Healthcare Alliance; TriWest TRICARE"
        ),
        prominence=7,
        member_id=_TRICARE_MEMBER_ID,
    ),
    Carrier(
        "TDFIC",
        "TRICARE for Life",
        PayerClass.TRICARE,
        aliases="TFL; WPS TRICARE for Life",
        prominence=5,
        member_id=_TRICARE_MEMBER_ID,
    ),
    Carrier(
        "FOREN",
        "TRICARE Overseas",
        PayerClass.TRICARE,
        aliases="International SOS TRICARE",
        member_id=_TRICARE_MEMBER_ID,
    ),
    Carrier(
        "84146",
        "CHAMPVA",
        PayerClass.VETERANS,
        aliases="CHAMPVA Health Administration Center; VHA Office of Integrated Veteran Care",
        prominence=5,
        timely_filing=TimelyFiling(365, "program rule: one year"),
    ),
    Carrier(
        "VACCN",
        "VA Community Care Network Regions 1-3",
        PayerClass.VETERANS,
        aliases=(
            "Optum VA CCN; Optum VACCN; VA CCN Optum; Veterans Affairs Community Care; "
            "VA Community Care Network Region 1; VA Community Care Network Region 2; "
            "VA Community Care Network Region 3"
        ),
        prominence=5,
    ),
    Carrier(
        "VAC45",
        "VA Community Care Network Regions 4-5",
        PayerClass.VETERANS,
        aliases=(
            "TriWest; TriWest Healthcare Alliance; TriWest VA CCN; PGBA TriWest VA CCN; "
            "VA Community Care Network Region 4; VA Community Care Network Region 5"
        ),
        prominence=5,
    ),
    Carrier(
        "12115",
        "Veterans Affairs Fee Basis Program",
        PayerClass.VETERANS,
        aliases="VA Fee Basis; VA Fee Basis Program",
    ),
    Carrier("00290", "Indian Health Service", PayerClass.OTHER_FEDERAL, aliases="IHS"),
    Carrier(
        "44054",
        "GEHA",
        PayerClass.FEDERAL_EMPLOYEES,
        aliases="GEHA UnitedHealthcare Choice Plus; Government Employees Health Association",
        prominence=6,
    ),
    Carrier(
        "06603",
        "GEHA Aetna Signature Administrators",
        PayerClass.FEDERAL_EMPLOYEES,
        aliases="GEHA ASA; Aetna Signature Administrators GEHA",
    ),
)
