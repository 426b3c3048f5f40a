"""The admin's own defences: second factor, lockout, time-out, content policy, nothing cached."""

import re
import time
from base64 import b32decode, b64encode
from html import unescape
from io import StringIO
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from axes.models import AccessAttempt
from django.conf import settings as django_settings
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.template.loader import get_template
from django.test import Client
from django.urls import reverse
from django_otp.oath import TOTP

from claims.desk.second_factor import set_up
from claims.models import Authenticator, SetUpChange, ViewRecord
from config.staff_middleware import LAST_ACT
from tests.claims.admin.staff import Desk, ended
from tests.claims.admin.test_roles import changed_by
from tests.house.test_tree import PROJECT

pytestmark = pytest.mark.django_db
PASSWORD = "quiet-harbor-2030"
PARTNERS_PAGE = "partner_guide.html"
TEMPLATES = sorted(path for path in (PROJECT / "templates").rglob("*.html") if path.name != PARTNERS_PAGE)
KB = 1024
LOGIN = "admin:login"


@pytest.fixture
def maya(db) -> User:
    return User.objects.create_user("maya", password=PASSWORD, is_staff=True)


def sign_in(**fields: str):
    client = Client()
    return client, client.post(reverse(LOGIN), {"username": "maya", "password": PASSWORD, **fields})


def code_of(user: User) -> str:
    totp = TOTP(bytes(Authenticator.objects.get(user=user).secret))
    totp.time = time.time()
    return f"{totp.token():06d}"


def test_without_the_second_factor_nobody_enters(maya, settings):
    settings.STAFF_SECOND_FACTOR = True
    client, answer = sign_in()
    assert "six digits" in answer.content.decode()
    client.force_login(maya)
    assert client.get(reverse("admin:index")).status_code == 302


def test_a_refused_sign_in_says_what_may_be_wrong_and_not_what_is(maya, settings):
    settings.STAFF_SECOND_FACTOR = False
    User.objects.create_user("resting", password=PASSWORD, is_staff=True, is_active=False)
    for wrong in {"password": "no"}, {"username": "nobody"}, {"username": "resting"}:
        page = sign_in(**wrong)[1].content.decode()
        assert "The name or the password isn&#x27;t right, or the account isn&#x27;t active." in page


def test_with_the_code_staff_enter(maya, settings):
    settings.STAFF_SECOND_FACTOR = True
    set_up(maya)
    client, answer = sign_in(otp_token=code_of(maya))
    assert answer.status_code == 302, answer.content
    assert client.get(reverse("admin:index")).status_code == 200


def test_a_code_serves_once(maya, settings):
    settings.STAFF_SECOND_FACTOR = True
    set_up(maya)
    code = code_of(maya)
    assert sign_in(otp_token=code)[1].status_code == 302
    assert sign_in(otp_token=code)[1].status_code == 200


def test_development_may_leave_the_second_factor_out(maya, settings):
    settings.STAFF_SECOND_FACTOR = False
    client, answer = sign_in()
    assert answer.status_code == 302
    assert client.get(reverse("admin:index")).status_code == 200


def test_five_wrong_passwords_lock_the_name_out(maya, settings):
    settings.STAFF_SECOND_FACTOR = False
    answers = [sign_in(password=f"wrong-{number}")[1].status_code for number in range(5)]
    assert answers[-1] == 429
    _, answer = sign_in()
    assert answer.status_code == 429
    assert "quarter of an hour" in answer.content.decode()


@pytest.mark.parametrize(
    ("name", "page"),
    [("session-release", "session"), ("session-note", "session"), ("start", "queue"), ("start_any", None)],
)
def test_a_form_sent_after_the_time_out_leads_back_to_its_page(partner, billing, name, page):
    named = {"session": [ended(partner, "HELD")], "queue": ["held"]}.get(page, [])
    session = billing.client.session
    session[LAST_ACT] = int(time.time()) - django_settings.STAFF_IDLE_SECONDS - 1
    session.save()
    answer = billing.client.post(reverse(f"desk:{name}", args=named), {"reason": "card seen"})
    after_sign_in = parse_qs(urlsplit(answer["Location"]).query)["next"][0]
    billing.client.force_login(billing.user)
    answer = billing.client.get(
        after_sign_in, follow=True, headers={"Referer": f"https://desk.example{answer['Location']}"}
    )
    assert answer.redirect_chain == [(reverse(f"desk:{page}" if page else "admin:index", args=named), 302)]
    assert "Nothing was saved: you had been signed out meanwhile." in answer.content.decode()


