"""Model fields that are encrypted at rest (AES-256-GCM, key id stored with each value)."""

from typing import Any

from django.db import models

from partners.keyring import decrypt, encrypt


class EncryptedTextField(models.BinaryField):
    """Text, encrypted in the column; in Python it is `str`."""

    def get_db_prep_value(self, value: str | None, connection: Any, prepared: bool = False) -> Any:
        stored = None if value is None else encrypt(value.encode())
        return super().get_db_prep_value(stored, connection, prepared)

    def from_db_value(
        self, value: bytes | memoryview | None, expression: object, connection: object
    ) -> str | None:
        return None if value is None else decrypt(bytes(value)).decode()

    def value_to_string(self, obj: models.Model) -> str:
        return str(self.value_from_object(obj))

    def to_python(self, value: Any) -> Any:
        return value


class EncryptedBytesField(models.BinaryField):
    """Bytes, encrypted in the column."""

    def get_db_prep_value(self, value: bytes | None, connection: Any, prepared: bool = False) -> Any:
        stored = None if value is None else encrypt(bytes(value))
        return super().get_db_prep_value(stored, connection, prepared)

    def from_db_value(
        self, value: bytes | memoryview | None, expression: object, connection: object
    ) -> bytes | None:
        return None if value is None else decrypt(bytes(value))
