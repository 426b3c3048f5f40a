"""Every setting, read from the environment, strict: an odd value stops the start with one sentence."""

from pathlib import Path
from typing import Any

import pghistory
from django.core.exceptions import ImproperlyConfigured

from config import error_reports, interface, logs, metrics_folder
from config.reading import (
    broker,
    choice,
    database,
    env,
    flag,
    letters,
    number,
    pairs,
    ring,
    secret,
    whole,
    within,
)

BASE_DIR = Path(__file__).resolve().parent.parent

ENVIRONMENT = choice("ENVIRONMENT", allowed=("development", "test", "production"), default="development")
PRODUCTION = ENVIRONMENT == "production"
DEBUG = flag("DEBUG", default=False)
SECRET_KEY = secret(
    "SECRET_KEY", development="development-only-secret-key-that-production-refuses-to-start-with"
)
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=[] if PRODUCTION else ["*"])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[])
TRUSTED_PROXIES = whole("TRUSTED_PROXIES", default=0, most=9)  # how many of ours add to X-Forwarded-For
PROXY_ADDRESS_HEADER = letters("PROXY_ADDRESS_HEADER")  # one that the outermost proxy writes, instead of that
ADMIN_PATH = within("ADMIN_PATH", default="admin/")

# --- database and broker -------------------------------------------------------------------------

_private = None
if not PRODUCTION and not {"DATABASE_URL", "REDIS_URL"} <= env.ENVIRON.keys():
    from config.local.servers import locate  # what production never needs

    _private = locate(BASE_DIR)
DATABASES: dict[str, dict[str, Any]] = {
    "default": database(
        "DATABASE_URL", default=_private.database_url if _private else "postgresql:///billing"
    )
}
DATABASES["default"].update(
    ENGINE="django.db.backends.postgresql",
    CONN_MAX_AGE=whole("DATABASE_CONNECTION_SECONDS", default=600),
    CONN_HEALTH_CHECKS=True,
    DISABLE_SERVER_SIDE_CURSORS=flag("DATABASE_POOLER", default=False),
)
DATABASES["default"]["HOST"] = (
    DATABASES["default"].setdefault("OPTIONS", {}).pop("host", DATABASES["default"]["HOST"])
)
DATABASES["default"]["OPTIONS"].update(
    connect_timeout=5,
    # A machine that is gone says no more; without these a statement would wait for it a quarter of an hour,
    # and for the answer to one that had arrived two hours.
    keepalives_idle=10,
    keepalives_interval=5,
    keepalives_count=2,
    tcp_user_timeout=20_000,
    application_name=env.str("DATABASE_APPLICATION_NAME", default="billing"),
    # Hand-written statements (partners.statements) are prepared by the server, which a pooler may not allow.
    prepare_threshold=None if DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] else 5,
)
# What the process is in the database outside of partners' requests; empty: its login.
DATABASE_ROLE = choice("DATABASE_ROLE", allowed=("", "billing_staff", "billing_worker"), default="")
if DATABASE_ROLE:
    if DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"]:
        raise ImproperlyConfigured(
            "A pooler passes no role on: set DATABASE_ROLE to nothing and log in as a member (SECURITY.md)."
        )
    DATABASES["default"]["OPTIONS"]["options"] = f"-c role={DATABASE_ROLE}"
REDIS_URL = broker("REDIS_URL", default=_private.redis_url if _private else "redis://127.0.0.1:6379/0")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": choice(
            "CACHE_BACKEND",
            allowed=(
                "django.core.cache.backends.redis.RedisCache",
                "django.core.cache.backends.locmem.LocMemCache",
            ),
            default="django.core.cache.backends.redis.RedisCache",
        ),
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "billing",
    }
}
if CACHES["default"]["BACKEND"].endswith("RedisCache"):
    CACHES["default"]["OPTIONS"] = {"socket_connect_timeout": 0.25, "socket_timeout": 0.25}

# --- Celery: the broker is a hint, the database is the queue of record -----------------------------

CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://").replace("?db=", "?virtual_host=")
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_ALWAYS_EAGER = flag("CELERY_TASK_ALWAYS_EAGER", default=False)
# Each limit of a task, LEASE_SECONDS' too, ends well before the broker gives its message to another.
CELERY_TASK_TIME_LIMIT = whole("TASK_TIME_LIMIT", default=300, least=31, most=3_000)
CELERY_TASK_SOFT_TIME_LIMIT = CELERY_TASK_TIME_LIMIT - 30
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker however long it is away
CELERY_BROKER_CONNECTION_TIMEOUT = 0.5
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_connect_timeout": 0.3,
    "socket_timeout": 5,
    "visibility_timeout": 3600,
    "max_retries": 0,
}
CELERY_DB_REUSE_MAX = 1_000_000  # tasks; by DATABASE_CONNECTION_SECONDS a connection is old long before
CELERY_TASK_DEFAULT_QUEUE = "claims"
CELERY_TIMEZONE = "UTC"

# --- the pipeline ----------------------------------------------------------------------------------

POLL_SECONDS = number("POLL_SECONDS", default=60.0)
SWEEP_SECONDS = number("SWEEP_SECONDS", default=30.0)
WATCH_SECONDS = number("WATCH_SECONDS", default=600.0)
FIGURES_SECONDS = number("FIGURES_SECONDS", default=60.0)
# With more claims than this waiting for their steps, new sessions are asked to come later; 0: never.
BACKLOG_LIMIT = whole("BACKLOG_LIMIT", default=200_000)
RATE_LIMIT_PER_MINUTE = whole("RATE_LIMIT_PER_MINUTE", default=6000)
MAX_BODY_BYTES = 2 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES + 1

SEAL_SECONDS = number("SEAL_SECONDS", default=60.0)
PURGE_SECONDS = number("PURGE_SECONDS", default=86_400.0)

# --- retention: days by kind of data, 0 keeps it for ever; a claim that was sent is never purged --------

RETENTION_DAYS = {
    "notes": whole("NOTE_RETENTION_DAYS", default=365),  # after it was coded
    "unsent_sessions": whole("UNSENT_SESSION_RETENTION_DAYS", default=2 * 365),
    "correction_drafts": whole("DRAFT_RETENTION_DAYS", default=30),
    "idempotency_records": whole("IDEMPOTENCY_RETENTION_DAYS", default=1, least=1),
    "key_addresses": whole("KEY_ADDRESS_RETENTION_DAYS", default=90),  # since a key was last used there
    "sandbox_files": whole("SANDBOX_RETENTION_DAYS", default=180),
    "sandbox_answers": whole("SANDBOX_RETENTION_DAYS", default=180),
    "access_records": whole("ACCESS_RECORD_RETENTION_DAYS", default=6 * 366),
}
NOTE_QUOTES = choice("NOTE_QUOTES", allowed=("keep", "purge"), default="keep")  # the coder's, with the note

NOTE_CODER_THRESHOLD = number("NOTE_CODER_THRESHOLD", default=0.97, most=1)
CODER_ENGINE = choice("CODER_ENGINE", allowed=("rules", "llm", "both"), default="rules")
CODER_LLM = {
    "endpoint": env.str("CODER_LLM_ENDPOINT", default=""),
    "dialect": choice("CODER_LLM_DIALECT", allowed=("openai", "anthropic"), default="openai"),
    "model": env.str("CODER_LLM_MODEL", default=""),
    "api_key": secret("CODER_LLM_API_KEY", development="", required=False),
    "baa_signed": flag("CODER_LLM_BAA_SIGNED", default=False),
    # Of each partner; 0: as much as it likes. What is above goes by the rules alone.
    "requests_per_minute": whole("CODER_LLM_REQUESTS_PER_MINUTE", default=60),
    "tokens_per_day": whole("CODER_LLM_TOKENS_PER_DAY", default=5_000_000),
}

