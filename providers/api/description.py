"""The operations on providers, described."""

from drf_spectacular.utils import OpenApiParameter

from partners.api.description import operation, refused
from providers.api.serializers import (
    MutationResultSerializer,
    OnboardingSerializer,
    OnboardingUpdateSerializer,
)

_RESULT = {
    "providerId": "01890a5d-ac96-774b-bcce-b302099a8051",
    "practiceId": "01890a5d-ac96-774b-bcce-b302099a8052",
    "providerNpi": "1234567893",
    "practiceName": "Calm Harbor Counseling",
}
ELSEWHERE = "This NPI is registered to a different partner organization."
UNKNOWN = "No provider with this NPI is registered."
_ELSEWHERE = refused("The NPI is registered to a different partner organization.", ELSEWHERE)

onboard = operation(
    "onboardProvider",
    summary="Onboard a provider",
    description=(
        "Registers a therapist and the practice that bills; needed before the first session. Doing it again "
        "returns what is stored and changes nothing. `taxonomyCode` is inferred from `specialty` and "
        "`credentials` when it is not sent; `practice.npi` and `practice.taxonomyCode` fall back to the "
        "therapist's. Unknown and repeated fields are refused; free text is trimmed, and lengths count "
        "after trimming."
    ),
    tag="Providers",
    body=OnboardingSerializer,
    body_example={
        "provider": {"firstName": "Ana", "lastName": "Rivera", "npi": "1234567893", "credentials": "LCSW"},
        "practice": {
            "name": "Calm Harbor Counseling",
            "taxId": "123456789",
            "address": {"street": "100 Main St", "city": "Austin", "state": "TX", "zip": "78701"},
        },
    },
    once=True,
    success={
        201: (MutationResultSerializer, "The provider was registered.", {**_RESULT, "status": "created"}),
        200: (
            MutationResultSerializer,
            "The partner has this provider already; nothing was changed.",
            {**_RESULT, "status": "already_exists"},
        ),
    },
    refusals={
        400: refused(
            "Required fields are missing or invalid; the text names every faulty path.",
            "provider.npi: Must be exactly 10 digits. practice.address: This field is required.",
        ),
        409: _ELSEWHERE,
    },
)
update = operation(
    "updateProvider",
    summary="Update a provider and its practice",
    description=(
        "Only supplied fields change; null clears an optional one. A practice update changes the practice of "
        "every therapist in it. Clearing `provider.taxonomyCode` brings inference back. A therapist's name "
        "and NPI can't be updated."
    ),
    tag="Providers",
    parameters=[OpenApiParameter("npi", str, OpenApiParameter.PATH, description="The therapist's NPI.")],
    body=OnboardingUpdateSerializer,
    body_example={"practice": {"phone": "5125550199"}},
    success={200: (MutationResultSerializer, "The provider was updated.", {**_RESULT, "status": "updated"})},
    refusals={
        400: refused("Fields are invalid.", "practice.phone: Must be exactly 10 digits, without formatting."),
        404: refused("Nobody has registered this NPI.", UNKNOWN),
        409: _ELSEWHERE,
    },
)
