"""Who is in made sessions: organizations, therapists, patients, payers; all invented."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from billing.rules.npi import npi_is_valid
from claims.x12.characters import to_basic_text
from claims.x12.claim import Address, BillingProvider, Payer, RenderingProvider, Subscriber
from partners.keyring import encrypt
from partners.models import Mode, Partner
from providers.models import Practice, Provider
from sessions_app.member_index import member_index
from sessions_app.patient_names import full_name, search_form

SLUG = "made-organization"
FIRST_NAMES = ("Alma", "Bertil", "Carla", "Dario", "Edda", "Fynn", "Greta", "Hugo", "Ilse", "Jonas", "Karin")
LAST_STEMS = ("Acker", "Birke", "Clover", "Dun", "Elm", "Fair", "Gold", "Hazel", "Iron", "Juniper", "Kettle")
LAST_ENDINGS = ("by", "land", "field", "more", "hurst", "weather", "thorpe", "wood", "side", "well", "gate")
LAST_NAMES = tuple(stem + ending for stem in LAST_STEMS for ending in LAST_ENDINGS)
RARE_LAST_NAME = "Vyskocil"  # it shares no three letters with the others
RARE_FROM, RARE_EVERY = 34, 3_000
"""Of which patients: the first one has a few sessions with the first organization, however few are made."""
STREETS = ("Elm St", "Oak Ave", "Maple Dr", "Cedar Ln", "Birch Way")
PAYERS = (
    ("Aetna", "60054", "CI"),
    ("Cigna", "62308", "CI"),
    ("UnitedHealthcare", "87726", "CI"),
    ("Humana", "61101", "CI"),
)
PROVIDERS_EACH = 20


@dataclass(frozen=True, slots=True)
class Therapist:
    """A therapist, and the parts of a claim that never change with the session."""

    id: str
    billing: BillingProvider
    rendering: RenderingProvider


@dataclass(frozen=True, slots=True)
class Organization:
    """A partner organization with its therapists."""

    id: str
    therapists: tuple[Therapist, ...]


@dataclass(frozen=True, slots=True)
class Patient:
    """A patient in the form of the columns, and as a claim's subscriber."""

    columns: str
    """Tab-separated, as COPY reads them, from the first name to the group number."""
    payer_name: str
    subscriber: Subscriber
    payer: Payer


def organizations(count: int) -> list[Organization]:
    """Made organizations of test mode; those that exist are used again."""
    numbers = _free_npis()
    return [_organization(place, numbers) for place in range(1, count + 1)]


def patients(count: int, chance: random.Random) -> list[Patient]:
    """That many patients."""
    return [_patient(number, chance) for number in range(count)]


def _organization(place: int, numbers: Iterator[str]) -> Organization:
    partner, _ = Partner.objects.get_or_create(
        slug=f"{SLUG}-{place}", defaults={"name": f"Made organization {place}", "mode": Mode.TEST}
    )
    practice = Practice.objects.filter(partner=partner).first() or Practice.objects.create(
        partner=partner,
        name=f"Made practice {place}",
        npi=next(numbers),
        tax_id=f"99{place:07d}",
        taxonomy_code="101YM0800X",
        street="100 Main St",
        city="Austin",
        state="TX",
        zip="787010000",
        phone="5125550123",
        fingerprint=place.to_bytes(8, "big"),
    )
    providers = list(Provider.objects.filter(partner=partner).order_by("npi"))
    if not providers:
        providers = Provider.objects.bulk_create(
            Provider(
                partner=partner,
                mode=Mode.TEST,
                practice=practice,
                npi=next(numbers),
                first_name=FIRST_NAMES[number % len(FIRST_NAMES)],
                last_name=LAST_NAMES[number % len(LAST_NAMES)],
                taxonomy_code="1041C0700X",
                credentials="LCSW",
            )
            for number in range(PROVIDERS_EACH)
        )
    return Organization(str(partner.pk), tuple(_therapist(practice, provider) for provider in providers))


def _therapist(practice: Practice, provider: Provider) -> Therapist:
    return Therapist(
        id=str(provider.pk),
        billing=BillingProvider(
            npi=practice.npi,
            tax_id=practice.tax_id,
            organization_name=to_basic_text(practice.name),
            taxonomy_code=practice.taxonomy_code,
            address=Address(
                street=to_basic_text(practice.street),
                city=to_basic_text(practice.city),
                state=practice.state,
                zip_code=practice.zip,
            ),
        ),
        rendering=RenderingProvider(
            npi=provider.npi,
            last_name=to_basic_text(provider.last_name),
            first_name=to_basic_text(provider.first_name),
            taxonomy_code=provider.taxonomy_code,
        ),
    )


def _patient(number: int, chance: random.Random) -> Patient:
    first, last = chance.choice(FIRST_NAMES), chance.choice(LAST_NAMES)
    if number % RARE_EVERY == RARE_FROM:
        last = RARE_LAST_NAME
    member_id = f"MADE{number:08d}"
    born = date(1940, 1, 1) + timedelta(days=chance.randrange(24_000))
    gender = chance.choice("FM")
    street, zip_code = f"{1 + number % 900} {chance.choice(STREETS)}", f"{78701 + number % 50}"
    payer_name, payer_id, filing_code = chance.choice(PAYERS)
    columns = (
        first,
        last,
        search_form(full_name(first, last)),
        born.isoformat(),
        gender,
        street,
        "",
        "Austin",
        "TX",
        zip_code,
        rf"\\x{encrypt(member_id.encode()).hex()}",
        rf"\\x{member_index(member_id).hex()}",
        payer_name,
        payer_id,
        "",
    )
    return Patient(
        columns="\t".join(columns),
        payer_name=payer_name,
        subscriber=Subscriber(
            member_id=member_id,
            last_name=to_basic_text(last),
            first_name=to_basic_text(first),
            date_of_birth=born,
            gender=gender,
            address=Address(street=to_basic_text(street), city="AUSTIN", state="TX", zip_code=zip_code),
        ),
        payer=Payer(name=to_basic_text(payer_name), payer_id=payer_id, claim_filing_code=filing_code),
    )


def _free_npis() -> Iterator[str]:
    """Valid NPIs that nobody has in test mode."""
    taken = set(Provider.objects.filter(mode=Mode.TEST).values_list("npi", flat=True))
    for stem in range(189_000_000, 199_999_999):
        for digit in "0123456789":
            npi = f"{stem}{digit}"
            if npi not in taken and npi_is_valid(npi):
                yield npi
