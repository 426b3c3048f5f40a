"""A real browser over a live server: Debian's chromium, driven by playwright; without one the tests skip.

Its headless shell is taken where there is one: the same engine without a window takes two thirds of the time.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client

from tests.cast import Api, _nothing_remembered  # noqa: F401 (fixture)
from tests.claims.admin.staff import Desk, harborlight

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
# Without the hinting that a window has, text is as wide in the shell as in a window.
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--renderer-process-limit=1",
    "--font-render-hinting=none",
]
WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = os.path.dirname(__file__)
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None:
                item.add_marker(
                    pytest.mark.skip(
                        reason="no chromium on this machine: apt-get install chromium-headless-shell"
                    )
                )


@pytest.fixture(scope="session")
def window() -> Iterator[Any]:
    """The one window of the run, of the one browser; opening either takes longer than a test."""
    from playwright.sync_api import sync_playwright

    # Playwright keeps an event loop in this thread, which Django takes for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        context = browser.new_context()
        context.new_page()  # so that the window stays open
        yield context
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def partner(live_server: Any, settings: Any) -> Api:
    settings.SANDBOX_SPEED = 1e9
    settings.STAFF_SECOND_FACTOR = False
    return harborlight()


@pytest.fixture
def at_desk(live_server: Any, window: Any, settings: Any) -> Iterator[Callable[..., Any]]:
    """Signs a member of staff in and gives a page of theirs: `at_desk("billing")`."""
    settings.STAFF_SECOND_FACTOR = False
    contexts: list[Any] = []

    def sign_in(role: str, *, viewport: dict[str, int] = WIDE) -> Any:
        desk = Desk(role)
        context = window.browser.new_context() if contexts else window
        contexts.append(context)
        cookie = _cookie_of(desk.client)
        context.add_cookies(
            [{"name": django_settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}]
        )
        page = context.new_page()
        page.set_viewport_size(viewport)
        page.base = live_server.url
        page.desk = desk
        page.problems = []
        page.on(
            "console", lambda message: page.problems.append(message.text) if message.type == "error" else None
        )
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        return page

    yield sign_in
    for context in contexts[1:]:
        context.close()
    _forget(window, live_server.url)


def _forget(window: Any, origin: str) -> None:
    """Leave the window as it was opened."""
    first, *others = window.pages
    for page in others:
        page.close()
    window.clear_cookies()
    window.clear_permissions()
    window.new_cdp_session(first).send(
        "Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"}
    )


def _cookie_of(client: Client) -> str:
    return client.cookies[django_settings.SESSION_COOKIE_NAME].value
