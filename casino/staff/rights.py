"""What Django asks of a user about his rights, answered from the roles."""

from collections.abc import Iterable
from typing import Any

from casino.staff import roles


class RightsByRole:
    """A user whose permissions are what his role lets him look at: no groups, no superuser."""

    def has_perm(self, perm: str, obj: Any = None) -> bool:
        """Say whether he may look at a table; no other permission of Django's is anybody's."""
        return roles.may_look(self, perm)

    def has_perms(self, perm_list: Iterable[str], obj: Any = None) -> bool:
        """Say whether he has all of several."""
        return all(self.has_perm(perm, obj) for perm in perm_list)

    def has_module_perms(self, app_label: str) -> bool:
        """Say whether there is anything in an app for him."""
        return roles.may_enter(self, app_label)
