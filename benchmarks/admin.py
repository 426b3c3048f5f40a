"""How long the back office's pages take at a million sessions, and how many queries each makes.

    python -m benchmarks.admin fill 1000000     # writes invented sessions into the database of DATABASE_URL
    python -m benchmarks.admin measure          # asks each page in this process, warm, and prints a table

The database should be one of its own: `fill` refuses one that holds sessions.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.contrib.auth.models import Group, User  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from claims import figures  # noqa: E402
from claims.models import Claim  # noqa: E402
from claims.roles import create_roles  # noqa: E402
from partners.keyring import blind_index, encrypt  # noqa: E402
from partners.models import Mode, Partner  # noqa: E402
from providers.models import Practice, Provider  # noqa: E402
from sessions_app.models import Session  # noqa: E402

PARTNERS = 7
OPEN_WORK = 30_000
ROUNDS = 15
BUDGET_MS = 300
PAYERS = (
    "Aetna",
    "Cigna",
    "Humana",
    "UnitedHealthcare",
    "Magellan",
    "Anthem",
    "Blue Cross Blue Shield of Texas",
)
FIRST = ("Jane", "Omar", "Priya", "Tess", "Luis", "Noor", "Ivan", "Ada", "Hana", "Chen")
LAST = ("Klein", "Haddad", "Brandt", "Doe", "Shah", "Novak", "Rivera", "Moreau", "Okafor", "Sato")

SESSIONS = """
INSERT INTO sessions_app_session (id, partner_id, provider_id, external_session_id, status, message,
    patient_first_name, patient_last_name, patient_search_name, patient_date_of_birth, patient_gender,
    patient_street, patient_line2, patient_city, patient_state, patient_zip, member_id, member_id_index,
    payer_name, payer_id, group_number, date_of_service, place_of_service, duration_minutes, version,
    request_id, created_at, updated_at)
SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - (%(count)s - n)::bigint * 60000), 12, '0')
        || '7' || substr(md5('r' || n), 1, 3) || '8' || substr(md5('s' || n), 1, 15))::uuid,
    (%(partners)s::uuid[])[1 + n %% %(many)s], (%(providers)s::uuid[])[1 + n %% %(many)s], 'ext-' || n,
    'paid', 'Paid.', (%(first)s::text[])[1 + n %% 10], (%(last)s::text[])[1 + (n / 10) %% 10] || (n %% 997),
    lower((%(first)s::text[])[1 + n %% 10] || ' ' || (%(last)s::text[])[1 + (n / 10) %% 10] || (n %% 997)),
    date '1960-01-01' + n %% 15000, 'F', '1 Elm St', '', 'Austin', 'TX', '78702',
    %(member)s, decode(md5('m' || n %% 60000), 'hex'), (%(payers)s::text[])[1 + n %% 7], '', '',
    current_date - ((%(count)s - n)::bigint * 700 / %(count)s)::int, 'office', 50, 1, '', now(), now()
FROM generate_series(1, %(count)s) AS n
"""
CODES = """
INSERT INTO sessions_app_sessioncode (partner_id, session_id, kind, position, code, description, modifier,
    modifier_added, units, source)
SELECT partner_id, id, 'procedure', 0, '90837', '', '', false, 1, 'sent' FROM sessions_app_session
"""
CLAIMS = """
INSERT INTO claims_claim (id, partner_id, session_id, version, frequency, step, next_step_at, window_ends_at,
    revision, attempts, times_sent, status, mode, gateway, patient_control_number, payer_control_number,
    total_charge, paid, status_changed_at, last_updated_at, submitted_at, created_at)
SELECT gen_random_uuid(), partner_id, id, 1, '1', 'follow', NULL, now(), 1, 0, 1,
    CASE WHEN row % 100 < 3 THEN 'denied' WHEN row % 100 < 5 THEN 'payer_rejected'
         WHEN date_of_service > current_date - 30 THEN 'payer_accepted'
         WHEN row % 100 < 9 THEN 'partially_paid' ELSE 'paid' END,
    'test', 'sandbox', upper(substr(md5('c' || id::text), 1, 13)) || '1',
    upper(substr(md5('p' || id::text), 1, 12)),
    180, CASE WHEN date_of_service > current_date - 30 OR row % 100 < 5 THEN NULL ELSE 180 END,
    now(), now(), now(), now()
FROM (SELECT *, row_number() OVER () AS row FROM sessions_app_session) AS session
"""
WORK = """
INSERT INTO claims_workitem (queue, partner_id, session_id, reason, summary, payer_name, charge, file_by,
    opened_at, snoozed_for)
SELECT CASE WHEN claim.status = 'denied' THEN 'denied' ELSE 'rejected' END, claim.partner_id,
    claim.session_id, 'CO-197', 'No authorization is on file.', session.payer_name, 180,
    current_date + (random() * 90)::int, now() - random() * interval '40 days', ''
