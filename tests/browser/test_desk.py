"""The journeys over lists, in a real browser, within their clicks; the desk's keys and its clock."""

import re
from datetime import timedelta
from time import monotonic
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from billing.payers.catalog import record_carriers
from claims import figures
from claims.models import Claim, WorkItem
from tests.browser.conftest import NARROW
from tests.cast import day_of_service
from tests.claims.admin.staff import ended
from tests.claims.admin.work import open_item


def home(page: Any) -> Any:
    page.goto(page.base + "/admin/")
    return page


def test_the_most_urgent_free_item_is_one_key_away(partner, at_desk):
    open_item(partner, days_left=40)
    urgent = open_item(partner, days_left=2)
    taken = open_item(partner, days_left=1)
    page = home(at_desk("billing"))
    WorkItem.objects.filter(pk=taken.pk).update(
        leased_by=at_desk("billing lead").desk.user, leased_at=timezone.now()
    )
    page.keyboard.press("n")
    page.wait_for_url(re.compile(str(urgent.session_id)))
    assert WorkItem.objects.get(pk=urgent.pk).leased_by == page.desk.user
    assert page.problems == []


def test_the_most_urgent_free_item_is_one_click_away(partner, at_desk):
    urgent = open_item(partner, days_left=2)
    page = home(at_desk("billing"))
    page.get_by_role("button", name="Start with the most urgent").click()
    page.wait_for_url(re.compile(str(urgent.session_id)))


def test_any_number_leads_to_its_session_without_a_click(partner, at_desk):
    session_id = ended(partner, "DENIED", externalSessionId="hl-88213")
    page = home(at_desk("support"))
    page.keyboard.press("/")
    page.keyboard.insert_text("hl-88213")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(str(session_id)))
    assert "88213" not in page.url
    assert page.problems == []


def test_a_key_is_issued_and_copied_in_five_clicks(partner, at_desk):
    page = home(at_desk("administrator"))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("link", name="Partners and keys").click()
    page.get_by_role("link", name="Harborlight").click()
    page.get_by_label("New key").click()
    page.keyboard.type("prod-2")
    page.get_by_role("button", name="Issue the key").click()
    shown = page.locator("#new-key").inner_text()
    page.get_by_role("button", name="Copy").click()
    page.locator("#news", has_text="Copied.").wait_for(state="attached")
    assert page.evaluate("navigator.clipboard.readText()") == shown
    page.go_back()
    assert shown not in page.content()
    assert page.problems == []


def test_rejections_of_one_cause_are_sent_again_in_four_clicks(partner, at_desk):
    for letter in "BCD":
        ended(partner, f"REJECTED{letter}")
    page = home(at_desk("billing lead"))
    page.get_by_role("link", name="Rejected", exact=False).first.click()
    page.get_by_label("Choose all rows on this page").click()
    assert page.locator("[data-chosen]").inner_text() == "3 chosen"
    page.get_by_role("button", name="Send again").click()
    page.get_by_label("Why (kept in each record, the partner doesn't see it)").fill("the payer had an outage")
    page.get_by_role("button", name="Send 3").click()
    page.wait_for_url(re.compile("/bulk/"))
    assert page.get_by_text("On its way again.").count() == 3
    assert Claim.objects.filter(version=2).count() == 3
    assert page.problems == []


def test_rows_are_walked_and_opened_by_keys(partner, at_desk):
    open_item(partner, days_left=2)
    second = open_item(partner, days_left=5)
    page = at_desk("billing")
    page.goto(page.base + "/admin/work/rejected/")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("x")
    assert page.locator("tr.cursor [data-choose]").is_checked()
    assert page.locator("[data-chosen]").inner_text() == "1 chosen"
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(str(second.session_id)))


def widths(page):
    """The columns of a queue by their heads, in pixels, and how far the table reaches beyond its place."""
    return page.evaluate(
        """() => [
            Object.fromEntries([...document.querySelectorAll("table.rows thead th")].map(
                (each) => [each.textContent.trim(), each.getBoundingClientRect().width])),
            document.querySelector(".scroll").scrollWidth - document.querySelector(".scroll").clientWidth,
        ]"""
    )


@pytest.mark.parametrize("width", [1280, 1440])
def test_the_reason_is_the_widest_column_of_a_queue(partner, at_desk, width):
    words = (
        "Aetna doesn't know this member ID, and another session of the patient was paid under another one."
    )
    names = {"patient__lastName": "Featherstonehaugh-" * 3, "patient__firstName": "Maximiliane " * 2}
    long = open_item(partner, summary=words, payer_name="Blue Cross and Blue Shield of Texas", **names)
    open_item(partner)
    page = at_desk("billing", viewport={"width": width, "height": 800})
    page.goto(page.base + "/admin/work/rejected/")
    columns, beyond = widths(page)
    assert max(columns, key=columns.get) == "What is wrong"
    assert columns["What is wrong"] > 2 * columns["Patient"]
    assert beyond == 0
    assert page.get_by_title(words).is_visible()
    name = f"{long.session.patient_last_name}, {long.session.patient_first_name}"
    assert page.get_by_title(name).is_visible()
    assert page.problems == []


