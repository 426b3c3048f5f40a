"""What a payer search asks."""

from partners.api.fields import Text
from partners.api.reading import StrictSerializer

SHORTEST_QUERY = 2
LONGEST_QUERY = 8_000


class PayerQuerySerializer(StrictSerializer):
    """What to look for."""

    q = Text(LONGEST_QUERY, min_length=SHORTEST_QUERY)
