"""What can be wrong with the staff.

StaffError
└─ StaffNotFoundError
"""

from audit.errors import HouseError


class StaffError(HouseError):
    """The staff is not as an act needs it."""


class StaffNotFoundError(StaffError):
    """There is no such staff user."""

    code = "not_found"
