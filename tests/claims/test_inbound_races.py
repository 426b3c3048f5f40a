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


@pytest.mark.django_db(transaction=True)
def test_a_file_that_somebody_is_at_does_not_wait_for_another() -> None:
    [file_id] = inbound.store(
        "sandbox", [Fetched(name="one.x12", content=b"ISA*one~", kind="x12", reference="one")]
    )
    found: list[list[int]] = []

    def sweep() -> None:
        found.append(inbound.waiting_files())
        connection.close()

    with transaction.atomic():
        InboundFile.objects.select_for_update().get(pk=file_id)
        other = threading.Thread(target=sweep)
        other.start()
        other.join(10)
    assert found == [[]]
    assert inbound.waiting_files() == [file_id]