# --- clearinghouses --------------------------------------------------------------------------------

SANDBOX_SPEED = number("SANDBOX_SPEED", default=5760.0)  # a day in 15 s
LIVE_GATEWAY = choice("LIVE_GATEWAY", allowed=("none", "stedi", "sftp"), default="none")
LIVE_GATEWAY_BY_PAYER = pairs("LIVE_GATEWAY_BY_PAYER")  # payer id=gateway,…
# Whoever hands claims over and is not back after this long is taken for dead; its task is ended before.
LEASE_SECONDS = whole("LEASE_SECONDS", default=180, least=6, most=3_600)
GATEWAY_PROCESSES = whole("GATEWAY_PROCESSES", default=6, least=1)
RETRY_SECONDS = number("RETRY_SECONDS", default=30)  # after a first failure; then twice as long each time
GATEWAY_TIMEOUT_SECONDS = number("GATEWAY_TIMEOUT_SECONDS", default=45)
# Good for test organizations; production that sends live claims has its own.
INVENTED = {
    "SUBMITTER_NAME": "PARTNER BILLING",
    "SUBMITTER_ID": "PARTNERBILLING",
    "SUBMITTER_CONTACT": "EDI DESK",
    "SUBMITTER_PHONE": "5125550100",
    "RECEIVER_NAME": "CLEARINGHOUSE",
    "RECEIVER_ID": "CLEARINGHOUSE",
}
SUBMITTER = {
    "name": env.str("SUBMITTER_NAME", default=INVENTED["SUBMITTER_NAME"]),
    "id": env.str("SUBMITTER_ID", default=INVENTED["SUBMITTER_ID"]),
    "contact": env.str("SUBMITTER_CONTACT", default=INVENTED["SUBMITTER_CONTACT"]),
    "phone": env.str("SUBMITTER_PHONE", default=INVENTED["SUBMITTER_PHONE"]),
}
RECEIVER = {
    "name": env.str("RECEIVER_NAME", default=INVENTED["RECEIVER_NAME"]),
    "id": env.str("RECEIVER_ID", default=INVENTED["RECEIVER_ID"]),
}
PAYER_DIRECTORY = choice("PAYER_DIRECTORY", allowed=("database", "stedi"), default="database")
STEDI_API_KEY = secret("STEDI_API_KEY", development="", required=False)
STEDI_HEALTHCARE_URL = env.str("STEDI_HEALTHCARE_URL", default="https://healthcare.us.stedi.com").strip(
    " \r\n/"
)
STEDI_CORE_URL = env.str("STEDI_CORE_URL", default="https://core.us.stedi.com").strip(" \r\n/")
SFTP = {
    "host": env.str("SFTP_HOST", default="").strip(),
    "port": whole("SFTP_PORT", default=22, least=1, most=65535),
    "host_key": env.str("SFTP_HOST_KEY", default=""),
    "username": env.str("SFTP_USERNAME", default="").strip(),
    "password": secret("SFTP_PASSWORD", development="", required=False),
    "private_key": secret("SFTP_PRIVATE_KEY", development="", required=False),
    "upload_directory": env.str("SFTP_UPLOAD_DIRECTORY", default="outbound"),
    "download_directory": env.str("SFTP_DOWNLOAD_DIRECTORY", default="inbound"),
    "processed_directory": env.str("SFTP_PROCESSED_DIRECTORY", default=""),
    "archive_directory": env.str("SFTP_ARCHIVE_DIRECTORY", default=""),
}

# --- secrets: rings are "id:secret,id:secret", the first is the one in use --------------------------

API_KEY_PEPPERS = ring("API_KEY_PEPPERS", development="dev:development-only-api-key-pepper", decode=False)
FIELD_KEYS = ring(
    "FIELD_KEYS", development="dev:ZGV2ZWxvcG1lbnQtb25seS1maWVsZC1rZXktMzJieXQ=", decode=True
)  # 32 bytes each, base64