def test_the_sign_in_says_that_what_was_typed_before_it_is_not_saved(partner, billing):
    address = reverse("desk:correct", args=[ended(partner, "HELD")])
    said = "nothing of what you last sent was saved"
    stranger = Client()
    assert said not in stranger.get(address, follow=True).content.decode()
    asked = stranger.post(address, {"save": "1"})
    assert parse_qs(urlsplit(asked["Location"]).query)["next"] == [address]
    assert said in stranger.get(asked["Location"]).content.decode()


def test_a_form_from_before_the_last_sign_in_says_so_and_saves_nothing(partner, maya, lead):
    session_id = ended(partner, "PAID1")
    client = Client(enforce_csrf_checks=True)
    client.force_login(lead.user)
    old = re.search(
        r'name="csrfmiddlewaretoken" value="(\w+)"', client.get(reverse("admin:index")).content.decode()
    )
    client.cookies["csrftoken"] = "b" * 32  # as another tab's sign-in leaves it
    answer = client.post(
        reverse("desk:session-message", args=[session_id]), {"text": "Hello.", "csrfmiddlewaretoken": old[1]}
    )
    page = answer.content.decode()
    assert answer.status_code == 403
    assert "<h1>Nothing was saved</h1>" in page
    assert "CSRF" not in page


def test_a_forms_address_that_somebody_opens_leads_to_its_page_and_blames_no_time_out(partner, billing):
    session_id = ended(partner, "HELD")
    answer = billing.client.get(reverse("desk:session-release", args=[session_id]), follow=True)
    assert answer.redirect_chain == [(reverse("desk:session", args=[session_id]), 302)]
    assert "Nothing was saved" not in answer.content.decode()


def test_twenty_idle_minutes_sign_out(billing):
    session = billing.client.session
    session[LAST_ACT] = int(time.time()) - django_settings.STAFF_IDLE_SECONDS - 1
    session.save()
    assert billing.get("admin:index").status_code == 302
    assert billing.get("admin:index").status_code == 302


def test_a_heartbeat_is_no_sign_of_life(billing):
    billing.get("admin:index")
    session = billing.client.session
    session[LAST_ACT] = before = int(time.time()) - 600
    session.save()
    billing.client.post(reverse("desk:heartbeat"), headers={"X-Heartbeat": "1"})
    assert billing.client.session[LAST_ACT] == before
    billing.get("admin:index")
    assert billing.client.session[LAST_ACT] > before


def test_every_page_carries_the_content_policy_and_is_kept_nowhere(billing):
    for address in (reverse("admin:index"), reverse(LOGIN), "/admin/nowhere/"):
        answer = billing.client.get(address)
        policy = answer["Content-Security-Policy"]
        assert "script-src 'self';" in policy
        assert "style-src 'self';" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert "no-store" in answer["Cache-Control"]
        assert answer["X-Frame-Options"] == "DENY"


def test_other_addresses_are_left_alone(client):
    assert "Content-Security-Policy" not in client.get("/healthz")


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_no_template_of_the_desk_has_scripts_styles_or_handlers_of_its_own(template: Path):
    text = template.read_text()
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
    assert not re.search(r"<style\b|\sstyle=|\son[a-z]+=\"|javascript:", text)
    assert not re.search(r"(?:src|href|action)=\"(?:https?:)?//", text)


def test_no_file_of_the_desk_names_another_host():
    for path in (PROJECT / "static" / "desk").iterdir():
        hosts = set(re.findall(r"https?://([^/\"']+)", path.read_text()))
        assert hosts <= {"www.w3.org"}, path.name


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_the_desk_stays_small(template: Path):
    frame = (PROJECT / "templates" / "admin" / "base.html").read_text()
    loaded = set(re.findall(r"'(desk/[a-z]+\.(?:css|js))'", frame + template.read_text()))
    bytes_of = dict.fromkeys(("css", "js"), 0)
    for name in loaded:
        bytes_of[name.rpartition(".")[2]] += (PROJECT / "static" / name).stat().st_size
    assert bytes_of["css"] <= 30 * KB
    assert bytes_of["js"] < 10 * KB


