"""A client that openapi-python-client generates from the description does the main job."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from uuid import UUID

import pytest

from partners.api.description import description
from tests.cast import NPI, onboarding, partner_api, submission

PACKAGE = "generated_billing_client"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of a freshly generated client package, importable meanwhile."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_text(json.dumps(description()))
    (folder / "config.yml").write_text("post_hooks: []\n")
    command = [str(Path(sys.executable).with_name("openapi-python-client")), "generate", "--meta", "none"]
    command += ["--path", "openapi.json", "--output-path", PACKAGE, "--config", "config.yml"]
    command += ["--fail-on-warning"]
    finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def part(name: str) -> ModuleType:
    return importlib.import_module(f"{PACKAGE}.{name}")


@pytest.mark.django_db(transaction=True)
def test_the_main_job(base: str, generated: Path) -> None:
    models = part("models")
    client = part("client").AuthenticatedClient(base_url=base, token=partner_api("Generated").key)
    with client:
        onboarded = part("api.providers.onboard_provider").sync(
            client=client, body=models.Onboarding.from_dict(onboarding())
        )
        assert onboarded.provider_npi == NPI
        payers = part("api.payers.search_payers").sync(client=client, q="aetna").payers
        assert payers[0].payer_id == "60054"
        body = models.Submission.from_dict(submission(externalSessionId="visit-1"))
        submitted = part("api.sessions.submit_session").sync(client=client, body=body)
        assert isinstance(submitted.session_id, UUID)
        duplicate = part("api.sessions.submit_session").sync(client=client, body=body)
        assert isinstance(duplicate, models.DuplicateSession)
        shown = part("api.sessions.get_session").sync(submitted.session_id, client=client)
        assert shown.patient_name == "Jane Doe"
        assert shown.claim is None
        change = models.SessionUpdate.from_dict({"patient": {"gender": "U"}})
        updated = part("api.sessions.update_session").sync(submitted.session_id, client=client, body=change)
        assert updated.status == "updated"
        page = part("api.sessions.list_sessions").sync(client=client, patient_name="doe", limit=1)
        assert [item.external_session_id for item in page.items] == ["visit-1"]
        assert page.next_page_token is None
