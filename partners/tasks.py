"""Celery tasks of partners: the access record is sealed."""

from celery import shared_task

from partners.audit_chain import seal_records


@shared_task(name="partners.seal_access_records", queue="periodic")
def seal_access_records() -> None:
    """Seal what was recorded since the last time."""
    seal_records()
