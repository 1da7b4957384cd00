"""What can be wrong with the staff.

StaffError
├─ StaffNotFoundError
└─ SamePersonError (decides on what he raised himself)
"""

from audit.errors import HouseError


class StaffError(HouseError):
    """The staff is not as an act needs it."""


class StaffNotFoundError(StaffError):
    """There is no such staff user."""

    code = "not_found"


class SamePersonError(StaffError):
    """Somebody would decide on what he raised himself: a second person has to."""

    code = "same_person"
