"""What the phone of one of the demo's staff shows now: `python -m deploy.local.code floor`."""

import base64
import sys
import time
from collections.abc import Sequence
from os import environ

from deploy.local.errors import StartError
from deploy.local.options import read_options

STEP_S = 30


def main(arguments: Sequence[str]) -> str:
    """Return the code, and for how many seconds it is good."""
    from django_otp.oath import TOTP

    file = read_options(environ).var / "demo.env"
    lines = file.read_text().splitlines() if file.exists() else []
    kept = dict(line.split("=", 1) for line in lines if "=" in line)
    name = arguments[0] if arguments else ""
    secret = kept.get(f"STAFF_{name.upper()}_SECRET")
    if secret is None:
        known = [
            key.removeprefix("STAFF_").removesuffix("_SECRET").lower()
            for key in kept
            if key.startswith("STAFF_") and key.endswith("_SECRET")
        ]
        raise StartError(f"Say whose: {', '.join(known) or f'there is nobody in {file}'}.")
    totp = TOTP(base64.b32decode(secret))
    return f"{totp.token():06}  ({STEP_S - int(time.time()) % STEP_S} s left; each is taken once)"


if __name__ == "__main__":
    try:
        sys.stdout.write(main(sys.argv[1:]) + "\n")
    except StartError as error:
        sys.exit(str(error))
