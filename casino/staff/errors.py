"""What can be wrong with the staff, and with what people of it decide in any room.

StaffError
├─ StaffNotFoundError
├─ SamePersonError    (decides on what he raised himself)
├─ AlreadyDecidedError (somebody was faster; with the state that it has now)
├─ RoleFixedError     (an auditor stays one, within the house)
├─ ChangeWaitsError   (a change of this user's role waits already, or none does)
├─ TakenNameError     (there is a user of that name)
├─ HelpedAlreadyError (the other half of a log-in was given by the same person)
└─ LinkOverError      (used, too old, or never made)
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


class AlreadyDecidedError(StaffError):
    """It is not where this could be decided: somebody was faster, or it is not counted yet."""

    code = "already_decided"


class RoleFixedError(StaffError):
    """An auditor's role is not changed from inside; make another user."""

    code = "role_fixed"


class ChangeWaitsError(StaffError):
    """A change of this user's role waits already, or the one to decide on does not."""

    code = "change_waits"


class TakenNameError(StaffError):
    """There is a user of that name already."""

    code = "name_taken"


class HelpedAlreadyError(StaffError):
    """Who gave the link does not take the phone too, nor the other way round."""

    code = "helped_already"


class LinkOverError(StaffError):
    """The link was used, is too old, or never was."""

    code = "link_over"
