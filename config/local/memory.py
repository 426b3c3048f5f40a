"""What one `make run` leaves for the next: the admin password and the partners' keys."""

import json
import os
import secrets
from dataclasses import asdict, dataclass, field
from pathlib import Path

FILE_NAME = "demonstration.json"
ADMIN_NAME = "admin"
AT_ONCE_LABEL = "locks at once"
DEFAULT_WINDOW_LABEL = "default correction window"
LOG_FOLDER = "log"
OWN_ENTRIES = (FILE_NAME, LOG_FOLDER, "servers")  # what `make run` makes in DATA_DIR


@dataclass
class RememberedPartner:
    """A partner organization of the demonstration; the service shows its key once, so it is kept."""

    name: str
    partner_id: str
    api_key: str
    label: str


@dataclass
class Memory:
    """The demonstration's secrets, kept in a file of mode 600 in DATA_DIR."""

    file: Path
    admin_password: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    partners: dict[str, RememberedPartner] = field(default_factory=dict)

    @classmethod
    def read(cls, data_folder: Path) -> "Memory":
        file = data_folder / FILE_NAME
        try:
            stored = json.loads(file.read_text())
        except FileNotFoundError:
            return cls(file=file)
        partners = {name: RememberedPartner(**partner) for name, partner in stored["partners"].items()}
        return cls(file=file, admin_password=stored["admin_password"], partners=partners)

    def write(self) -> None:
        handle = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        partners = {name: asdict(partner) for name, partner in self.partners.items()}
        with os.fdopen(handle, "w") as file:
            json.dump({"admin_password": self.admin_password, "partners": partners}, file, indent=2)
