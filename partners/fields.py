"""Model fields that are encrypted at rest (AES-256-GCM, key id stored with each value)."""

from typing import Any

from django.db import models

from partners.keyring import decrypt, encrypt


class EncryptedField(models.Field):
    """A bytea column whose plain value only Python sees."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("editable", False)
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        name, path, args, kwargs = super().deconstruct()
        kwargs.pop("editable", None)
        return name, path, args, kwargs

    def get_internal_type(self) -> str:
        return "BinaryField"


class EncryptedTextField(EncryptedField):
    """Text, encrypted in the column; in Python it is `str`."""

    _pyi_private_set_type: str
    _pyi_private_get_type: str

    def get_db_prep_value(self, value: str | None, connection: Any, prepared: bool = False) -> bytes | None:
        return None if value is None else encrypt(value.encode())

    def from_db_value(self, value: bytes | None, expression: object, connection: object) -> str | None:
        return None if value is None else decrypt(bytes(value)).decode()


class EncryptedBytesField(EncryptedField):
    """Bytes, encrypted in the column."""

    _pyi_private_set_type: bytes
    _pyi_private_get_type: bytes

    def get_db_prep_value(self, value: bytes | None, connection: Any, prepared: bool = False) -> bytes | None:
        return None if value is None else encrypt(bytes(value))

    def from_db_value(self, value: bytes | None, expression: object, connection: object) -> bytes | None:
        return None if value is None else decrypt(bytes(value))
