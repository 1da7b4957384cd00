"""All configuration, read from the environment once; no logic. deploy/env.example lists it."""

import os
from pathlib import Path

import dj_database_url
import structlog
from csp.constants import NONE, SELF

BASE_DIR = Path(__file__).resolve().parent.parent


def _flag(name: str) -> bool:
    return os.environ.get(name, "").lower() in {"1", "true", "yes", "on"}


def _list(name: str, default: str = "") -> list[str]:
    return [item.strip() for item in os.environ.get(name, default).split(",") if item.strip()]


def _text(path: str | None) -> str:
    return Path(path).read_text().strip() if path else ""


VERSION = "0.1.0"
BUILD = os.environ.get("BUILD") or VERSION  # stored with each round: a fault may be a build's

DEBUG = _flag("DEBUG")
SECRET_KEY = os.environ.get("SECRET_KEY") or "only-for-commands-that-serve-nobody"
ALLOWED_HOSTS = _list("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")

# --- The log: base64 of Ed25519 keys, each of which signs every checkpoint; the name that it
# signs under; and a file, best on another machine's disk, where the last checkpoint is kept.
LOG_KEYS = _list("LOG_KEYS", _text(os.environ.get("LOG_KEYS_FILE")))
LOG_ORIGIN = os.environ.get("LOG_ORIGIN") or "localhost/log"
LOG_WITNESS_FILE = os.environ.get("LOG_WITNESS_FILE") or (
    f"{os.environ['VAR']}/checkpoint" if "VAR" in os.environ else ""
)
# Who stamps a checkpoint an hour (RFC 3161), and a file of the certificates that vouch for him.
LOG_TSA_URL = os.environ.get("LOG_TSA_URL", "")
LOG_TSA_ROOTS = os.environ.get("LOG_TSA_ROOTS", "")

# --- Exports: the folder in which they are built, one for all workers and web servers, and their
# parts in the order in which they are written. A room adds to an export by a line here.
EXPORT_DIR = Path(os.environ.get("EXPORT_DIR") or f"{os.environ.get('VAR', 'var')}/exports")
EXPORT_PARTS = [
    "audit.export.entries.ENTRIES",
    "wallets.export.TRANSFERS",
    "wallets.export.ACCOUNTS",
    "pontoon.export.ROUNDS",
]
EXPORT_CURRENCIES = "casino.players.profiles.CURRENCIES"

# Fernet keys, the first seals and all open: the server seeds of rounds at rest.
SEED_KEYS = _list("SEED_KEYS")
# And so for the second factors of the staff.
STAFF_KEYS = _list("STAFF_KEYS")

# --- Webhooks: Fernet keys, the first seals and all open, the secrets that they are signed with;
# and whether they may go to addresses that are not of the public internet, and by HTTP.
WEBHOOK_KEYS = _list("WEBHOOK_KEYS")
WEBHOOK_PRIVATE = _flag("WEBHOOK_PRIVATE")

# --- Metrics: the bearer token of /metrics; without one it is not there.
METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")

INSTALLED_APPS = [
    "casino.staff",  # first, since it shadows commands of Django's
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "corsheaders",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "audit",
    "casino.players",
    "wallets",
    "pontoon",
]

MIDDLEWARE = [
    "casino.middleware.request_id",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "casino.policy.Policies",
    "corsheaders.middleware.CorsMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "casino.staff.guard.Guard",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "casino.urls"
WSGI_APPLICATION = "casino.wsgi.application"
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "casino" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- The database: one engine, two roles. The application may not edit the record; the
# owner migrates (`manage.py migrate --database owner`). See docs/decisions/0008.
_DATABASE_URL = os.environ.get("DATABASE_URL", "postgres:///pontoon")
_DATABASE_OPTIONS = {
    # Bound on the server, so the statements of a bet are prepared once a connection, and
    # planned once: planning the read anew costs ten times what it takes to run. A plan made
    # while a table was small must still be right when it has grown, so it uses the index;
    # what reads whole tables (check_ledger) says so itself.
    "server_side_binding": True,
    "prepare_threshold": 2,
    # And nobody waits for ever on a lock whose holder has stopped.
    "options": "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off"
    " -c lock_timeout=5s -c idle_in_transaction_session_timeout=60s",
}


def _database(url: str) -> dict[str, object]:
    parsed = dj_database_url.parse(url, engine="django.db.backends.postgresql", conn_max_age=None)
    return {**parsed, "OPTIONS": {**_DATABASE_OPTIONS, **parsed.get("OPTIONS", {})}}


DATABASES = {
    "default": _database(_DATABASE_URL),
    "owner": _database(os.environ.get("DATABASE_OWNER_URL") or _DATABASE_URL),
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Staff (the panel). Players are not Django users: they can never log in here.
AUTH_USER_MODEL = "staff.StaffUser"
AUTHENTICATION_BACKENDS = ["casino.staff.backends.RecordingBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
LOGIN_URL = "/panel/login/"
# The cookie is signed and names a row, which says whether the session is open: casino/staff.
SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
SESSION_COOKIE_AGE = 12 * 3600
SESSION_EXPIRE_AT_BROWSER_CLOSE = True

# --- The panel: unfold's pages in our colours (casino/static/casino/panel), without its scripts.
UNFOLD = {
    "SITE_TITLE": "Pontoon",
    "SITE_HEADER": "Pontoon",
    "SITE_URL": None,
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "DASHBOARD_CALLBACK": "casino.desk.board.dashboard",
    "SIDEBAR": {"navigation": "casino.desk.navigation.groups"},
}

# --- Languages
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("es", "Español"), ("pt", "Português"), ("sv", "Svenska")]
LOCALE_PATHS = [BASE_DIR / "casino" / "locale"]
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True

# --- Static files
STATIC_URL = "/static/"
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT") or BASE_DIR / "var" / "static")
STATICFILES_DIRS = [BASE_DIR / "casino" / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "casino.assets.HashedModules"},
}

# --- The API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["casino.rest.BearerAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["casino.rest.MayCall"],
    "DEFAULT_PARSER_CLASSES": ["casino.rest.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["casino.rest.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "casino.rest.AlwaysJSON",
    "DEFAULT_THROTTLE_CLASSES": ["casino.rest.RateLimit"],
    "DEFAULT_SCHEMA_CLASS": "casino.schema.Schema",
    "EXCEPTION_HANDLER": "casino.problems.handle",
    "UNAUTHENTICATED_USER": None,
}
BODY_BYTES_MAX = 64 * 1024

SPECTACULAR_SETTINGS = {
    "TITLE": "Pontoon",
    "VERSION": VERSION,
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": [
        "casino.schema.document_problems",
    ],
}

