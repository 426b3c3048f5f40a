"""How long every page of the back office takes at a million sessions, and how many queries it makes.

    python manage.py make_sessions 1000000      # into a database of its own, with code sets and charges
    python -m benchmarks.admin [--rounds 20] [--repeats 3] [--only WORD]

Each page is asked inside this process, warm, in rounds that go over all pages in turn, so that a busy machine
treats them alike. Of the repeats the one with the lowest 95th percentile counts. `cpu` is this process's own
time, `sql` what it waited for the database. A note that waits for review and a remittance that finds no claim
are made first, through the interface and as a file, and stay in the database.
"""

import argparse
import os
import re
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("LOG_LEVEL", "ERROR")
os.environ.setdefault("RATE_LIMIT_PER_MINUTE", "0")
import django

django.setup()

from django.contrib.auth.models import Group, User  # noqa: E402
from django.core.files.uploadedfile import SimpleUploadedFile  # noqa: E402
from django.db import connection  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402

from benchmarks.patient import patient  # noqa: E402
from billing.models import Payer  # noqa: E402
from claims import figures, inbound, pipeline  # noqa: E402
from claims.clearinghouse.port import InboundFile as Fetched  # noqa: E402
from claims.desk.roles import create_roles  # noqa: E402
from claims.models import Claim, DailyFigure, Remittance, WorkItem  # noqa: E402
from partners.keys import issue_key  # noqa: E402
from partners.models import Partner  # noqa: E402
from providers.models import ChargeSchedule, Practice, Provider  # noqa: E402
from sessions_app.models import Session  # noqa: E402

MEDIAN_MS, P95_MS = 300, 150
CLAIMS_OF_REMITTANCE = 48
NOTE = "Client seems low. Rule out major depression. Talked about work. 50 minutes, individual therapy."
RATES = "code,amount,from\n" + "".join(
    f"9{number:04d},{100 + number}.00,2030-01-01\n" for number in range(212)
)
ENVELOPE = (
    "ISA*00*          *00*          *ZZ*SANDBOX        *ZZ*PARTNERBILLING *{day:%y%m%d}*1200*^*00501"
    "*{number}*0*T*:~"
    "GS*HP*SANDBOX*PARTNERBILLING*{day:%Y%m%d}*1200*{number}*X*005010X221A1~ST*835*0001~"
    "BPR*I*{total}*C*ACH*CCP*01*999999999*DA*1*1512345678**01*999988880*DA*2*{day:%Y%m%d}~"
    "TRN*1*{number}*1525350500~DTM*405*{day:%Y%m%d}~N1*PR*AETNA~N3*1 SANDBOX WAY~N4*AUSTIN*TX*78701~"
    "REF*2U*60054~PER*BL*SERVICES*TE*5125550100~N1*PE*PRACTICE*XX*{npi}~LX*1~{claims}"
    "SE*{segments}*0001~GE*1*{number}~IEA*1*{number}~"
)
PAID = (
    "CLP*{claim}*1*130*95*35*12*SB{claim}*11*1~NM1*QC*1*{last}*{first}****MI*{member}~"
    "SVC*HC:90834*130*95**1~DTM*472*{seen:%Y%m%d}~CAS*CO*45*35~"
)


