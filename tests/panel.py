"""The panel of the tests: somebody of the staff at it, who came in by the door as all do."""

import re
import time
from typing import Any

from django.test import Client

from casino.staff import second
from casino.staff.models import Device, StaffUser
from casino.staff.services import create_user

PASSWORD = "quiet-harbour-9"
STEP_S = 30


def hire(role: str, username: str = "ana") -> StaffUser:
    """Make somebody of the staff, as the shell does."""
    return create_user("command:test", username=username, password=PASSWORD, role=role)


def phone_code(user: StaffUser) -> str:
    """Return what a user's phone shows; what it showed before is forgotten, so that it is taken."""
    device = Device.objects.get(user=user)
    Device.objects.filter(user=user).update(last_step=0)
    secret = second.secret_of(device)
    return second.code_at(secret, unix_s=time.time())


def give_password(client: Client, username: str = "ana", password: str = PASSWORD) -> Any:
    """Take the first step."""
    return client.post("/panel/login/", {"username": username, "password": password})


def log_in(client: Client, user: StaffUser, password: str = PASSWORD) -> None:
    """Take both steps; the first time, set up a phone."""
    assert give_password(client, user.username, password).status_code == 302
    asked = client.get("/panel/second/")
    assert asked.status_code == 200
    if not second.is_enrolled(user):
        code = second.code_at(second.waiting_secret(user), unix_s=time.time())
        answer = client.post("/panel/second/", {"code": code})
        assert len(re.findall(r"<li><code>", answer.content.decode())) == second.RECOVERY_CODES
    else:
        answer = client.post("/panel/second/", {"code": phone_code(user)})
        assert (answer.status_code, answer["Location"]) == (302, "/panel/"), answer
    assert client.get("/panel/account/").status_code == 200


class Panel:
    """Somebody of the staff at the panel; by default one who may look at all of it."""

    def __init__(self, role: str = "compliance", username: str = "ana") -> None:
        self.user = hire(role, username)
        self.client = Client()
        log_in(self.client, self.user)

    def see(self, path: str, **query: Any) -> str:
        """Return a page under /panel/."""
        response = self.client.get(f"/panel/{path}", query)
        assert response.status_code == 200, response
        return str(response.content.decode())

    def press(self, path: str, **told: Any) -> str:
        """Press a button, and return the page that it leads to."""
        response = self.client.post(f"/panel/{path}", told, follow=True)
        assert response.redirect_chain, response
        assert response.status_code == 200, response
        return str(response.content.decode())

    def changes(self, table: str, address: str) -> set[int]:
        """Try to add, change, delete and bulk-delete; return the statuses."""
        row = f"/panel/{table}/{address}"
        bulk = {"action": "delete_selected", "_selected_action": address, "post": "yes"}
        self.client.post(f"/panel/{table}/", bulk)
        assert self.client.get(f"{row}/change/").status_code == 200
        return {
            self.client.get(f"/panel/{table}/add/").status_code,
            self.client.post(f"/panel/{table}/add/", {}).status_code,
            self.client.post(f"{row}/change/", {}).status_code,
            self.client.post(f"{row}/delete/", {"post": "yes"}).status_code,
        }