# --- applications ----------------------------------------------------------------------------------

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "config.apps.BackOfficeConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django_otp",
    "django_otp.plugins.otp_totp",  # its table and the next one's are empty: claims.Authenticator has it all
    "django_otp.plugins.otp_static",
    "axes",
    "pgtrigger",
    "pghistory",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "billing",
    "partners",
    "providers",
    "sessions_app",
    "claims",
]
PGHISTORY_FOREIGN_KEY_FIELD = pghistory.ForeignKey(db_index=False)  # each history has the index it is read by
MIDDLEWARE = [
    "partners.api.middleware.RequestIdMiddleware",
    "config.request_log.RequestLogMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "partners.api.middleware.ApiMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.staff_middleware.BackOfficeMiddleware",
    "axes.middleware.AxesMiddleware",
]
APPEND_SLASH = False
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LANGUAGE_CODE = "en-us"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False
FORMAT_MODULE_PATH = "config.formats"
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(BASE_DIR / "staticfiles")))
WHITENOISE_USE_FINDERS = not PRODUCTION

# --- web -------------------------------------------------------------------------------------------

WEB_THREADS = whole("WEB_THREADS", default=5, least=1)  # of each process; of several, all but one do work

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = True
if PRODUCTION:
    SECURE_SSL_REDIRECT = flag("SECURE_SSL_REDIRECT", default=True)
    SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]  # probes and scrapers come past the proxy
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    if DEBUG:
        raise ImproperlyConfigured("DEBUG must be off in production.")

REST_FRAMEWORK = interface.REST_FRAMEWORK
SPECTACULAR_SETTINGS = interface.SPECTACULAR_SETTINGS

# --- back office -----------------------------------------------------------------------------------

STAFF_SECOND_FACTOR = flag("STAFF_SECOND_FACTOR", default=PRODUCTION)
if PRODUCTION and not STAFF_SECOND_FACTOR:
    raise ImproperlyConfigured("STAFF_SECOND_FACTOR can't be off in production.")
STAFF_IDLE_SECONDS = 20 * 60
SESSION_COOKIE_AGE = 12 * 60 * 60
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
CSRF_COOKIE_SAMESITE = "Strict"  # the session stays Lax: lists are sent to colleagues as links
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "partners.addresses.address_of_request"
AXES_RESET_ON_SUCCESS = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
AXES_LOCKOUT_TEMPLATE = "admin/locked_out.html"
AXES_HTTP_RESPONSE_CODE = 429
AXES_SENSITIVE_PARAMETERS = ["otp_token"]
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"  # never in a cookie
UNFOLD = {
    "SITE_TITLE": "Billing desk",
    "SITE_HEADER": "Billing desk",
    "SHOW_HISTORY": True,
    "GLOBAL_CALLBACK": "claims.admin.navigation.shell",
    "DASHBOARD_CALLBACK": "claims.admin.home.dashboard",
}

# --- operation -------------------------------------------------------------------------------------

LOGGING = logs.configure(
    level=choice("LOG_LEVEL", allowed=("DEBUG", "INFO", "WARNING", "ERROR"), default="INFO"),
    form=choice("LOG_FORM", allowed=logs.FORMS, default="json" if PRODUCTION else "text"),
)
METRICS_TOKEN = secret("METRICS_TOKEN", development="", required=False)
WORKER_METRICS_PORT = whole("WORKER_METRICS_PORT", default=0, most=65535)  # 0: the worker serves no metrics
METRICS_DIR = Path(env.str("METRICS_DIR", default=str(metrics_folder.default_for(BASE_DIR))))
metrics_folder.prepare(METRICS_DIR, must_be_ours=PRODUCTION)
if SENTRY_DSN := env.str("SENTRY_DSN", default=""):
    try:
        error_reports.start(SENTRY_DSN, environment=ENVIRONMENT)
    except ValueError:
        raise ImproperlyConfigured("SENTRY_DSN must be Sentry's address: https://key@host/project.") from None
