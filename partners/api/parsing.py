"""Reading a request's body and query, strictly, before anything is made of them."""

import codecs
import json
import math
import re
from collections import Counter
from typing import Any, NoReturn
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.http import HttpRequest

from partners.api.errors import Refusal
from partners.issues import Issue

_CONTENT_TYPE = re.compile(r'application/json(?:\s*;\s*charset\s*=\s*"?utf-?8"?\s*)?;?', re.IGNORECASE)
WITHOUT_LENGTH = "Send the body with a Content-Length header."
NOT_JSON = "Send the body as 'Content-Type: application/json' in UTF-8."
_LONGEST_NUMBER = 400
_LONG = 64 * 1024
_MOST_PARTS = 10_000
_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_MOST_PARAMETERS = 100


class Unreadable(Exception):
    """The bytes are not a JSON document; the text says what is wrong."""


class Repeating(dict[str, Any]):
    """A JSON object that has some names more than once: `repeated`."""

    repeated: frozenset[str]


def check_headers(request: HttpRequest) -> None:
    """Refuse with 411, 413 or 415 before a byte of the body is read; Unreadable where its length is none."""
    meta = request.META
    content_type = meta.get("CONTENT_TYPE") or "application/json"
    if content_type != "application/json" and not _CONTENT_TYPE.fullmatch(content_type.strip()):
        raise Refusal(415, NOT_JSON)
    if meta.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity":
        raise Refusal(415, "Send the body as it is, without a Content-Encoding.")
    stated = meta.get("CONTENT_LENGTH") or ""
    if not stated and meta.get("HTTP_TRANSFER_ENCODING"):
        raise Refusal(411, WITHOUT_LENGTH)
    if stated and not (stated.isascii() and stated.isdigit()):
        raise Unreadable("The Content-Length header must be a whole number.")
    if len(stated) > 9 or int(stated or 0) > settings.MAX_BODY_BYTES:
        raise Refusal(413, f"The body may have at most {settings.MAX_BODY_BYTES:,} bytes.")


def read_body(request: HttpRequest) -> bytes:
    """The body's bytes; Unreadable where they are not as many as stated."""
    body: bytes = request.body
    stated = request.META.get("CONTENT_LENGTH")
    if stated and len(body) != int(stated):
        raise Unreadable("The body ended before its Content-Length.")
    return body


def read_json(body: bytes) -> Any:
    """The document; lone surrogates and repeated names stay in, so that their field can be named."""
    if not body:
        raise Unreadable("The body is empty; send a JSON object.")
    if body.startswith(codecs.BOM_UTF8):
        raise Unreadable("The body begins with a byte order mark; send it without one.")
    if len(body) > _LONG and _parts(body) > _MOST_PARTS:
        raise Unreadable(f"The body has more than {_MOST_PARTS:,} names and values.")
    try:
        return json.loads(
            body.decode("utf-8"),
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_int=_integer,
            parse_float=float,
        )
    except UnicodeDecodeError as error:
        raise Unreadable(f"The body is not UTF-8 (byte {error.start}).") from None
    except json.JSONDecodeError as error:
        raise Unreadable(f"The body is not valid JSON (line {error.lineno}, column {error.colno}).") from None
    except RecursionError:
        raise Unreadable("The body is nested too deeply.") from None


def read_query(request: HttpRequest) -> tuple[dict[str, str], list[Issue]]:
    """The query's parameters, each once, and what is wrong with the others. Empty values count as absent."""
    text = request.META.get("QUERY_STRING", "")
    if not text:
        return {}, []
    values: dict[str, str] = {}
    issues: list[Issue] = []
    pairs = [pair.partition(b"=") for pair in text.encode("latin-1").split(b"&") if pair]
    if len(pairs) > _MOST_PARAMETERS:
        return {}, [Issue("", f"Send at most {_MOST_PARAMETERS} query parameters.")]
    repeated: set[str] = set()
    for raw_name, _, raw_value in pairs:
        name = _plain(raw_name).decode("utf-8", "backslashreplace")
        if name in values:
            if name not in repeated:
                issues.append(Issue(name, "This parameter may be given only once."))
            repeated.add(name)
            continue
        try:
            values[name] = _plain(raw_value).decode("utf-8")
        except UnicodeDecodeError:
            values[name] = ""
            issues.append(Issue(name, "The value is not UTF-8."))
    return values, issues


def _plain(quoted: bytes) -> bytes:
    return unquote_to_bytes(quoted.replace(b"+", b" "))


def _parts(body: bytes) -> int:
    """About how many names and values there are, without making them: many cost far more than long ones."""
    bare, texts = _TEXT.subn(b"", body, count=_MOST_PARTS + 1)
    return max(texts, bare.count(b",") + bare.count(b"[") + bare.count(b"{"))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) == len(pairs):
        return plain
    repeating = Repeating(plain)
    times = Counter(name for name, _ in pairs)
    repeating.repeated = frozenset(name for name in times if times[name] > 1)
    return repeating


def _refuse_constant(name: str) -> NoReturn:
    raise Unreadable(f"The body is not valid JSON: {name} is no JSON number.")


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) < _LONGEST_NUMBER else math.inf