def test_a_narrow_window_keeps_reason_charge_and_holder(partner, at_desk):
    words = "The claim lacks information or has a billing error: a diagnosis is missing (CO-16, M76)."
    open_item(partner, payer_name="Blue Cross and Blue Shield of Texas", summary=words)
    page = at_desk("billing", viewport={"width": 1024, "height": 800})
    page.goto(page.base + "/admin/work/rejected/")
    columns, beyond = widths(page)
    assert max(columns, key=columns.get) == "What is wrong"
    assert (columns["Partner"], columns["Code"], beyond) == (0, 0, 0)
    assert page.locator("td.wide").evaluate("each => each.scrollWidth <= each.clientWidth")


@pytest.mark.parametrize("width", [1024, 1366])
def test_lists_fit_a_small_window(partner, at_desk, width):
    record_carriers()
    long = {
        "payer_name": "Blue Cross and Blue Shield of Texas",
        "summary": "The first diagnosis is a heading. " * 3,
    }
    a_year_ago = {
        "session__dateOfService": day_of_service(360),
        "opened_at": timezone.now() - timedelta(days=360),
    }
    page = at_desk("billing lead", viewport={"width": width, "height": 768})
    for queue in "held", "rejected":
        open_item(partner, queue, days_left=3, assignee=page.desk.user, **long, **a_year_ago)
    lists = (
        "work/held",
        "work/rejected",
        "work/deadlines",
        "work/mine",
        "sessions_app/session",
        "billing/payer",
    )
    beyond = {}
    for address in lists:
        page.goto(f"{page.base}/admin/{address}/")
        if (pixels := widths(page)[1]) > 0:
            beyond[address] = pixels
    assert beyond == {}


def test_what_has_the_focus_is_not_below_a_bar(partner, at_desk):
    for days in range(8):
        open_item(partner, days_left=days)
    page = at_desk("billing", viewport={"width": 1024, "height": 400})
    page.goto(page.base + "/admin/work/rejected/")
    page.locator("[data-choose-all]").focus()
    covered = []
    for key in ["Tab"] * 16 + ["Shift+Tab"] * 16:
        page.keyboard.press(key)
        covered += page.evaluate(
            """() => {
                const at = document.activeElement.getBoundingClientRect();
                const over = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);
                return document.activeElement.contains(over) ? [] : [document.activeElement.outerHTML];
            }"""
        )
    assert covered == []


def test_patient_and_preview_stay_beside_in_a_small_window(partner, at_desk):
    session_id = ended(partner, "REJECTED")
    page = at_desk("billing", viewport={"width": 1024, "height": 768})
    for name, left, right in (
        ("desk:session", "What is wrong, and what fixes it", "Patient and coverage"),
        ("desk:correct", "What the session says", "What this will do"),
    ):
        page.goto(page.base + reverse(name, args=[session_id]))
        one, other = (page.get_by_role("heading", name=each).bounding_box() for each in (left, right))
        assert abs(one["y"] - other["y"]) < 4
    save = page.get_by_role("button", name="Save and send version 2")
    assert save.bounding_box()["x"] + save.bounding_box()["width"] < 1000


def test_two_keys_go_to_a_queue(partner, at_desk):
    page = home(at_desk("billing"))
    page.keyboard.press("g")
    page.keyboard.press("d")
    page.wait_for_url(re.compile("admin/work/denied/"))


def test_keys_in_a_field_are_letters(partner, at_desk):
    page = home(at_desk("billing"))
    page.keyboard.press("/")
    page.keyboard.type("gdn?")
    assert page.locator(".find input[name=text]").input_value() == "gdn?"
    assert page.url.endswith("/admin/")


def test_single_keys_can_be_turned_off(partner, at_desk):
    page = home(at_desk("billing"))
    page.keyboard.press("?")
    page.get_by_label("Single keys act outside fields").uncheck()
    page.get_by_role("button", name="Close").click()
    page.reload()
    page.keyboard.press("g")
    page.keyboard.press("d")
    page.wait_for_timeout(200)
    assert page.url.endswith("/admin/")


def test_the_theme_is_switched_and_kept(partner, at_desk):
    page = home(at_desk("billing"))
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_nothing_but_settings_is_stored_in_the_browser(partner, at_desk):
    open_item(partner, days_left=3, patient__lastName="Quillfeather")
    page = home(at_desk("billing"))
    page.get_by_role("button", name="Light or dark").click()
    page.goto(page.base + "/admin/work/rejected/")
    stored = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    assert set(re.findall(r'"(\w+)":', stored)) <= {"theme", "shortcuts", "acted"}
    assert {each["name"] for each in page.context.cookies()} == {"sessionid", "csrftoken", "zone"}


