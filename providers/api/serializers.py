"""The shapes of provider onboarding and update."""

from types import MappingProxyType

from rest_framework import serializers

from partners.api.fields import Choice, Coded, Text
from partners.api.reading import StrictSerializer
from partners.api.updates import update_of

NPI = ("[0-9]{10}", "Must be exactly 10 digits.")
STATE = ("[A-Za-z]{2}", "Must be exactly 2 letters.")
TAXONOMY = ("[0-9A-Z]{9}X", "Must be a taxonomy code: 9 digits or capital letters, then X.")
_TAXONOMY_HELP = (
    "Where it isn't sent it is inferred from `specialty` and `credentials`. Common ones: 103T00000X "
    "(psychologist), 103TA0400X (psychologist, addiction), 103TC0700X (psychologist, clinical), 1041C0700X "
    "(social worker, clinical), 101YM0800X (counselor, mental health), 101YP2500X (counselor, professional), "
    "106H00000X (marriage and family therapist)."
)


class PracticeAddressSerializer(StrictSerializer):
    """Where the practice is; it stands on the claim as the billing address."""

    street = Text(55)
    line2 = Text(55, optional=True, help_text="Suite or unit.")
    city = Text(30)
    state = Coded(*STATE, store=str.upper, stored="[A-Z]{2}")
    zip = Coded(
        "[0-9]{5}(?:-?[0-9]{4})?",
        "Must be 5 digits, or 9 with or without a dash.",
        store=lambda text: text.replace("-", ""),
        stored="[0-9]{5}(?:[0-9]{4})?",
        help_text="A claim carries nine digits: send all nine, or it says 0000 for the rest.",
    )


class PracticeSerializer(StrictSerializer):
    """The practice that bills."""

    name = Text(60, help_text="The legal name.")
    npi = Coded(*NPI, optional=True, help_text="The organization's; without it `provider.npi` counts.")
    taxId = Coded("[0-9]{9}", "Must be exactly 9 digits, without dashes.", help_text="The EIN.")
    taxonomyCode = Coded(*TAXONOMY, optional=True, help_text="Without it `provider.taxonomyCode` counts.")
    address = PracticeAddressSerializer()
    phone = Coded("[0-9]{10}", "Must be exactly 10 digits, without formatting.", optional=True)
    contactName = Text(60, optional=True, help_text="The billing contact.")


class ProviderSerializer(StrictSerializer):
    """The individual therapist."""

    firstName = Text(35)
    lastName = Text(60)
    npi = Coded(*NPI, help_text="The individual therapist's.")
    taxonomyCode = Coded(*TAXONOMY, optional=True, help_text=_TAXONOMY_HELP)
    specialty = Text(100, optional=True)
    credentials = Text(30, optional=True, help_text="Degree or licence, such as LCSW.")


class OnboardingSerializer(StrictSerializer):
    """A therapist and the practice, both required."""

    provider = ProviderSerializer()
    practice = PracticeSerializer()


class ProviderUpdateSerializer(StrictSerializer):
    """What may change about a therapist."""

    fixed = MappingProxyType(
        {
            "firstName": "Tell billing staff what the name is.",
            "lastName": "Tell billing staff what the name is.",
            "npi": "Onboard the therapist under the right NPI.",
        }
    )

    taxonomyCode = Coded(*TAXONOMY, optional=True, help_text=f"Null brings inference back. {_TAXONOMY_HELP}")
    specialty = Text(100, optional=True)
    credentials = Text(30, optional=True)


PracticeUpdateSerializer = update_of(PracticeSerializer, name="PracticeUpdateSerializer")


class OnboardingUpdateSerializer(StrictSerializer):
    """Only what is supplied changes."""

    provider = ProviderUpdateSerializer(required=False)
    practice = PracticeUpdateSerializer(required=False)


class MutationResultSerializer(serializers.Serializer):
    """What became of the call."""

    providerId = serializers.UUIDField()
    practiceId = serializers.UUIDField()
    providerNpi = serializers.CharField()
    practiceName = serializers.CharField()
    status = Choice(["created", "already_exists", "updated"])
