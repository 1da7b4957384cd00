"""What tests of the door ask: what was recorded, and whether somebody is in."""

import json
from typing import Any

from django.test import Client

from audit.models import Entry


def bodies(event: str) -> list[dict[str, Any]]:
    """Return the payloads of an event, oldest first."""
    found = Entry.objects.filter(event=event).order_by("id")
    return [json.loads(entry.body)["payload"] for entry in found]


def second_code(browser: Client, code: str) -> Any:
    """Take the second step."""
    return browser.post("/panel/second/", {"code": code})


def is_in(browser: Client) -> bool:
    """Say whether a browser gets a page of the panel."""
    return bool(browser.get("/panel/account/").status_code == 200)
