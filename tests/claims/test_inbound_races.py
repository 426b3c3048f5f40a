"""Two processes fetch the same file."""

import threading

import pytest
from django.db import connection, transaction

from claims import inbound
from claims.clearinghouse.port import InboundFile as Fetched
from claims.models import InboundFile, RawFile


@pytest.mark.django_db(transaction=True)
def test_both_know_it_and_its_bytes_are_stored_once() -> None:
    file = Fetched(name="one.x12", content=b"ISA*one~", kind="x12", reference="one")
    stored: list[list[int]] = []

    def fetch_too() -> None:
        stored.append(inbound.store("sandbox", [file]))
        connection.close()

    other = threading.Thread(target=fetch_too)
    with transaction.atomic(), connection.cursor() as cursor:
        stored.append(inbound.store("sandbox", [file]))
        other.start()
        waits = False
        while not waits:
            cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
            [waits] = cursor.fetchone()
    other.join(10)
    assert stored[0] == stored[1] == [InboundFile.objects.get().pk]
    assert RawFile.objects.get().content == InboundFile.objects.get().content == b"ISA*one~"