CORS_ALLOWED_ORIGINS = _list("CORS_ALLOWED_ORIGINS")
CORS_ALLOW_HEADERS = [
    "accept", "accept-language", "authorization", "content-type", "idempotency-key",
    "x-request-id",
]  # fmt: skip
CORS_EXPOSE_HEADERS = ["x-request-id", "retry-after", "etag"]

# Requests a minute. The defaults let a load test through; production sets its own.
RATE_LIMIT_STORAGE = os.environ.get("RATE_LIMIT_STORAGE", "memory://")
RATE_LIMITS = {
    "token": os.environ.get("RATE_LIMIT_TOKEN", "30000/minute"),
    "key": os.environ.get("RATE_LIMIT_KEY", "120000/minute"),
    "ip": os.environ.get("RATE_LIMIT_IP", "120000/minute"),
    "refused": os.environ.get("RATE_LIMIT_REFUSED", "300/minute"),
    "lobby": os.environ.get("RATE_LIMIT_LOBBY", "30/minute"),
}

# The lobby for demo and test play at `/`, where anybody opens test accounts; off in production.
LOBBY = _flag("LOBBY")

# Headers in which a proxy that is trusted names the client; none by default.
CLIENT_ADDRESS_HEADER = os.environ.get("CLIENT_ADDRESS_HEADER", "")

# --- The watch over returns (RTP-04): how often it may be wrong in all its life, and how much
# worse than best play the players of a house may play. Who takes no strategy, and stands as soon
# as he may, loses 11 % of his stakes where best play loses 0.4 %.
RTP_ERROR_RATE = float(os.environ.get("RTP_ERROR_RATE", "0.001"))
RTP_PLAY_MARGIN = float(os.environ.get("RTP_PLAY_MARGIN", "0.12"))

# --- Reports: who they are of.
OPERATOR_NAME = os.environ.get("OPERATOR_NAME") or "Pontoon"

# --- The game
ABANDONED_AFTER_H = int(os.environ.get("ABANDONED_AFTER_H", "24"))

# --- Celery: acks late, one at a time, no result anybody waits for; nothing has an ETA. The
# database is the truth and the queue a hint (docs/decisions): casino/celery.py has the beat table.
CELERY_BROKER_URL = os.environ.get("CELERY_BROKER_URL", "redis://127.0.0.1:6379/0")
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a broker may be away for as long as it likes
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 300
CELERY_TASK_SOFT_TIME_LIMIT = 270
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CONSUMER = "casino.letters:Consumer"
CELERY_TASK_DEFAULT_QUEUE = "pontoon"
CELERY_TIMEZONE = "UTC"
if CELERY_BROKER_URL.startswith("amqp"):
    # Without confirmation a broker that is killed loses what it was sent.
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = {"confirm_publish": True}
else:
    # What a worker that died had fetched comes again after longer than the longest task may take.
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 2 * 3600,
        "socket_connect_timeout": 2,
        "socket_keepalive": True,
    }

# --- Security headers
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# What a document may load: nothing, unless its view says more (casino/pages.py). The API's
# documentation brings scripts of others, written into the page.
CONTENT_SECURITY_POLICY = {
    "EXCLUDE_URL_PREFIXES": ["/api/v1/docs"],
    "DIRECTIVES": {"default-src": [NONE], "base-uri": [NONE], "frame-ancestors": [NONE]},
}
# Whose pages may show the table inside their own: origins of operators' lobbies.
TABLE_FRAME_ANCESTORS = _list("TABLE_FRAME_ANCESTORS")
# What a page of the panel may load and run: files of this service alone (docs/decisions/0017).
PANEL_POLICY = {
    "default-src": [NONE],
    "script-src": [SELF],
    "style-src": [SELF],
    "font-src": [SELF],
    "img-src": [SELF],
    "connect-src": [SELF],
    "form-action": [SELF],
    "base-uri": [NONE],
    "frame-ancestors": [NONE],
}
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Strict"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _flag("HTTPS")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _flag("HTTPS") else None

# --- Logging: one line of JSON an event; never a body, a token or a seed.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "json": {
            "()": structlog.stdlib.ProcessorFormatter,
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(),
            ],
            "foreign_pre_chain": [
                structlog.contextvars.merge_contextvars,
                structlog.stdlib.add_log_level,
                structlog.stdlib.add_logger_name,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
            ],
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["console"], "level": os.environ.get("LOG_LEVEL", "INFO")},
    "loggers": {
        "django.request": {"level": "ERROR"},
        # A name that is not ours is the caller's mistake, and an attacker's way to fill the log.
        "django.security.DisallowedHost": {"handlers": [], "propagate": False},
        "django.server": {"level": "WARNING"},
    },
}