FROM claims_claim AS claim JOIN sessions_app_session AS session ON session.id = claim.session_id
WHERE claim.status IN ('denied', 'payer_rejected') LIMIT %(open)s
"""


def fill(count: int) -> None:
    """Write invented sessions, claims, codes and open work, by statements of the database."""
    if Session.objects.exists():
        sys.exit("This database holds sessions; fill one of its own.")
    create_roles()
    partners = [
        Partner.objects.create(name=f"Partner {n}", slug=f"partner-{n}", mode=Mode.TEST)
        for n in range(PARTNERS)
    ]
    providers = []
    for n, partner in enumerate(partners):
        practice = Practice.objects.create(
            partner=partner,
            name="Calm Harbor",
            tax_id="123456789",
            street="1 Main",
            city="Austin",
            state="TX",
            zip="78701",
            fingerprint=b"",
        )
        providers.append(
            Provider.objects.create(
                partner=partner,
                mode=partner.mode,
                practice=practice,
                npi=f"{1000000000 + n}",
                first_name="Ana",
                last_name="R",
            )
        )
    values = {
        "count": count,
        "many": PARTNERS,
        "partners": [each.pk for each in partners],
        "providers": [each.pk for each in providers],
        "first": list(FIRST),
        "last": list(LAST),
        "payers": list(PAYERS),
        "member": encrypt(b"W123456789"),
    }
    for name, statement, of in (
        ("sessions", SESSIONS, values),
        ("codes", CODES, None),
        ("claims", CLAIMS, None),
        ("open work", WORK, {"open": OPEN_WORK}),
    ):
        started = time.monotonic()
        with connection.cursor() as cursor:
            cursor.execute(statement, of)
        print(f"{name:<10} {time.monotonic() - started:6.1f} s", flush=True)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    started = time.monotonic()
    print(f"figures    {figures.rebuild()} days in {time.monotonic() - started:.1f} s")


def measure() -> None:
    """Ask each page, warm, and print median, slowest and queries."""
    user, _ = User.objects.get_or_create(username="benchmark", defaults={"is_staff": True})
    user.groups.set(Group.objects.filter(name="billing lead"))
    client = Client()
    client.force_login(user)
    some = Session.objects.order_by("-id")[1000]
    deep = Session.objects.order_by("id")[1000]
    claim = Claim.objects.get(session=some)
    Session.objects.filter(pk=some.pk).update(member_id_index=blind_index("W1"))
    get, post = client.get, client.post
    pages: dict[str, Callable[[], object]] = {
        "home": lambda: get("/admin/"),
        "queue": lambda: get("/admin/work/denied/"),
        "queue, due": lambda: get("/admin/work/denied/?show=due&payer=Aetna"),
        "deadlines": lambda: get("/admin/work/deadlines/"),
        "sessions": lambda: get("/admin/sessions_app/session/"),
        "sessions, last page": lambda: get(f"/admin/sessions_app/session/?after={deep.pk}"),
        "sessions, denied": lambda: get("/admin/sessions_app/session/?status=denied"),
        "sessions, paid with Aetna": lambda: get("/admin/sessions_app/session/?status=paid&payer=Aetna"),
        "sessions, a week long ago": lambda: get(
            f"/admin/sessions_app/session/?from={deep.date_of_service}&to={deep.date_of_service}"
        ),
        "sessions, denied long ago": lambda: get(
            f"/admin/sessions_app/session/?status=denied&to={deep.date_of_service}"
        ),
        "one session": lambda: get(f"/admin/sessions_app/session/{some.pk}/change/"),
        "find a claim number": lambda: post("/admin/find/", {"text": claim.patient_control_number}),
        "find a partner's ID": lambda: post("/admin/find/", {"text": "ext-4711"}),
        "find a member": lambda: post("/admin/find/", {"text": "W1"}),
        "find a name": lambda: post(
            "/admin/find/", {"text": f"{some.patient_last_name}, {some.patient_first_name}"}
        ),
        "find a common name": lambda: post("/admin/find/", {"text": "jane"}),
        "find nothing": lambda: post("/admin/find/", {"text": "Xylophonist"}),
        "claim rules": lambda: get("/admin/billing/claimrule/"),
        "partners": lambda: get("/admin/partners/partner/"),
        "audit": lambda: get("/admin/audit/"),
    }
    slow = []
    for name, ask in pages.items():
        ask()
        counted = 0

        def count(execute: Callable[..., object], *arguments: object) -> object:
            nonlocal counted
            counted += 1
            return execute(*arguments)

        with connection.execute_wrapper(count):
            ask()
        taken = []
        for _ in range(ROUNDS):
            started = time.perf_counter()
            ask()
            taken.append((time.perf_counter() - started) * 1000)
        middle, slowest = statistics.median(taken), max(taken)
        slow += [name] if middle > BUDGET_MS else []
        print(f"{name:<28} {middle:7.1f} ms   slowest {slowest:7.1f} ms   {counted:3} queries", flush=True)
    if slow:
        sys.exit(f"Over {BUDGET_MS} ms: {', '.join(slow)}.")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["fill", count]:
            fill(int(count))
        case ["measure"]:
            measure()
        case _:
            sys.exit(__doc__)
