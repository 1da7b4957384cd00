"""The panel of the tests, as somebody sees it who may see all."""

from typing import Any

from django.test import Client

from casino.staff.services import create_user


class Panel:
    """Somebody of the staff at the panel."""

    def __init__(self) -> None:
        create_user("command:test", username="ana", password="quiet-harbour-9", role="compliance")
        self.client = Client()
        assert self.client.login(username="ana", password="quiet-harbour-9")

    def see(self, path: str, **query: Any) -> str:
        """Return a page under /panel/."""
        response = self.client.get(f"/panel/{path}", query)
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
