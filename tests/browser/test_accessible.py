"""axe over the desk's lists and set-up pages: no violation, light or dark, nor on a phone."""

from claims import figures
from partners.keys import issue_key
from providers.models import ChargeSchedule
from tests.browser.looks import AT_390, AT_1280, EVERY_LOOK, problems
from tests.claims.admin.staff import ended
from tests.claims.admin.work import open_item

ON_A_PHONE = ("", "work/rejected/", "sessions_app/session/", "billing/payer/")
BILLING_PAGES = (
    "",
    "work/rejected/",
    "work/deadlines/",
    "work/denied/?payer=Nobody",
    "people/",
    "sessions_app/session/",
    "billing/claimrule/",
    "billing/payer/",
    "billing/codesetrelease/",
    "providers/chargeschedule/add/",
    "providers/enrollment/add/",
    "audit/",
    "password_change/",
)


def test_axe_finds_nothing_on_the_pages_of_billing(partner, at_desk):
    for word in ("PAID", "DENIED", "REJECTED"):
        ended(partner, word)
    open_item(partner, days_left=3)
    figures.rebuild()
    page = at_desk("billing lead")
    schedule = ChargeSchedule.objects.first()
    found = {}
    for address in (
        *BILLING_PAGES,
        f"providers/chargeschedule/{schedule.pk}/change/?on=2030-01-01&code=90837&place=office",
        f"providers/chargeschedule/{schedule.pk}/import/",
    ):
        page.goto(page.base + "/admin/" + address)
        if lines := problems(page, EVERY_LOOK if address in ON_A_PHONE else AT_1280):
            found[address] = lines
    assert found == {}
    assert page.problems == []


def test_axe_finds_nothing_on_the_pages_of_an_administrator(partner, at_desk):
    issue_key(partner.partner, name="prod")
    page = at_desk("administrator")
    found = {}
    for address in (
        "",
        f"partners/partner/{partner.partner.pk}/change/",
        "auth/user/",
        f"auth/user/{page.desk.user.pk}/change/",
        "auth/user/add/",
        "billing/payer/add/",
        "audit/?kind=changes",
    ):
        page.goto(page.base + "/admin/" + address)
        if lines := problems(page, AT_1280):
            found[address] = lines
    assert found == {}


def test_axe_finds_nothing_before_signing_in(partner, at_desk):
    page = at_desk("billing")
    page.context.clear_cookies()
    page.goto(page.base + "/admin/login/")
    assert problems(page) == []
    page.get_by_role("button", name="Sign in").click()
    assert problems(page) == []


def test_axe_finds_nothing_on_a_preview_and_a_result(partner, at_desk):
    ended(partner, "REJECTED")
    page = at_desk("billing lead")
    page.goto(page.base + "/admin/work/rejected/")
    page.get_by_label("Choose all rows on this page").click()
    page.get_by_role("button", name="Send again").click()
    assert problems(page, AT_390) == []
    page.get_by_label("Why (kept in each record, the partner doesn't see it)").fill("again")
    page.get_by_role("button", name="Send 1").click()
    assert problems(page) == []
