"""axe over one page in each of its looks: at 1280 and at 390 wide, light and dark."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import NARROW, WIDE

AXE = Axe().axe_script
ONLY_VIOLATIONS = {"resultTypes": ["violations"], "preload": False, "selectors": False}
RULES = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    },
    **ONLY_VIOLATIONS,
}
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}, **ONLY_VIOLATIONS}
"""All that a change of colours alone can spoil."""
AT_1280 = ((WIDE, "light", RULES),)
AT_390 = ((NARROW, "dark", RULES), (NARROW, "light", CONTRAST))
EVERY_LOOK = (*AT_1280, (WIDE, "dark", CONTRAST), *AT_390)


def problems(page: Any, looks: tuple[Any, ...] = EVERY_LOOK) -> list[str]:
    """Each violation in a line: look, rule, how grave, the first place; and what scrolls sideways."""
    found = []
    for viewport, scheme, rules in looks:
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=scheme)
        if page.evaluate("typeof axe === 'undefined'"):
            page.evaluate(AXE)
        for each in page.evaluate("rules => axe.run(rules)", rules)["violations"]:
            place = f"{each['id']} ({each['impact']}): {each['nodes'][0]['html'][:160]}"
            found.append(f"{viewport['width']} {scheme}: {place}")
        if page.evaluate("document.documentElement.scrollWidth") > viewport["width"]:
            found.append(f"{viewport['width']}: scrolls sideways")
    return found