def test_the_server_learns_what_the_clock_here_says(partner, at_desk):
    page = home(at_desk("billing"))
    here = page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    assert [each["value"] for each in page.context.cookies() if each["name"] == "zone"] == [here]


def test_a_tab_that_rests_stays_while_another_is_worked_in(partner, at_desk):
    page = at_desk("billing")
    page.clock.install()
    home(page)
    warning = page.locator("#idle")
    page.clock.fast_forward("19:00")
    assert warning.is_visible()
    # What is stored can be read before its event has come; this one hears it behind the desk's own.
    page.evaluate("addEventListener('storage', () => { window.heard = true })")
    beside = page.context.new_page()
    beside.goto(page.base + reverse("admin:index"))
    beside.keyboard.press("Shift")
    # Asked from outside: our own content policy refuses what the browser would evaluate again and again.
    patience = monotonic() + 10
    while not page.evaluate("window.heard"):
        assert monotonic() < patience
    page.clock.fast_forward("00:31")
    assert warning.is_hidden()
    page.clock.fast_forward("19:00")
    assert warning.is_visible()


def test_who_types_without_a_rest_is_not_idle_to_the_server(partner, at_desk):
    page = at_desk("billing")
    page.clock.install()
    home(page)
    beats = []
    page.on("request", lambda request: beats.append(request.url) if "heartbeat" in request.url else None)
    for _ in range(4):
        page.clock.fast_forward("00:40")
        page.keyboard.press("Shift")
    page.wait_for_load_state("networkidle")
    assert len(beats) == 2


def test_a_list_is_printed_without_the_desk_around_it(partner, at_desk):
    open_item(partner)
    page = at_desk("billing")
    page.goto(page.base + "/admin/work/rejected/")
    page.emulate_media(media="print")
    assert page.locator("tr[data-row]").is_visible()
    for around in (".side", ".top", ".bulk", ".filters"):
        assert page.locator(around).is_hidden()


def test_the_way_to_the_rows_by_tab_is_short(partner, at_desk):
    open_item(partner)
    page = at_desk("billing")
    page.goto(page.base + "/admin/work/rejected/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the work"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_a_chosen_filter_acts_at_once(partner, at_desk):
    open_item(partner)
    open_item(partner, payer_name="Cigna")
    page = at_desk("billing")
    page.goto(page.base + "/admin/work/rejected/")
    page.locator("select[name=payer]").select_option("Cigna")
    page.wait_for_url(re.compile("payer=Cigna"))
    assert page.locator("tbody tr[data-row]").count() == 1


def test_the_menu_opens_on_a_phone(partner, at_desk):
    page = home(at_desk("billing", viewport=NARROW))
    assert not page.locator(".side").is_visible()
    page.get_by_role("button", name="Menu").click()
    page.locator(".side").get_by_role("link", name="Denied").click()
    page.wait_for_url(re.compile("admin/work/denied/"))


@pytest.mark.parametrize(
    "address", ["", "work/rejected/", "sessions_app/session/", "billing/payer/", "audit/"]
)
def test_nothing_scrolls_sideways_at_390(partner, at_desk, address):
    for _ in range(3):
        open_item(partner, days_left=3)
    page = at_desk("billing lead", viewport=NARROW)
    page.goto(page.base + "/admin/" + address)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_numbers_of_the_weeks_fit_beside_the_denials(partner, at_desk):
    open_item(partner, days_left=3)
    figures.rebuild()
    page = home(at_desk("billing lead", viewport={"width": 1366, "height": 768}))
    page.get_by_text("The same as a table").click()
    rows = page.get_by_role("region", name="By week, rows")
    assert rows.evaluate("each => each.scrollWidth - each.clientWidth") == 0


def test_a_long_reason_takes_three_lines_at_most_in_a_narrow_window(partner, at_desk):
    words = "Five payers or more fit the payer's name: Blue Cross and Blue Shield of Texas. " * 4
    open_item(partner, summary=words)
    page = at_desk("billing", viewport={"width": 1024, "height": 768})
    page.goto(page.base + "/admin/work/rejected/")
    cell = page.locator("td.wide")
    lines = "each => each.clientHeight / parseFloat(getComputedStyle(each).lineHeight)"
    assert cell.evaluate(lines) < 4
    assert cell.get_attribute("title") == words


@pytest.mark.parametrize("width", [1024, 1180])
def test_nothing_lies_over_anything_on_the_home_page_of_a_small_window(partner, at_desk, width):
    ended(partner, "DENIED197")
    figures.rebuild()
    page = home(at_desk("billing lead", viewport={"width": width, "height": 768}))
    assert page.get_by_text("No authorization is on file").first.is_visible()
    beyond = "all => all.map(each => each.scrollWidth - each.clientWidth)"
    boxes = page.locator(".lower .halves > div, [aria-label='Queues']").evaluate_all(beyond)
    assert len(boxes) > 2
    assert set(boxes) == {0}
