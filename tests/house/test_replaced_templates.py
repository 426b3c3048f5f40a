"""The templates of unfold and Django that ours stand in for: an upgrade that changes one is seen here.

When this fails, read what changed upstream, take over what matters, and write down the new hash.
"""

import hashlib
from pathlib import Path

import django.contrib.admin
import pytest
import unfold

from tests.house.test_tree import PROJECT

UPSTREAM = [Path(package.__file__).parent / "templates" for package in (unfold, django.contrib.admin)]
HASHES = {
    "admin/actions.html": "b5332aace8e69192",
    "admin/app_index.html": "85c5dc684c2a2984",
    "admin/auth/user/add_form.html": "1ac19865fa907809",
    "admin/auth/user/change_password.html": "e2ac5372b85e5c4b",
    "admin/base.html": "2ce9250b3c649e3a",
    "admin/base_site.html": "50eb1e71a0b2729c",
    "admin/change_form.html": "e9824d4d8a447d97",
    "admin/change_list.html": "5885c39760f6085d",
    "admin/change_list_results.html": "1a2a072727ae72f9",
    "admin/delete_confirmation.html": "d2f1e1adb500396f",
    "admin/edit_inline/stacked.html": "2f9bf28a38568054",
    "admin/edit_inline/tabular.html": "81babc26bfd9952e",
    "admin/filter.html": "0c4cab2e0096ba77",
    "admin/includes/fieldset.html": "28426b3cc2900b0b",
    "admin/index.html": "9fdb849b7da18ccd",
    "admin/invalid_setup.html": "179152de8ed2de5e",
    "admin/login.html": "13deb7765ce36659",
    "admin/object_history.html": "276be0d3eb1c5eaa",
    "admin/pagination.html": "a1d4f5881c9a2ed9",
    "admin/search_form.html": "32c57965802858bd",
    "admin/submit_line.html": "7a195a7b8beeda11",
    "registration/logged_out.html": "cad8c8cf769b9e91",
    "registration/password_change_done.html": "7e5d9fc5473b0b67",
    "registration/password_change_form.html": "1f9348f747225330",
    "unfold/helpers/boolean.html": "ccaf312fe7efd6b9",
}


def upstream_of(name: str) -> Path | None:
    return next((folder / name for folder in UPSTREAM if (folder / name).exists()), None)


def test_every_template_that_we_replace_is_named():
    ours = {str(path.relative_to(PROJECT / "templates")) for path in (PROJECT / "templates").rglob("*.html")}
    assert {name for name in ours if upstream_of(name)} == set(HASHES)


@pytest.mark.parametrize("name", sorted(HASHES))
def test_the_replaced_template_is_the_one_we_read(name: str):
    upstream = upstream_of(name)
    assert upstream is not None
    assert hashlib.sha256(upstream.read_bytes()).hexdigest()[:16] == HASHES[name]