def test_a_view_is_written_down_before_the_page_leaves(partner, billing):
    session_id = ended(partner, "PAID")
    billing.get("desk:session", session_id)
    record = ViewRecord.objects.get(session_id=session_id)
    assert (record.user, record.what) == (billing.user, "page")


def test_nothing_of_a_session_that_is_not_there_is_written_down(billing):
    answer = billing.client.get("/admin/sessions_app/session/0190aaaa-0000-7000-8000-000000000000/change/")
    assert answer.status_code == 404
    assert not ViewRecord.objects.exists()


def test_the_audit_lists_views_without_names(partner, lead):
    session_id = ended(partner, "PAID", patient__lastName="Quillfeather")
    lead.get("desk:session", session_id)
    page = lead.get("desk:audit").content.decode()
    assert str(session_id) in page
    assert "Quillfeather" not in page
    assert lead.get("desk:audit", query="?kind=changes&person=x&after=zz").status_code == 200


COLOURS = re.compile(r"--([a-z-]+[0-9]*):\s*(#[0-9a-f]{3,6})")
TONES = ("hold", "read", "wait", "move", "with", "back", "lost", "good", "part", "odd", "void")


def _light(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(each * 2 for each in colour[1:])
    channels = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    lights = sorted((_light(one), _light(other)), reverse=True)
    return (lights[0] + 0.05) / (lights[1] + 0.05)


@pytest.mark.parametrize(("theme", "least"), [(0, 7.0), (1, 8.6)], ids=["light", "dark"])
def test_tones_can_be_read(theme: int, least: float):
    sheet = (PROJECT / "static" / "desk" / "desk.css").read_text()
    blocks = re.findall(r":root[^{]*\{([^}]*)\}", sheet)
    colours = dict(COLOURS.findall(blocks[0])) | (dict(COLOURS.findall(blocks[1])) if theme else {})
    faint = {
        tone: round(contrast(colours[tone], colours[f"{tone}-on"]), 2)
        for tone in TONES
        if contrast(colours[tone], colours[f"{tone}-on"]) < least
    }
    assert faint == {}
    pairs = [("text", "card"), ("soft", "ground"), ("quiet", "card"), ("quiet", "row"), ("link", "card")]
    pairs += [("urgent", "card"), ("on-accent", "accent"), ("link", "accent-soft"), ("quiet", "wait-on")]
    assert {
        pair: round(contrast(*(colours[name] for name in pair)), 2)
        for pair in pairs
        if contrast(*(colours[name] for name in pair)) < 4.5
    } == {}
    fills = {tone: contrast(colours[f"{tone}-fill"], colours["card"]) for tone in TONES}
    assert {tone: round(value, 2) for tone, value in fills.items() if value < 3} == {}


def test_the_frame_is_ours_and_none_of_unfolds_scripts_is_loaded(billing):
    page = billing.get("admin:billing_payer_changelist").content.decode()
    assert "alpine" not in page
    assert "htmx" not in page
    assert Path(get_template("admin/base.html").origin.name).is_relative_to(PROJECT / "templates")


def test_an_administrator_sets_up_a_second_factor_that_serves(maya, settings):
    settings.STAFF_SECOND_FACTOR = False
    answer = Desk("administrator").post("admin:auth_user_second_factor", maya.pk)
    assert "otpauth://totp/" in answer.content.decode()
    changed_by(Desk("administrator"), maya)  # who makes her active
    settings.STAFF_SECOND_FACTOR = True
    assert sign_in(otp_token=code_of(maya))[1].status_code == 302
    spare = answer.context["factor"].spare_codes[0]
    assert sign_in(otp_token=spare)[1].status_code == 302
    assert sign_in(otp_token=spare)[1].status_code == 200


def test_a_second_factor_is_set_up_by_command_for_the_first(maya, capsys):
    call_command("set_up_second_factor", "maya")
    assert "otpauth://totp/" in capsys.readouterr().out
    with pytest.raises(CommandError, match="No member of staff"):
        call_command("set_up_second_factor", "nobody")


def test_a_billing_lead_sets_up_nobodys_second_factor(maya, lead):
    assert lead.post("admin:auth_user_second_factor", maya.pk).status_code == 403


def test_what_the_desk_says_stands_in_no_cookie(partner, billing):
    billing.client.post(reverse("desk:start_any"))
    assert "messages" not in billing.client.cookies
    assert "Nothing here is free" in billing.get("admin:index").content.decode()


def test_a_wrong_sign_in_keeps_neither_password_nor_code(maya, settings):
    settings.STAFF_SECOND_FACTOR = True
    sign_in(password="wrong-password-1", otp_token="123456")
    kept = repr(list(AccessAttempt.objects.values()))
    assert "maya" in kept
    assert "wrong-password-1" not in kept
    assert "123456" not in kept


def test_wrong_passwords_from_one_address_behind_our_proxy_lock_out_no_other(maya, settings):
    settings.TRUSTED_PROXIES = 1

    def sign_in_from(address, password):
        client = Client(REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR=address)
        return client.post(reverse("admin:login"), {"username": "maya", "password": password})

    for _ in range(5):
        refused = sign_in_from("198.51.100.1", "wrong-password-1")
    assert refused.status_code == 429
    assert sign_in_from("198.51.100.2", "wrong-password-1").status_code == 200
    assert set(AccessAttempt.objects.values_list("ip_address", flat=True)) == {"198.51.100.1", "198.51.100.2"}


@pytest.mark.parametrize("table", ["otp_totp/totpdevice", "otp_static/staticdevice", "claims/authenticator"])
def test_no_page_lists_second_factors(maya, table, settings):
    settings.STAFF_SECOND_FACTOR = False
    boss = Client()
    boss.force_login(User.objects.create_superuser("boss"))
    assert boss.get(f"/admin/{table}/").status_code == 404


def test_two_wrong_codes_in_a_row_make_the_next_wait(maya, settings):
    settings.STAFF_SECOND_FACTOR = True
    set_up(maya)
    for _ in range(2):
        sign_in(otp_token="000000")
    assert "try again soon" in sign_in(otp_token=code_of(maya))[1].content.decode()


def test_a_backup_gives_away_neither_secret_nor_spare_codes(maya):
    factor = set_up(maya)
    secret = parse_qs(urlsplit(factor.address).query)["secret"][0]
    with connection.cursor() as cursor:
        cursor.execute("SELECT row::text FROM claims_authenticator AS row")
        (written,) = cursor.fetchone()
    for plain in (secret, b32decode(secret).hex(), *factor.spare_codes, factor.spare_codes[0].encode().hex()):
        assert plain not in written


def test_rotating_the_field_keys_keeps_second_factors(maya, settings):
    settings.STAFF_SECOND_FACTOR = True
    factor = set_up(maya)
    new = "new:" + b64encode(b"n" * 32).decode()
    settings.FIELD_KEYS = f"{new},{settings.FIELD_KEYS}"
    call_command("rotate_keys", stdout=StringIO())
    assert not SetUpChange.objects.filter(table_name="claims_authenticator").exists()
    settings.FIELD_KEYS = new
    assert sign_in(otp_token=code_of(maya))[1].status_code == 302
    assert sign_in(otp_token=factor.spare_codes[0])[1].status_code == 302


@pytest.mark.parametrize("query", ["state=%00", "state__exact=%00&state__exact=new"])
def test_a_filter_with_a_zero_character_is_a_bad_request(billing, query):
    assert billing.client.get(f"/admin/claims/inboundfile/?{query}").status_code == 400


ODD_FILTERS = (
    "submission_delay__gt=abc",
    "submission_delay=abc",
    "name__regex=(a%2B)%2B",
    "mode__in=x",
    "pk__gt=a",
)


@pytest.mark.parametrize("query", ODD_FILTERS)
def test_a_list_is_filtered_only_as_it_offers(query: str) -> None:
    assert (
        Desk("administrator").get("admin:partners_partner_changelist", query=f"?{query}").status_code == 400
    )


def test_every_filter_that_a_list_offers_works(partner, settings):
    ended(partner, "PAID1")
    settings.STAFF_SECOND_FACTOR = False
    boss = User.objects.create_superuser("boss")
    client = Client()
    client.force_login(boss)
    tried = 0
    for model, desk in admin.site._registry.items():
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        page = client.get(address)
        assert page.status_code == 200
        for query in re.findall(r'<option[^>]*value="(\?[^"]*)"|href="(\?[^"]*)"', page.content.decode()):
            found = unescape("".join(query))
            tried += 1
            assert client.get(address + found).status_code == 200, address + found
        for each in desk.list_filter:
            if isinstance(each, str):
                assert client.get(f"{address}?{each}__isnull=False").status_code == 200, (address, each)
                tried += 1
    assert tried > 30
