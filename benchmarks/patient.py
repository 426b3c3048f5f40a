"""An invented patient, as partners send one."""

from typing import Any


def patient(member_id: str) -> dict[str, Any]:
    """One whom the member ID alone tells from the others."""
    return {
        "firstName": "Jane",
        "lastName": "Doe",
        "dateOfBirth": "1990-01-01",
        "gender": "F",
        "address": {"street": "1 Elm St", "city": "Austin", "state": "TX", "zip": "78702"},
        "insurance": {"memberId": member_id, "payerName": "Aetna", "payerId": "60054"},
    }
