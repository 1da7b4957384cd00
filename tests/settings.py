"""Settings of the test run: the product's own, with keys that guard nothing."""

import os

os.environ.setdefault("SECRET_KEY", "tests-only")
os.environ.setdefault("SEED_KEYS", "uGcZjyN9iyGTBzT4nHLAPl0YwCgA5sB4mH0X1C2yl9I=")
os.environ.setdefault("STAFF_KEYS", "Z3VhcmRzIG5vdGhpbmc6IGZvciB0ZXN0cyBvbmx5ISE=")
os.environ.setdefault("LOG_KEYS", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
os.environ.setdefault("WEBHOOK_KEYS", "m0rQpeUzqXlVnZ1D8d8C0b1kJQxq4yS2y1u0C5lqzqE=")
os.environ.setdefault("CELERY_BROKER_URL", "memory://")
os.environ["RATE_LIMIT_REFUSED"] = "100000/minute"

from casino.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {  # noqa: F405
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage",
}
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True  # what is not collected is served from where it lies
