"""`manage.py create_roles`: the four groups of staff with exactly their permissions."""

from typing import Any

from django.core.management.base import BaseCommand

from claims.desk.roles import create_roles


class Command(BaseCommand):
    help = "Create the groups of staff, or give them exactly their permissions again."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write("Roles: " + ", ".join(create_roles()) + ".")