@dataclass
class Taken:
    """What one page took, call by call, in milliseconds."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    sql: list[float] = field(default_factory=list)
    queries: int = 0

    @property
    def median(self) -> float:
        return statistics.median(self.wall)

    @property
    def p95(self) -> float:
        return statistics.quantiles(self.wall, n=20, method="inclusive")[-1]


class Desk:
    """One person with every role, signed in, and the rows that the pages are about."""

    def __init__(self) -> None:
        create_roles()
        user, _ = User.objects.get_or_create(
            username="benchmark", defaults={"is_staff": True, "first_name": "Maya"}
        )
        user.groups.set(Group.objects.filter(name__in=("billing lead", "administrator")))
        self.user = user
        self.client = Client()
        self.client.force_login(user)
        if not DailyFigure.objects.exists():
            started = time.monotonic()
            print(f"figures: {figures.rebuild()} days in {time.monotonic() - started:.1f} s", flush=True)

    def get(self, name: str, *arguments: object, query: str = "") -> Callable[[], HttpResponse]:
        """Ask a page by its name."""
        address = reverse(name, args=arguments) + query
        return lambda: self.client.get(address)

    def post(self, name: str, *arguments: object, **fields: Any) -> Callable[[], HttpResponse]:
        """Send a form by its name."""
        address = reverse(name, args=arguments)
        return lambda: self.client.post(address, fields)


def note_for_review() -> WorkItem:
    """An open item of a note that leaves its diagnosis open."""
    found = WorkItem.objects.filter(queue="notes", closed_at=None).first()
    if found is not None:
        return found
    partner = Partner.objects.get(slug="made-organization-1")
    answer = Client().post(
        "/api/v1/partner/sessions",
        {
            "patient": patient(f"W{uuid4().hex[:10]}"),
            "providerNpi": Provider.objects.filter(partner=partner).first().npi,
            "session": {
                "dateOfService": (datetime.now(UTC).date() - timedelta(days=3)).isoformat(),
                "placeOfService": "office",
                "durationMinutes": 50,
                "noteText": NOTE,
            },
        },
        content_type="application/json",
        headers={"Authorization": f"Bearer {issue_key(partner).text}"},
    )
    assert answer.status_code == 201, answer.content
    while pipeline.advance():
        pass
    return WorkItem.objects.get(queue="notes", session_id=answer.json()["sessionId"], closed_at=None)


def stray_answer() -> WorkItem:
    """An open item of a payment that names a claim number cut short, one of many in its remittance."""
    found = WorkItem.objects.filter(queue="unmatched", closed_at=None).first()
    if found is not None:
        return found
    claim = (
        Claim.objects.filter(status="payer_accepted", partner__slug="made-organization-1")
        .select_related("session__provider__practice")
        .order_by("-session_id")[40]
    )
    session, today = claim.session, datetime.now(UTC).date()
    number = time.time_ns() // 1_000_000 % 900_000_000 + 100_000_000
    one = PAID.format(
        claim=claim.patient_control_number[:12],
        last=session.patient_last_name.upper(),
        first=session.patient_first_name.upper(),
        member=session.member_id,
        seen=session.date_of_service,
    )
    others = [
        PAID.format(claim=f"OTHER{number}{place}", last="SAMPLE", first="JO", member=f"X{place}", seen=today)
        for place in range(CLAIMS_OF_REMITTANCE - 1)
    ]
    claims = one + "".join(others)
    text = ENVELOPE.format(
        day=today,
        number=number,
        total=95 * CLAIMS_OF_REMITTANCE,
        npi=session.provider.practice.npi,
        claims=claims,
        segments=claims.count("~") + 12,
    )
    (stored,) = inbound.store(
        "sandbox", [Fetched(name="benchmark.edi", content=text.encode(), kind="x12", reference="benchmark")]
    )
    inbound.apply(stored)
    return WorkItem.objects.get(
        queue="unmatched", closed_at=None, signal__patient_control_number=claim.patient_control_number[:12]
    )


def fields_of(desk: Desk, session: Session) -> dict[str, str]:
    """The correction form of a session as a browser would send it, with one thing changed."""
    page = desk.client.get(reverse("desk:correct", args=[session.pk])).content.decode()
    form = page[page.index('id="correct-form"') :]
    fields = dict(re.findall(r'name="([^"]+)"[^>]*?\bvalue="([^"]*)"', form))
    for name, options in re.findall(r'<select id="[^"]+" name="([^"]+)"[^>]*>(.*?)</select>', form, re.S):
        fields[name] = re.search(r'value="([^"]*)" selected', options)[1]
    fields.pop("save", None)
    return fields | {"patient.address.zip": "78704"}


def pages(desk: Desk) -> dict[str, Callable[[], HttpResponse]]:
    """Every page by name."""
    get, post = desk.get, desk.post
    note, stray = note_for_review(), stray_answer()
    newest = Session.objects.order_by("-id")
    some, deep = newest[1000], Session.objects.order_by("id")[1000]
    of_status = {
        status: Claim.objects.filter(status=status).order_by("-session_id").select_related("session")[20]
        for status in ("paid", "payer_rejected", "denied", "held")
    }
    paid, rejected, held = (of_status[name].session for name in ("paid", "payer_rejected", "held"))
    partner, payer = Partner.objects.get(slug="made-organization-1"), Payer.objects.order_by("-prominence")[0]
    schedule = ChargeSchedule.objects.get(scope="service")
    chosen = list(
        WorkItem.objects.filter(queue="rejected", closed_at=None, session__isnull=False)
        .order_by("-id")
        .values_list("pk", flat=True)[:50]
    )
    remittance, file = Remittance.objects.order_by("-id")[0], stray.inbound_file_id
    sessions, weeks_ago = "desk:sessions", (datetime.now(UTC) - timedelta(days=60)).date()
    rows = "admin:{}_changelist".format
    found: dict[str, Callable[[], HttpResponse]] = {
        "home": get("admin:index"),
        "home, charges": get("admin:index", query="?show=charged"),
        **{
            f"queue {key}": get("desk:queue", key)
            for key in ("held", "rejected", "denied", "deadlines", "mine")
        },
        "queue denied, filtered": get("desk:queue", "denied", query="?show=due&payer=Aetna&reason=CO-197"),
        "queue denied, page 2": get("desk:queue", "denied", query=f"?after={_fiftieth('denied')}"),
        "people": get("desk:people"),
        "sending 50 again, preview": post("desk:bulk", "rejected", deed="resend", item=chosen),
        "queue as CSV": post("desk:export", "held"),
        "sessions": get(sessions),
        "sessions, last page": get(sessions, query=f"?after={deep.pk}"),
        "sessions, denied": get(sessions, query="?status=denied"),
        "sessions, paid with Aetna": get(sessions, query="?status=paid&payer=Aetna"),
        "sessions, a day long ago": get(
            sessions, query=f"?from={deep.date_of_service}&to={deep.date_of_service}"
        ),
        "sessions, denied long ago": get(sessions, query=f"?status=denied&to={deep.date_of_service}"),
        "sessions, denied for CO-29": get(sessions, query=f"?status=denied&reason=CO-29&from={weeks_ago}"),
        "sessions, paid within 5 to 9": get(sessions, query="?waited=5-9"),
        "sessions, paid after 70": get(sessions, query="?waited=70-"),
        "session, paid": get("desk:session", paid.pk),
        "session, rejected": get("desk:session", rejected.pk, query="?queue=rejected"),
        "session, held": get("desk:session", held.pk, query="?queue=held"),
        "session, note open": post("desk:session-note", note.session_id),
        "claim": get("desk:claim", paid.pk, 1),
        "passing on": get("desk:session-pass", rejected.pk),
        "correct, rejected": get("desk:correct", rejected.pk),
        "correct, held": get("desk:correct", held.pk),
        "correct, its preview": post("desk:correct-preview", rejected.pk, **fields_of(desk, rejected)),
        "note review": get("desk:review", note.pk),
        "matching": get("desk:match", stray.pk),
        "matching, look for another": post("desk:match", stray.pk, number="M"),
        "find a claim number": post("desk:find", text=of_status["paid"].patient_control_number),
        "find a partner's ID": post("desk:find", text=some.external_session_id),
        "find a member": post("desk:find", text=some.member_id),
        "find a name": post("desk:find", text=f"{some.patient_last_name}, {some.patient_first_name}"),
        "find a common name": post("desk:find", text=some.patient_first_name),
        "find nothing": post("desk:find", text="Xylophonist"),
        "remittances": get(rows("claims_remittance")),
        "remittance": get("desk:remittance", remittance.pk),
        "inbound files": get(rows("claims_inboundfile")),
        "inbound file": get("desk:inbound-file", file),
        "partners": get(rows("partners_partner")),
        "partner and keys": get("admin:partners_partner_change", partner.pk),
        "practices": get(rows("providers_practice")),
        "practice": get("admin:providers_practice_change", Practice.objects.first().pk),
        "providers": get(rows("providers_provider")),
        "provider": get("admin:providers_provider_change", Provider.objects.first().pk),
        "payers": get(rows("billing_payer")),
        "payers, found": get(rows("billing_payer"), query="?q=blue+cross"),
        "payer": get("admin:billing_payer_change", payer.pk),
        "charge schedules": get(rows("providers_chargeschedule")),
        "charge schedule": get("admin:providers_chargeschedule_change", schedule.pk),
        "charges from CSV, preview": lambda: desk.client.post(
            reverse("admin:providers_charges_import", args=[schedule.pk]),
            {"file": SimpleUploadedFile("rates.csv", RATES.encode())},
        ),
        "allowed amounts": get(rows("providers_allowedamount")),
        "allowed amounts, all charged": get(rows("providers_allowedamount"), query="?charge=low"),
        "enrollments": get(rows("providers_enrollment")),
        "enrollment, new": get("admin:providers_enrollment_add"),
        "NPI registry": get(rows("billing_npirecord")),
        "NPI record, new": get("admin:billing_npirecord_add"),
        "coding edits": get(rows("billing_nccipair")),
        "coding edits, most units": get(rows("billing_ncciunits")),
        "claim rules": get("desk:rules"),
        "code sets": get(rows("billing_codesetrelease")),
        "diagnosis codes": get(rows("billing_diagnosiscode")),
        "who saw what": get("desk:audit"),
        "who changed what": get("desk:audit", query="?kind=changes"),
        "staff": get(rows("auth_user")),
        "member of staff": get("admin:auth_user_change", desk.user.pk),
    }
    return found


def _fiftieth(queue: str) -> int:
    return WorkItem.objects.filter(queue=queue, closed_at=None).values_list("pk", flat=True)[50]


def ask(page: Callable[[], HttpResponse], taken: Taken) -> None:
    """Ask a page once and keep what it took."""
    sql, queries = 0.0, 0

    def time_query(execute: Callable[..., Any], *arguments: Any) -> Any:
        nonlocal sql, queries
        queries += 1
        started = time.perf_counter()
        try:
            return execute(*arguments)
        finally:
            sql += time.perf_counter() - started

    with connection.execute_wrapper(time_query):
        started, cpu = time.perf_counter(), time.process_time()
        answer = page()
        if answer.streaming:
            b"".join(answer)
        taken.cpu.append((time.process_time() - cpu) * 1000)
        taken.wall.append((time.perf_counter() - started) * 1000)
    assert answer.status_code in (200, 302), (answer.status_code, answer.content[:300])
    taken.sql.append(sql * 1000)
    taken.queries = queries


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", default="", help="pages whose name has this in it")
    arguments = parser.parse_args()
    if Session.objects.count() < 1000:
        sys.exit("This database has no made sessions: manage.py make_sessions first.")
    measured = {name: page for name, page in pages(Desk()).items() if arguments.only in name}
    best: dict[str, Taken] = {}
    for _ in range(arguments.repeats):
        repeat = {name: Taken() for name in measured}
        for page in measured.values():
            ask(page, Taken())
        for _ in range(arguments.rounds):
            for name, page in measured.items():
                ask(page, repeat[name])
        for name, taken in repeat.items():
            if name not in best or taken.p95 < best[name].p95:
                best[name] = taken
    print(f"{'page':<30}{'queries':>8}{'median':>8}{'p95':>8}{'cpu':>8}{'sql':>8}   ms")
    for name, taken in best.items():
        cpu, sql = statistics.median(taken.cpu), statistics.median(taken.sql)
        print(f"{name:<30}{taken.queries:>8}{taken.median:>8.1f}{taken.p95:>8.1f}{cpu:>8.1f}{sql:>8.1f}")
    slow = [name for name, taken in best.items() if taken.median > MEDIAN_MS]
    over = [name for name, taken in best.items() if taken.p95 > P95_MS]
    print(f"Above a 95th percentile of {P95_MS} ms: {', '.join(over) or 'none'}.")
    if slow:
        sys.exit(f"Above a median of {MEDIAN_MS} ms: {', '.join(slow)}.")


if __name__ == "__main__":
    main()
