"""How a setting is read from the environment; ImproperlyConfigured names an odd one, and quotes no secret."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from partners.keyring import parse_ring

env = environ.Env()
MOST_CHARACTERS = 100_000


def choice(name: str, *, allowed: tuple[str, ...], default: str) -> str:
    """The value of `name`, which must be one of `allowed`."""
    value: str = env.str(name, default=default)
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} is {value!r}; it must be one of {', '.join(allowed)}.")
    return value


def flag(name: str, *, default: bool) -> bool:
    """True or false, by one of the words for them."""
    words = {
        "1": True,
        "true": True,
        "yes": True,
        "on": True,
        "0": False,
        "false": False,
        "no": False,
        "off": False,
    }
    value: str = env.str(name, default=str(default)).lower()
    if value not in words:
        raise ImproperlyConfigured(f"{name} is {value!r}; it must be true or false.")
    return words[value]


def whole(name: str, *, default: int, least: int = 0, most: int = 2**31 - 1) -> int:
    """A whole number within its bounds."""
    value: str = env.str(name, default=str(default))
    if not re.fullmatch(r"-?[0-9]{1,10}", value) or not least <= int(value) <= most:
        raise ImproperlyConfigured(
            f"{name} is {value!r}; it must be a whole number from {least:,} to {most:,}."
        )
    return int(value)


def number(name: str, *, default: float, most: float = 1e12) -> float:
    """A number above zero."""
    value: str = env.str(name, default=str(default))
    if (
        not re.fullmatch(r"[0-9]{1,13}(\.[0-9]{1,9})?(e[+]?[0-9]{1,2})?", value)
        or not 0 < float(value) <= most
    ):
        raise ImproperlyConfigured(f"{name} is {value!r}; it must be a number above 0, at most {most:g}.")
    return float(value)


def secret(name: str, *, development: str, required: bool = True) -> str:
    """A secret from NAME, or from the file that NAME_FILE names; a known one in development only.

    Blanks and line breaks around it are none of it: they come from copying.
    """
    production = env.str("ENVIRONMENT", default="") == "production"
    path = env.str(f"{name}_FILE", default="")
    try:
        value: str = (_beginning(path) if path else env.str(name, default="")).strip()
    except (OSError, UnicodeDecodeError):
        raise ImproperlyConfigured(f"The file that {name}_FILE names can't be read.") from None
    if value and value == development and production:
        raise ImproperlyConfigured(f"{name} is the one of development, which everybody knows.")
    if value:
        return value
    if required and production:
        raise ImproperlyConfigured(f"{name} (or {name}_FILE) must be set in production.")
    return development


def _beginning(path: str) -> str:
    """What a file of a secret holds; a device may never end."""
    with Path(path).open() as file:
        text = file.read(MOST_CHARACTERS + 1)
    if len(text) > MOST_CHARACTERS:
        raise OSError(path)
    return text


def ring(name: str, *, development: str, decode: bool) -> str:
    """A secret that is a ring of secrets."""
    value = secret(name, development=development)
    parse_ring(value, setting=name, decode=decode)
    return value


def pairs(name: str) -> dict[str, str]:
    """What is given as `key=value,key=value`, or nothing."""
    value: str = env.str(name, default="")
    found = [part.strip().partition("=") for part in value.split(",") if part.strip()]
    if not all(key and given for key, _, given in found):
        raise ImproperlyConfigured(
            f"{name} is {value!r}; it must be a list of key=value, separated by commas."
        )
    return {key: given for key, _, given in found}


def within(name: str, *, default: str) -> str:
    """The first part of addresses: it ends with a slash and doesn't begin with one."""
    value: str = env.str(name, default=default)
    if not re.fullmatch(r"([A-Za-z0-9._~-]+/)+", value):
        raise ImproperlyConfigured(
            f"{name} is {value!r}; it must be like {default!r}, with the slash at its end."
        )
    return value


def letters(name: str) -> str:
    """A header's name without dashes and underscores, which the server takes for each other; or nothing."""
    value: str = env.str(name, default="")
    if not re.fullmatch(r"[A-Za-z]*", value):
        raise ImproperlyConfigured(f"{name} is {value!r}; it must be letters alone, like Clientaddress.")
    return value


def database(name: str, *, default: str) -> dict[str, Any]:
    """Where PostgreSQL is, as Django wants it; the address may hold a password and is not quoted."""
    address: str = env.str(name, default=default).strip()
    if not address.startswith(("postgres://", "postgresql://")):
        raise ImproperlyConfigured(
            f"{name} must name a PostgreSQL database (postgresql://…); no other database will do."
        )
    try:
        found: dict[str, Any] = environ.Env.db_url_config(address)
    except ValueError:
        found = {}
    if not (found.get("NAME") or found.get("OPTIONS")):
        raise ImproperlyConfigured(f"{name} must be like postgresql://user:password@host:5432/database.")
    return found


def broker(name: str, *, default: str) -> str:
    """Where Redis is; the address may hold a password and is not quoted."""
    address: str = env.str(name, default=default).strip()
    fits = address.startswith(("redis://", "rediss://", "unix://"))
    try:
        parts = urlsplit(address)
        fits = fits and (parts.scheme == "unix" or (parts.port != 0 and _is_number(parts.path)))
    except ValueError:
        fits = False
    if not fits:
        raise ImproperlyConfigured(f"{name} must be like redis://host:6379/0, rediss://… or unix://….")
    return address


def _is_number(path: str) -> bool:
    return re.fullmatch(r"/?[0-9]*", path) is not None
