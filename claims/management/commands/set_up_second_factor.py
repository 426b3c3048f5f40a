"""`manage.py set_up_second_factor NAME`: the first administrator's, and whose account no other confirms."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandParser

from claims.desk.four_eyes import confirm
from claims.desk.second_factor import set_up
from partners.commands import NotThere


class Command(BaseCommand):
    help = "Give a member of staff a new second factor; an earlier one ends, and nobody has to confirm it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the name that the person signs in with")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        user = User.objects.filter(username=name, is_staff=True).first()
        if user is None:
            raise NotThere(f"No member of staff is called {name}.")
        factor = set_up(user)
        confirm(user)
        self.stdout.write(f"Authenticator: {factor.address}\nSpare codes: {' '.join(factor.spare_codes)}")
