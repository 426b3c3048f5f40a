"""The cast of the interface tests."""

from tests.cast import _nothing_remembered, api, release, rival  # noqa: F401 (fixtures)
